"""Models in this process, without torch: all-MiniLM-L6-v2 with our own graph, or a folder's."""

from .embedder import LocalEmbedder
from .options import LocalEmbedderOptions, OnnxEmbedderOptions

__all__ = ["LocalEmbedder", "LocalEmbedderOptions", "OnnxEmbedderOptions"]
