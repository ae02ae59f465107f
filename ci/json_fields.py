"""Checked fields of a JSON document: a TypeError or ValueError names the one that is wrong."""

import math
from typing import Any


def text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a text")
    # JSON can spell half of a surrogate pair, which no output could encode.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is not a number")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError(f"{name} is not finite")
    return value


def positive(value: Any, name: str) -> float:
    if number(value, name) <= 0:
        raise ValueError(f"{name} is {value}, which no time can be")
    return value


def texts(values: Any, name: str) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{name} is not a list")
    return tuple(text(value, name) for value in values)


def mapping(value: Any, name: str) -> dict:
    if not isinstance(value, dict):
        raise TypeError(f"{name} is not an object")
    return value
