"""What an A/A run of ab.py found, for a terminal, as Markdown and as JSON."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import shown_text
from ab_decision import ALPHA, LOOKS, POWER, Verdict
from ab_self import ACCEPTED_RATE, Rate, SelfCase, false_alarms

HEADER = ("case", "us", "pairs", "spread of a pair", "smallest detectable", "verdicts",
          "inconclusive", "false alarms")
NOTE = ("Spread: standard deviation of ln(second / first) of a pair's two processes. Smallest "
        f"detectable: the slowdown that up to {LOOKS[-1]} pairs call REGRESSED {POWER:.0%} of the "
        "times, the case tested alone. A case's verdicts share its runs; Holm is left out, as if "
        "each were the only case tested.")


@dataclass(frozen=True)
class SelfReport:
    build: str
    device: str
    cases: Sequence[SelfCase]
    seconds: float
    interrupted: bool = False

    @property
    def rate(self) -> Rate | None:
        """None where nothing was decided."""
        return false_alarms(self.cases) if any(case.verdicts for case in self.cases) else None

    @property
    def exit_code(self) -> int:
        if self.rate is None:
            return 3
        return 0 if self.rate.accepted else 1


def summary(report: SelfReport) -> str:
    rate = report.rate
    if rate is None:
        return "no verdict: nothing could be measured"
    runs = sum(2 * len(case.pairs) for case in report.cases)
    return (f"{rate.alarms} false alarms in {rate.verdicts} A/A verdicts ({rate.regressed} "
            f"REGRESSED, {rate.improved} IMPROVED): {100 * rate.rate:.2f} %, with 95 % confidence "
            f"at most {100 * rate.upper_bound:.2f} %; accepted are {100 * ACCEPTED_RATE:g} %. "
            f"{sum(bool(case.verdicts) for case in report.cases)} cases, {runs} processes, "
            f"{report.seconds / 60:.1f} min{', interrupted' if report.interrupted else ''}.")


def cells(case: SelfCase) -> tuple[str, ...]:
    if not case.pairs:
        return ("-",) * (len(HEADER) - 1)
    inconclusive = case.verdicts.count(Verdict.INCONCLUSIVE)
    return (f"{statistics.median(case.times_us):.4g}", str(len(case.pairs)),
            f"{100 * case.deviation:.2f} %", f"{case.detectable_pct:.2f} %",
            str(len(case.verdicts)), str(inconclusive), str(case.alarms))


def sorted_cases(report: SelfReport) -> list[SelfCase]:
    """The noisiest first."""
    return sorted(report.cases, key=lambda c: (-c.deviation if c.pairs else 0, c.name))


def terminal(report: SelfReport) -> str:
    table = [(shown_text.one_line(case.name, 90), *cells(case)) for case in sorted_cases(report)]
    widths = [max(len(line[i]) for line in (HEADER, *table)) for i in range(len(HEADER))]
    lines = ["  ".join([line[0].ljust(widths[0]),
                        *(line[i].rjust(widths[i]) for i in range(1, len(HEADER)))])
             for line in (HEADER, *table)]
    return "\n".join([f"build:  {shown_text.one_line(report.build)}",
                      f"device: {shown_text.one_line(report.device)}", "", *lines,
                      *(f"{shown_text.one_line(case.name, 90)}: "
                        f"{shown_text.one_line(case.failure, 200)}"
                        for case in report.cases if case.failure),
                      "", NOTE, summary(report)]) + "\n"


def markdown(report: SelfReport) -> str:
    lines = [f"**A/A: {summary(report)}**", "",
             f"{shown_text.markdown(report.build)}, on {shown_text.markdown(report.device)}", "",
             "| " + " | ".join(HEADER) + " |", "|---|" + "---:|" * (len(HEADER) - 1)]
    lines += ["| " + " | ".join((shown_text.markdown(case.name, 90), *cells(case))) + " |"
              for case in sorted_cases(report)]
    lines += [f"\n{shown_text.markdown(case.name, 90)}: {shown_text.markdown(case.failure, 200)}"
              for case in report.cases if case.failure]
    return "\n".join([*lines, "", NOTE]) + "\n"


def as_json(report: SelfReport) -> str:
    rate = report.rate
    return json.dumps({
        "build": report.build, "device": report.device, "looks": LOOKS, "alpha": ALPHA,
        "seconds": round(report.seconds, 1), "interrupted": report.interrupted,
        "verdicts": rate.verdicts if rate else 0,
        "regressed": rate.regressed if rate else 0, "improved": rate.improved if rate else 0,
        "rate": rate.rate if rate else None, "upper_bound": rate.upper_bound if rate else None,
        "cases": [{"case": case.name, "failure": case.failure, "times_us": case.times_us,
                   "floor_pct": case.rules.floor_pct,
                   "deviation_pct": 100 * case.deviation if case.pairs else None,
                   "detectable_pct": case.detectable_pct if case.pairs else None,
                   "verdicts": [verdict.value for verdict in case.verdicts]}
                  for case in sorted_cases(report)]}, indent=2, ensure_ascii=False) + "\n"
