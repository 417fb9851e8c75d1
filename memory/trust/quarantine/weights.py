"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -2.53
_ALONE = {
    "borne": 4.66,
    "command": 1.28,
    "destination": 3.14,
    "given": -1.16,
    "given, destination": -0.87,
    "given, harm exfiltration": 0.28,
    "given, harm false_authority": 0.11,
    "given, harm instruction": 0.36,
    "given, harm secrecy": -0.49,
    "given, quotes": -2.16,
    "harm exfiltration": 0.58,
    "harm false_authority": 0.44,
    "harm instruction": 1.02,
    "harm secrecy": 0.43,
    "image": 1.23,
    "ordered": 2.42,
    "quotes": 1.73,
    "unsupported": 1.92,
}
_OF_CUES = """
cue               says   given    told  always
asked             0.81    1.69    1.33       .
assistant         0.39       .       .    0.25
authority        -0.31    0.89    1.24       .
data               0.3    0.18    0.36       .
everything        1.83     0.8   -0.12       .
grant             2.14    1.42    0.78       .
guard             0.11    0.48    0.82       .
hide              0.35     1.2    0.95   -0.44
me                0.84   -0.45   -2.23       .
override          0.33    0.15    0.64       .
persona              .    0.39    0.46       .
promote              .       .   -0.37     0.8
regardless        2.89    1.68    0.89       .
remember         -0.65    1.57     2.0       .
rules             0.38    1.13     0.6       .
send             -0.29   -0.51   -0.11     0.4
standing             .    0.38    0.46       .
tell              0.93    0.58    0.55       .
topic            -1.96   -1.11    0.22       .
unbound           0.31     0.8    0.38       .
unconfirmed       1.43    1.06   -0.55       .
user                 .       .    3.35       .
you              -1.74    0.34    1.27    0.68
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
