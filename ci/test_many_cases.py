"""python3 -m unittest discover ci"""

import contextlib
import io
import unittest

import many_cases


class ManyCases(unittest.TestCase):
    def main(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = many_cases.main([*arguments])
            except SystemExit as e:
                code = e.code
        return code, out.getvalue(), err.getvalue()

    def test_every_step_is_done_and_timed(self):
        found = many_cases.measured(60, 1)
        self.assertEqual(set(found), set(many_cases.STEPS))
        self.assertIn("| 60 |", many_cases.table({60: found}))

    def test_growth_beyond_the_number_of_cases_is_a_finding(self):
        def of(configure: float) -> dict[str, float]:
            return dict.fromkeys(many_cases.STEPS, 1.0) | {"configure": configure}

        self.assertEqual(many_cases.not_linear({300: of(1), 3000: of(14.9)}), [])
        (found,) = many_cases.not_linear({300: of(1), 1000: of(20), 3000: of(15.1)})
        self.assertEqual(found, "configure takes 15.1 times as long for 10.0 times the cases")

    def test_ctests_own_reading_is_not_judged(self):
        one = dict.fromkeys(many_cases.STEPS, 1.0)
        self.assertEqual(many_cases.not_linear({30: one, 300: one | {"list": 100}}), [])

    def test_bad_arguments_exit_2(self):
        for arguments in (("--cases", "29"), ("--cases", "x"), ("--repeats", "0")):
            code, out, err = self.main(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertNotIn("Traceback", err)


if __name__ == "__main__":
    unittest.main()
