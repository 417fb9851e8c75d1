"""Cuts out what only repeats memories that the model was shown, or the assistant's words. Pure.

Two kinds of quotations are kept: a message that is one such sentence, because it chooses an offered
option, and a quotation next to a short denial, which it explains.
"""

from recollect.memory.learn.firewall.repetition import (
    MAX_KNOWN,
    Recalled,
    Spoken,
    cut_quotes,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("memory, echo", ROWS["echoes"])
def test_echoes(memory, echo):
    """The same in the second person, with other endings, in several languages."""
    assert Recalled([memory]).restated(echo)
    assert not Recalled(["User plays the cello"]).restated(echo)


@rows("memory, news", ROWS["news"])
def test_news(memory, news):
    """Another name, number or sense, an addition, a question, or too little to tell."""
    assert not Recalled([memory]).restated(news)


def test_nothing_and_too_much():
    """No memories know nothing; too many or odd ones do no harm."""
    assert not Recalled([])
    assert not Recalled([]).restated("You live in Oslo.")
    known = Recalled(
        [f"User bought item {n} in Oslo" for n in range(2 * MAX_KNOWN)] + ["", "\ud800"]
    )
    assert known.restated("You bought item 7 in Oslo.")
    assert not known.restated("x " * 10_000)


SAID = "The night train to Bodø leaves at 23:35. The cabin costs 1,190 kroner in high season. 我们明天早上九点出发去机场。"
KNOWN = Recalled(["User lives in Oslo", "I live in Oslo"])


def cut(text):
    spoken = Spoken()
    spoken.add(SAID)
    return cut_quotes(text, KNOWN, spoken).text


@rows("text, left", [
        ("> The night train to Bodø leaves at 23:35.\nI take it.", "I take it."),
        ("> The night train to Bodø\n> leaves at 23:35.\nI take it.", "I take it."),
        ('"The cabin costs 1,190 kroner in high season." I pay half.', "I pay half."),
        ("The night train to Bodø leaves at 23:35. The cabin costs 1,190 kroner in high season. I pay.", "I pay."),
        ("- User lives in Oslo\nI have a boat.", "I have a boat."),
        ("User lives in Oslo. I have a boat.", "I have a boat."),
        ("> 我们明天早上九点出发去机场。\n我带行李。", "我带行李。"),
    ])  # fmt: skip
def test_quotations_go(text, left):
    """With a mark, or long enough without one; memories by their own words."""
    assert cut(text) == left


@rows("text", ROWS["own words stay"])
def test_own_words_stay(text):
    """An answer in offered words, own sentences, other people's words, and what is denied."""
    assert cut(text) == text
