"""Many small signs together, where no single rule is broken."""

from __future__ import annotations

from .origin import Origin
from .signs import signs
from .voice import Voice
from .weights import BIAS, WEIGHTS


def weigh(voice: Voice, origin: Origin) -> float:
    """The log odds that a candidate is planted; above 0 it is more likely than not.

    They are odds among as many planted as honest candidates, which is not what a store sees.
    """
    return BIAS + sum(
        WEIGHTS.get(sign, 0.0) * amount for sign, amount in signs(voice, origin).items()
    )
