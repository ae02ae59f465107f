"""Texts from results and command lines, made safe for where they are shown.

A name may hold anything; one that starts a new line, colours the terminal or closes a tag would
make a report say what nobody measured.
"""

import re
from xml.sax.saxutils import escape

# Also the marks that reorder a line, and the line ends that only some programs know.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>&|#~!@])")


def one_line(text: str, most: int | None = None) -> str:
    """For a terminal: control characters are spelt out, at most `most` characters."""

    def spelt(match: re.Match) -> str:
        return match[0].encode("unicode_escape").decode("ascii")

    line = CONTROL.sub(spelt, text)
    return line if most is None or len(line) <= most else line[: max(most - 3, 0)] + "..."


def markdown(text: str, most: int | None = None) -> str:
    """For a cell of a table or a line of text; nothing in it is mark-up or mentions anybody."""
    return MARKDOWN.sub(r"\\\1", one_line(text, most)).replace(r"\<", "&lt;").replace(
        r"\&", "&amp;").replace(r"\@", "&#64;")


def xml(text: str) -> str:
    """For an attribute or an element; characters that XML cannot hold become U+FFFD."""
    escaped = escape(NOT_XML.sub("\ufffd", text), {'"': "&quot;", "'": "&apos;"})
    return escaped.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
