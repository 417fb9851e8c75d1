"""`recollect models fetch`: fetch the weights of the local embedding models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .terminal import say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``models``."""
    parser = commands.add_parser("models", parents=[shared], help="fetch the embedding model")
    parser.add_argument("action", choices=["fetch"], help="fetch the weights if they are missing")


def run(settings: Settings, _options: argparse.Namespace) -> int:
    """Fetch missing weights, and verify existing ones."""
    from recollect.memory.engine.options import LocalEmbedderOptions
    from recollect.memory.model.errors import EmbeddingError

    from .weights import fetch, needed

    embedder = settings.embedder
    if not isinstance(embedder, LocalEmbedderOptions) or embedder.model_dir is None:
        say(f"embedder.backend {embedder.backend} needs no weights")
        return 0
    try:
        for weights in needed(embedder.model):
            fetched = fetch(embedder.model_dir, weights)
            done = "fetched into" if fetched else "are in"
            say(f"embedding weights of {weights.model_id}: {done} {embedder.model_dir}")
    except EmbeddingError as error:
        say(f"recollect: {error}")
        return 1
    return 0
