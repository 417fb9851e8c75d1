"""all-MiniLM-L6-v2 in this process: onnxruntime and our own graph, no torch."""

from .embedder import LocalEmbedder
from .options import LocalEmbedderOptions

__all__ = ["LocalEmbedder", "LocalEmbedderOptions"]
