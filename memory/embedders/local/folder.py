"""Any sentence model from a folder: `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`.

Both are what sentence-transformers and optimum export. The graph takes `input_ids` and, if it wants
them, `attention_mask` and `token_type_ids`. Its first output is either one vector for each text, or
one for each token, of which the mean is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...model.errors import EmbeddingError
from ...model.types import Vectors
from ..checks import fit
from .model import CHARS_PER_TOKEN, read_tokenizer
from .session import open_session

if TYPE_CHECKING:
    from tokenizers import Tokenizer

GRAPHS = ("model.onnx", "onnx/model.onnx")
TOKENIZER = "tokenizer.json"
_OF_TOKENS = 3
"""Dimensions of an output with a vector for each token: texts, tokens, dim."""
_KNOWN = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class FolderModel:
    """A model in this process. Its methods block and are safe in several threads."""

    def __init__(self, tokenizer: Tokenizer, session: Any, *, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._session = session
        self._max_chars = max_tokens * CHARS_PER_TOKEN
        self._inputs = frozenset(given.name for given in session.get_inputs())
        self.dim = int(self.run(self.tokenize(["warm"])).shape[1])

    @classmethod
    def load(cls, folder: Path, *, threads: int, max_tokens: int) -> Self:
        """Load from a folder. Raises EmbeddingError, which names what is missing or unusable."""
        graph = next((folder / name for name in GRAPHS if (folder / name).is_file()), None)
        if graph is None or not (folder / TOKENIZER).is_file():
            missing = GRAPHS[0] if graph is None else TOKENIZER
            raise EmbeddingError(f"embedder.folder: {folder} has no {missing}")
        try:
            session = open_session(str(graph), graph, threads)
            tokenizer = read_tokenizer(folder / TOKENIZER, max_tokens)
        except Exception as error:  # onnxruntime and tokenizers raise bare Exceptions
            raise EmbeddingError(f"cannot load the model in {folder}: {error}") from error
        unknown = {given.name for given in session.get_inputs()} - _KNOWN
        if unknown:
            named = ", ".join(sorted(unknown))
            raise EmbeddingError(f"embedder.folder: {graph} wants inputs of another kind: {named}")
        return cls(tokenizer, session, max_tokens=max_tokens)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, truncated to the model's maximum length."""
        fitted = [fit(text, self._max_chars) for text in texts]
        # A text without any token has none to take a mean of.
        return [found.ids or [0] for found in self._tokenizer.encode_batch_fast(fitted)]

    def run(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""
        ids = np.zeros((len(texts), max(map(len, texts))), np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            found = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        except Exception as error:  # onnxruntime raises bare Exceptions
            raise EmbeddingError(f"the model failed: {error}") from error
        return _normalised(_of_texts(np.asarray(found, np.float32), mask))

    def close(self) -> None:
        """Release the session; later calls are errors."""
        self._session = None


def _of_texts(found: Vectors, mask: np.ndarray) -> Vectors:
    """``float32[n, dim]``: the mean over the tokens, if there is a vector for each."""
    if found.ndim < _OF_TOKENS:
        return found
    shares = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
    mean: Vectors = np.einsum("ntd,nt->nd", found, shares)
    return mean


def _normalised(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(norms, np.finfo(np.float32).tiny)).astype(np.float32)
    return scaled
