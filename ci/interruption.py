"""Ctrl-C and SIGTERM where something must not be left half done."""

import contextlib
import signal
from collections.abc import Iterator


def sigterm_as_interrupt() -> None:
    """What CI sends on a cancelled job ends a script as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """An interruption comes at the end of the block instead."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda *_: came.append(1))
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt
