"""An answer that is told while a model writes it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.api.telling import AnswerTeller, begun_answer
from tests.support.folding import rows

SAID = '{"grounds": [1, 2], "answer": "Mia is a cat."}'


def told(reply, sizes, is_supported=lambda *_: True):
    """The pieces that are told of a reply that comes in pieces of these sizes."""
    pieces = []
    teller = AnswerTeller(pieces.append, is_supported)
    at = number = 0
    while at < len(reply):
        size = sizes[number % len(sizes)]
        teller.hear(reply[at : at + size])
        at, number = at + size, number + 1
    return pieces, teller


@rows(
    "reply, text",
    [
        ('{"grounds": [1, 2]', None),
        ('{"grounds": [1, 2], "answer": "Mi', ""),
        ('{"grounds": [1, 2], "answer": "Mia i', "Mia"),
        (SAID, "Mia is a cat."),
        (f"<think>so {{</think>{SAID}", "Mia is a cat."),
        (f"```json\n{SAID}\n```", "Mia is a cat."),
        ('{"answer": "Mia", "grounds": [1]}', None),
    ],
)
def test_whole_words_are_told_once_the_grounds_are_known(reply, text):
    """No half word, and nothing of an answer that is written before its grounds."""
    begun = begun_answer(reply)
    assert (begun and begun[0]) == text


@given(
    answer=st.text(max_size=80),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    ascii_only=st.booleans(),
)
def test_the_pieces_together_are_the_answer(answer, sizes, ascii_only):
    """However the reply is cut, and whatever its escapes are."""
    reply = json.dumps({"grounds": [1], "answer": answer}, ensure_ascii=ascii_only)
    pieces, teller = told(reply, sizes)
    assert answer.strip().startswith("".join(pieces))
    teller.finish(answer.strip())
    assert "".join(pieces) == answer.strip()


def test_nothing_is_told_from_the_first_unsupported_word_on():
    """What was told before it stays told."""
    pieces, teller = told(
        '{"grounds": [1], "answer": "It costs 900 euros."}', [5], lambda text, _: "900" not in text
    )
    teller.finish(None)
    assert "".join(pieces) == "It costs"
