"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -3.93
_ALONE = {
    "addressed": -0.21,
    "addressed, foreign": 1.31,
    "always, ordered": -0.24,
    "asks": -1.87,
    "bare": 0.8,
    "borne": 2.24,
    "described": 0.31,
    "destination": 3.07,
    "first": -1.36,
    "foreign": 1.41,
    "from assistant": -2.32,
    "given": -0.84,
    "harm exfiltration": 0.35,
    "harm false_authority": 0.2,
    "harm instruction": 1.04,
    "harm secrecy": 0.61,
    "harm steering": -0.57,
    "harm unsafe_action": 1.06,
    "harm, borne": -0.28,
    "harm, ordered": 0.79,
    "harm, told": -1.02,
    "harm, wished": 0.91,
    "named": 0.21,
    "own": 1.23,
    "quotes": -0.14,
    "stranger, alone": 1.56,
    "stranger, too": 0.37,
    "told of another": -0.4,
    "unsupported": 2.24,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action           -0.26       .       .       .       .
anyone             0.4    0.56    0.44    0.15       .
asked             1.48    0.63    0.11       .       .
assistant         0.27    0.41   -0.35       .       .
authority        -0.12    0.63     0.8       .       .
condition        -0.16    0.97    0.81       .   -1.18
data                 .    0.42    0.28       .    0.59
disable              .   -0.22       .       .       .
everything        1.01    0.49    0.21       .   -0.25
grant              1.6    0.31    0.37       .       .
guard                .    0.42    0.39       .       .
hide              0.85    0.56    0.64   -0.16       .
holder            0.29    0.18    0.92       .       .
kin              -0.77    0.68    0.26       .       .
me                0.39       .   -2.44       .       .
negation          0.73     0.3       .       .       .
override          0.25    0.52    0.69       .       .
persona          -0.47     0.4    0.45       .       .
process          -0.61   -0.77    0.98       .       .
promote          -0.34    0.39       .    1.66    0.59
regardless        2.34   -0.27    0.93       .       .
remember         -0.32       .    1.88       .       .
rules             0.66    0.54    0.19       .       .
send             -0.35     0.2    0.15     0.2    -0.2
standing          0.27   -0.13    0.21       .    0.48
stranger         -0.94   -0.22    1.93       .       .
tell              0.69    0.32    0.31       .       .
third             0.21       .    0.95       .       .
topic            -1.49   -0.57    0.42       .       .
unbound           1.02    1.24   -0.41       .       .
unconfirmed       0.51    0.13   -0.25       .       .
user              0.86    0.27    0.64       .       .
wish             -0.35    -1.3     0.2       .    1.54
you              -1.02    0.21    1.24    1.29       .
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
