"""python3 -m unittest discover ci"""

import contextlib
import io
import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

from ab_input import InputError
from git_builds import Builder

# Builds a folder that tells what it was built from, and counts its calls.
CMAKE = """#!/bin/sh
echo "$@" >> {log}
[ "$1" = --preset ] && mkdir -p "build/$2"
[ "$1" = --build ] && {{ cp source build/host/built; exit $(cat exit_code 2>/dev/null || echo 0); }}
exit 0
"""


class GitBuilds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        self.repository, self.log = root / "repository", root / "cmake.log"
        (root / "bin").mkdir()
        tool = root / "bin" / "cmake"
        tool.write_text(CMAKE.format(log=self.log))
        tool.chmod(0o755)
        settings = {"PATH": f"{root / 'bin'}:{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull,
                    "GIT_CONFIG_SYSTEM": os.devnull}
        patch = mock.patch.dict(os.environ, settings)
        patch.start()
        self.addCleanup(patch.stop)
        self.repository.mkdir()
        self.git("init", "-q", "-b", "main")
        self.commit("one", "source", "first\n")
        self.git("tag", "v1")
        self.commit("two", "source", "second\n")
        self.builder = Builder(self.repository, "host", root / "cache")

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              cwd=self.repository, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, message: str, file: str, text: str) -> None:
        (self.repository / file).write_text(text)
        self.git("add", ".")
        self.git("commit", "-qm", message)

    def build(self, text: str):
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            return self.builder.build(text)

    def refused(self, text: str) -> str:
        with self.assertRaises(InputError) as caught:
            self.build(text)
        return str(caught.exception)

    def test_a_ref_is_built_in_a_worktree_of_its_own_and_the_checkout_stays(self):
        old, new = self.build("v1"), self.build("main")
        self.assertEqual((old.folder / "built").read_text(), "first\n")
        self.assertEqual((new.folder / "built").read_text(), "second\n")
        self.assertEqual((self.repository / "source").read_text(), "second\n")
        self.assertEqual(self.git("status", "--porcelain", "-uno"), "")
        self.assertEqual(self.git("branch", "--show-current"), "main")
        self.assertIn(self.git("rev-parse", "--short=12", "v1"), old.shown)

    def test_the_second_time_nothing_is_built(self):
        self.build("v1")
        calls = self.log.read_text()
        self.assertEqual(len(calls.splitlines()), 2)
        self.build("v1")
        self.assertEqual(self.log.read_text(), calls)

    def test_other_arguments_of_the_configure_step_build_again(self):
        self.build("v1")
        self.builder = Builder(self.repository, "host", self.builder.cache, ["-DX=1"])
        self.build("v1")
        self.assertIn("--preset host -DX=1\n", self.log.read_text())

    def test_a_folder_is_taken_as_it_is(self):
        found = self.build(str(self.repository))
        self.assertEqual((found.folder, found.commit), (self.repository.resolve(), ""))
        self.assertFalse(self.log.exists())

    def test_what_is_neither_is_refused_by_name(self):
        for text in ("no-such-ref", "--all", "a b\n"):
            self.assertIn(repr(text), self.refused(text))

    def test_a_build_that_fails_shows_why_and_is_not_taken_for_built(self):
        self.commit("broken", "exit_code", "3\n")
        for _ in range(2):
            self.assertIn("cmake --build", self.refused("main"))
        self.assertEqual(self.log.read_text().count("--build"), 2)

    def test_a_worktree_that_somebody_changed_is_refused(self):
        tree = self.build("v1").folder.parent.parent
        (tree / "source").write_text("edited\n")
        self.assertIn("was changed", self.refused("v1"))

    def test_a_worktree_that_was_deleted_is_made_anew(self):
        tree = self.build("v1").folder.parent.parent
        subprocess.run(["rm", "-r", str(tree)], check=True)
        self.assertEqual((self.build("v1").folder / "built").read_text(), "first\n")


if __name__ == "__main__":
    unittest.main()
