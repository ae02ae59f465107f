#!/usr/bin/env python3
"""Tests of the report page in headless Chromium: 200 cases over 20 result sets, and names that are
made to break it. Where no Chromium is installed they fail: `ci/setup.sh --all` installs one.

  --screenshots FOLDER   also leaves pictures of the page there, to be looked at
"""

import argparse
import pathlib
import sys
import tempfile
import unittest

import result_files
from chromium import Chromium
from report_data import page_data
from report_nights import NASTY, night
from report_page import page
from result_set import ResultSet, read_result_set

NIGHTS = 20
LIMIT_S = 2.0
LIMIT_BYTES = 5e6

screenshots: pathlib.Path | None = None


class ReportInChromium(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        sets: list[ResultSet] = []
        for number in range(NIGHTS):
            path = root / f"night{number + 1:02}"
            result_files.write(path, *night(number), date=f"2026-11-{number + 1:02}T02:15:00Z")
            sets.append(read_result_set(path, stand_ins=True, mixed_devices=True))
        text = page(page_data(sets))
        cls.bytes = len(text.encode())
        cls.file = root / "report.html"
        cls.file.write_text(text, encoding="utf-8")

    def setUp(self):
        self.seconds = self.browser.open(self.file.as_uri())

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])
        # It asks for itself alone.
        self.assertEqual(set(self.browser.requests) - {self.file.as_uri()}, set())

    def js(self, expression: str):
        return self.browser.evaluate(expression)

    def column(self, number: int) -> list[str]:
        return self.js("[...document.querySelectorAll('tr.case')]"
                       f".map(row => row.cells[{number}].textContent)")

    def place_of(self, title: str) -> int:
        titles = self.js("[...document.querySelectorAll('table.cases th button')]"
                         ".map(b => b.dataset.sort)")
        return titles.index(title)

    def shown(self) -> str:
        return self.js("document.querySelector('.count').textContent")

    def picture(self, name: str) -> None:
        if screenshots:
            self.browser.screenshot(screenshots / f"{name}.png")

    def test_200_cases_of_20_runs_open_in_2_seconds_and_are_below_5_MB(self):
        # The machine may be busy with something else: the best of three counts.
        seconds = min(self.seconds, *(self.browser.open(self.file.as_uri()) for _ in range(2)))
        print(f"opened in {seconds:.2f} s, {self.bytes / 1e6:.2f} MB", file=sys.stderr)
        self.assertEqual(self.shown(), "200 cases")
        self.assertLess(seconds, LIMIT_S)
        self.assertLess(self.bytes, LIMIT_BYTES)
        self.picture("top")

    def test_a_press_on_a_head_sorts_and_a_second_one_turns_the_order(self):
        place = self.place_of("latency")
        self.browser.click("[data-sort=latency]")
        values = [float(text) for text in self.column(place) if text != "–"]
        self.assertEqual(len(values), 199)
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertEqual(self.column(place)[-1], "–")  # no number is last, either way
        self.assertEqual(self.js("document.querySelector('th[aria-sort=descending]').innerText"),
                         "latency, us▼")
        self.browser.click("[data-sort=latency]")
        values = [float(text) for text in self.column(place) if text != "–"]
        self.assertEqual(values, sorted(values))
        self.assertEqual(self.column(place)[-1], "–")

    def test_shapes_are_sorted_as_numbers(self):
        self.browser.click("[data-sort=shape]")
        shapes = list(dict.fromkeys(self.column(self.place_of("shape"))))
        self.assertEqual(shapes, ["1x1048576", "16x4096x7168", "64x4096x7168", "1024x1024",
                                  "4096x4096"])

    def test_words_filter_and_a_minus_excludes(self):
        self.js("document.querySelector('[name=words]').focus()")
        self.browser.type("ROPE bf16 -e4m3")
        self.assertEqual(self.shown(), "5 of 200 cases")
        self.assertEqual(set(self.column(self.place_of("op"))), {"rope"})
        self.assertEqual(set(self.column(self.place_of("types"))), {"bf16"})
        self.browser.key("Escape")
        self.assertEqual(self.shown(), "200 cases")
        self.browser.type("no such case")
        self.assertEqual(self.shown(), "0 of 200 cases")
        self.browser.click(".nothing button")
        self.assertEqual(self.shown(), "200 cases")

    def test_bounds_filter_and_a_case_without_the_number_is_outside(self):
        place = self.place_of("latency")
        values = [float(text) for text in self.column(place) if text != "–"]
        for bound, inside in (("latency>100", [v for v in values if v > 100]),
                              ("latency<=100", [v for v in values if v <= 100])):
            self.js("document.querySelector('[name=words]').focus()")
            self.browser.type(bound)
            self.assertEqual(self.column(place), [t for t in self.column(place) if t != "–"])
            self.assertEqual(self.shown(), f"{len(inside)} of 200 cases")
            self.browser.key("Escape")

    def test_choices_filter_and_the_address_brings_them_back(self):
        self.js("(() => { const s = document.querySelector('[name=op]'); s.value = 'rope';"
                "s.dispatchEvent(new Event('change', {bubbles: true})); })()")
        self.assertEqual(self.shown(), "20 of 200 cases")
        self.assertEqual(set(self.column(self.place_of("op"))), {"rope"})
        address = self.js("location.href")
        self.browser.open(address)
        self.assertEqual(self.shown(), "20 of 200 cases")

    def test_tiles_count_and_filter_what_is_in_doubt(self):
        tiles = self.js("Object.fromEntries([...document.querySelectorAll('.tile')].map(t => "
                        "[t.querySelector('span').textContent, t.querySelector('strong')"
                        ".textContent]))")
        self.assertEqual(tiles, {"ok": "199", "wrong_result": "1", "implausible": "1",
                                 "untrusted": "1", "stand-in": "1", "not captured": "1",
                                 "not cold": "1"})
        self.browser.click(".tile.amber")
        self.assertEqual(self.shown(), "1 of 200 cases")
        self.assertIn("untrusted", self.column(self.place_of("verdict"))[0])

    def test_marks_and_reasons_are_on_the_page_before_anything_is_opened(self):
        text = self.js("document.body.innerText")
        for shown in ("MUSA stand-in, which stands in for another device", "capture:cudaErrorX",
                      "rotation needs more than 10,000 nodes", "exceeds the peak",
                      "heat slowed the device", "SM clock 1980 MHz", "Samples are thinned",
                      "power limit 700 W"):
            self.assertTrue(shown in " ".join(text.split()), shown)

    def test_a_row_opens_with_its_history_its_samples_and_how_it_was_made(self):
        self.browser.click("#case-0 td")
        self.assertEqual(self.js("document.querySelectorAll('.history .run circle').length"),
                         NIGHTS)
        drawn = self.js("document.querySelectorAll('.samples .dots circle').length")
        self.assertTrue(300 < drawn <= 400, drawn)
        self.assertIn(f"{drawn} of 1500 samples drawn", self.js(
            "document.querySelector('.samples figcaption').textContent"))
        self.picture("details")
        # Another run, out of the list of all: the page now shows that set.
        self.browser.click(".runs summary")
        self.browser.click(".runs tbody tr:last-child button")
        self.assertEqual(self.js("document.querySelector('[name=set]').value"), "0")
        self.assertTrue(self.js("document.querySelector('details.runs').open"))

    def test_names_that_look_like_html_are_shown_as_they_are(self):
        spelt = NASTY.replace("\n", "\\n")
        self.assertTrue(spelt in self.column(self.place_of("impl")))
        self.browser.click("#case-0 td")
        self.assertIn(spelt, self.js("document.querySelector('.details h3').textContent"))
        self.assertEqual(self.js("document.querySelectorAll('img').length"), 0)
        self.assertEqual(self.js("document.querySelectorAll('script').length"), 2)

    def test_the_keyboard_is_enough(self):
        self.js("document.querySelector('tr.case').focus()")
        self.browser.key("ArrowDown")
        self.browser.key("ArrowDown")
        self.browser.key("Enter")
        self.assertEqual(self.js("[...document.querySelectorAll('tr.case')].findIndex(r => "
                                 "r.getAttribute('aria-expanded') === 'true')"), 2)
        self.browser.key("Escape")
        self.assertEqual(self.js("document.querySelectorAll('tr.below').length"), 0)
        self.browser.key("End")
        self.assertTrue(self.js("document.activeElement === "
                                "[...document.querySelectorAll('tr.case')].at(-1)"))
        self.browser.key("/")
        self.assertEqual(self.js("document.activeElement.name"), "words")

    def test_both_colour_schemes_are_readable(self):
        def contrasts() -> list[dict]:
            return self.js(CONTRASTS)

        self.addCleanup(self.browser.dark, False)
        for dark in (False, True):
            self.browser.dark(dark)
            self.browser.open(f"{self.file.as_uri()}#open=cuda/softmax/own/f32/1024x1024")
            low = [c for c in contrasts() if c["ratio"] < 4.5]
            self.assertEqual(low, [])
            self.picture("dark" if dark else "light")
        self.assertEqual(self.js("getComputedStyle(document.body).backgroundColor"),
                         "rgb(18, 22, 27)")

    def test_it_prints_every_case_that_is_shown(self):
        whole = pages(self.browser.pdf())
        self.js("document.querySelector('.tile.amber').click()")
        one = pages(self.browser.pdf())
        self.assertGreater(whole, 3)
        self.assertLess(one, whole)
        if screenshots:
            (screenshots / "print.pdf").write_bytes(self.browser.pdf())

    def test_a_narrow_window_does_not_scroll_sideways(self):
        self.addCleanup(self.browser.resize, 1400, 900)
        self.browser.resize(420, 800)
        self.browser.click("#case-0 td")
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 420)
        self.picture("narrow")


def pages(pdf: bytes) -> int:
    return pdf.count(b"/Type /Page\n") or pdf.count(b"/Type/Page/") or pdf.count(b"/Type /Page ")


# The contrast, as WCAG defines it, of each kind of text against what is behind it.
CONTRASTS = """(() => {
  const light = (c) => {
    const [r, g, b] = c.map(v => v / 255).map(v =>
      v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const seen = new Map();
  for (const e of document.querySelectorAll('#report *')) {
    if (e.tagName === 'title') continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e);
    const text = rgb(e instanceof SVGElement ? style.fill : style.color).slice(0, 3);
    const [a, b] = [light(text), light(behind(e))].sort((x, y) => y - x);
    const what = `${e.tagName}.${e.getAttribute('class') || ''}`;
    seen.set(what, {what, ratio: (a + 0.05) / (b + 0.05)});
  }
  return [...seen.values()];
})()"""


def main() -> None:
    global screenshots
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="FOLDER")
    arguments, rest = parser.parse_known_args()
    screenshots = arguments.screenshots
    if screenshots:
        screenshots.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
