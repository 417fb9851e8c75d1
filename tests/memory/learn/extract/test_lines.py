import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.answer import MAX_FACTS
from recollect.memory.learn.extract.lines import read_lines
from recollect.memory.model.errors import ExtractionError
from recollect.memory.model.types import MemoryType
from tests.support.waiting import HANG_SECONDS

LINE = "semantic | 0.9 | 2 | I am Bob | User is Bob"


def test_a_line():
    """A line has all that a fact needs."""
    [fact] = read_lines(LINE).facts
    assert (fact.text, fact.quote, fact.turn) == ("User is Bob", "I am Bob", 2)
    assert (fact.type, fact.importance) == (MemoryType.SEMANTIC, 0.9)


@pytest.mark.parametrize(
    "answer",
    [
        LINE,
        f"Here you are:\n\n```\n{LINE}\n```",
        f"- {LINE}",
        f"1. {LINE}\n",
        f"| {LINE} |",
        f"type | importance | turn | quote | fact\n--- | --- | --- | --- | ---\n{LINE}",
        f"<think>semantic | 1 | 1 | a | b</think>\n{LINE}",
        'SEMANTIC | high | [2] | "I am Bob" | "User is Bob"',
        f"{LINE}\nsemantic | 0.9 | 2 | I am",
        f"{LINE}\nNONE",
    ],
)
def test_whatever_it_is_wrapped_in(answer):
    """Fences, bullets, tables, headings, quotation marks and a last line cut off are no matter."""
    [fact] = read_lines(answer).facts
    assert (fact.text, fact.quote, fact.turn) == ("User is Bob", "I am Bob", 2)


def test_code_breaks_no_line():
    """Backslashes, quotation marks and the separator itself may stand in a quote."""
    [fact] = read_lines(r'procedural|0.5|1|grep "\d+" a | sort|User counts with grep').facts
    assert fact.quote == r'grep "\d+" a | sort'
    assert fact.text == "User counts with grep"


@pytest.mark.parametrize("answer", ["NONE", "none.", "```\nNONE\n```", "**NONE**"])
def test_said_to_be_nothing(answer):
    """One word says that there are no facts."""
    assert read_lines(answer).facts == ()


@pytest.mark.parametrize(
    "answer", ["", "I see none of these.", '{"facts": []}', "a | b", "x | 1 | 1 | q | f", "|||||"]
)
def test_nothing_that_could_be_read(answer):
    """Anything else is a failure, never "no facts"."""
    with pytest.raises(ExtractionError):
        read_lines(answer)


def test_too_many():
    """No more than MAX_FACTS are read, and the others are counted."""
    answer = read_lines(f"{LINE}\n" * (MAX_FACTS + 5))
    assert (len(answer.facts), answer.too_many) == (MAX_FACTS, 5)


@pytest.mark.parametrize("unit", ["|", "semantic |\n", "- ", "1. ", "*", "NONE |"])
def test_hostile_answers_end(unit):
    """Nothing a model can repeat a hundred thousand times keeps the reader busy."""
    done = threading.Event()

    def read():
        with pytest.raises(ExtractionError):
            read_lines(unit * 100_000)
        done.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(HANG_SECONDS)  # a hang, not a timing
    assert done.is_set()


@given(st.text(st.sampled_from('semantic|NONE 0.1\n-*`"')))
def test_any_text(answer):
    """Any text is either facts with a text, or an ExtractionError."""
    try:
        read = read_lines(answer)
    except ExtractionError:
        return
    assert all(fact.text for fact in read.facts)
