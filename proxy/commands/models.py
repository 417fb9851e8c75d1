"""`recollect models fetch`: fetch the weights of the local embedding models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .terminal import say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


def fill(parser: CommandLine) -> None:
    """Register ``models``."""
    parser.add_argument("action", choices=["fetch"], help="fetch the weights if they are missing")


def run(settings: Settings, _options: argparse.Namespace) -> int:
    """Fetch missing weights, and verify existing ones."""
    from recollect.memory.engine.options import LocalEmbedderOptions

    from .weights import fetch, needed

    embedder = settings.embedder
    if not isinstance(embedder, LocalEmbedderOptions) or embedder.model_dir is None:
        say(f"embedder.backend {embedder.backend} needs no weights")
        return 0
    for weights in needed(embedder.model):
        done = "fetched into" if fetch(embedder.model_dir, weights) else "are in"
        say(f"embedding weights of {weights.model_id}: {done} {embedder.model_dir}")
    return 0
