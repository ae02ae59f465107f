"""python3 -m unittest discover ci"""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

import result_files
import triton_compare

CUBIN = b"a kernel"


class TritonCompare(unittest.TestCase):
    """Against a program and a timer that only pretend to measure."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "softmax.cubin").write_bytes(CUBIN)
        self.measures(10.0)
        self.times(10.0)

    def script(self, name: str, text: str) -> pathlib.Path:
        file = self.folder / name
        file.write_text(f"#!{sys.executable}\n" + textwrap.dedent(text))
        os.chmod(file, 0o755)
        return file

    def measures(self, us: float, **more) -> None:
        result = result_files.document(result_files.result(
            "triton_softmax", us, cache="warm", **more))
        self.script("zl_triton_softmax_cuda", f"""
            import pathlib, sys
            flags = dict(flag.partition("=")[::2] for flag in sys.argv[1:])
            assert flags["--zl_cache"] == "warm" and flags["--zl_method"] == "graph"
            assert flags["--zl_case"] == "triton/bf16/64x128"
            pathlib.Path(flags["--zl_result_dir"], "perf.json").write_text({json.dumps(result)!r})
            """)

    def times(self, us: float, cubin: bytes = CUBIN) -> None:
        timed = {"us": us, "cubin": hashlib.sha256(cubin).hexdigest()}
        self.timer = self.script("timer.py", f"""
            import json, sys
            print(json.dumps({{"versions": {{"triton": "3.6.0"}},
                               "times": {{case: {timed!r} for case in sys.argv[1:]}}}}))
            """)

    def compare(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        command = ["triton_compare.py", "--build", str(self.folder), "--cases", "softmax/64x128",
                   "--rounds", "1",
                   *arguments]
        with mock.patch.object(sys, "argv", command), \
                mock.patch.object(triton_compare, "TIMER", self.timer), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = triton_compare.main()
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def test_a_row_holds_both_medians_and_their_ratio(self):
        self.times(20.0)
        self.measures(20.2)
        code, out, _ = self.compare()
        self.assertEqual(code, 0)
        self.assertIn("triton 3.6.0", out)
        self.assertIn(
            "| softmax | 64x128 | 20.00 | 20.20 | 1.0100 | 1.0100 | 1.0100 | yes |\n", out)
        self.assertEqual(out.splitlines()[2].count("|"), out.splitlines()[4].count("|"))

    def test_kernels_that_are_too_far_apart_are_named(self):
        self.times(20.0)
        for us in (19.5, 20.5):
            self.measures(us)
            code, out, _ = self.compare()
            self.assertEqual(code, 1)
            self.assertIn("More than 2 % apart: softmax/64x128.", out)
        self.assertEqual(self.compare("--allowed", "3")[0], 0)

    def test_of_short_kernels_nothing_is_required(self):
        self.times(5.0)
        self.assertEqual(self.compare()[0], 0)

    def test_another_cubin_is_told(self):
        self.times(10.0, b"another kernel")
        self.assertIn("| no |", self.compare()[1])

    def test_the_ratio_is_that_of_pairs(self):
        row = triton_compare.row("softmax/1x2", [10, 20, 30], [10, 25, 20], True)
        self.assertIn("| 20.00 | 20.00 | 1.0000 | 0.8000 | 1.5000 |", row)

    def test_a_number_that_came_about_otherwise_is_refused(self):
        for more, why in (({"method": "direct"}, "method is 'direct'"),
                          ({"capture": "fallback"}, "capture is 'fallback'"),
                          ({"untrusted": ["heat"]}, "untrusted is ['heat']")):
            self.measures(10.0, **more)
            code, _, err = self.compare()
            self.assertEqual(code, 2)
            self.assertIn(why, err)

    def test_what_fails_is_named(self):
        self.timer = self.script("timer.py", "raise SystemExit('no triton here')")
        code, out, err = self.compare()
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no triton here", err)
        code, _, err = self.compare("--build", str(self.folder / "none"))
        self.assertEqual(code, 2)
        self.assertIn("no zl_triton_softmax_cuda below", err)
        self.assertEqual(self.compare("--rounds", "0")[0], 2)


if __name__ == "__main__":
    unittest.main()
