"""Hashes of an op's machine code, to tell builds of the same kernels and launches from others.

What is hashed is what was compiled for the op, out of the link line of its executable: the host
code (which decides grid, block and shared memory of a launch) of its objects and of the archives
of the build, relocations with it; the device code in them, kernel by kernel, through cuobjdump
where there is one, else the fat binary as it lies there; the names of other libraries. zl-bench's
own harness is left out. Where the build does not tell its link line, or its objects hold no machine
code (link-time optimization), the whole executable is hashed.

Two builds from different folders differ in names that nvcc makes up from path and process; those
are levelled out. What is left may still differ without need: then a case is measured, no more.
"""

import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator

import elf

HARNESS = "libzl_harness"
PC_RELATIVE = (2, 4)  # R_X86_64_PC32 and PLT32: the addend counts from the end of the field
SHF_STRINGS, SHT_NOTE = 0x20, 7
MADE_UP = re.compile(r"(\d+)(?=(_(?:GLOBAL__N_|INTERNAL)_[0-9a-f]{8}_))")
WHOLE = re.compile(r"_(?:GLOBAL__N_|INTERNAL)_[0-9a-f]{8}_\d+_.*_[0-9a-f]{8}_\d+")
SHARED = re.compile(r"\.so(\.|$)")
STUB = re.compile(r"\d+__device_stub_")
TEMPORARY = re.compile(r"tmpxft_[0-9a-f]{8}_[0-9a-f]{8}[-_]\d+")


class NoObjects(Exception):
    """The objects cannot be hashed; the executable can."""


def levelled(name: str) -> str:
    """Without what nvcc puts into names of internal linkage: hashes of the path, a process id."""
    name = TEMPORARY.sub("tmpxft", STUB.sub("#__device_stub_", name))
    start = 0
    while (match := MADE_UP.search(name, start)) is not None:
        start = match.end()
        # The name before it may end with digits, too: the length is the digits' longest end that
        # gives a whole name.
        for first in range(match.start(), match.end()):
            length = int(name[first : match.end()])
            if length and WHOLE.fullmatch(name[match.end() : match.end() + length]):
                name = name[:first] + "#" + name[match.end() + length :]
                start = first
                break
    return name


def is_texts(section: elf.Section) -> bool:
    """Of plain characters; between them lie zeros, as many as their alignment takes."""
    return bool(section.flags & SHF_STRINGS) and ".str1." in section.name


def string_at(section: elf.Section, offset: int) -> str:
    """The text around `offset` and how far into it that is: those before it may differ in length.
    """
    start = section.content.rfind(b"\0", 0, max(offset, 0)) + 1
    return f"{levelled(elf.name_at(section.content, start))}+{offset - start}"


def target_of(relocation: elf.Relocation, section: elf.Section | None) -> str:
    if section is None or not is_texts(section):
        return f"{levelled(relocation.symbol)}+{relocation.value}+{relocation.addend}"
    offset = relocation.value + relocation.addend
    return string_at(section, offset + 4 * (relocation.type in PC_RELATIVE))


def described(section: elf.Section, sections: list[elf.Section]) -> bytes:
    """One section as bytes that are the same in every build of the same code."""
    content = section.content
    if is_texts(section):
        texts = content.decode("utf-8", "backslashreplace").split("\0")
        content = "\0".join(levelled(text) for text in texts if text).encode()
    lines = [f"{levelled(section.name)} {section.type} {section.flags}"]
    if section.type == elf.SHT_NOBITS:
        lines.append(str(section.size))  # a kernel's shared memory, for one
    if section.name.startswith(".text") and not section.flags & elf.SHF_GROUP:
        lines.append(f"registers {section.info >> 24}")  # of a cubin's kernel
    for r in section.relocations:
        target = sections[r.section] if 0 < r.section < len(sections) else None
        lines.append(f"{r.offset} {r.type} {target_of(r, target)}")
    return "\n".join(lines).encode() + b"\0" + content


def code_of_cubin(image: bytes) -> bytes:
    sections = elf.read_elf(image)
    tables = (0, SHT_NOTE, elf.SHT_SYMTAB, elf.SHT_STRTAB, elf.SHT_RELA, elf.SHT_REL)
    kept = [s for s in sections
            if s.type not in tables
            and not s.name.startswith((".debug", ".nv_debug"))]
    return b"\1".join(sorted(described(s, sections) for s in kept))


def code_of_object(image: bytes, cubins: Callable[[bytes], list[bytes]]) -> bytes:
    try:
        sections = elf.read_elf(image)
    except elf.NotElf as e:
        raise NoObjects(str(e)) from e
    if any(s.name.startswith(".gnu.lto_") for s in sections):
        raise NoObjects("compiled for link-time optimization")
    parts = [described(s, sections) for s in sections
             if s.flags & elf.SHF_ALLOC and s.type != SHT_NOTE
             and s.name not in (".eh_frame", ".nv_fatbin", ".nvFatBinSegment")]
    fat = [s.content for s in sections if s.name == ".nv_fatbin"]
    device = cubins(image) if any(fat) else []
    parts += sorted(map(code_of_cubin, device)) if device else fat
    return b"\2".join(parts)


def code_of_executable(image: bytes) -> bytes:
    """As it is loaded: no build id, no debugger's tables. All of it where it is no ELF file."""
    try:
        sections = elf.read_elf(image)
    except elf.NotElf:
        return image
    return b"\2".join(s.name.encode() + b"\0" + s.content for s in sections
                      if s.flags & elf.SHF_ALLOC and s.type != SHT_NOTE)


def archive_members(image: bytes) -> Iterator[bytes]:
    if image[:8] != b"!<arch>\n":
        raise NoObjects("a thin or foreign archive")
    at = 8
    while at + 60 <= len(image):
        name, size = image[at : at + 16].rstrip(), int(image[at + 48 : at + 58])
        if name not in (b"/", b"//", b"/SYM64/"):  # the archive's own tables
            yield image[at + 60 : at + 60 + size]
        at += 60 + size + size % 2


def cuobjdump() -> str | None:
    homes = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders = [str(pathlib.Path(home) / "bin") for home in (*homes, "/usr/local/cuda") if home]
    return shutil.which("cuobjdump") or shutil.which("cuobjdump", path=os.pathsep.join(folders))


def cubins_of(image: bytes) -> list[bytes]:
    """Empty where cuobjdump is missing or finds none: then the fat binary counts as it is."""
    tool = cuobjdump()
    if tool is None:
        return []
    with tempfile.TemporaryDirectory(prefix="zl-cubins-") as folder:
        (pathlib.Path(folder) / "object.o").write_bytes(image)
        done = subprocess.run([tool, "-xelf", "all", "object.o"], cwd=folder, capture_output=True)
        if done.returncode != 0:
            return []
        return [file.read_bytes() for file in sorted(pathlib.Path(folder).glob("*.cubin"))]


def link_line(build: pathlib.Path, executable: pathlib.Path) -> tuple[list[str], pathlib.Path]:
    """The words of the command that linked it, and the folder that their paths start from."""
    text = executable.parent / "CMakeFiles" / f"{executable.name}.dir" / "link.txt"
    if text.is_file():
        return shlex.split(text.read_text()), executable.parent
    if (build / "build.ninja").is_file() and shutil.which("ninja"):
        name = os.path.relpath(executable, build)
        asked = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "-s", name],
                               capture_output=True, text=True)
        lines = [line for line in asked.stdout.splitlines() if line.strip()]
        if asked.returncode == 0 and lines:
            return shlex.split(lines[-1]), build
    raise NoObjects("the build does not tell its link line")


def linked_parts(words: Iterable[str], start: pathlib.Path, build: pathlib.Path) -> Iterator[bytes]:
    for word in words:
        path = start / word
        in_build = path.resolve().is_relative_to(build.resolve())
        if word.startswith("@"):
            raise NoObjects("its link line is in a file of its own")
        if word.endswith((".o", ".obj")):
            yield code_of_object(path.read_bytes(), cubins_of)
        elif word.endswith(".a") and in_build:
            if not path.name.startswith(HARNESS):
                for member in archive_members(path.read_bytes()):
                    yield code_of_object(member, cubins_of)
        elif SHARED.search(word) and in_build:
            yield code_of_executable(path.read_bytes())
        elif word.startswith("-l") or word.endswith(".a") or SHARED.search(word):
            yield word.encode()


@functools.cache
def shared_libraries(build: pathlib.Path) -> tuple[pathlib.Path, ...]:
    return tuple(sorted(path for path in build.rglob("*.so*") if path.is_file()))


@functools.cache
def op_code(build: pathlib.Path, executable: pathlib.Path) -> str:
    """Equal for two builds: the same machine code. The hash starts with what it covers."""
    try:
        words, start = link_line(build, executable)
        parts = list(linked_parts(words, start, build))
        if not any(word.endswith((".o", ".obj")) for word in words):
            raise NoObjects("it links no object")
        kind = "op"
    except (NoObjects, OSError, ValueError):
        # Which libraries it loads is not known here: any of the build's may hold kernels.
        parts = [code_of_executable(path.read_bytes())
                 for path in (executable, *shared_libraries(build))]
        kind = "executable"
    return f"{kind} " + hashlib.sha256(b"\3".join(parts)).hexdigest()
