"""Writes files so that a reader sees the old content or the whole new one, never a part."""

import os
import pathlib
import tempfile


def write_text(path: pathlib.Path | str, text: str) -> None:
    """As UTF-8, with the permissions of any new file. Leaves nothing behind where it fails."""
    path = pathlib.Path(path)
    mask = os.umask(0)
    os.umask(mask)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            os.fchmod(file.fileno(), 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
