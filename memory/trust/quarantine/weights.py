"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -0.86
_ALONE = {
    "assistant first": 1.14,
    "described": -2.39,
    "foreign": 1.88,
    "is_foreign": 2.36,
    "link": 1.2,
    "named": -2.52,
    "ordered": 1.4,
    "verbatim": -3.66,
}
_OF_CUES = """
cue           orders    self   other
action          0.29   -0.22    0.13
anyone          0.51    0.31    0.34
assistant       0.21    0.16   -0.15
authority       -0.1    0.78    0.57
condition       0.21    0.38       .
data            0.35    0.12    0.34
disable        -0.09    0.29    0.15
everything      0.93       .    0.15
grant           0.42    0.73    0.84
guard            0.1    0.43    0.56
hide            0.36     0.1    0.13
kin            -0.15       .   -0.35
me             -0.26   -1.28       .
negation        0.59       .   -0.14
override        -0.3    0.16    0.24
payee           0.35    0.23       .
persona         0.44    0.16    0.42
process        -0.19    0.09    0.82
promote         -0.1   -0.09       .
remember       -0.26    1.44     1.0
rules           0.23    0.31     0.7
send               .   -0.08    0.13
standing        0.17    0.46       .
tell            0.22       .    0.44
third           0.23    0.76    0.25
topic          -0.13   -0.39   -0.28
unbound         -0.1    0.11    0.15
unconfirmed     0.33       .    0.05
user            0.47     1.3    0.69
you            -0.47    1.28     1.1
"""


def _weights() -> dict[str, float]:
    (_, *kinds), *rows = map(str.split, _OF_CUES.strip().splitlines())
    of_cues = {
        f"{kind} {cue}": float(weight)
        for cue, *row in rows
        for kind, weight in zip(kinds, row, strict=True)
        if weight != "."
    }
    return of_cues | _ALONE


WEIGHTS = _weights()
"""Of the names of signs; a sign that is not here counts nothing."""
