"""python3 -m unittest discover ci: which attempts count, and what becomes of them."""

import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import slurm_run
from ctest_parts import PartsError, read_test_part
from merged_part import merged
from slurm_merge import merge
from slurm_run import Plan, Run, RunError


def test_xml(build: str, tests: dict[str, str], begin: int = 1000, end: int = 1060,
             says: str = "") -> str:
    """As CTest writes it in a test directory outside of the build."""
    body = "".join(f'<Test Status="{status}"><Name>{name}</Name><Path>{build}/ops</Path>'
                   f"<FullName>{build}/ops/{name}</FullName><Results><Measurement><Value>{says}"
                   "</Value></Measurement></Results></Test>" for name, status in tests.items())
    listed = "".join(f"<Test>{build}/ops/{name}</Test>" for name in tests)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<Site BuildName="fake" Name="slurm" '
            f'BuildStamp="20200101-0000-Else"><Testing><StartDateTime>then {begin}</StartDateTime>'
            f"<StartTestTime>{begin}</StartTestTime><TestList>{listed}</TestList>{body}"
            f"<EndDateTime>then {end}</EndDateTime><EndTestTime>{end}</EndTestTime>"
            "<ElapsedMinutes>1</ElapsedMinutes></Testing></Site>")


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="zl merge ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()


class MergedPart(Folder):
    def part(self, number: int, tests: dict[str, str], **how) -> pathlib.Path:
        file = self.folder / f"{number}.xml"
        file.write_text(test_xml("/b", tests, **how))
        return file

    def statuses(self, parts: dict[pathlib.Path, list[str]]) -> list[tuple[str, str]]:
        xml = merged(parts, "20260101-0203-Perf", pathlib.Path("/b"))
        return [(test.name, test.status) for test in read_test_part(xml).tests]

    def test_a_fixture_that_ran_in_every_shard_is_there_once_and_a_failure_of_it_is_not_lost(self):
        good = self.part(0, {"doctor": "passed", "perf.a": "passed"})
        bad = self.part(1, {"doctor": "failed", "perf.b": "notrun"})
        last = self.part(2, {"doctor": "passed", "perf.c": "passed"})
        self.assertEqual(self.statuses({good: ["perf.a"], bad: ["perf.b"], last: ["perf.c"]}),
                         [("doctor", "failed"), ("perf.a", "passed"), ("perf.b", "notrun"),
                          ("perf.c", "passed")])
        self.assertEqual(self.statuses({good: ["perf.a"], last: ["perf.c"]}),
                         [("doctor", "passed"), ("perf.a", "passed"), ("perf.c", "passed")])

    def test_a_case_that_counts_elsewhere_is_left_out(self):
        old = self.part(0, {"perf.a": "failed", "perf.b": "passed"})
        new = self.part(1, {"perf.a": "passed"})
        self.assertEqual(self.statuses({old: ["perf.b"], new: ["perf.a"]}),
                         [("perf.b", "passed"), ("perf.a", "passed")])

    def test_a_part_that_lacks_a_test_or_has_it_twice_is_refused(self):
        part = self.part(0, {"perf.a": "passed"})
        with self.assertRaisesRegex(PartsError, "holds 1 of the 2 tests"):
            self.statuses({part: ["perf.a", "perf.b"]})
        text = part.read_text()
        test = text[text.index("<Test Status"):text.index("<EndDateTime>")]
        part.write_text(text.replace(test, test + test))
        with self.assertRaisesRegex(PartsError, "each once"):
            self.statuses({part: ["perf.a"]})
        part.write_text(text[:-20])
        with self.assertRaisesRegex(PartsError, "not complete XML"):
            self.statuses({part: ["perf.a"]})

    def test_it_spans_all_parts_and_looks_as_if_ctest_ran_in_the_build(self):
        parts = {self.part(0, {"perf.a": "passed"}, begin=2000, end=2060, says="&lt;a&gt; \u00e9"):
                 ["perf.a"], self.part(1, {"perf.b": "passed"}, begin=1000, end=2000): ["perf.b"]}
        xml = merged(parts, "20260101-0203-Perf", pathlib.Path("/b"))
        root = ElementTree.fromstring(xml)
        self.assertEqual(root.get("BuildStamp"), "20260101-0203-Perf")
        testing = root.find("Testing")
        assert testing is not None
        self.assertEqual([testing.findtext(key) for key in (
            "StartDateTime", "StartTestTime", "EndDateTime", "EndTestTime")],
                         ["then 1000", "1000", "then 2060", "2060"])
        self.assertAlmostEqual(float(testing.findtext("ElapsedMinutes") or 0), 1060 / 60, places=3)
        self.assertEqual([t.text for t in testing.findall("TestList/Test")],
                         ["./ops/perf.a", "./ops/perf.b"])
        first = testing.find("Test")
        assert first is not None
        self.assertEqual(first.findtext("Path"), "./ops")
        self.assertEqual(first.findtext("Results/Measurement/Value"), "<a> \u00e9")


class Attempts(Folder):
    """Cases a, b, c, d; a and b were the first array's first task, c and d its second."""

    def setUp(self) -> None:
        super().setUp()
        self.build = self.folder / "build"
        plan = Plan(preset="fake", build=str(self.build), tag="20260101-0203",
                    stamp="20260101-0203-Perf", backend="cuda", gpus_per_task=0, gres="",
                    options=[], spec=False, tests={},
                    seconds=dict.fromkeys("abcd", 1.0), executables={})
        self.run_ = slurm_run.create(self.build, plan)
        self.run_.add_submission(["ab", "cd"])

    def attempt(self, name: str, tests: str, done: bool = True, failed: str = "",
                results: bool = True) -> None:
        folder = self.run_.folder / "attempts" / name
        (folder / "Testing" / "20260101-0203").mkdir(parents=True)
        (folder / "zl-results").mkdir()
        for test in tests if results else "":
            (folder / "zl-results" / f"{test}.json").write_text(json.dumps({"from": name}))
        if done:
            (folder / "Testing" / "20260101-0203" / "Test.xml").write_text(test_xml(
                str(self.build), {t: "failed" if t in failed else "passed" for t in tests}))
            (folder / "done.json").write_text(json.dumps({"failed": list(failed)}))

    def sources(self) -> dict[str, str]:
        return {file.stem: json.loads(file.read_text())["from"]
                for file in (self.build / "zl-results").glob("*.json")}

    def test_one_that_did_not_come_to_its_end_counts_for_nothing(self):
        self.attempt("0.0.0", "ab")
        self.attempt("0.1.0", "c", done=False)
        self.assertEqual(self.run_.missing(), ["c", "d"])
        with self.assertRaisesRegex(RunError, "2 of 4 cases are not measured"):
            merge(self.run_)
        self.assertFalse((self.build / "zl-results").exists())
        self.attempt("0.1.1", "cd")
        self.assertEqual(len(merge(self.run_).part.tests), 4)
        self.assertEqual(self.sources(),
                         {"a": "0.0.0", "b": "0.0.0", "c": "0.1.1", "d": "0.1.1"})

    def test_of_two_that_did_the_newer_counts_whichever_ended_last(self):
        """As where a node that was given up works on."""
        self.attempt("0.0.10", "ab")  # by number, not by name
        self.attempt("0.0.9", "ab", failed="b")
        self.attempt("0.1.0", "cd")
        done = merge(self.run_)
        self.assertEqual(self.sources(),
                         {"a": "0.0.10", "b": "0.0.10", "c": "0.1.0", "d": "0.1.0"})
        self.assertEqual(done.failed, [])

    def test_of_what_was_resumed_the_newer_counts_case_by_case(self):
        self.attempt("0.0.0", "ab")
        self.run_.add_submission(["c", "d"])
        self.attempt("1.0.0", "c", failed="c")
        self.attempt("0.1.0", "cd")  # it was only slow
        done = merge(self.run_)
        self.assertEqual(self.sources(), {"a": "0.0.0", "b": "0.0.0", "c": "1.0.0", "d": "0.1.0"})
        self.assertEqual({t.name: t.status for t in done.part.tests},
                         {"a": "passed", "b": "passed", "c": "failed", "d": "passed"})
        self.assertEqual(done.failed, ["c"])

    def test_a_failure_of_an_older_attempt_is_none_where_the_newer_counts(self):
        self.attempt("0.0.0", "ab")
        self.run_.add_submission(["c"])
        self.attempt("1.0.0", "c")
        self.attempt("0.1.0", "cd", failed="cd")
        self.assertEqual(merge(self.run_).failed, ["d"])

    def test_a_test_that_left_no_result_is_no_missing_one(self):
        self.attempt("0.0.0", "ab", failed="ab", results=False)
        self.attempt("0.1.0", "cd")
        done = merge(self.run_)
        self.assertEqual((done.failed, done.results), (["a", "b"], 2))

    def test_partly_merges_what_there_is(self):
        self.attempt("0.1.0", "cd")
        self.assertEqual(len(merge(self.run_, partly=True).part.tests), 2)
        self.assertEqual(sorted(self.sources()), ["c", "d"])

    def test_a_damaged_plan_or_attempt_is_told(self):
        self.attempt("0.0.0", "ab")
        self.attempt("0.1.0", "cd")
        (self.run_.folder / "attempts" / "0.1.0" / "done.json").write_text('{"fai')
        with self.assertRaisesRegex(RunError, "done.json"):
            merge(self.run_)
        (self.run_.folder / "run.json").write_text("{}")
        with self.assertRaisesRegex(RunError, "not the plan of a run"):
            Run(self.run_.folder)


if __name__ == "__main__":
    unittest.main()
