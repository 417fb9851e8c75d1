"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -4.42
_ALONE = {
    "addressed": -0.8,
    "addressed, foreign": 1.65,
    "always, ordered": 0.41,
    "bare": 0.84,
    "borne": 3.17,
    "described": 0.55,
    "destination": 3.25,
    "destination wanted": -0.23,
    "first": -2.0,
    "foreign": 0.76,
    "given": -0.88,
    "given, always, ordered": -0.66,
    "given, destination": -0.27,
    "given, destination wanted": -0.78,
    "given, harm exfiltration": 0.61,
    "given, harm false_authority": 0.36,
    "given, harm instruction": 1.07,
    "given, harm secrecy": 0.7,
    "given, harm steering": 0.82,
    "given, harm unsafe_action": 0.21,
    "given, harm, wished": -0.13,
    "given, quotes": -2.34,
    "harm exfiltration": 0.38,
    "harm false_authority": 0.16,
    "harm instruction": 0.45,
    "harm secrecy": 0.33,
    "harm steering": -0.48,
    "harm unsafe_action": 0.96,
    "harm, ordered": 0.57,
    "harm, told": -1.0,
    "harm, wished": 0.96,
    "named": 0.53,
    "own": 1.6,
    "quotes": 1.59,
    "stranger, alone": 2.33,
    "stranger, too": -0.62,
    "told of another": -0.96,
    "unsupported": 2.85,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action               .       .   -0.26       .       .
anyone            0.48   -0.17    0.54   -0.44       .
asked             1.46    0.57    0.22       .       .
assistant         0.36     0.8   -0.35    0.27       .
authority        -0.22    0.98    0.66       .       .
condition        -0.24    1.05    0.49       .   -0.96
data                 .    0.43    0.19       .    0.41
disable           0.26   -0.41    0.17       .       .
everything        0.97    0.41    0.13       .     0.5
grant             1.87   -0.22    0.48       .       .
guard             0.14    0.42    0.52       .       .
hide              0.82    0.84    1.12   -0.15       .
holder            0.27    0.14    1.17       .       .
kin              -0.69    0.62       .       .       .
me                 0.8       .   -2.35       .       .
negation           0.7   -0.15       .       .       .
override             .    0.65    1.05       .       .
persona          -0.34    0.51     0.9       .       .
process          -0.74   -0.44    1.45       .       .
promote          -0.23    0.21   -0.18    1.73    0.82
regardless        2.19   -1.21    1.14       .       .
remember         -0.26    0.22    1.85       .       .
rules             0.75     0.8       .       .       .
send             -0.22   -0.17       .     0.1   -0.33
standing          0.31   -0.43       .       .     0.6
stranger         -1.13    1.06    1.71       .       .
tell              0.64    0.29    0.28       .       .
third              0.2    -0.1    1.32       .       .
topic             -1.3   -0.88    0.26       .       .
unbound           0.68    0.67       .       .       .
unconfirmed       0.82    0.39    -0.3       .       .
user              0.85    0.57    0.37       .       .
wish             -0.26   -1.15    0.11       .     1.8
you              -1.78    0.69     1.2    1.61       .
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
