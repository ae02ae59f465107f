"""The devices of by_device.py as a table for a terminal, as Markdown and JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import shown_text
from by_device import FEWEST_CASES, FEWEST_DEVICES, DeviceRatio

HEADER = ("device", "card", "node", "cases", "to its like", "spread", "")
NOTHING = ("No case was measured, trusted and alike, on two devices of a model: give result sets of "
           "several devices that share cases.")
RULE = (f"An outlier is more than 1 % and more than 3 x 1.4826 x MAD away from the median device, "
        f"with {FEWEST_DEVICES} devices and {FEWEST_CASES} cases at least.")
MOST = 80


def cells(found: Sequence[DeviceRatio]) -> list[tuple[str, ...]]:
    return [(one.model or "unknown", one.card or "unknown", " ".join(one.nodes), str(one.cases),
             f"{one.away_pct:+.2f} %", f"{one.spread_pct:.2f} %",
             "OUTLIER" if one.outlier else "") for one in found]


def closing(found: Sequence[DeviceRatio]) -> str:
    """Of two devices each ratio is half of their difference."""
    if not found:
        return NOTHING
    if len(found) != 2 or found[0].model != found[1].model:
        return RULE
    slow, fast = found
    return (f"{slow.card} is {100 * (slow.ratio / fast.ratio - 1):.2f} % slower than {fast.card}; "
            "of two devices none is the outlier.")


def terminal(found: Sequence[DeviceRatio]) -> str:
    said = shown_text.one_line(closing(found)) + "\n"
    if not found:
        return said
    lines = [HEADER, *(tuple(shown_text.one_line(cell, MOST) for cell in row)
                       for row in cells(found))]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADER))]

    def aligned(line: tuple[str, ...]) -> str:
        texts = [cell.ljust(width) for cell, width in zip(line[:3], widths)]
        numbers = [cell.rjust(width) for cell, width in zip(line[3:6], widths[3:])]
        return "  ".join([*texts, *numbers, line[6]]).rstrip()

    return "\n".join(map(aligned, lines)) + "\n\n" + said


def markdown(found: Sequence[DeviceRatio]) -> str:
    lines = []
    if found:
        lines = [f"| {' | '.join(HEADER)} |", "|---|---|---|---:|---:|---:|---|"]
        lines += ["| " + " | ".join(shown_text.markdown(cell, MOST) for cell in row) + " |"
                  for row in cells(found)] + [""]
    return "\n".join([*lines, shown_text.markdown(closing(found))]) + "\n"


def as_json(found: Sequence[DeviceRatio]) -> str:
    document = {"schema": 1, "devices": [asdict(one) for one in found]}
    return json.dumps(document, indent=2, allow_nan=False) + "\n"
