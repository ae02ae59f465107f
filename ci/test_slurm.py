"""python3 -m unittest discover ci: ci/slurm/run.py with a Slurm that runs its tasks here. A real
Slurm: slurm_on_loopback.py."""

import collections
import json
import signal
import subprocess
import sys
import unittest

import result_files
import slurm_run
import spool
from ctest_parts import read_test_part
from fake_cdash import FakeCdash
from fake_slurm_run import NAMES, RUN, FakeSlurmRun, name_of


class Slurm(FakeSlurmRun):
    def test_shards_together_are_a_run_of_ctest_and_one_build_on_the_dashboard(self) -> None:
        (self.build / "zl-results").mkdir(parents=True)
        (self.build / "zl-results" / "perf.cuda.gone.json").write_text(
            json.dumps(result_files.document(result_files.result())))
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.run_it("--shards", "4", "--partition", "gpu", "--group", "Perf",
                                         "--", "--time=5", **self.cdash(cdash.url)), 0, self.output)
        ((program, *options),) = self.slurm.calls
        self.assertEqual(program, "sbatch")
        self.assertLess({"--array=0-3", "--partition=gpu", "--gres=gpu:1", "--time=5",
                         "--requeue"}, set(options))
        self.assertEqual(sorted(map(len, self.shards(0))), [2, 2, 3, 3])
        self.assertEqual(self.ran(), collections.Counter(NAMES))
        self.assert_all_there()
        self.assertTrue((self.build / "report.html").is_file())

        (build,) = cdash.builds
        self.assertEqual(build.parts, ["Configure", "Build", "Test", "Done"])
        self.assertRegex(build.stamp, r"^\d{8}-\d{4}-Perf$")
        self.assertEqual((build.site, build.name), ("cluster", "cuda-NVIDIA_H200-no_compiler"))
        self.assertEqual({t["name"]: t["status"] for t in build.tests},
                         dict.fromkeys([*NAMES, "doctor.cuda"], "PASSED"))

        local = self.folder / "local"
        self.assertEqual(subprocess.run(["cmake", "-S", self.source, "-B", local], check=False,
                                        capture_output=True).returncode, 0)
        subprocess.run(["ctest", "--test-dir", local, "-T", "Test", "-L", "^perf$"],
                       check=False, capture_output=True)
        (part,) = local.glob("Testing/*/Test.xml")
        self.assertEqual({t.name for t in read_test_part(part.read_bytes()).tests},
                         set(self.merged()))

    def test_tests_that_fail_are_results_and_told_from_a_submission_that_fails(self) -> None:
        self.write_tests({3: 7, 4: 77})  # the other skips itself
        with FakeCdash(status={"Test": 500}).serving() as cdash:
            code = self.run_it("--shards", "3", **self.cdash(cdash.url))
            self.assertEqual(code, 4, self.output)
        self.assertIn(f"did not pass: {name_of(3)}", self.output)
        self.assertNotIn(f"did not pass: {name_of(4)}", self.output)
        self.assertEqual(self.merged()[name_of(3)], "failed")
        self.assertEqual(len(spool.waiting(self.source / "build" / "zl-spool")[0]), 1)
        self.assertEqual(self.run_it("--resume"), 1, self.output)  # no server: it is asked again
        self.assertEqual(len(self.slurm.calls), 1)  # but nothing was measured again

    def test_a_shard_that_lost_its_node_is_measured_by_resume_and_nothing_else(self) -> None:
        self.slurm.set(lose=[1])
        self.assertEqual(self.run_it("--shards", "3"), 5, self.output)
        self.assertIn("NODE_FAIL on n1", self.output)
        self.assertIn("--preset fake --resume", self.output)
        self.assertFalse((self.build / "zl-results").exists())
        lost = self.shards(0)[1]
        self.slurm.set()
        self.assertEqual(self.run_it("--resume", "--dry-run"), 0, self.output)
        self.assertIn(f"{len(lost)} cases in {len(lost)} shards", self.output)
        self.assertEqual(self.run_it("--resume"), 0, self.output)
        self.assertEqual(sorted(sum(self.shards(1), [])), lost)
        self.assertEqual(self.ran(), collections.Counter(NAMES))
        self.assert_all_there()

    def test_a_task_that_slurm_started_again_counts_once_by_its_last_start(self) -> None:
        self.slurm.set(requeue=[2])
        self.assertEqual(self.run_it("--shards", "3"), 0, self.output)
        twice = self.shards(0)[2]
        self.assertEqual(self.ran(), collections.Counter(NAMES + twice))
        self.assert_all_there()
        chosen = slurm_run.newest(self.build).chosen()
        self.assertEqual({(a.task, a.restart) for a in chosen}, {(0, 0), (1, 0), (2, 1)})

    def test_an_interruption_cancels_the_array_and_resume_goes_on(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self.slurm.set(hold=[0])
            resumed = ["--resume"] if number == signal.SIGTERM else ["--shards", "2"]
            with subprocess.Popen(
                    [sys.executable, str(RUN), "--preset", "fake", "--poll", "0.05", *resumed],
                    env=self.environment(), cwd=self.folder, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, text=True) as process:
                assert process.stdout is not None
                said = ""
                while "1 pending" not in said:
                    said += process.stdout.readline()
                process.send_signal(number)
                said += process.communicate(timeout=60)[0]
            self.assertEqual(process.returncode, 130, said)
            self.assertIn("JobHeldUser", said)
            self.assertIn("of 10 cases are measured and kept", said)
            self.assertIn("--preset fake --resume", said)
            self.assertEqual(self.slurm.calls[-1][0], "scancel")
        self.slurm.set()
        self.assertEqual(self.run_it("--resume"), 0, self.output)
        self.assertEqual(self.ran(), collections.Counter(NAMES))
        self.assert_all_there()

    def test_a_run_whose_array_goes_on_is_waited_for_and_not_built_over(self) -> None:
        self.slurm.set(hold=[1])
        with subprocess.Popen(
                [sys.executable, str(RUN), "--preset", "fake", "--shards", "2", "--poll", "0.05"],
                env=self.environment(), cwd=self.folder, stderr=subprocess.PIPE, text=True) as one:
            assert one.stderr is not None
            while "1 pending" not in one.stderr.readline():
                pass
            self.assertEqual(self.run_it("--shards", "2"), 2)
            self.assertIn("another run.py is at work", self.output)
            one.kill()  # as where the connection to the login node broke: the array goes on
        self.assertEqual(self.run_it("--shards", "2"), 2)
        self.assertIn("Slurm still has the array 1", self.output)
        with subprocess.Popen(
                [sys.executable, str(RUN), "--preset", "fake", "--resume", "--poll", "0.05"],
                env=self.environment(), cwd=self.folder, stderr=subprocess.PIPE, text=True) as one:
            assert one.stderr is not None
            while "waiting for it" not in one.stderr.readline():
                pass
            name = slurm_run.newest(self.build).folder.name
            queue = self.folder / "slurm" / "state.json"
            queue.write_text(queue.read_text().replace("PENDING", "TIMEOUT"))
            said = one.communicate(timeout=60)[1]
        self.assertEqual(one.returncode, 5, said)
        self.assertIn("TIMEOUT on n1", said)
        self.assertEqual([call[0] for call in self.slurm.calls], ["sbatch"])
        self.assertTrue((self.build / "zl-slurm" / name).is_dir())

    def test_what_sbatch_refuses_is_told_and_can_be_resumed(self) -> None:
        self.slurm.set(refuse="invalid partition specified: nosuch")
        self.assertEqual(self.run_it("--shards", "2", "--partition", "nosuch"), 5, self.output)
        self.assertIn("invalid partition specified: nosuch", self.output)
        self.slurm.set(mute=2)  # and a controller that does not answer for a while is waited for
        self.assertEqual(self.run_it("--resume", "--partition", "gpu"), 5, self.output)
        self.assertIn("Unable to contact", self.output)
        self.assertEqual(self.run_it("--resume", "--partition", "gpu"), 5, self.output)
        self.assertEqual(self.run_it("--resume", "--partition", "gpu"), 0, self.output)
        self.assert_all_there()

    def test_results_of_two_builds_do_not_become_one_set(self) -> None:
        self.slurm.set(lose=[0], accounting=1)
        self.assertEqual(self.run_it("--shards", "2"), 5, self.output)
        self.assertIn("NODE_FAIL on n0", self.output)
        program = self.build / "measure"
        program.write_text(program.read_text() + "\n")
        self.slurm.set()
        self.assertEqual(self.run_it("--resume"), 2)
        self.assertIn(f"{program}: was built again", self.output)

    def test_tests_that_changed_under_the_plan_are_not_measured_for_others(self) -> None:
        self.slurm.set(lose=[0])
        self.assertEqual(self.run_it("--shards", "2"), 5, self.output)
        gone = self.shards(0)[0][0]
        lists = self.source / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace(f"perf({gone} 0 )\n", ""))
        subprocess.run(["cmake", "--preset", "fake"], cwd=self.source, check=True,
                       capture_output=True)
        self.slurm.set()
        self.assertEqual(self.run_it("--resume"), 5, self.output)
        self.assertIn("are not those of the plan any more", self.output)
        (its,) = [shard for shard in self.shards(1) if gone in shard]
        self.assertGreater(len(its), 1)
        self.assertEqual(self.ran().keys() & set(its), set())


if __name__ == "__main__":
    unittest.main()
