"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -0.85
_ALONE = {
    "described": -2.41,
    "foreign": 1.87,
    "is_foreign": 2.37,
    "link": 1.19,
    "named": -2.53,
    "ordered": 1.41,
    "verbatim": -3.68,
}
_OF_CUES = """
cue           orders    self   other
action          0.27   -0.23    0.14
anyone           0.5    0.32    0.36
assistant       0.46    0.07   -0.17
authority      -0.07    0.81    0.56
condition       0.23    0.41       .
data            0.38    0.16    0.34
disable        -0.11    0.26    0.15
everything      0.93       .    0.19
grant           0.51    0.78    0.83
guard           0.08    0.42    0.55
hide            0.36    0.09    0.13
kin            -0.14       .   -0.36
me             -0.28    -1.3       .
negation        0.62       .    -0.1
override       -0.32    0.16    0.23
persona         0.64    0.16    0.43
process        -0.21    0.08    0.82
promote        -0.13   -0.11       .
remember       -0.29    1.46    1.03
rules           0.25    0.34    0.69
send               .       .    0.13
standing        0.16     0.5       .
tell            0.22       .    0.47
third           0.18     0.8    0.25
topic          -0.13   -0.36   -0.32
unbound        -0.06    0.12    0.17
unconfirmed     0.29   -0.06    0.06
user            0.48    1.27    0.69
you            -0.51    1.29    1.18
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
