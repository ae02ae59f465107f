"""python3 -m unittest discover ci: until when ci/slurm/run.py waits."""

import contextlib
import io
import pathlib
import tempfile
import threading
import unittest
from unittest import mock

import slurm_run
import slurm_wait
from slurm_queue import QueueError, Task
from slurm_run import Plan, Run


class SlurmWait(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_ = slurm_run.create(pathlib.Path(folder.name), Plan(
            preset="fake", build=folder.name, tag="1", stamp="1-g", backend="cuda",
            gpus_per_task=0, gres="", options=[], spec=False, tests={},
            seconds={"a": 1, "b": 1}, executables={}))
        self.run_.add_submission(["a", "b"])
        self.run_.note_job(0, "7")
        self.end_attempt("0.0.0")

    def end_attempt(self, name: str) -> None:
        folder = self.run_.folder / "attempts" / name
        folder.mkdir()
        (folder / "done.json").write_text('{"failed": []}')

    def became(self, state: str, limit_s: float) -> str:
        with mock.patch.object(slurm_wait, "final_state", return_value=state), \
                mock.patch.object(slurm_wait, "LAG_S", limit_s):
            return slurm_wait.what_became(Run(self.run_.folder))

    def test_a_task_that_slurm_calls_completed_is_waited_for_until_its_files_are_seen(self):
        later = threading.Timer(0.3, self.end_attempt, ["0.1.0"])
        later.start()
        self.addCleanup(later.join)
        self.assertEqual(self.became("COMPLETED on n1", 30), "")

    def test_but_not_for_ever_and_no_other_task_is(self):
        self.assertIn("task 7_1, 1 cases: COMPLETED on n1; it wrote no log: does that node see",
                      self.became("COMPLETED on n1", 0.1))
        self.assertIn("task 7_1, 1 cases: TIMEOUT on n1", self.became("TIMEOUT on n1", 3600))
        self.run_.log("7", 1).write_text("first\nlast \x1b[31mwords\n\n")
        self.assertIn("Slurm knows nothing of it; ", self.became("", 3600))
        self.assertIn("1.log ends with: last \\x1b[31mwords", self.became("", 3600))

    def wait(self, answers: list[list[Task] | QueueError]) -> str:
        given = iter(answers)

        def tasks() -> list[Task]:
            answer = next(given, answers[-1])
            if isinstance(answer, QueueError):
                raise answer
            return answer

        with contextlib.redirect_stderr(io.StringIO()) as said:
            slurm_wait.wait(self.run_, tasks, 0.01)
        return said.getvalue()

    def test_it_tells_how_far_the_tasks_are(self):
        said = self.wait([[Task("7", "1", "PENDING", "Resources", "")], []])
        self.assertEqual(said.splitlines()[0],
                         "slurm: 1 of 2 cases measured; tasks 1 pending (Resources)")

    def test_a_controller_that_is_silent_for_long_ends_it(self):
        self.wait([QueueError("no answer"), []])
        with mock.patch.object(slurm_wait, "SILENCE_S", 0.1):
            with self.assertRaisesRegex(QueueError, "no answer"):
                self.wait([QueueError("no answer")])


if __name__ == "__main__":
    unittest.main()
