"""python3 -m unittest discover ci: what ci/slurm/run.py asks of Slurm, and what it refuses to."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from fake_slurm_run import NAMES, RUN, FakeSlurmRun

PROLOG = RUN.with_name("musa_task_prolog.sh")


class SlurmPlan(FakeSlurmRun):
    def costs(self, longest: str) -> pathlib.Path:
        file = self.folder / "CTestCostData.txt"
        file.write_text("".join(f"{name} 1 {60 if name == longest else 10}\n" for name in NAMES)
                        + "---\n")
        return file

    def test_each_task_has_the_gpus_that_slurm_gave_it(self) -> None:
        self.write_tests({}, "RESOURCE_GROUPS 1,cuda:1")
        self.slurm.set(devices="4,6")
        self.assertEqual(self.run_it("--shards", "1", "--gpus-per-task", "h200:2", "--costs",
                                     str(self.costs(NAMES[9]))), 0, self.output)
        self.assertIn("--gres=gpu:h200:2", self.slurm.calls[0])
        ran = [line.split() for line in (self.source / "ran").read_text().splitlines()]
        # Places among the visible ones; both are used, as two tests run at once.
        self.assertEqual({slot for _, slot in ran}, {"id:0,slots:1", "id:1,slots:1"})
        # The longest first. In the order of CTest: two tests at once may end in either.
        (log,) = self.build.glob("zl-slurm/*/log/*")
        started = re.findall(r"Start +\d+: (perf\S+)", log.read_text())
        self.assertEqual(started[0], NAMES[9])
        self.assert_all_there()

    def test_a_task_without_its_gpus_measures_nothing(self) -> None:
        self.slurm.set(devices="4,6")
        self.assertEqual(self.run_it("--shards", "1"), 5, self.output)
        self.assertIn("CUDA_VISIBLE_DEVICES is '4,6'", self.output)
        self.assertIn("FAILED with exit code 1 on n0", self.output)
        self.assertFalse((self.source / "ran").exists())

    def test_the_plan_is_shown_without_a_slurm_and_balanced_by_earlier_times(self) -> None:
        costs = self.costs(NAMES[4])
        nothing = self.folder / "nothing"
        nothing.mkdir()
        path = os.pathsep.join({str(pathlib.Path(shutil.which(p) or "").parent)
                                for p in ("ctest", "cmake", "ninja")})
        self.assertEqual(self.run_it("--shards", "3", "--dry-run", "--costs", str(costs),
                                     PATH=path), 0, self.output)
        self.assertIn("10 cases in 3 shards", self.output)
        self.assertIn(f"1 cases, about 60 s, as {NAMES[4]}", self.output)
        self.assertIn("about 60 s with all shards at once, 2 min one after the other", self.output)
        self.assertIn("sbatch --parsable", self.output)
        self.assertEqual(self.slurm.calls, [])
        self.assertEqual(list((self.build).glob("zl-slurm/*")), [])

        self.assertEqual(self.run_it("--shards", "3", PATH=str(nothing)), 2)
        self.assertIn("sbatch, squeue, scancel: no such program here", self.output)

    def test_what_cannot_be_measured_is_refused_and_leaves_nothing_behind(self) -> None:
        self.assertEqual(self.run_it("--shards", "2", "--gpus-per-task", "2"), 2)
        self.assertIn("would use one of its 2 GPUs", self.output)
        self.assertEqual(self.run_it("--shards", "2", "-R", "nosuch", "--dry-run"), 2)
        self.assertIn("no test labelled perf that matches 'nosuch'", self.output)
        with (self.source / "CMakeLists.txt").open("a") as lists:
            lists.write("perf(perf.host.add.own.f32.1 0)\n")
        self.assertEqual(self.run_it("--shards", "2", "--dry-run"), 2)
        self.assertIn("several backends", self.output)
        self.assertEqual(self.slurm.calls, [])
        self.assertEqual(self.run_it("--shards", "2", "--preset", "nosuch"), 2)
        self.assertIn("no preset", self.output)
        self.assertEqual([path.name for path in self.build.parent.iterdir()], ["fake"])
        self.assertFalse((self.build / "zl-slurm").exists())

    def test_bad_arguments_end_with_2_and_say_why(self) -> None:
        for options, word in ((["--shards", "0"], "from 1 on"), (["--shards", "-3"], "from 1 on"),
                              (["--shards", "x"], "from 1 on"), ([], "--shards"),
                              (["--shards", "2", "--gpus-per-task", "many"], "TYPE:NUMBER"),
                              (["--shards", "2", "--poll", "0"], "3600"),
                              (["--shards", "2", "--", "time=5"], "in one word"),
                              (["--shards", "2", "--", "--array=0-9"], "own"),
                              (["--resume", "-R", "add"], "leave out"),
                              (["--resume"], "no run that could be resumed")):
            self.assertEqual(self.run_it(*options), 2, self.output)
            self.assertIn(word, self.output)
        self.assertEqual(self.slurm.calls, [])

    def test_the_prolog_names_musa_the_gpus_that_slurm_gave(self) -> None:
        for given, said in (("1,3", "export MUSA_VISIBLE_DEVICES=1,3\n"), ("", "")):
            done = subprocess.run([PROLOG], env={"CUDA_VISIBLE_DEVICES": given}, text=True,
                                  capture_output=True, check=True)
            self.assertEqual(done.stdout, said)


if __name__ == "__main__":
    unittest.main()
