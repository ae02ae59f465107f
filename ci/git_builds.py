"""Builds of git refs, each in a worktree of its own under build/ab, kept for the next time."""

import contextlib
import fcntl
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ab_input import InputError

STAMP = ".zl-ab-built"


@dataclass(frozen=True)
class Build:
    """`text` is how it was asked for; `commit` is empty where a folder was."""

    text: str
    folder: pathlib.Path
    commit: str = ""

    @property
    def shown(self) -> str:
        return f"{self.text} ({self.commit[:12]})" if self.commit else self.text


@dataclass(frozen=True)
class Builder:
    repository: pathlib.Path
    preset: str
    cache: pathlib.Path  # of the worktrees
    arguments: Sequence[str] = ()  # more of them, for the configure step

    def build(self, text: str) -> Build:
        """Of a build folder, which is taken as it is, or of anything that git can name a commit."""
        folder = pathlib.Path(text)
        if folder.is_dir():
            return Build(text, folder.resolve())
        commit = self.commit(text)
        with self.locked():
            tree = self.worktree(commit)
            return Build(text, self.built(tree), commit)

    def git(self, *arguments: str) -> subprocess.CompletedProcess:
        try:
            return subprocess.run(["git", "-C", str(self.repository), *arguments],
                                  capture_output=True, text=True, errors="replace")
        except OSError as e:
            raise InputError(f"git cannot be started: {e.strerror}") from e

    def commit(self, text: str) -> str:
        named = self.git("rev-parse", "--verify", "--quiet", "--end-of-options",
                         f"{text}^{{commit}}")
        if named.returncode != 0:
            raise InputError(f"{text!r}: neither a build folder nor a git ref of "
                             f"{self.repository}: give a folder that is built, or fetch the ref")
        return named.stdout.strip()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Two runs must not build one worktree at once."""
        self.cache.mkdir(parents=True, exist_ok=True)
        with open(self.cache / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def worktree(self, commit: str) -> pathlib.Path:
        tree = self.cache.resolve() / commit
        if not (tree / ".git").exists():
            self.git("worktree", "prune")  # one that was deleted by hand
            added = self.git("worktree", "add", "--detach", str(tree), commit)
            if added.returncode != 0:
                raise InputError(f"{tree}: git cannot check {commit[:12]} out there: "
                                 f"{added.stderr.strip()}")
        changed = self.git("-C", str(tree), "status", "--porcelain", "--untracked-files=no")
        head = self.git("-C", str(tree), "rev-parse", "HEAD")
        if changed.stdout.strip() or head.stdout.strip() != commit:
            raise InputError(f"{tree}: was changed and is no longer {commit[:12]}: remove it "
                             f"(git worktree remove --force {tree}), it will be made anew")
        return tree

    def built(self, tree: pathlib.Path) -> pathlib.Path:
        folder = tree / "build" / self.preset
        stamp, key = folder / STAMP, "\n".join(self.arguments)
        if stamp.is_file() and stamp.read_text() == key:
            return folder
        for step in (["cmake", "--preset", self.preset, *self.arguments],
                     ["cmake", "--build", "--preset", self.preset]):
            print(f"ab: {tree.name[:12]}: {' '.join(step)}", file=sys.stderr, flush=True)
            done = subprocess.run(step, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace")
            if done.returncode != 0:
                print(done.stdout[-6000:], file=sys.stderr)
                raise InputError(f"{tree}: '{' '.join(step)}' failed, its output is above")
        if not folder.is_dir():
            raise InputError(f"{tree}: preset {self.preset} does not build in {folder}: build it "
                             "yourself and give the folder")
        stamp.write_text(key)
        return folder
