"""The error of everything that ab.py is given and cannot use."""


class InputError(Exception):
    """The message says what is wrong, where, and what to do; ab.py exits with 2."""
