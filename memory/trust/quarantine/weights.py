"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -3.38
_ALONE = {
    "always, ordered": 0.17,
    "bare": 1.31,
    "borne": 4.47,
    "command": 1.32,
    "described": -0.59,
    "destination": 3.32,
    "first": -0.78,
    "given": -1.6,
    "given, destination": -1.16,
    "given, harm exfiltration": 0.4,
    "given, harm false_authority": 0.15,
    "given, harm instruction": 0.42,
    "given, harm secrecy": 0.14,
    "given, quotes": -2.33,
    "harm exfiltration": 0.59,
    "harm false_authority": 0.34,
    "harm instruction": 0.88,
    "harm secrecy": -0.12,
    "image": 1.15,
    "quotes": 1.81,
    "unsupported": 2.34,
}
_OF_CUES = """
cue               says   given    told  always   leads
asked             0.54    1.73    1.47       .       .
assistant         0.79       .       .     0.2       .
authority            .    0.89    1.13       .       .
data              0.36    0.17    0.41       .       .
everything        1.68     0.8       .       .    0.17
grant             2.33    1.41    0.75       .       .
guard             0.15    0.47    0.85       .       .
hide              0.76    1.19    1.26   -0.41       .
me                1.55    1.63   -2.19       .       .
override             .    0.14    0.93       .       .
persona           0.24    0.38    0.61       .       .
promote              .   -0.23   -0.25    0.71    1.01
regardless        2.97    1.69    0.83       .       .
remember         -0.46    1.55    1.96       .       .
rules             0.35    1.12    0.74       .       .
send                 .   -0.49   -0.32    0.36   -0.72
standing             .     0.2    0.47       .     1.0
tell              0.89     0.6    0.52       .       .
topic             -1.6   -1.17    0.14       .       .
unbound           0.46    0.96   -0.29       .       .
unconfirmed       1.28    1.03   -0.47       .       .
user              0.55    1.55    2.93       .       .
you              -1.63    0.34    1.16    0.86       .
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
