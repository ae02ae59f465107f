"""python3 -m unittest discover ci"""

import json
import pathlib
import tempfile
import unittest

import gpu_tables


def result(shape: str, **more) -> dict:
    return {
        "id": {"op": "add", "impl": "own", "types": "f16", "shape": shape},
        "method": "graph",
        "cache": "cold",
        "cold_by": "rotation",
        "untrusted": [],
        "implausible": "",
        "statistic": "median",
        "device_name": "GPU",
        "driver": "1",
        "runtime": "2",
        "capture": "clean",
        "copies": 3,
        "verdict": "ok",
        "message": "",
        "metrics": {"latency_us": 1.234, "cv_pct": 0.5},
        **more,
    }


class GpuTables(unittest.TestCase):
    def test_rows_are_in_the_order_of_the_shapes_numbers(self):
        table = gpu_tables.case_table([result("1024"), result("64")])
        self.assertIn("| 64 |", table[2])
        self.assertIn("| 1024 |", table[3])
        self.assertEqual(table[1].count("---"), table[0].count("|") - 1)

    def test_a_row_holds_as_many_cells_as_the_header(self):
        for one in (result("64"), result("64", metrics={}, verdict="skipped", message="a|b")):
            row = gpu_tables.case_row(one).replace("\\|", "")
            self.assertEqual(row.count("|"), gpu_tables.HEADER.count("|"))

    def test_a_row_says_how_cold_was_reached_and_what_is_not_trusted(self):
        row = gpu_tables.case_row(result("64", cold_by="evict", untrusted=["heat"]))
        self.assertIn("| graph, cold by evict, untrusted |", row)
        row = gpu_tables.case_row(result("64", implausible="too fast", verdict="regression"))
        self.assertIn("| graph, cold k=3, implausible, regression |", row)

    def test_a_case_without_a_number_shows_its_verdict(self):
        row = gpu_tables.case_row(result("64", metrics={}, verdict="hung", message="in warmup"))
        self.assertIn("hung: in warmup", row)

    def test_ratios_to_a_stand_in_are_of_the_cases_that_both_have(self):
        cuda = [result("64"), result("128"), result("256", method="direct"), result("512")]
        musa = [
            result("64", metrics={"latency_us": 2.468}),
            result("128", metrics={"latency_us": 1.234}),
            result("256", metrics={"latency_us": 9}),
            result("512", metrics={}),
            result("1024", cold_by="evict"),
        ]
        cuda.append(result("1024"))
        table = gpu_tables.stand_in_ratios(cuda, musa)
        self.assertEqual(table[2], "| add | 2 | 1.500 | 1.000 | 2.000 |")
        self.assertEqual(table[3], "| all | 2 | **1.500** | 1.000 | 2.000 |")
        self.assertTrue(table[5].startswith("1 more cases"), table[5])
        with self.assertRaises(ValueError):
            gpu_tables.stand_in_ratios(cuda[:1], musa[1:])

    def test_results_of_a_stand_in_are_refused_where_a_device_is_meant(self):
        with tempfile.TemporaryDirectory() as folder:
            text = {"zl": {"result": {**result("64"), "device_name": "MUSA stand-in"}}}
            pathlib.Path(folder, "perf.a.json").write_text(json.dumps(text))
            with self.assertRaises(ValueError):
                gpu_tables.read_results(pathlib.Path(folder))
            text["zl"]["result"]["driver"] = "9"
            pathlib.Path(folder, "perf.b.json").write_text(json.dumps(text))
            with self.assertRaises(ValueError):
                gpu_tables.read_results(pathlib.Path(folder), True)
            pathlib.Path(folder, "perf.b.json").unlink()
            self.assertEqual(len(gpu_tables.read_results(pathlib.Path(folder), True)), 1)

    def test_fault_rows_come_out_of_the_verbose_log(self):
        table = gpu_tables.fault_table("57: noise\n57: | a | none | ok | 0 | 0.4 |\nother\n")
        self.assertEqual(table[2:], ["| a | none | ok | 0 | 0.4 |"])
        with self.assertRaises(ValueError):
            gpu_tables.fault_table("nothing")


if __name__ == "__main__":
    unittest.main()
