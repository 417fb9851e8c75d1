"""What learning costs: how many turns can be kept, and what requests feel of it.

Run by `run.py --only load`. Every figure has its baseline in the same run, in alternating rounds;
on a busy machine only the ratios mean something.
"""

from __future__ import annotations

import os
from typing import Any

from learning import capture, foreground


async def measure(*, quick: bool) -> dict[str, Any]:
    """Both measurements, and how busy the machine was (load averages) before and after."""
    before = os.getloadavg()
    kept = await capture.measure(quick=quick)
    capture.show(kept)
    felt = await foreground.measure(quick=quick)
    foreground.show(felt)
    return {"capture": kept, "foreground": felt, "machine": [before, os.getloadavg()]}
