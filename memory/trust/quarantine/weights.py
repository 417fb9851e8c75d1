"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -3.90
_ALONE = {
    "addressed": 0.53,
    "addressed, foreign": 0.97,
    "asks": -1.27,
    "bare": 0.76,
    "bare exfiltration": 0.13,
    "bare false_authority": 0.43,
    "bare instruction": 0.85,
    "bare secrecy": 0.33,
    "bare steering": 0.14,
    "bare unsafe_action": 0.66,
    "borne": 1.71,
    "borne instruction": -0.33,
    "described": -0.27,
    "described exfiltration": 0.18,
    "described false_authority": 0.11,
    "described instruction": 0.29,
    "destination": 2.05,
    "destination wanted": 0.65,
    "first": -0.86,
    "foreign": 1.48,
    "from assistant": -0.76,
    "given": -0.81,
    "harm exfiltration": 0.33,
    "harm false_authority": 0.46,
    "harm instruction": 1.19,
    "harm secrecy": 0.76,
    "harm steering": 0.33,
    "harm unsafe_action": 1.04,
    "named": 0.35,
    "named secrecy": 0.43,
    "named steering": 0.23,
    "named unsafe_action": 0.32,
    "own": 1.28,
    "told by a stranger": 0.3,
    "told of another": -0.18,
    "unsupported": 1.59,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action               .       .       .   -0.87       .
anyone            0.58    0.17    0.47    0.14       .
asked              0.6    0.36       .       .       .
assistant          0.3       .       .     0.2       .
authority            .    0.37    0.75       .       .
condition         0.34    0.64    0.53       .    -0.3
data              0.21    0.46       .       .    0.36
disable          -0.14       .    -0.4       .       .
everything        0.97    0.54   -0.16       .       .
grant             1.29    0.59    0.32       .       .
guard              0.2       .     0.2       .       .
hide              0.61    0.39    0.26   -0.16       .
holder            0.43    0.24    0.64       .       .
instruction          .       .   -0.51       .       .
kin              -0.34    0.56    0.11       .       .
me               -0.33       .   -2.06       .       .
negation          0.69    0.35   -0.22       .       .
override          0.25    0.35    0.34       .       .
persona           0.13       .    0.18       .       .
process          -0.38   -0.18    0.36       .       .
promote              .    0.26       .    0.86       .
regardless        0.59    0.19    0.48       .       .
remember         -0.35    0.17    1.84       .       .
rules             0.66    0.47    0.21       .       .
secrecy              .       .    -0.4       .       .
send                 .     0.3       .       .    -0.2
standing           0.5       .    0.14       .    0.46
steering             .       .   -0.63       .       .
stranger         -0.44   -0.14    0.41       .       .
tell              0.48    0.25     0.2       .       .
third            -0.11    0.39    1.11       .       .
topic            -1.28   -0.38    0.12       .       .
unbound           0.72    0.38   -0.32       .       .
unconfirmed       0.26       .   -0.16       .       .
user              0.88    0.18    0.71   -0.18       .
wish             -1.14   -0.81   -0.28       .       .
you              -0.59       .    1.46    0.49       .
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
