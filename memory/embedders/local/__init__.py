"""Models in this process, without torch: all-MiniLM-L6-v2, USE, both, or a folder's."""

from .choice import chosen, id_of
from .embedder import LocalEmbedder
from .options import LocalEmbedderOptions, OnnxEmbedderOptions
from .pair import HALVES

__all__ = [
    "HALVES",
    "LocalEmbedder",
    "LocalEmbedderOptions",
    "OnnxEmbedderOptions",
    "chosen",
    "id_of",
]
