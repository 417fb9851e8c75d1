"""The model, synchronous: tokenizer, word table and onnxruntime session."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ...model.errors import EmbeddingError
from ...model.types import Vectors
from ..checks import fit
from .batches import pack
from .session import open_session
from .tensors import WordTable
from .weights import TOKENIZER, WEIGHTS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIM = 384
GRAPH = "minilm.onnx"
"""Quantises the weights when it is loaded."""
CHARS_PER_TOKEN = 16
"""English has about four characters per token, so four times that never truncates real text."""


class MiniLM:
    """all-MiniLM-L6-v2 in 8-bit integers.

    Its methods block, release the GIL, and are safe in several threads.
    """

    dim = DIM

    def __init__(
        self, tokenizer: Tokenizer, words: WordTable, session: Any, max_tokens: int
    ) -> None:
        self._tokenizer = tokenizer
        self._words = words
        self._session = session
        self._max_chars = max_tokens * CHARS_PER_TOKEN

    @classmethod
    def load(cls, model_dir: Path, *, threads: int, max_tokens: int) -> Self:
        """Load from a folder that has all files, in 0.3 s. Raises EmbeddingError."""
        graph = resources.files(__package__).joinpath(GRAPH).read_bytes()
        try:
            session = open_session(graph, model_dir / WEIGHTS.name, threads)
            tokenizer = read_tokenizer(model_dir / TOKENIZER.name, max_tokens)
            words = WordTable.open(model_dir / WEIGHTS.name)
        except Exception as error:  # onnxruntime and tokenizers raise bare Exceptions
            reason = str(error) or type(error).__name__
            raise EmbeddingError(f"cannot load the model in {model_dir}: {reason}") from error
        return cls(tokenizer, words, session, max_tokens)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, truncated to the model's maximum length."""
        fitted = [fit(text, self._max_chars) for text in texts]
        # Of the two ways to encode, only the batch releases the GIL, even for one text.
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(fitted)]

    def run(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""
        ids, positions, owners = pack(texts)
        try:
            feed = {"words": self._words.rows(ids), "positions": positions, "texts": owners}
            vectors: Vectors = self._session.run(["embedding"], feed)[0]
        except Exception as error:  # onnxruntime raises bare Exceptions
            raise EmbeddingError(f"the model failed: {error}") from error
        return vectors

    def close(self) -> None:
        """Release file and session; later calls are errors."""
        self._words.close()
        self._session = None


def read_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """A tokenizer that truncates and never pads. Raises bare Exceptions, as the library does."""
    from tokenizers import Tokenizer  # 10 MB that only this embedder needs

    tokenizer = Tokenizer.from_file(str(path))
    # The published file of MiniLM pads to 128 tokens and truncates there.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer
