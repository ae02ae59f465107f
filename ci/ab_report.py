"""What ab.py found, for a terminal, as Markdown and as JSON."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import shown_text
from ab_decision import ALPHA, LOOKS, Verdict, percent
from ab_pairs import CaseRun

# Findings first; of the rest those that somebody may have to look into.
ORDER = (Verdict.REGRESSED, Verdict.CHANGED, Verdict.FAILED, Verdict.IMPROVED,
         Verdict.INCONCLUSIVE, Verdict.SKIPPED, Verdict.BASE_ONLY, Verdict.NEW_ONLY, Verdict.SAME,
         Verdict.IDENTICAL)
COLOURS = {Verdict.REGRESSED: 31, Verdict.CHANGED: 31, Verdict.FAILED: 31, Verdict.IMPROVED: 32,
           Verdict.INCONCLUSIVE: 33}
HEADER = ("case", "base us", "new us", "change", "bounds", "pairs", "verdict")
MOST_NAME, MOST_WHY, MOST_MARKDOWN_ROWS = 90, 200, 50  # a comment holds 65,536 characters


@dataclass(frozen=True)
class Row:
    name: str
    verdict: Verdict
    why: str = ""
    run: CaseRun | None = None

    @property
    def finding(self) -> bool:
        lost = self.verdict is Verdict.FAILED and self.run is not None and self.run.only_new_failed
        return lost or self.verdict in (Verdict.REGRESSED, Verdict.CHANGED)

    @property
    def measured(self) -> bool:
        return self.run is not None and len(self.run.base_us) >= LOOKS[0]


@dataclass(frozen=True)
class Report:
    base: str
    new: str
    device: str
    rows: Sequence[Row]
    seconds: float
    interrupted: bool = False

    def sorted_rows(self) -> list[Row]:
        def key(row: Row) -> tuple:
            look = row.run.look if row.run else None
            return ORDER.index(row.verdict), -abs(look.mean.mean) if look else 0, row.name

        return sorted(self.rows, key=key)

    @property
    def counts(self) -> str:
        numbers = [(sum(row.verdict is verdict for row in self.rows), verdict) for verdict in ORDER]
        return ", ".join(f"{number} {verdict.value}" for number, verdict in numbers if number)

    @property
    def exit_code(self) -> int:
        if any(row.finding for row in self.rows):
            return 1
        decided = any(row.measured or row.verdict is Verdict.IDENTICAL for row in self.rows)
        return 0 if decided else 3


def row_of(run: CaseRun) -> Row:
    assert run.verdict is not None
    why = [run.why] if run.why else []
    if run.untrusted_numbers:
        why.append(f"{run.untrusted_numbers} of {2 * len(run.base_us)} numbers untrusted "
                   f"({'; '.join(sorted(run.untrusted))})")
    if run.repeats:
        why.append(f"{run.repeats} repeated")
    if run.verdict is Verdict.INCONCLUSIVE and run.detectable_pct is not None and not run.why:
        why.append(f"changes from {run.detectable_pct:.1f} % would be found")
    return Row(run.name, run.verdict, ", ".join(why), run)


def cells(row: Row) -> tuple[str, ...]:
    numbers = ("-",) * 5
    if row.run and row.run.base_us:
        run = row.run
        bounds = change = "-"
        if run.look:
            middle, low, high = run.look.pct
            change, bounds = f"{middle:+.2f} %", f"{low:+.2f} .. {high:+.2f}"
        numbers = (f"{statistics.median(run.base_us):.4g}", f"{statistics.median(run.new_us):.4g}",
                   change, bounds, str(len(run.base_us)))
    return numbers


def explained(row: Row) -> str:
    return f"{row.verdict.value}: {row.why}" if row.why else row.verdict.value


RULE = (f"Change: mean of the pairs' ln(new / base). Bounds: each is passed with "
        f"{100 * ALPHA / len(LOOKS):.2f} % probability. docs/ab.md tells how it is decided.")


def terminal(report: Report, colours: bool) -> str:
    def painted(text: str, verdict: Verdict) -> str:
        return f"\x1b[{COLOURS[verdict]}m{text}\x1b[0m" if colours and verdict in COLOURS else text

    rows = report.sorted_rows()
    table = [(shown_text.one_line(row.name, MOST_NAME), *cells(row),
              shown_text.one_line(explained(row), MOST_WHY)) for row in rows]
    widths = [max(len(line[i]) for line in (HEADER, *table)) for i in range(len(HEADER) - 1)]

    def aligned(line: Sequence[str], last: str) -> str:
        return "  ".join([line[0].ljust(widths[0]),
                          *(line[i].rjust(widths[i]) for i in range(1, len(widths))), last])

    lines = [f"base: {shown_text.one_line(report.base)}",
             f"new:  {shown_text.one_line(report.new)}",
             f"device: {shown_text.one_line(report.device)}", "", aligned(HEADER, HEADER[-1])]
    lines += [aligned(line, painted(line[-1], row.verdict)) for line, row in zip(table, rows)]
    lines += ["", RULE, report.counts + (", interrupted" if report.interrupted else "")]
    return "\n".join(lines) + "\n"


def markdown(report: Report) -> str:
    shown = [row for row in report.sorted_rows()
             if row.verdict not in (Verdict.SAME, Verdict.IDENTICAL)]
    lines = [f"**A/B: {report.counts}**" + (" (interrupted)" if report.interrupted else ""), "",
             f"base {shown_text.markdown(report.base)}, new {shown_text.markdown(report.new)}, on "
             f"{shown_text.markdown(report.device)}"]
    if shown:
        lines += ["", "| " + " | ".join(HEADER) + " |", "|---|" + "---:|" * 5 + "---|"]
        lines += ["| " + " | ".join((shown_text.markdown(row.name, MOST_NAME), *cells(row),
                                     shown_text.markdown(explained(row), MOST_WHY))) + " |"
                  for row in shown[:MOST_MARKDOWN_ROWS]]
    if len(shown) > MOST_MARKDOWN_ROWS:
        lines += ["", f"and {len(shown) - MOST_MARKDOWN_ROWS} more"]
    return "\n".join([*lines, "", RULE]) + "\n"


def json_row(row: Row) -> dict:
    found = {"case": row.name, "verdict": row.verdict.value, "why": row.why, "finding": row.finding}
    if row.run and row.run.base_us:
        run = row.run
        found |= {"floor_pct": run.rules.floor_pct, "base_us": run.base_us, "new_us": run.new_us,
                  "untrusted_numbers": run.untrusted_numbers, "repeats": run.repeats,
                  "detectable_pct": run.detectable_pct}
        if run.look:
            found |= {"change_pct": percent(run.look.mean.mean), "low_pct": percent(run.look.low),
                      "high_pct": percent(run.look.high), "p_value": run.look.p_value}
    return found


def as_json(report: Report) -> str:
    return json.dumps({"base": report.base, "new": report.new, "device": report.device,
                       "looks": LOOKS, "alpha": ALPHA, "seconds": round(report.seconds, 1),
                       "interrupted": report.interrupted,
                       "cases": [json_row(row) for row in report.sorted_rows()]},
                      indent=2, ensure_ascii=False) + "\n"
