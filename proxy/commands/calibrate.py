"""`recollect calibrate`: derive thresholds for the configured embedder from labelled pairs."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .base import CommandError
from .terminal import Progress, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.calibration import Calibration, Measured, Pair

    from .arguments import CommandLine

DESCRIPTION = """\
Derive the cosine thresholds of the configured embedder from labelled pairs, fit what its cosines
count as evidence, and write both to calibration.json in data_dir. The proxy reads that file when it
starts."""

FORMAT = """\
FILE has one JSON object per line, in UTF-8. Rows of one kind or of both:

  {"query": "where do I live?", "memory": "User lives in Oslo", "relevant": true}
      relevant: true, the memory helps to answer; false, any other memory of the same user.
      These rows give recall, floor, ceiling and the weights of evidence.

  {"old": "User lives in Oslo", "new": "User moved to Bergen", "same": "update"}
      same: true, both say the same; "update", the new one replaces the old one; false, both can
      be true. These rows give update and same.

A kind needs at least 20 rows of each label; some hundred are better. Other fields are ignored."""


def fill(parser: CommandLine) -> None:
    """Register ``calibrate``."""
    parser.description = DESCRIPTION
    parser.epilog = FORMAT
    parser.add_argument("file", type=Path, metavar="FILE", help="labelled pairs, see below")
    parser.add_argument("--dry-run", action="store_true", help="show the thresholds, write nothing")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Read and embed the pairs, derive and show the thresholds, write them unless `--dry-run`."""
    from recollect.memory.model.errors import RecollectError

    try:
        asyncio.run(_calibrate(settings, options.file, dry_run=options.dry_run))
    except RecollectError as error:
        raise CommandError(f"nothing was changed: {error}") from None
    return 0


async def _calibrate(settings: Settings, file: Path, *, dry_run: bool) -> None:
    from recollect.memory.calibration import (
        load_calibrations,
        render_report,
        save_calibration,
    )
    from recollect.memory.model.types import utc_now

    kept_in = settings.recall.calibration
    assert kept_in is not None  # noqa: S101 - `load_settings` sets it
    # Loaded before the work: a broken file could not take the result.
    known = load_calibrations(kept_in)
    pairs = _read(file)
    embedder_id, measured, before, after = await _measured(settings, pairs, known)
    show(render_report(embedder_id, measured, before, after))
    if dry_run:
        say("nothing was written (--dry-run)")
        return
    save_calibration(kept_in, embedder_id, after, measured_at=utc_now(), counts=measured.counts())
    say(f"written to {kept_in}; restart a running proxy to use it")


def _read(file: Path) -> list[Pair]:
    """The labelled pairs.

    Raises:
        InvalidInputError: the file or a row is invalid (names line and field), or rows are missing.
    """
    from recollect.memory.calibration import check_counts, parse_pairs
    from recollect.memory.model.errors import InvalidInputError

    try:
        # Editors on Windows write a byte order mark.
        pairs = parse_pairs(file.read_text(encoding="utf-8-sig").split("\n"))
    except OSError as error:
        raise InvalidInputError(str(file), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidInputError(str(file), f"is not UTF-8 text at byte {error.start}") from None
    check_counts(pairs)
    return pairs


async def _measured(
    settings: Settings, pairs: list[Pair], known: Mapping[str, Calibration]
) -> tuple[str, Measured, Calibration, Calibration]:
    """The embedder's id, its cosines, and its thresholds and weights before and after."""
    from recollect.memory.calibration import calibration_for, derive
    from recollect.memory.engine.opening import open_the_embedder, the_embedder
    from recollect.memory.maintenance import measure, refit
    from recollect.memory.util.registry import Registry

    async with Registry() as registry:
        embedder = await open_the_embedder(registry, await the_embedder(settings))
        with Progress("embedding") as progress:
            measured = await measure(embedder, pairs, on_progress=progress)
        before = calibration_for(embedder.id, dim=embedder.dim, measured=known)
        after = derive(measured, before, dim=embedder.dim)
        after = replace(after, weights=await refit(embedder, pairs, after))
    return embedder.id, measured, before, after
