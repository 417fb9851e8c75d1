"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = -2.56
_ALONE = {
    "borne": 4.71,
    "command": 1.25,
    "destination": 3.09,
    "given": -1.14,
    "given, destination": -0.86,
    "given, harm exfiltration": 0.29,
    "given, harm instruction": 0.87,
    "given, harm secrecy": -0.73,
    "given, quotes": -2.12,
    "harm exfiltration": 0.56,
    "harm false_authority": 0.41,
    "harm secrecy": 0.27,
    "image": 1.25,
    "ordered": 2.38,
    "quotes": 1.7,
    "unsupported": 1.94,
}
_OF_CUES = """
cue               says   given    told  always
asked             0.87     1.7    1.31       .
assistant         0.68    0.33   -0.14    0.24
authority        -0.32     1.0    1.28       .
data              0.31    0.19    0.29       .
everything        1.83    0.85   -0.12       .
grant             2.07    1.42    0.81       .
guard             0.22     0.6    0.74       .
hide              0.45    1.64    1.01   -0.74
me                0.92   -0.46    -2.2       .
override          0.78    0.32    0.68       .
regardless        2.84    1.72    0.95       .
remember         -0.61    1.54    2.05       .
rules             0.58    1.41    0.62       .
send             -0.26   -0.48   -0.17    0.44
standing             .    0.55    0.52       .
tell              0.92    0.54    0.52       .
topic            -2.07   -1.09    0.35       .
unconfirmed       1.32    0.97   -0.42       .
user                 .       .    3.31       .
you               -1.8    0.39    1.36    0.66
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
