"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -4.48
_ALONE = {
    "addressed": -0.63,
    "addressed, foreign": 1.84,
    "always, ordered": 0.19,
    "asks": -1.28,
    "bare": 0.72,
    "borne": 2.78,
    "described": 0.68,
    "destination": 3.05,
    "destination wanted": -0.14,
    "first": -1.91,
    "foreign": 1.44,
    "from assistant": -3.85,
    "given": -0.77,
    "given, always, ordered": -0.73,
    "given, asks": -1.28,
    "given, destination": -0.14,
    "given, destination wanted": -0.77,
    "given, harm exfiltration": 0.68,
    "given, harm false_authority": 0.54,
    "given, harm instruction": 0.96,
    "given, harm secrecy": 0.83,
    "given, harm steering": 0.78,
    "given, harm, ordered": 0.12,
    "given, harm, wished": -0.18,
    "given, quotes": -2.61,
    "harm exfiltration": 0.19,
    "harm instruction": 0.7,
    "harm secrecy": 0.23,
    "harm steering": -0.65,
    "harm unsafe_action": 1.49,
    "harm, ordered": 0.57,
    "harm, told": -1.07,
    "harm, wished": 0.93,
    "named": 0.43,
    "own": 1.56,
    "quotes": 1.65,
    "stranger, alone": 1.82,
    "stranger, too": 0.32,
    "told of another": -0.59,
    "unsupported": 2.33,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action           -0.16    0.24       .       .       .
anyone            0.31       .    0.49   -0.48       .
asked             1.49    0.34    0.12       .       .
assistant         0.27    0.82   -0.49    0.42       .
authority        -0.24     0.8    0.92       .       .
condition        -0.21    1.13    0.71       .    -1.0
data                 .    0.51    0.32       .     0.5
disable              .   -0.29    0.18       .       .
everything        0.96    0.46    0.22       .    0.24
grant             1.66       .    0.38       .       .
guard              0.1    0.36    0.36       .       .
hide               1.0    0.65    0.98       .       .
holder               .    0.27    1.21       .       .
kin              -0.81    0.84    0.16       .       .
me                0.84       .    -2.6       .       .
negation          0.53   -0.12    0.15       .       .
override             .    0.39    1.07       .       .
persona          -0.57    0.64    0.75       .       .
process          -0.51   -0.69    1.26       .       .
promote          -0.31    0.27    -0.1    1.62    0.92
regardless        2.07   -1.12    1.27       .       .
remember         -0.27    0.21    1.95       .       .
rules             0.82    0.86    0.11       .       .
send              -0.4       .    0.24       .   -0.26
standing          0.37   -0.26       .       .    0.85
stranger         -1.31   -0.21    2.14       .       .
tell               0.7    0.17    0.42       .       .
third             0.16   -0.21    1.06       .       .
topic            -1.47   -0.57    0.24       .       .
unbound           0.63    0.77       .       .       .
unconfirmed       0.49    0.35   -0.33       .       .
user              1.12    0.46    0.47       .       .
wish             -0.32   -1.16    0.27       .    1.99
you               -1.8    0.87    1.28    1.81       .
"""


def _weights() -> dict[str, float]:
    (_, *groups), *rows = map(str.split, _OF_CUES.strip().splitlines())
    of_cues = {
        f"{group} {cue}": float(weight)
        for cue, *row in rows
        for group, weight in zip(groups, row, strict=True)
        if weight != "."
    }
    return of_cues | _ALONE


WEIGHTS = _weights()
"""Of the names of signs; a sign that is not here counts nothing."""
