"""The devices of one model against each other, by the cases that several of them have measured.

Only trusted numbers of one kind are put together. A case's reference is the median of its devices'
latencies, so that no device is the measure of the others; a device's ratio is the median of its cases'
ratios to that. An outlier is a device whose ratio is away from the median device's by more than 1 %
and by more than 3 x 1.4826 x MAD (of the devices' log ratios), with at least 3 devices and 5 cases:
of two devices nothing tells which one is right.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from case_result import Result

FEWEST_DEVICES, FEWEST_CASES = 3, 5
LEAST_AWAY = math.log(1.01)
SIGMAS, MAD_TO_SIGMA = 3, 1.4826


@dataclass(frozen=True)
class DeviceRatio:
    model: str
    card: str  # the uuid, or the host's name where a device has none
    nodes: tuple[str, ...]
    cases: int  # that another device has, too
    ratio: float  # of its latencies: 1.01 is 1 % slower than its like
    spread_pct: float  # 1.4826 x MAD of its cases' ratios
    outlier: bool = False

    @property
    def away_pct(self) -> float:
        return 100 * (self.ratio - 1)


def card_of(result: Result) -> str:
    return result.device.uuid or result.hostname


def mad(values: Iterable[float]) -> float:
    values = list(values)
    middle = median(values)
    return median(abs(value - middle) for value in values)


def by_device(results: Iterable[Result]) -> list[DeviceRatio]:
    """By model, the slowest first. Empty where no case was measured on two devices."""
    latencies: dict = defaultdict(lambda: defaultdict(list))  # of each kind of each card
    nodes: dict = defaultdict(set)
    for result in results:
        nodes[result.device.name, card_of(result)].add(result.hostname)
        if result.latency_us is None or result.untrusted or result.implausible:
            continue
        kind = (result.device.name, result.id, result.obtained)
        latencies[kind][card_of(result)].append(result.latency_us)

    logs: dict = defaultdict(list)
    for (model, *_), cards in latencies.items():
        if len(cards) < 2:
            continue
        of_card = {card: median(values) for card, values in cards.items()}
        reference = median(of_card.values())
        for card, latency in of_card.items():
            logs[model, card].append(math.log(latency / reference))

    found = []
    for model in sorted({model for model, _ in logs}):
        away = {card: median(values) for (of, card), values in logs.items() if of == model}
        outliers = outliers_among({card: value for card, value in away.items()
                                   if len(logs[model, card]) >= FEWEST_CASES})
        found += [DeviceRatio(
            model, card, tuple(sorted(nodes[model, card] - {""})), len(logs[model, card]),
            math.exp(value), 100 * math.expm1(MAD_TO_SIGMA * mad(logs[model, card])),
            card in outliers) for card, value in sorted(away.items(), key=lambda item: -item[1])]
    return found


def outliers_among(away: dict[str, float]) -> set[str]:
    """`away`: log ratios."""
    if len(away) < FEWEST_DEVICES:
        return set()
    middle = median(away.values())
    limit = max(LEAST_AWAY, SIGMAS * MAD_TO_SIGMA * mad(away.values()))
    return {card for card, value in away.items() if abs(value - middle) > limit}
