"""python3 -m unittest discover ci"""

import unittest

from coverage import ROOT, add_report, harness_file, ranges, table


def report(name: str, lines: dict[int, int], folder: str = str(ROOT / "build/coverage")) -> dict:
    return {"current_working_directory": folder,
            "files": [{"file": name, "lines": [{"line_number": number, "count": count}
                                               for number, count in lines.items()]}]}


class Coverage(unittest.TestCase):
    def test_files_that_do_not_count(self):
        build = str(ROOT / "build/coverage")
        self.assertEqual(harness_file("../../harness/cli/flags.cpp", build), "cli/flags.cpp")
        self.assertEqual(harness_file(str(ROOT / "harness/main.cpp"), build), "main.cpp")
        for name in ("/usr/include/c++/12/vector", "../../harness/tests/cli/flags_test.cpp",
                     "../../harness/device/cuda/cuda_graph.cpp", "../../ops/add/add.cpp",
                     "../../harness/tests/musa/../../device/musa/musa_backend.cpp"):
            self.assertIsNone(harness_file(name, build), name)

    def test_a_line_that_ran_in_one_object_ran(self):
        lines = {}
        add_report(report("../../harness/a.hpp", {1: 0, 2: 3}), lines)
        add_report(report("../../harness/a.hpp", {1: 2, 2: 0, 3: 0}), lines)
        add_report(report("../../harness/b.cpp", {7: 1}), lines)
        self.assertEqual(lines, {"a.hpp": {1: 2, 2: 3, 3: 0}, "b.cpp": {7: 1}})

    def test_the_table_begins_with_what_lacks_most_and_ends_with_the_total(self):
        rows, share = table({"good.cpp": {1: 1, 2: 1}, "bad.cpp": {4: 0, 5: 0, 6: 1, 9: 0}})
        self.assertEqual(rows, ["  25.0 %     1 of     4  bad.cpp: not 4-5, 9",
                                " 100.0 %     2 of     2  good.cpp",
                                "  50.0 %     3 of     6  in total"])
        self.assertEqual(share, 50)

    def test_ranges(self):
        self.assertEqual(ranges([]), "")
        self.assertEqual(ranges([1, 2, 3, 5, 8, 9]), "1-3, 5, 8-9")


if __name__ == "__main__":
    unittest.main()
