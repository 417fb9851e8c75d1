"""Models in this process, without torch: all-MiniLM-L6-v2, USE, both, or a folder's."""

from .embedder import LocalEmbedder
from .options import LocalEmbedderOptions, OnnxEmbedderOptions
from .pair import HALVES
from .weights import chosen, id_of

__all__ = [
    "HALVES",
    "LocalEmbedder",
    "LocalEmbedderOptions",
    "OnnxEmbedderOptions",
    "chosen",
    "id_of",
]
