"""Sections, symbols and relocations of 64-bit little-endian ELF: objects, programs, cubins."""

import struct
from dataclasses import dataclass, field

SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOBITS, SHT_REL = 1, 2, 3, 4, 8, 9
SHF_ALLOC, SHF_GROUP = 2, 0x200
STT_SECTION = 3


class NotElf(ValueError):
    """Also for the ELF files that this module does not read."""


@dataclass(frozen=True)
class Relocation:
    offset: int
    type: int
    symbol: str  # of a section symbol: the section's name
    section: int  # that the symbol lies in; 0: elsewhere
    value: int  # of the symbol: its offset in that section
    addend: int


@dataclass
class Section:
    name: str
    type: int
    flags: int
    info: int
    size: int
    content: bytes  # empty for NOBITS
    relocations: list[Relocation] = field(default_factory=list)


def name_at(strings: bytes, offset: int) -> str:
    end = strings.find(b"\0", offset)
    return strings[offset : end if end >= 0 else None].decode("utf-8", "backslashreplace")


def read_elf(image: bytes) -> list[Section]:
    """In the file's order, the null section first."""
    try:
        return parsed(image)
    except (struct.error, IndexError) as e:
        raise NotElf(f"cut off or damaged: {e}") from e


def parsed(image: bytes) -> list[Section]:
    if image[:6] != b"\x7fELF\x02\x01":
        raise NotElf("not a 64-bit little-endian ELF file")
    table, = struct.unpack_from("<Q", image, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", image, 0x3A)
    if table and not count:  # more sections than 16 bits count: the null section's size tells
        count, = struct.unpack_from("<Q", image, table + 0x20)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, table + i * entry_size)
               for i in range(count)]
    if names_index == 0xFFFF:
        names_index = headers[0][6]

    def content(header: tuple) -> bytes:
        if header[1] == SHT_NOBITS:
            return b""
        if header[4] + header[5] > len(image):
            raise NotElf("cut off: a section ends behind the file's end")
        return image[header[4] : header[4] + header[5]]

    names = content(headers[names_index])
    sections = [Section(name_at(names, h[0]), h[1], h[2], h[7], h[5], content(h)) for h in headers]
    for header, section in zip(headers, sections):
        if section.type in (SHT_RELA, SHT_REL) and section.info < len(sections):
            symbols = read_symbols(headers[header[6]], headers, sections, content)
            add_relocations(section, sections[section.info], symbols)
    return sections


def read_symbols(table: tuple, headers: list[tuple], sections: list[Section],
                 content) -> list[tuple[str, int, int]]:
    """Name, section and value of each."""
    strings = content(headers[table[6]])
    found = []
    for name, kind, _, index, value, _ in struct.iter_unpack("<IBBHQQ", content(table)):
        section = index if index < len(sections) else 0  # common, absolute
        is_section = kind & 15 == STT_SECTION and section
        found.append((sections[section].name if is_section else name_at(strings, name), section,
                      value))
    return found


def add_relocations(table: Section, target: Section, symbols: list[tuple[str, int, int]]) -> None:
    layout = "<QQq" if table.type == SHT_RELA else "<QQ"
    for offset, info, *addend in struct.iter_unpack(layout, table.content):
        target.relocations.append(Relocation(offset, info & 0xFFFFFFFF, *symbols[info >> 32],
                                             addend[0] if addend else 0))
