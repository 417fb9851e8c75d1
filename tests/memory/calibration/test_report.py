"""What a measurement found, as a person reads it."""

import numpy as np

from recollect.memory.calibration import SAFE, Calibration, Measured, render_report

AFTER = Calibration(recall=0.3, update=1.1, same=1.1, floor=0.1, ceiling=0.7, dim=384)


def test_the_table():
    """The embedder, the pairs, and for each threshold what it keeps and lets in, old and new."""
    nothing = np.array([])
    measured = Measured(
        relevant=np.array([0.2, 0.4, 0.6, 0.8]),
        unrelated=np.array([0.0, 0.05, 0.2, 0.4]),
        same=nothing,
        update=nothing,
        different=nothing,
    )
    assert render_report("tiny", measured, SAFE, AFTER).splitlines() == [
        "embedder  tiny, 384 dimensions",
        "pairs     4 relevant, 4 unrelated",
        "",
        "         before                    after",
        "         value  keeps  lets in     value  keeps  lets in",
        "recall   0.100  100.0%    50.0%    0.300  75.0%    25.0%",
        "floor    0.100                     0.100",
        "ceiling  0.500                     0.700",
        "update   1.100                     1.100",
        "same     1.100                     1.100",
    ]
