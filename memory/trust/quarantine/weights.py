"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -2.57
_ALONE = {
    "borne": 4.67,
    "command": 1.28,
    "destination": 3.21,
    "given": -1.13,
    "given, destination": -0.94,
    "given, harm exfiltration": 0.17,
    "given, harm false_authority": 0.13,
    "given, harm instruction": 0.45,
    "given, harm secrecy": -0.5,
    "given, quotes": -2.24,
    "harm exfiltration": 0.7,
    "harm false_authority": 0.43,
    "harm instruction": 0.93,
    "harm secrecy": 0.45,
    "image": 1.23,
    "ordered": 2.4,
    "quotes": 1.8,
    "unsupported": 2.11,
}
_OF_CUES = """
cue               says   given    told  always
asked             0.77    1.69    1.37       .
assistant          0.5       .       .    0.31
authority         -0.3    0.89    1.23       .
data              0.37    0.18    0.32       .
everything        1.81     0.8       .       .
grant             2.17    1.42    0.82       .
guard             0.12    0.48    0.86       .
hide              0.34     1.2    1.01   -0.44
me                0.96   -0.45   -2.26       .
override          0.25    0.16    0.72       .
persona              .    0.39    0.53       .
promote              .       .   -0.37    0.74
regardless        2.92    1.69    0.89       .
remember         -0.57    1.57    1.99       .
rules             0.33    1.13    0.58       .
send             -0.35   -0.52   -0.19    0.45
standing             .    0.37    0.46       .
tell              0.94    0.58    0.57       .
topic            -1.93   -1.11    0.27       .
unbound           0.22    0.81       .       .
unconfirmed       1.41    1.06   -0.52       .
user                 .       .    2.85       .
you              -1.85    0.33    1.33    0.72
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
