"""A report of a measurement for people. Pure."""

from __future__ import annotations

import numpy as np

from .derivation import Cosines, Measured, share_reaching
from .values import Calibration
from .weights import ANSWERS

_HEADER = "value  keeps  lets in"


def render_report(
    embedder_id: str, measured: Measured, before: Calibration, after: Calibration
) -> str:
    """The measurement, and what each threshold keeps and lets through, before and after."""
    counts = ", ".join(f"{count:,} {name}" for name, count in measured.counts().items() if count)
    not_same = np.concatenate([measured.update, measured.different])
    lines = [
        f"embedder  {embedder_id}, {after.dim} dimensions",
        f"pairs     {counts}",
        "",
        f"{'':9}{'before':<26}after",
        f"{'':9}{_HEADER:<26}{_HEADER}",
        _row("recall", before, after, measured.relevant, measured.unrelated),
        _row("floor", before, after),
        _row("ceiling", before, after),
        _row("update", before, after, measured.update, measured.different),
        _row("same", before, after, measured.same, not_same),
        *_by_language(after),
        *_weights(before, after),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _by_language(after: Calibration) -> list[str]:
    """A line for each language; `worth` is what its cosines count, 0 to 1."""
    if not after.languages:
        return []
    rows = [f"{code:<9}{worth:5.2f}" for code, worth in sorted(after.languages.items())]
    return ["", "language worth", *rows]


def _weights(before: Calibration, after: Calibration) -> list[str]:
    """A line for each weight of the evidence that changed."""
    names = ("bias", *ANSWERS)
    old, new = before.weights, after.weights
    rows = [
        f"{name:<10}{getattr(old, name):6.2f}  {getattr(new, name):6.2f}"
        for name in names
        if getattr(old, name) != getattr(new, name)
    ]
    return ["", "evidence  before   after", *rows] if rows else []


def _row(
    name: str,
    before: Calibration,
    after: Calibration,
    wanted: Cosines | None = None,
    others: Cosines | None = None,
) -> str:
    cells = []
    for calibration in (before, after):
        threshold = getattr(calibration, name)
        shares = [_share(cosines, threshold) for cosines in (wanted, others)]
        cells.append(f"{threshold:5.3f}  {shares[0]:>5}  {shares[1]:>7}")
    return f"{name:<9}{cells[0]:<26}{cells[1]}"


def _share(cosines: Cosines | None, threshold: float) -> str:
    if cosines is None or not len(cosines):
        return ""
    return f"{float(share_reaching(cosines, threshold)):.1%}"
