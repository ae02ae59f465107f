"""The spool: builds whose parts are not on the CDash server yet, one folder each.

A build is written here before anything is sent and removed only when the server is known to hold
it, so that no failure in between loses it.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from ctest_parts import PARTS, Identity

ENTRY = "build.json"


class SpoolError(Exception):
    """The spool cannot be read or written; the message names the file."""


@dataclass(frozen=True)
class Entry:
    folder: pathlib.Path
    project: str
    identity: Identity

    def parts(self) -> dict[str, bytes]:
        try:
            return {part: (self.folder / f"{part}.xml").read_bytes()
                    for part in PARTS if (self.folder / f"{part}.xml").exists()}
        except OSError as e:
            raise SpoolError(f"{self.folder}: cannot be read: {e.strerror}") from None

    def remove(self) -> None:
        # Renamed first: half a folder would look like a build with fewer parts.
        gone = self.folder.with_name(f".sent-{self.folder.name}")
        shutil.rmtree(gone, ignore_errors=True)
        self.folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


@contextlib.contextmanager
def locked(spool: pathlib.Path) -> Iterator[None]:
    """One sender at a time: CDash miscounts builds that are submitted in parallel."""
    try:
        spool.mkdir(parents=True, exist_ok=True)
        lock = open(spool / ".lock", "w", encoding="utf-8")
    except OSError as e:
        raise SpoolError(f"{spool}: cannot be written: {e.strerror}; choose another with --spool "
                         "or ZL_CDASH_SPOOL") from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def add(spool: pathlib.Path, project: str, identity: Identity, parts: dict[str, bytes]) -> Entry:
    key = "\0".join((project, identity.site, identity.name, identity.stamp)).encode()
    folder = spool / f"{identity.stamp}-{hashlib.sha256(key).hexdigest()[:12]}"
    entry = Entry(folder, project, identity)
    try:
        temporary = pathlib.Path(tempfile.mkdtemp(prefix=".new-", dir=spool))
        try:
            for part, xml in parts.items():
                write_durably(temporary / f"{part}.xml", xml)
            described = {"project": project, **vars(identity)}
            write_durably(temporary / ENTRY, json.dumps(described, indent=1).encode())
            if folder.exists():  # the same run, collected again
                entry.remove()
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as e:
        raise SpoolError(f"{folder}: cannot be written: {e.strerror}; the parts are still where "
                         "CTest wrote them") from None
    return entry


def write_durably(file: pathlib.Path, content: bytes) -> None:
    with open(file, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def waiting(spool: pathlib.Path) -> tuple[list[Entry], list[SpoolError]]:
    """Builds, oldest first, as CDash compares each with the one before; folders that are none."""
    entries: list[Entry] = []
    errors: list[SpoolError] = []
    for folder in sorted(spool.iterdir()) if spool.is_dir() else []:
        if folder.is_dir() and not folder.name.startswith("."):
            try:
                entries.append(read(folder))
            except SpoolError as e:
                errors.append(e)
    return entries, errors


def read(folder: pathlib.Path) -> Entry:
    try:
        described = json.loads((folder / ENTRY).read_text(encoding="utf-8"))
        texts = [described[key] for key in ("project", "site", "name", "stamp")]
        if not all(isinstance(text, str) and text for text in texts):
            raise ValueError("a text is missing")
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise SpoolError(f"{folder}: no build of the spool ({e}): move it elsewhere") from None
    return Entry(folder, texts[0], Identity(*texts[1:]))
