"""Whether two results may be compared: a difference of their times must be one of the op.

differences() names everything that makes them unlike; other_circumstances() what may move a time,
too, but leaves it one of the same kind (a driver, another card of the same model).
"""

from collections.abc import Iterable

from case_result import Clocks, Result

# A power-capped device lowers its clock because of what the kernel draws: that is the kernel's own.
CLOCK_TOLERANCE_PCT = 2.0
OF_THE_LOAD = {"", "None", "GpuIdle", "SwPowerCap"}


def reasons(clocks: Clocks) -> set[str]:
    return {part.strip() for part in clocks.limit_reasons.split(",")}


def clock_differences(base: Clocks, new: Clocks) -> list[str]:
    if bool(base.unknown) != bool(new.unknown):
        return [f"clocks known only of {'new' if base.unknown else 'base'}"]
    found = []
    if base.slowed != new.slowed:
        found.append(f"{'base' if base.slowed else 'new'} was slowed by heat or a fault")
    limits = reasons(base) - OF_THE_LOAD, reasons(new) - OF_THE_LOAD
    if limits[0] != limits[1]:
        found.append("clock limits {} / {}".format(*("+".join(sorted(x)) or "none"
                                                     for x in limits)))
    if base.power_limit_w != new.power_limit_w:
        found.append(f"power limit {base.power_limit_w:g} / {new.power_limit_w:g} W")
    if base.memory_mhz != new.memory_mhz:
        found.append(f"memory clock {base.memory_mhz:g} / {new.memory_mhz:g} MHz")
    capped = "SwPowerCap" in reasons(base) | reasons(new)
    apart = abs(base.sm_mhz - new.sm_mhz) > CLOCK_TOLERANCE_PCT / 100 * abs(base.sm_mhz)
    if apart and not capped:
        found.append(f"SM clock {base.sm_mhz:g} / {new.sm_mhz:g} MHz")
    return found


def unequal(pairs: Iterable[tuple[str, str, str]]) -> list[str]:
    return [f"{what} {old or 'unknown'} / {now or 'unknown'}"
            for what, old, now in pairs if old != now]


def differences(base: Result, new: Result) -> list[str]:
    """Empty: like. Else one text each, `what base / new`."""
    found = unequal((
        ("device", base.device.name, new.device.name),
        ("schedule", base.schedule, new.schedule),
        ("method", base.method, new.method),
        ("cache", base.cache, new.cache),
        ("cold by", base.cold_by, new.cold_by),
        ("statistic", base.statistic, new.statistic),
    ))
    if base.device.name == new.device.name:
        found += clock_differences(base.clocks_end, new.clocks_end)
    return found


def lost(base: Result, new: Result) -> bool:
    """The same was asked for on the same device, and the number came about otherwise. A file that
    does not tell what was asked for counts as the same: a lost capture must not pass unseen.
    """
    asked = ((base.requested_cache, new.requested_cache),
             (base.requested_method, new.requested_method))
    same = (base.device.name == new.device.name and base.schedule == new.schedule
            and all(not old or not now or old == now for old, now in asked))
    return same and (base.method, base.cache) != (new.method, new.cache)


def other_card(base: Result, new: Result) -> list[str]:
    return unequal((("card", base.device.uuid, new.device.uuid),))


def other_circumstances(base: Result, new: Result) -> list[str]:
    return other_card(base, new) + unequal((
        ("driver", base.device.driver, new.device.driver),
        ("runtime", base.device.runtime, new.device.runtime),
        ("zl-bench", base.harness_version, new.harness_version),
        ("host", base.hostname, new.hostname),
    ))
