"""Tests dealt out to shards that end together."""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Shard:
    tests: tuple[str, ...]
    seconds: float


def balanced(seconds: Mapping[str, float], count: int) -> list[Shard]:
    """At most `count`, none of them empty; the longest test first, each to the shard that has the
    least so far. Equal input gives equal shards."""
    order = sorted(seconds, key=lambda name: (-seconds[name], name))
    dealt: list[list[str]] = [[] for _ in range(min(count, len(order)))]
    # The number of tests, too: without it tests that take no time would all go to one shard.
    least = [(0.0, 0, place) for place in range(len(dealt))]
    for name in order:
        load, tests, place = heapq.heappop(least)
        dealt[place].append(name)
        heapq.heappush(least, (load + seconds[name], tests + 1, place))
    return [Shard(tuple(names), sum(seconds[name] for name in names)) for names in dealt]
