"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -3.36
_ALONE = {
    "addressed": 0.5,
    "addressed, foreign": 0.97,
    "asks": -1.28,
    "bare": 0.58,
    "bare exfiltration": 0.19,
    "bare false_authority": 0.45,
    "bare instruction": 0.85,
    "bare secrecy": 0.38,
    "bare unsafe_action": 0.62,
    "borne": 1.52,
    "borne instruction": -0.41,
    "described": 0.1,
    "described instruction": 0.14,
    "destination": 2.15,
    "destination wanted": 0.67,
    "first": -0.85,
    "foreign": 1.26,
    "from assistant": -0.78,
    "given": -1.11,
    "harm exfiltration": 0.31,
    "harm false_authority": 0.48,
    "harm instruction": 1.12,
    "harm secrecy": 0.77,
    "harm unsafe_action": 0.91,
    "named": 0.15,
    "named secrecy": 0.45,
    "named steering": 0.16,
    "named unsafe_action": 0.38,
    "own": 0.77,
    "told by a stranger": 0.68,
    "told of another": -0.13,
    "unsupported": 1.65,
}
_OF_CUES = """
cue               says  orders    told  always   leads
action               .     0.1   -0.11   -0.91       .
anyone            0.47    0.28    0.56    0.11       .
asked             1.23    0.45    0.21       .       .
assistant         0.29       .   -0.17    0.36       .
authority            .    0.48    0.55       .       .
condition            .    0.49    0.61       .   -0.65
data                 .    0.59     0.2       .    0.55
everything        0.89    0.55       .       .       .
grant             1.26     0.7       .       .       .
guard              0.2    0.13    0.13       .       .
hide              0.54     0.4    0.23       .       .
holder            0.39    0.12    0.62       .       .
instruction          .       .   -0.59       .       .
kin               -0.7    0.58    0.26       .       .
me               -0.13       .   -1.91       .       .
negation          0.82    0.27       .       .       .
override          0.33    0.39    0.46       .       .
process           -0.4   -0.35    0.48       .       .
promote          -0.16    0.27       .    1.17    0.39
regardless        1.42       .    0.59       .       .
remember         -0.27    0.11    1.74       .       .
rules             0.69    0.39       .       .       .
secrecy              .       .    -0.4       .       .
send             -0.32     0.4       .    0.23   -0.15
standing          0.42       .    0.28       .    0.49
steering             .       .    -0.6       .       .
stranger         -0.45       .    1.92       .       .
tell              0.51    0.29    0.16       .       .
third                .    0.27    1.04       .       .
topic            -1.34   -0.39    0.29       .       .
unbound           0.84    0.36   -0.36       .       .
unconfirmed        0.5    0.28   -0.25       .       .
unsafe_action        .       .   -0.12       .       .
user               0.8    0.37     0.6   -0.17       .
wish              -0.4   -1.14       .       .    0.99
you              -0.66       .    1.27    0.57       .
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
