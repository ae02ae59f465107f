"""python3 -m unittest discover ci"""

import contextlib
import io
import os
import pathlib
import socket
import tempfile
import unittest
import unittest.mock

import spool
import submit
from ctest_parts import Identity, read_test_part
from fake_cdash import TOKEN, FakeCdash

STAMP = "20260101-0203-Nightly"
HOSTILE = "a'\"<&>\u00e9 " + "x" * 200


def part_xml(body: str, name: str = "cuda", stamp: str = STAMP) -> str:
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<Site BuildName="{name}"\n'
            f'\tBuildStamp="{stamp}"\n\tName="(empty)"\n\tHostname="vm"\n\t>\n{body}\n</Site>\n')


def test_xml(latencies: dict[str, str | None], device: str = "NVIDIA H200", **how: str) -> str:
    """A latency of None: the test failed and measured nothing."""
    tests = ""
    for name, latency in latencies.items():
        tags = "" if latency is None else (
            f'<NamedMeasurement type="numeric/double" name="latency_us"><Value>{latency}</Value>'
            f'</NamedMeasurement><NamedMeasurement type="text/string" name="device"><Value>{device}'
            '</Value></NamedMeasurement>')
        tests += (f'<Test Status="{"failed" if latency is None else "passed"}"><Name>{name}</Name>'
                  f"<Results>{tags}</Results></Test>")
    return part_xml(f"<Testing><TestList><Test>./x</Test></TestList>{tests}</Testing>", **how)


RUN = {"perf.cuda.add.own.f32.4096": "1.5", "perf.cuda.add.own.f16.4096": "1.25",
       "perf.cuda.mm.own.f32.8x8x8": None}


class Submit(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build = self.folder / "build"
        self.spool = self.folder / "spool"
        self.token = self.folder / "token"
        self.token.write_text(TOKEN + "\n")
        self.output = ""

    def write_run(self, test: str, tag: str = "20260101-0203") -> None:
        run = self.build / "Testing" / tag
        run.mkdir(parents=True)
        (self.build / "Testing" / "TAG").write_text(f"{tag}\nNightly\nNightly\n")
        for part in ("Configure", "Build"):
            (run / f"{part}.xml").write_text(part_xml(f"<{part}/>"))
        (run / "Test.xml").write_text(test)

    def submit(self, *arguments: str, url: str, **environment: str) -> int:
        env = {"ZL_CDASH_URL": url, "ZL_CDASH_TOKEN_FILE": str(self.token), "ZL_CDASH_SITE": "lab1",
               "ZL_CDASH_SPOOL": str(self.spool), "ZL_CDASH_WAIT_S": "0.3", **environment}
        text = io.StringIO()
        with (unittest.mock.patch.dict(os.environ, env, clear=True),
              contextlib.redirect_stderr(text), contextlib.redirect_stdout(text)):
            try:
                code = submit.main(list(arguments))
            except SystemExit as e:
                code = int(e.code or 0)
        self.output = text.getvalue()
        self.assertNotIn(TOKEN, self.output)
        for file in self.folder.rglob("*"):
            if file.is_file() and file != self.token:
                self.assertNotIn(TOKEN.encode(), file.read_bytes(), file)
        return code

    def submit_build(self, url: str, **environment: str) -> int:
        return self.submit("--build", str(self.build), url=url, **environment)

    def assert_in_spool(self, count: int = 1) -> None:
        entries, damaged = spool.waiting(self.spool)
        self.assertEqual((len(entries), damaged), (count, []))
        for entry in entries:
            self.assertEqual(list(entry.parts()), ["Configure", "Build", "Test"])
            tests = read_test_part(entry.parts()["Test"]).tests
            self.assertEqual({t.name: t.latency_us or None for t in tests}, RUN)

    def assert_on_server(self, cdash: FakeCdash) -> None:
        self.assertEqual(len(cdash.builds), 1)
        build = cdash.builds[0]
        self.assertEqual((build.name, build.site, build.stamp),
                         ("cuda-NVIDIA_H200-no_compiler", "lab1", STAMP))
        self.assertEqual({t["name"]: t["testMeasurements"][0]["value"] if t["testMeasurements"]
                          else None for t in build.tests}, RUN)
        self.assertEqual(len(build.tests), len(RUN))
        self.assertEqual(sorted(build.parts), ["Build", "Configure", "Done", "Test"])
        self.assertEqual(cdash.seen, [])
        self.assertEqual(spool.waiting(self.spool), ([], []))

    def test_a_run_is_on_the_server_with_one_done_at_the_end(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 0, self.output)
            self.assertEqual(cdash.received, ["Configure", "Build", "Test", "Done"])
            self.assert_on_server(cdash)

    def test_what_a_refusing_server_did_not_take_is_sent_from_the_spool(self) -> None:
        for part, status in (("Configure", 403), ("Build", 500), ("Test", 500), ("Done", 403),
                             ("Test", 302)):
            with self.subTest(part=part, status=status), FakeCdash().serving() as cdash:
                self.setUp()
                self.write_run(test_xml(RUN))
                cdash.status = {part: status}
                self.assertEqual(self.submit_build(cdash.url), 3)
                self.assertIn(f"answered {status} to {part}.xml", self.output)
                self.assertIn(f"--spool {self.spool}", self.output)
                self.assert_in_spool()
                cdash.status = {}
                self.assertEqual(self.submit("--spool", url=cdash.url), 0, self.output)
                self.assert_on_server(cdash)

    def test_a_lost_file_is_noticed_and_sent_again(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(lost={"Test"}).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 3)
            self.assertIn("lacks 3 of 3 tests", self.output)
            self.assertNotIn("Done", cdash.received)
            self.assert_in_spool()
            cdash.lost = set()
            self.assertEqual(self.submit("--spool", url=cdash.url), 0, self.output)
            self.assert_on_server(cdash)

    def test_a_page_of_another_server_with_status_200_is_no_success(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(pages={"Test"}).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 3)
            self.assertIn("no answer of CDash", self.output)
            self.assert_in_spool()

    def test_a_server_that_is_down_leaves_the_run_in_the_spool(self) -> None:
        self.write_run(test_xml(RUN))
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            self.assertEqual(self.submit_build(url), 3)
        self.assertIn("cannot be reached", self.output)
        self.assert_in_spool()

    def test_nothing_is_sent_where_the_server_does_not_show_what_it_has(self) -> None:
        for settings in ({"private": True}, {"status": {"graphql": 500}}, {"project": "another"}):
            with self.subTest(settings), FakeCdash(**settings).serving() as cdash:
                self.setUp()
                self.write_run(test_xml(RUN))
                self.assertEqual(self.submit_build(cdash.url), 3)
                self.assertEqual(cdash.received, [])
                self.assert_in_spool()

    def test_a_private_project_is_read_through_a_session_of_the_token(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(private=True, full_access=True).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 0, self.output)
            self.assert_on_server(cdash)

    def test_a_queue_is_waited_for(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(late=3).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url, ZL_CDASH_WAIT_S="5"), 0, self.output)
            self.assert_on_server(cdash)

    def test_a_file_that_a_queue_showed_too_late_is_not_appended_a_second_time(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(late=5).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url, ZL_CDASH_WAIT_S="0"), 3)
            self.assert_in_spool()
            cdash.queries = 100
            self.assertEqual(self.submit("--spool", url=cdash.url), 0, self.output)
            self.assertEqual(cdash.received.count("Test"), 1)
            self.assert_on_server(cdash)

    def test_a_build_that_holds_something_else_is_replaced_not_appended_to(self) -> None:
        self.write_run(test_xml(RUN))
        for name, latency in (("perf.cuda.add.own.f32.4096", "1.5"), ("perf.cuda.gone", "9"),
                              ("perf.cuda.add.own.f32.4096", "7")):
            with self.subTest(name=name, latency=latency), FakeCdash().serving() as cdash:
                build = cdash.build("cuda-NVIDIA_H200-no_compiler", "lab1", STAMP)
                build.parts.append("Configure")
                build.tests.append({"name": name, "status": "PASSED",
                                    "testMeasurements": [{"value": latency}]})
                self.assertEqual(self.submit_build(cdash.url), 0, self.output)
                self.assert_on_server(cdash)

    def test_tests_are_counted_over_all_pages(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(page=2).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 0, self.output)

    def test_the_same_run_submitted_again_changes_nothing(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash().serving() as cdash:
            self.submit_build(cdash.url)
            self.assertEqual(self.submit_build(cdash.url), 0, self.output)
            self.assertEqual(cdash.received, ["Configure", "Build", "Test", "Done", "Done"])
            self.assertEqual(len(cdash.builds[0].tests), len(RUN))

    def test_a_wrong_token_is_said_without_showing_it(self) -> None:
        self.write_run(test_xml(RUN))
        self.token.write_text("wr0ng" * 5)
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 3)
            self.assertIn("is the token right", self.output)
            self.assertNotIn("wr0ng", self.output)
            self.assert_in_spool()

    def test_a_run_without_tests_is_not_taken_for_submitted_before_all_of_it_was_sent(self) -> None:
        self.write_run(test_xml(RUN))
        (self.build / "Testing" / "20260101-0203" / "Test.xml").unlink()
        with FakeCdash(status={"Build": 500}).serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 3)
            cdash.status = {}
            self.assertEqual(self.submit("--spool", url=cdash.url), 0, self.output)
            self.assertEqual(cdash.builds[0].parts[-2:], ["Build", "Done"])

    def test_results_of_a_stand_in_device_are_refused_also_from_the_spool(self) -> None:
        self.write_run(test_xml(RUN, device="MUSA Stand-In (forwards to CUDA)"))
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url, ZL_CDASH_BUILD_NAME="named"), 2)
            self.assertIn("stands in for a device", self.output)
            self.assertEqual(spool.waiting(self.spool), ([], []))
            parts = {"Test": test_xml(RUN, device="MUSA stand-in").encode()}
            spool.add(self.spool, "zl-bench", Identity("lab1", "n", STAMP), parts)
            self.assertEqual(self.submit("--spool", url=cdash.url), 2)
            self.assertEqual(cdash.received, [])

    def test_a_cut_off_test_xml_is_refused(self) -> None:
        self.write_run(test_xml(RUN)[:-30])
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.submit_build(cdash.url), 2)
            self.assertIn("not complete XML", self.output)
            self.assertEqual(cdash.received, [])

    def test_a_damaged_folder_of_the_spool_does_not_hold_up_the_others(self) -> None:
        self.write_run(test_xml(RUN))
        with FakeCdash(status={"Test": 500}).serving() as cdash:
            self.submit_build(cdash.url)
            (self.spool / "0").mkdir()
            (self.spool / "0" / "build.json").write_text('{"project":')
            cdash.status = {}
            self.assertEqual(self.submit("--spool", url=cdash.url), 2)
            self.assertEqual(cdash.received[-1], "Done")

    def test_hostile_names_reach_the_server_unchanged(self) -> None:
        self.write_run(test_xml(RUN, name="&lt;b&gt;&amp;quot;"))
        with FakeCdash().serving() as cdash:
            code = self.submit_build(cdash.url, ZL_CDASH_BUILD_NAME=HOSTILE, ZL_CDASH_SITE="s\"&'")
            self.assertEqual(code, 0, self.output)
            self.assertEqual((cdash.builds[0].name, cdash.builds[0].site), (HOSTILE, "s\"&'"))

    def test_settings_that_cannot_work_are_said_before_anything_is_measured(self) -> None:
        self.assertEqual(self.submit("--check", url="https://cdash.example.org/"), 0, self.output)
        for url, word in (("", "ZL_CDASH_URL"), ("cdash.example.org", "no http"),
                          ("https://me:pw@cdash.example.org", "ZL_CDASH_TOKEN_FILE"),
                          ("https://h:port", "no http")):
            self.assertEqual(self.submit("--check", url=url), 2)
            self.assertIn(word, self.output)
            self.assertNotIn("pw", self.output)
        for token in ("", "two words", "t\u00f6ken", "a\nb"):
            self.token.write_text(token)
            self.assertEqual(self.submit("--check", url="https://h"), 2)
            self.assertIn("not a token", self.output)
        self.token.unlink()
        self.assertEqual(self.submit("--check", url="https://h"), 2)
        self.assertIn("cannot be read", self.output)
        for name in ("a\nb", "x" * 256, " a"):
            self.assertEqual(self.submit("--check", url="https://h", ZL_CDASH_BUILD_NAME=name), 2)
        self.assertEqual(self.submit("--check", url="https://h", ZL_CDASH_WAIT_S="nan"), 2)
        self.assertEqual(self.submit(url="https://h"), 2)


if __name__ == "__main__":
    unittest.main()
