"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -4.39
_ALONE = {
    "addressed": -0.8,
    "addressed, foreign": 1.65,
    "always, ordered": 0.41,
    "asks": -1.35,
    "bare": 0.87,
    "borne": 3.16,
    "described": 0.52,
    "destination": 3.24,
    "destination wanted": -0.23,
    "first": -2.0,
    "foreign": 0.76,
    "given": -0.82,
    "given, always, ordered": -0.66,
    "given, asks": -1.35,
    "given, destination": -0.32,
    "given, destination wanted": -0.79,
    "given, harm exfiltration": 0.62,
    "given, harm false_authority": 0.35,
    "given, harm instruction": 1.05,
    "given, harm secrecy": 0.69,
    "given, harm steering": 0.83,
    "given, harm unsafe_action": 0.18,
    "given, harm, wished": -0.13,
    "given, quotes": -2.36,
    "harm exfiltration": 0.38,
    "harm false_authority": 0.17,
    "harm instruction": 0.46,
    "harm secrecy": 0.35,
    "harm steering": -0.47,
    "harm unsafe_action": 0.98,
    "harm, ordered": 0.57,
    "harm, told": -1.0,
    "harm, wished": 0.98,
    "named": 0.53,
    "own": 1.58,
    "quotes": 1.58,
    "stranger, alone": 2.34,
    "stranger, too": -0.62,
    "told of another": -0.96,
    "unsupported": 2.85,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action               .       .   -0.25       .       .
anyone            0.46   -0.15    0.53   -0.43       .
asked             1.44    0.58    0.23       .       .
assistant         0.34    0.78   -0.34    0.27       .
authority        -0.23    0.96    0.67       .       .
condition        -0.25    1.04    0.49       .   -0.96
data                 .    0.43     0.2       .    0.42
disable           0.23   -0.39    0.18       .       .
everything        0.95    0.39    0.14       .    0.52
grant             1.86   -0.23    0.48       .       .
guard             0.14    0.39    0.53       .       .
hide               0.8     0.8    1.11   -0.15       .
holder            0.27    0.15    1.16       .       .
kin               -0.7    0.63       .       .       .
me                 0.8       .   -2.34       .       .
negation          0.68   -0.17       .       .       .
override             .    0.63    1.05       .       .
persona          -0.34    0.49     0.9       .       .
process          -0.75   -0.43    1.45       .       .
promote          -0.23     0.2   -0.18    1.74    0.84
regardless        2.16   -1.21    1.14       .       .
remember         -0.27     0.2    1.85       .       .
rules             0.73     0.8    0.12       .       .
send             -0.23   -0.17       .       .   -0.32
standing          0.31   -0.43       .       .    0.62
stranger         -1.13    1.04    1.72       .       .
tell              0.63    0.27    0.28       .       .
third              0.2    -0.1    1.32       .       .
topic             -1.3   -0.88    0.26       .       .
unbound           0.65    0.67       .       .       .
unconfirmed       0.81     0.4    -0.3       .       .
user              0.82    0.56    0.38       .       .
wish             -0.27   -1.16    0.11       .    1.81
you              -1.74    0.68     1.2    1.63       .
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
