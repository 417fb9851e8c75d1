"""Scalars as texts that compare, byte by byte, as `memory.query.evaluate` compares scalars. Pure.

The first letter is the type: values of different types are never equal, and have no order. Numbers
are exact, however long, where servers compare floats of 64 bits: 2^53 + 1 is not 2^53.
"""

from __future__ import annotations

import math
from decimal import Decimal

from ...model.filters import Scalar

TEXT, NUMBER, BOOLEAN = "t", "n", "b"
LIST, LONG_LIST = "l", "ll"
"""What stands for a list, which equals no scalar."""
MOST_TEXT = 256
"""Characters of a stored text that are kept: enough to compare it with any shorter one."""
_BIAS = 5000
"""Added to exponents, of which the smallest is -324 of a float and the largest that of an integer
with as many digits as JSON may have (`sys.get_int_max_str_digits`, 4300)."""
_MOST_DIGITS = 300
"""Of a number to compare with, so that an expression stays short."""
_BEYOND = "~"
"""Ends a negative number: it is greater than any digit."""
_COMPLEMENT = str.maketrans("0123456789", "9876543210")


def stored(value: str | float | bool) -> str:
    """The token of a stored scalar, cut if it is long."""
    return _token(value[:MOST_TEXT] if isinstance(value, str) else value)


def asked(value: Scalar) -> str | None:
    """The token of a value to compare with; None if it cannot be compared so."""
    if isinstance(value, str):
        return _token(value) if len(value) < MOST_TEXT and "\0" not in value else None
    if value is None or isinstance(value, bool):
        return None if value is None else _token(value)
    if isinstance(value, float):
        return _token(value) if math.isfinite(value) else None
    return _token(value) if abs(value) < 10**_MOST_DIGITS else None


def after(kind: str) -> str:
    """What is greater than every token of a type, and not greater than those of later types."""
    return chr(ord(kind) + 1)


def _token(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return f"{BOOLEAN}{int(value)}"
    return TEXT + value if isinstance(value, str) else NUMBER + _ordered(value)


def _ordered(value: float) -> str:
    """A number as a sign, an exponent and digits.

    A float that is no integer is taken by its shortest digits. They keep the order: they are
    between the same integers and, of two floats, the larger one has the larger.
    """
    found = Decimal(repr(value)) if value != int(value) else Decimal(int(value))
    if not found:
        return "1"
    digits = "".join(map(str, found.as_tuple().digits)).rstrip("0")
    size = f"{found.adjusted() + _BIAS:04}"
    if found > 0:
        return f"2{size}{digits}"
    return f"0{size.translate(_COMPLEMENT)}{digits.translate(_COMPLEMENT)}{_BEYOND}"
