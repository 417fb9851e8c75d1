"""Tells an answer while a model writes it, as far as it is sure to be one. Pure but for `tell`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from ..learn.model_answer import strip_reasoning
from ..model.streaming import OnText

_BEGUN = re.compile(
    r'\{\s*"grounds"\s*:\s*(\[[^\[\]]*\])\s*,\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)("?)', re.DOTALL
)
MAX_HEARD = 20_000
"""Characters of a reply; of a longer one nothing more is told before its end."""

IsSupported = Callable[[str, Sequence[int]], bool]
"""Whether an answer, or the beginning of one, may be told, with the numbers of its grounds."""


class AnswerTeller:
    """Hears the reply of a model, and tells the answer in it.

    Nothing is told before the grounds are known, no half word, and nothing from the first word on
    that the grounds do not support.
    """

    def __init__(self, tell: OnText, is_supported: IsSupported) -> None:
        self._tell = tell
        self._is_supported = is_supported
        self._heard = ""
        self._told = ""

    def hear(self, piece: str) -> None:
        """Take a piece of the reply."""
        if len(self._heard) > MAX_HEARD:
            return
        self._heard += piece
        begun = begun_answer(self._heard)
        if begun is None:
            return
        text, grounds = begun
        if text.startswith(self._told):
            self._more(self._supported(text, grounds))

    def _supported(self, text: str, grounds: Sequence[int]) -> str:
        """The text up to the first word, of those not told yet, that makes it unsupported."""
        if self._is_supported(text, grounds):
            return text
        begin = len(self._told)
        for word in re.finditer(r"\s*\S+", text[begin:]):
            if not self._is_supported(text[: begin + word.end()], grounds):
                return text[: begin + word.start()]
        return text

    def finish(self, answer: str | None) -> None:
        """The answer is known: tell the rest of it, if what was told is its beginning."""
        if answer is not None and answer.startswith(self._told):
            self._more(answer)

    def _more(self, text: str) -> None:
        if new := text[len(self._told) :]:
            self._told = text
            self._tell(new)


def begun_answer(reply: str) -> tuple[str, list[int]] | None:
    """The whole words of the answer so far, and its grounds; None before these are known."""
    found = _BEGUN.search(strip_reasoning(reply))
    if found is None:
        return None
    try:
        grounds, text = json.loads(found[1]), json.loads(f'"{found[2]}"', strict=False)
    except ValueError:  # half an escape
        return None
    whole = text.strip() if found[3] else re.sub(r"\s*\S*\Z", "", text).lstrip()
    return whole, [each for each in grounds if type(each) is int]
