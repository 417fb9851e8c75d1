"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

from .signs import SIGNS_PER_CUE

BIAS = -1.50
# Of a cue, by what it is said in:
#                 is   about  orders    self   other foreign
_OF_CUES = """
action             .   -0.12    0.16   -0.09    0.25       .
anyone          0.05   -0.29    0.34       .    0.55    0.09
assistant          .       .    0.06     0.2   -0.25     1.3
authority      -0.12       .   -0.13    0.89    0.69    0.45
bridge          0.59       .    0.61    0.45    0.78       .
condition      -0.18   -0.46    0.28     0.4    0.15    0.75
data            0.45       .    0.47    0.31    0.26    0.17
disable        -0.15   -0.32    0.16    0.36    0.22   -0.79
everything      0.63       .    0.61       .       .    0.16
grant           1.26    1.17    0.09    0.67    0.67    0.59
guard            0.1       .    0.08    0.31    0.63     0.1
hide             0.4   -0.22    0.62    0.38    0.46    0.13
holder         -0.39   -0.61    0.21    0.29    0.91    0.62
intro          -0.06   -0.09       .    1.44     0.7    0.15
kin            -0.44   -0.41       .       .   -0.79    0.22
negation        0.06    -0.3    0.37       .   -0.07       .
override           .       .       .    0.54    0.16   -0.37
payee           0.35   -0.12    0.47    0.29       .       .
persona         0.78   -0.12     0.9    0.41    0.75       .
process        -0.42   -0.23   -0.19     0.1    0.54     0.6
promote         0.15    0.14       .   -0.12    0.12    0.12
remember       -0.27   -0.09   -0.18    1.87     1.0       .
rules           0.57    0.17    0.39    0.15    0.44    0.06
me              0.44    0.77   -0.33   -1.33       .   -0.17
send               .    0.15   -0.15   -0.14    0.28    0.11
standing        0.33    0.23     0.1    0.81   -0.09    0.11
tell            0.24   -0.13    0.37       .    0.46    0.38
third           0.23    0.12    0.11    0.52    0.26    0.58
topic          -0.35   -0.29   -0.06   -0.14   -0.18    0.65
unbound         0.71    0.41     0.3     0.2    0.32    -0.4
unconfirmed     0.38    -0.2    0.57    0.18    0.39     0.1
user             0.1       .    0.15     1.2     0.5    0.66
you            -0.47   -0.08   -0.38    1.29    1.37    -0.5
"""
_ALONE = {
    "assistant first": 1.03,
    "described": -3.03,
    "foreign": 1.26,
    "hostile": 1.39,
    "is_foreign": 2.14,
    "later": -1.28,
    "link": 1.36,
    "named": -3.41,
    "ordered": 1.33,
    "own": -0.08,
    "silent": 0.12,
    "verbatim": -4.25,
}


def _weights() -> dict[str, float]:
    of_cues = {
        f"{kind} {cue}": float(weight)
        for cue, *row in map(str.split, _OF_CUES.strip().splitlines())
        for kind, weight in zip(SIGNS_PER_CUE, row, strict=True)
        if weight != "."
    }
    return of_cues | _ALONE


WEIGHTS = _weights()
"""Of the names of signs; a sign that is not here counts nothing."""
