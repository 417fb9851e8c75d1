"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -4.39
_ALONE = {
    "addressed": -0.88,
    "addressed, foreign": 1.54,
    "always, ordered": 0.54,
    "bare": 0.8,
    "borne": 3.26,
    "described": 0.6,
    "destination": 3.24,
    "destination wanted": -0.2,
    "first": -1.99,
    "foreign": 0.94,
    "given": -0.89,
    "given, always, ordered": -0.69,
    "given, destination": -0.28,
    "given, destination wanted": -0.79,
    "given, harm exfiltration": 0.54,
    "given, harm false_authority": 0.3,
    "given, harm instruction": 1.05,
    "given, harm secrecy": 0.64,
    "given, harm steering": 0.83,
    "given, harm unsafe_action": 0.25,
    "given, harm, wished": -0.13,
    "given, quotes": -2.29,
    "harm exfiltration": 0.41,
    "harm false_authority": 0.21,
    "harm instruction": 0.38,
    "harm secrecy": 0.33,
    "harm steering": -0.53,
    "harm unsafe_action": 0.91,
    "harm, ordered": 0.65,
    "harm, told": -1.0,
    "harm, wished": 0.93,
    "named": 0.5,
    "own": 1.69,
    "quotes": 1.54,
    "stranger, alone": 1.8,
    "told of another": -0.93,
    "unsupported": 2.73,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action               .       .   -0.21       .       .
anyone            0.45   -0.15    0.51   -0.42       .
asked             1.46    0.61    0.17       .       .
assistant         0.37     0.8   -0.38    0.27       .
authority         -0.2    0.95    0.69       .       .
condition        -0.32    1.12    0.62       .   -0.95
data                 .    0.42    0.12       .    0.42
disable           0.21   -0.41    0.28       .       .
everything        0.95    0.48    0.13       .    0.52
grant             1.82   -0.17    0.51       .       .
guard             0.15    0.42    0.52       .       .
hide              0.78    0.88     1.1       .       .
holder            0.25    0.19    1.13       .       .
kin              -0.79    0.66       .       .       .
me                 0.8       .   -2.52       .       .
negation          0.76    -0.2       .       .       .
override           0.1    0.62    0.95       .       .
persona          -0.34    0.53    0.77       .       .
process          -0.78   -0.39    1.67       .       .
promote           -0.2    0.19   -0.25    1.74    0.83
regardless        2.14   -1.18    1.27       .       .
remember         -0.26    0.23    1.91       .       .
rules             0.73    0.81    0.12       .       .
send              -0.2   -0.21       .       .   -0.34
standing          0.26   -0.49       .       .    0.64
stranger         -0.38    1.87    1.83       .       .
tell              0.57    0.37    0.25       .       .
third             0.23   -0.16    1.37       .       .
topic            -1.35   -0.83    0.23       .       .
unbound           0.69    0.87       .       .       .
unconfirmed       0.79    0.41   -0.34       .       .
user              0.86    0.56    0.47       .       .
wish             -0.23   -1.19    0.18       .     1.8
you              -1.81    0.71    1.15    1.67       .
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
