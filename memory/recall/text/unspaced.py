"""Overlapping character n-grams for scripts without blanks between words, and for Korean.

They need no dictionary. Single Han characters are terms too, since many are words ("cat").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from .scripts import HAN, HIRAGANA, KATAKANA

_RUNS = re.compile(
    f"(?P<kana>[{KATAKANA}]+)|(?P<han>[{HAN}{HIRAGANA}]+)|(?P<other>.+?(?=[{KATAKANA}{HAN}{HIRAGANA}]|$))",
    re.DOTALL,
)
_IS_HAN = re.compile(f"[{HAN}]")
_CLUSTERS = regex.compile(r"\X")

_STOP_CHARS = frozenset(
    "的了是在我你他她它吗呢吧啊和与或有没不也都就还要会能可以这那哪什么怎谁几多少把被给对从到去来着过请帮说想让很"
    "最们之而及但因所为如果跟地得何私僕俺一个個嗎沒還這們"
)
_JAPANESE = """
です ます まし した して てい いる いま ある あり こと もの この その どの あの から まで には
では とは との のは のが のを ので のに する され れる られ せる ない なか なっ なる った って
たい ため よう でし しょ かっ だっ いて くだ ださ さい たち たの ませ せん すか たか るの そう
どう なに いつ どこ だれ えば れば
"""
_KOREAN = """
습니 니다 에서 으로 에게 하는 했다 했어 어요 아요 해요 이다 입니 었다 았다 있는 있다 있어 는데
지만 그리 리고 하고 무엇 언제 어디 누구 이에 예요 에요 나요 인가 가요 까지 부터 했습 었습 았습
었어 았어 합니 세요
"""
_STOP_BIGRAMS = frozenset(_JAPANESE.split() + _KOREAN.split())


def unspaced_terms(run: str) -> Iterator[str]:
    """Terms of a run of Han, kana, Thai, Lao, Khmer or Burmese characters."""
    for found in _RUNS.finditer(run):
        part = found[0]
        if found.lastgroup == "kana":
            yield from _katakana(part)
        elif found.lastgroup == "han":
            yield from _han(part)
        else:
            yield from _ngrams(_CLUSTERS.findall(part), 2)


def hangul_terms(word: str) -> Iterator[str]:
    """Syllable bigrams of one Korean word, and the first syllable of a short word.

    The second syllable of a short word is mostly a particle: "집에" must match "집".
    """
    if len(word) <= 2:  # noqa: PLR2004 - two syllables
        yield word[0]
    if len(word) > 1:
        yield from (two for two in _ngrams(word, 2) if two not in _STOP_BIGRAMS)


def _katakana(run: str) -> Iterator[str]:
    """A loan word, and its trigrams for the parts of a compound."""
    word = run.strip("・")
    word = word[:-1] if len(word) > 3 and word[-1] == "ー" else word  # noqa: PLR2004
    if word:
        yield word
    if len(word) > 3:  # noqa: PLR2004 - longer than the trigram
        yield from _ngrams(word, 3)


def _han(run: str) -> Iterator[str]:
    for char in run:
        if char not in _STOP_CHARS and _IS_HAN.match(char):
            yield char
    if len(run) == 1:
        return
    for two in _ngrams(run, 2):
        if two not in _STOP_BIGRAMS and not (two[0] in _STOP_CHARS and two[1] in _STOP_CHARS):
            yield two


def _ngrams(units: str | list[str], size: int) -> Iterator[str]:
    for start in range(max(1, len(units) - size + 1)):
        yield "".join(units[start : start + size])
