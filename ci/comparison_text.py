"""A comparison as a table for a terminal, as Markdown, JSON and JUnit's XML."""

import json

import shown_text
from case_result import Result
from comparison import COMPARED, FINDINGS, Comparison, Outcome, Row

COLOURS = {Outcome.SLOWER: 31, Outcome.FAILED: 31, Outcome.CHANGED: 31, Outcome.FASTER: 32,
           Outcome.UNTRUSTED: 33, Outcome.UNLIKE: 33, Outcome.MISSING: 33}
MOST_NAME, MOST_WHY = 80, 160
# A comment holds 65,536 characters; the findings come first in it.
MOST_MARKDOWN, MOST_MARKDOWN_ROWS = 60_000, 100
HEADER = ("case", "base us", "new us", "change", "outcome")


def microseconds(result: Result | None) -> str:
    if result is None or result.latency_us is None:
        return "-"
    value = result.latency_us
    return f"{value:.0f}" if value >= 1e4 else f"{value:.4g}"


def change(row: Row) -> str:
    return "-" if row.change_pct is None else f"{row.change_pct:+.1f} %"


def outcome(row: Row) -> str:
    return f"{row.outcome}: {row.why}" if row.why else str(row.outcome)


def counts(comparison: Comparison) -> str:
    found = [f"{comparison.count(kind)} {kind}" for kind in Outcome if comparison.count(kind)]
    return ", ".join(found) or "no case"


def mean(comparison: Comparison) -> str:
    number = comparison.count(*COMPARED)
    if not number:
        return "no case was compared"
    return (f"mean change of the {number} compared: {comparison.mean_change_pct:+.2f} % "
            f"(geometric)")


NOTE = ("A screen of one run each: changes above {:g} % and above the runs' own intervals. "
        "ci/ab.py decides.")


def terminal(comparison: Comparison, colours: bool) -> str:
    def painted(text: str, kind: Outcome) -> str:
        return f"\x1b[{COLOURS[kind]}m{text}\x1b[0m" if colours and kind in COLOURS else text

    cells = [(shown_text.one_line(row.id.name, MOST_NAME), microseconds(row.base),
              microseconds(row.new), change(row),
              shown_text.one_line(outcome(row), MOST_WHY)) for row in comparison.rows]
    widths = [max(len(line[i]) for line in (HEADER, *cells)) for i in range(4)]

    def aligned(line: tuple[str, ...]) -> str:
        return "  ".join([line[0].ljust(widths[0]),
                          *(line[i].rjust(widths[i]) for i in (1, 2, 3))])

    lines = [f"{aligned(HEADER)}  {HEADER[4]}"]
    lines += [f"{aligned(line)}  {painted(line[4], row.outcome)}"
              for row, line in zip(comparison.rows, cells)]
    lines += ["", f"{counts(comparison)}; {mean(comparison)}"]
    lines += [shown_text.one_line(f"also unlike: {text}", MOST_WHY)
              for text in comparison.circumstances]
    lines.append(NOTE.format(comparison.floor_pct))
    return "\n".join(lines) + "\n"


def markdown_table(rows: list[Row]) -> list[str]:
    lines = [f"| {' | '.join(HEADER)} |", "|---|---:|---:|---:|---|"]
    for row in rows[:MOST_MARKDOWN_ROWS]:
        name = shown_text.markdown(row.id.name, MOST_NAME)
        what = shown_text.markdown(outcome(row), MOST_WHY)
        kind = f"**{what}**" if row.outcome in FINDINGS else what
        lines.append(f"| {name} | {microseconds(row.base)} | {microseconds(row.new)} "
                     f"| {change(row)} | {kind} |")
    if len(rows) > MOST_MARKDOWN_ROWS:
        lines += ["", f"{len(rows) - MOST_MARKDOWN_ROWS} more rows are not shown."]
    return lines


def markdown(comparison: Comparison) -> str:
    """The findings open, all other rows behind a fold."""
    findings = comparison.findings
    rest = [row for row in comparison.rows if row.outcome not in FINDINGS]
    lines = [f"**{counts(comparison)}**; {mean(comparison)}", ""]
    if findings:
        lines += [*markdown_table(findings), ""]
    others = markdown_table(rest)
    if rest and sum(map(len, lines + others)) < MOST_MARKDOWN:
        lines += ["<details><summary>All other cases</summary>", "", *others, "", "</details>", ""]
    elif rest:
        lines += [f"{len(rest)} other cases have no room here.", ""]
    lines += [f"- also unlike: {shown_text.markdown(text, MOST_WHY)}"
              for text in comparison.circumstances]
    lines += ["", NOTE.format(comparison.floor_pct)]
    return "\n".join(lines) + "\n"


def json_side(result: Result | None) -> dict | None:
    if result is None:
        return None
    return {
        "latency_us": result.latency_us, "verdict": result.verdict, "message": result.message,
        "method": result.method, "cache": result.cache, "cold_by": result.cold_by,
        "statistic": result.statistic, "schedule": result.schedule, "capture": result.capture,
        "capture_reason": result.capture_reason, "untrusted": list(result.untrusted),
        "implausible": result.implausible, "device": result.device.name,
        "uuid": result.device.uuid, "driver": result.device.driver,
        "runtime": result.device.runtime, "date": result.date, "path": str(result.path),
    }


def as_json(comparison: Comparison) -> str:
    rows = [{
        "case": row.id.name,
        "id": {key: getattr(row.id, key) for key in ("backend", "op", "impl", "types", "shape")},
        "outcome": row.outcome, "change_pct": row.change_pct, "threshold_pct": row.threshold_pct,
        "why": row.why, "base": json_side(row.base), "new": json_side(row.new),
    } for row in comparison.rows]
    document = {
        "schema": 1, "base": str(comparison.base.path), "new": str(comparison.new.path),
        "floor_pct": comparison.floor_pct, "compared": comparison.count(*COMPARED),
        "mean_change_pct": comparison.mean_change_pct,
        "counts": {kind: comparison.count(kind) for kind in Outcome},
        "also_unlike": list(comparison.circumstances), "rows": rows,
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def junit(comparison: Comparison) -> str:
    """A finding is a failure; what was not compared is skipped, with the reason."""
    skipped = len(comparison.rows) - comparison.count(*COMPARED, *FINDINGS)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<testsuite name="compare" tests="{len(comparison.rows)}" '
             f'failures="{len(comparison.findings)}" errors="0" skipped="{skipped}">']
    for row in comparison.rows:
        where = ".".join(part for part in (row.id.backend, row.id.op) if part)
        start = (f'  <testcase classname="{shown_text.xml(where)}" '
                 f'name="{shown_text.xml(row.id.name)}"')
        said = outcome(row)
        if row.change_pct is not None:
            said += f": {microseconds(row.base)} us, then {microseconds(row.new)} us, {change(row)}"
        said = shown_text.xml(said)
        if row.outcome in FINDINGS:
            lines.append(f'{start}><failure type="{row.outcome}" message="{said}"/></testcase>')
        elif row.outcome in COMPARED:
            lines.append(f"{start}><system-out>{said}</system-out></testcase>")
        else:
            lines.append(f'{start}><skipped message="{said}"/></testcase>')
    return "\n".join([*lines, "</testsuite>"]) + "\n"
