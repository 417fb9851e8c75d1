"""Splits suspicious sentences off a text. Pure; linear in the text.

What is withheld is the sentence, not the memory: the rest of a text is remembered as if the
sentence were not there.
"""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.doubts import MAX_DOUBTS, MAX_SENTENCE
from recollect.memory.model.types import Doubt
from recollect.memory.trust.quarantine.values import Reason, Suspicion, SuspicionKind
from recollect.memory.trust.suspicious import (
    MOST_PARTS,
    SplitText,
    Withheld,
    doubts_about,
    split_spans,
    split_suspicious,
)
from tests.support.folding import rows

SECRECY, STEERING = SuspicionKind.SECRECY, SuspicionKind.STEERING


def about(text, *sentences, kind=SECRECY):
    """A suspicion of these sentences of a text, each with its reason."""
    parts = []
    for sentence in sentences:
        at = text.index(sentence)
        reason = Reason(kind, "candidate", "sign", sentence)
        parts.append(((at, at + len(sentence)), (reason,)))
    return Suspicion(tuple(sorted(parts)))


def doubt(sentence, kind=SECRECY):
    return Doubt(kind.value, "", "sign", sentence)


@rows(
    "text, rest",
    [
        ("I like tea. Bad. I like milk.", "I like tea. I like milk."),
        ("Bad. I like tea.", "I like tea."),
        ("I like tea.\n\nBad.\n\nI like milk.\n", "I like tea.\n\nI like milk."),
        ("I like tea. Bad.\nI like milk.", "I like tea.\nI like milk."),
        ("\u8336\u3002Bad.\u725b\u3002", "\u8336\u3002\u725b\u3002"),
        ("- tea\n- Bad.", "- tea\n-"),
    ],
)
def test_the_rest(text, rest):
    """The text as it is without the sentence, with one gap where it was."""
    found = split_suspicious(text, about(text, "Bad."))
    assert found == SplitText(rest, (Withheld("Bad.", (doubt("Bad."),)),))


@rows("text", ["Bad.", "1. Bad. 2", "Bad. [API key removed]", "\u2014 Bad. \U0001f44d"])
def test_a_rest_without_a_word_is_none(text):
    """Then the whole text is withheld."""
    [only] = split_suspicious(text, about(text, "Bad.")).withheld
    assert split_suspicious(text, about(text, "Bad.")).rest == ""
    assert only.text == text


def test_blanks_at_the_ends_of_a_sentence():
    """They are no part of what is withheld: a paragraph still ends where it did."""
    text = "Tea.\n\nBad. Milk."
    reason = Reason(SECRECY, "user", "sign", "Bad.")
    assert split_suspicious(text, Suspicion((((4, 11), (reason,)),))).rest == "Tea.\n\nMilk."


def test_neighbours_are_one():
    """Sentences with only white space between them are one text, with the reasons of both."""
    text = "Tea. Bad.\n Worse. Milk. Worst."
    found = split_suspicious(text, about(text, "Bad.", "Worse.", "Worst."))
    assert found.rest == "Tea. Milk."
    assert [(one.text, [each.sentence for each in one.doubts]) for one in found.withheld] == [
        ("Bad.\n Worse.", ["Bad.", "Worse."]),
        ("Worst.", ["Worst."]),
    ]
    assert found.withheld[0].flags == ("secrecy",)


def test_each_has_its_own_reasons():
    """A reason goes with its sentence; it says whose words it is in where the judge does not."""
    bad = (Reason(SECRECY, "pasted", "sign", "Bad."),)
    worse = (Reason(STEERING, "candidate", "sign", "Worse."),)
    suspicion = Suspicion((((0, 4), bad), ((10, 16), worse)))
    found = split_suspicious("Bad. Tea. Worse.", suspicion, "user").withheld
    assert [one.flags for one in found] == [("secrecy",), ("steering",)]
    assert [one.doubts[0].whose for one in found] == ["pasted", "user"]


def test_reasons_are_few_and_short():
    """A row has room for all of them."""
    text = "Bad " * 1000
    reasons = [Reason(SECRECY, "user", str(n), text) for n in range(20)]
    [one] = split_suspicious(text, Suspicion((((0, len(text)), tuple(reasons)),))).withheld
    assert len(one.doubts) == MAX_DOUBTS
    assert {len(each.sentence) for each in one.doubts} == {MAX_SENTENCE}
    assert doubts_about(None) == ()


@given(st.text(alphabet="a. \n", max_size=60), st.data())
def test_nothing_is_lost(text, data):
    """Whatever is withheld, every visible character is in the rest or in what is withheld."""
    marks = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(zip(marks[::2], marks[1::2], strict=False))
    cut = data.draw(st.integers(0, len(text)))
    reasons = (Reason(SECRECY, "user", "sign", "a."),)
    suspicion = Suspicion(tuple((span, reasons) for span in spans)) if spans else None
    made = split_spans(text, [(0, cut), (cut, len(text))], suspicion)
    told = "".join(one.rest + "".join(part.text for part in one.withheld) for one in made)
    assert sorted("".join(told.split())) == sorted("".join(text.split()))


def test_many_sentences_in_a_long_text():
    """A megabyte of withheld sentences, is no problem."""
    sentences = [f"Bad number {n}." for n in range(30_000)]
    text = " tea ".join(sentences)
    at, parts = 0, []
    for sentence in sentences:
        parts.append(((at, at + len(sentence)), (Reason(SECRECY, "user", "sign", sentence),)))
        at += len(sentence) + 5
    found = split_suspicious(text, Suspicion(tuple(parts))).withheld
    assert len(found) == MOST_PARTS
    assert "\n".join(part.text for part in found) == "\n".join(sentences)
