"""What may be done with a baseline: make, add to, accept a new level, make anew."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase

from baseline_file import (ENOUGH_RUNS, MOST_RUNS, Accepted, Baseline, Case, Header, Run,
                           oldest_first)
from baseline_runs import Measured, for_all_cards
from result_set import ResultSetError

RISE_PCT = 2.0  # of a level; more than that is accepted with a reason, or not at all
Note = Callable[[str], None]


def by_key(found: Iterable[Measured]) -> dict[str, list[Run]]:
    """The same file given twice is one run."""
    runs: dict[str, dict[Run, None]] = {}
    for one in found:
        runs.setdefault(one.key, {})[one.run] = None
    return {key: list(oldest_first(of)) for key, of in runs.items()}


def of_one_header(found: Collection[Measured], note: Note) -> tuple[Header, list[Measured]]:
    """Those measured with what the newest was measured with: older ones say nothing about now."""
    newest = max(found, key=lambda m: m.run.date).header
    kept = [one for one in found if one.header == newest]
    others: dict[Header, int] = {}
    for one in found:
        if one.header != newest:
            others[one.header] = others.get(one.header, 0) + 1
    for header, number in others.items():
        if header.device != newest.device:
            raise ResultSetError(f"results of several devices ({header.device!r}, "
                                 f"{newest.device!r}): make a baseline of each")
        if header.device_uuid != newest.device_uuid:
            raise ResultSetError(f"results of several cards ({header.device_uuid}, "
                                 f"{newest.device_uuid}): --same-card makes a baseline of one")
        note(f"{number} results left out, as since then {header.changes_to(newest)}")
    return newest, kept


def make(found: Collection[Measured], made: str, expires: date, note: Note) -> Baseline:
    header, kept = of_one_header(found, note)
    cases = {key: Case(tuple(runs[-MOST_RUNS:])) for key, runs in by_key(kept).items()}
    return Baseline(header, made, expires, cases)


def moved(old: Case, new: Case) -> str:
    """What a new baseline would let pass unseen; "" where nothing."""
    rise = 100 * (new.first_level_us / old.first_level_us - 1)
    before, after = old.runs[-1], new.runs[-1]
    if (before.method, before.cache) != (after.method, after.cache):
        return f"{before.method}, {before.cache} became {after.method}, {after.cache}"
    if rise > RISE_PCT:
        return f"{old.first_level_us:.4g} us rose to {new.first_level_us:.4g} us, {rise:+.1f} %"
    return ""


def make_anew(old: Baseline, new: Baseline, reason: str, by: str, note: Note) -> Baseline:
    """The level of a case must not rise, nor its method change, without a reason."""
    if old.header != new.header:
        note(f"a new baseline, as {old.header.changes_to(new.header)}")
        return new
    for key in sorted(old.cases.keys() - new.cases.keys()):
        note(f"{key}: no longer in the baseline")
    shared = old.cases.keys() & new.cases.keys()
    risen = {key: what for key in sorted(shared)
             if (what := moved(old.cases[key], new.cases[key]))}
    if risen and not reason:
        listed = "; ".join(f"{key}: {what}" for key, what in list(risen.items())[:10])
        raise ResultSetError(f"{len(risen)} cases would get a slower or another level ({listed}): "
                             "say why with --reason, or find out with ab.py")
    cases = dict(new.cases)
    for key in shared:
        if key in risen:
            cases[key] = replace(cases[key], accepted=accepted(old.cases[key], new.made, reason,
                                                               by))
        else:
            cases[key] = replace(cases[key], accepted=old.cases[key].accepted)
    return replace(new, cases=cases)


def accepted(old: Case, when: str, reason: str, by: str) -> Accepted:
    return Accepted(when, reason, by, len(old.runs), old.median_us)


def same_header(baseline: Baseline, found: Iterable[Measured]) -> None:
    if not baseline.header.device_uuid:
        found = for_all_cards(found)
    for one in found:
        if one.header != baseline.header:
            raise ResultSetError(f"{one.source}: {baseline.header.changes_to(one.header)}: the "
                                 "level may be another; make a new baseline")


def not_expired(baseline: Baseline, today: date) -> None:
    if today > baseline.expires:
        raise ResultSetError(f"the baseline expired on {baseline.expires}: make a new one of "
                             "recent results with `baseline.py make --replace`")


def without_risen(key: str, case: Case, fresh: list[Run], note: Note) -> list[Run]:
    """Runs that passed the gate, each a little slower, would let the level drift."""
    missing = max(0, ENOUGH_RUNS - len(case.runs))
    kept, later = fresh[:missing], fresh[missing:]
    first = Case((*case.runs, *kept))
    if not later:
        return kept
    most = first.first_level_us * (1 + RISE_PCT / 100)
    for run in later:
        if run.obtained != first.runs[0].obtained or run.median_us <= most:
            kept.append(run)
    if len(kept) < len(fresh):
        note(f"{key}: {len(fresh) - len(kept)} runs left out: more than {RISE_PCT:g} % above its "
             f"first {ENOUGH_RUNS} ({first.first_level_us:.4g} us); a new level is accepted with "
             "`baseline.py accept`")
    return kept


def add(baseline: Baseline, found: Collection[Measured], note: Note) -> Baseline:
    same_header(baseline, found)
    cases = dict(baseline.cases)
    for key, runs in by_key(found).items():
        case = cases.get(key, Case(()))
        fresh = [run for run in runs if run not in case.runs]
        if case.accepted is not None:
            late = [run for run in fresh if run.date >= case.accepted.date]
            if len(late) < len(fresh):
                note(f"{key}: {len(fresh) - len(late)} runs left out: from before the level was "
                     "accepted")
            fresh = late
        fresh = without_risen(key, case, fresh, note)
        room = MOST_RUNS - len(case.runs)
        if len(fresh) > room:
            note(f"{key}: {len(fresh) - room} runs left out: it has its {MOST_RUNS}")
        fresh = fresh[:room]
        if fresh:
            cases[key] = replace(case, runs=oldest_first([*case.runs, *fresh]))
    return replace(baseline, cases=cases)


def accept(baseline: Baseline, found: Collection[Measured], patterns: Collection[str], when: str,
           reason: str, by: str, note: Note) -> Baseline:
    """The runs found become the level of the cases that match."""
    same_header(baseline, found)
    names = {one.key: one.test_name for one in found}
    cases = dict(baseline.cases)
    runs_of = by_key(found)
    for pattern in patterns:
        keys = [key for key in runs_of if fnmatchcase(names[key], pattern)]
        if not keys:
            raise ResultSetError(f"--case {pattern!r} matches no case of the results given: it is "
                                 "a test's name, in which * stands for anything")
        for key in keys:
            old = baseline.cases.get(key)
            fresh = [run for run in runs_of[key] if old is None or run not in old.runs]
            if not fresh:
                raise ResultSetError(f"{key}: the baseline holds all runs given already: measure "
                                     "the new level first")
            cases[key] = Case(tuple(fresh[-MOST_RUNS:]),
                              accepted(old, when, reason, by) if old else
                              Accepted(when, reason, by))
            was = f"{old.median_us:.4g} us" if old else "no level"
            note(f"{key}: {was} became {cases[key].median_us:.4g} us, {len(fresh)} runs")
    return replace(baseline, cases=cases)


def too_few(baseline: Baseline) -> list[str]:
    return sorted(key for key, case in baseline.cases.items() if len(case.levels) < ENOUGH_RUNS)
