"""Reads facts from a model's answer, in JSON or in lines."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.answer import (
    MAX_FACTS,
    fact_of,
    read_answer,
    read_lines,
)
from recollect.memory.model.errors import ExtractionError
from recollect.memory.model.types import MemoryType
from tests.support.folding import rows
from tests.support.tables import tables

from ....support.waiting import HANG_SECONDS

ROWS = tables(__file__)


def test_every_field():
    """A fact as it was asked for has all its fields."""
    fact = fact_of(
        {
            "type": "episodic",
            "turn": 3,
            "quote": "I moved",
            "text": "User moved",
            "importance": 0.9,
            "subject": "User",
            "predicate": "moved to",
            "object": "Porto",
        }
    )
    assert (fact.text, fact.type, fact.turn, fact.quote) == (
        "User moved",
        MemoryType.EPISODIC,
        3,
        "I moved",
    )
    assert (fact.subject, fact.predicate) == ("User", "moved to")
    assert fact.object == "Porto"


@rows(
    "value, asserted",
    [(None, True), (True, True), ("yes", True), (False, False), ("False", False), ("no", False)],
)
def test_what_the_model_says_of_a_fact(value, asserted):
    """Whom it is about and whether it is asserted are read, and may be absent."""
    fact = fact_of({"text": "User likes tea", "who": "Ana", "asserted": value})
    assert (fact.who, fact.asserted) == ("Ana", asserted)
    assert (fact_of("User likes tea").who, fact_of("User likes tea").asserted) == (None, True)


BOB = '{"facts": [{"type": "semantic", "text": "User is Bob", "quote": "I am Bob"}]}'


def texts(answer):
    return [fact.text for fact in read_answer(answer).facts]


@rows(
    "answer",
    [
        BOB,
        f"```json\n{BOB}\n```",
        f"```\n{BOB}\n```\n",
        f"Sure! Here are the facts:\n\n{BOB}\n\nAnything else?",
        f'<think>They said "{{}}" and [1]. Hm.</think>{BOB}',
        f"<THINKING>\nIs [it]?\n</THINKING>\n{BOB}",
        f"The template opened the block. [] </think>\n{BOB}",
        f"As noted in [1] and [see below], {BOB}",
        '["User is Bob"]',
        '[{"text": "User is Bob"}]',
        '[{"fact": "User is Bob"}]',
        '[{"event": "ADD", "data": "User is Bob"}]',
        '{"memories": ["User is Bob"]}',
        '{"results": [{"memory": "User is Bob"}]}',
        '{"items": [{"content": "  User   is\\nBob "}]}',
        '{"facts": ["User is Bob", 7, null, {}, [], ""]}',
        '{"text": "User is Bob", "type": "semantic"}',
        '{"facts": [{"text": "User is\nBob"}]}',
        '{"facts": [{"text": "first", "text": "User is Bob"}]}',
        '{"facts": [{"text": "User is Bob", "importance": NaN}]}',
        f"If there was nothing I would say []. {BOB}",
        'In the form {"facts": [{"text": "...", "quote": "..."}]}: ["User is Bob"]',
    ],
)
def test_whatever_it_is_wrapped_in(answer):
    """Fences, prose, reasoning, bare lists, double keys and other names are all read."""
    assert texts(answer) == ["User is Bob"]
    assert read_answer(answer).whole


@rows("answer", ROWS["nothing that could be read"])
def test_nothing_that_could_be_read(answer):
    """Silence, prose, HTML, wrong types and cut-off JSON are failures, never "no facts"."""
    with pytest.raises(ExtractionError) as caught:
        read_answer(answer)
    assert caught.value.raw == answer


def test_code_in_a_quote_needs_no_second_call():
    """An escape that JSON does not have, as code makes models write, is mended in place."""
    broken = '{"facts": [{"text": "Uses C:\\q and \\d+", "quote": "\\\\n \\"C:\\q\\""}]}'
    with pytest.raises(ValueError, match="escape"):
        json.loads(broken)
    answer = read_answer(broken)
    assert [fact.text for fact in answer.facts] == ["Uses C:\\q and \\d+"]
    assert answer.facts[0].quote == '\\n "C:\\q"'
    assert answer.whole


def test_a_broken_fact_costs_only_itself():
    """Facts that stand whole in a list that does not are read, and it is said that some are lost."""
    answer = read_answer('{"facts": [{"text": "a"}, {"text": "b" oops}, {"text": "c"}]}')
    assert [fact.text for fact in answer.facts] == ["a", "c"]
    assert (answer.whole, answer.cut) == (False, False)


@rows("end", ["", ",", ', {"te', ', {"text": "thi', ', {"text": "C:\\'])
def test_an_answer_that_was_cut_off(end):
    """The complete facts of an answer that ended too early are read, and it is known as cut."""
    answer = read_answer('{"facts": [{"text": "a"}, {"text": "b"}' + end)
    assert [fact.text for fact in answer.facts] == ["a", "b"]
    assert answer.cut


@rows(
    "unit", ["[", '{"a":', '[{"text":', '["', '["aaaa",', "<think>", "[1],", "\\", '"', '{"', "\0"]
)
def test_hostile_answers_end(unit):
    """Nothing a model can repeat a hundred thousand times keeps the reader busy or breaks it."""
    done = threading.Event()

    def read():
        with pytest.raises(ExtractionError):
            read_answer(unit * 100_000)
        done.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(HANG_SECONDS)  # a hang, not a timing: it takes well below a second
    assert done.is_set()


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["facts", "text", "x"]), inner),
)
FRAGMENTS = st.lists(
    st.sampled_from(
        ["[", "]", "{", "}", '"', ",", ":", "facts", "\\u", "\\", "<think>", "</think>"]
    )
    | st.text(max_size=3)
).map("".join)


LINE = "semantic | 0.9 | 2 | I am Bob | User is Bob"


@rows(
    "read, text",
    [
        (read_answer, json.dumps([f"fact {n}" for n in range(MAX_FACTS + 3)])),
        (read_lines, f"{LINE}\n" * (MAX_FACTS + 3)),
    ],
)
def test_more_facts_than_anybody_states(read, text):
    """No more than MAX_FACTS are read, and the others are counted."""
    answer = read(text)
    assert (len(answer.facts), answer.too_many) == (MAX_FACTS, 3)


@given(st.text() | FRAGMENTS | ANY_JSON.map(json.dumps))
def test_never_anything_but_extraction_error(answer):
    """Any text is either facts, each with readable text, or an ExtractionError."""
    try:
        read = read_answer(answer)
    except ExtractionError:
        return
    assert all(f.text and f.text == " ".join(f.text.split()) for f in read.facts)
    assert len(read.facts) <= MAX_FACTS


@given(
    st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)),
    st.text(st.characters(exclude_characters='[]{}<>"\\')),
)
def test_facts_survive_the_way(facts, prose):
    """Whatever list of facts a model writes, in whatever prose, is what is read."""
    assert texts(f"{prose}{json.dumps({'facts': facts})}{prose}") == facts


@given(st.lists(st.text(min_size=1).filter(str.isalnum), min_size=1), st.data())
def test_wherever_it_is_cut(facts, data):
    """However much of an answer is missing, what is read is the beginning of what was said."""
    whole = json.dumps({"facts": [{"text": text} for text in facts]})
    cut = data.draw(st.integers(0, len(whole) - 1))
    try:
        read = read_answer(whole[:cut])
    except ExtractionError:
        return
    assert read.cut or len(read.facts) == len(facts)
    assert [fact.text for fact in read.facts] == facts[: len(read.facts)]


@rows("text", ROWS["every readable shape"])
def test_every_readable_shape(text):
    """Plain strings, other case, wrapped, encoded twice, as bullets: the facts are read."""
    assert [fact.text for fact in read_answer(text).facts] == ["User likes tea", "User has a cat"]


@rows(
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
def test_whatever_it_is_wrapped_in__lines(answer):
    """Fences, bullets, tables, headings, quotation marks and a last line cut off are no matter."""
    [fact] = read_lines(answer).facts
    assert (fact.text, fact.quote, fact.turn) == ("User is Bob", "I am Bob", 2)


@rows("answer", ["NONE", "none.", "```\nNONE\n```", "**NONE**"])
def test_said_to_be_nothing__lines(answer):
    """One word says that there are no facts."""
    assert read_lines(answer).facts == ()


@given(st.text(st.sampled_from('semantic|NONE 0.1\n-*`"')))
def test_any_text(answer):
    """Any text is either facts with a text, or an ExtractionError."""
    try:
        read = read_lines(answer)
    except ExtractionError:
        return
    assert all(fact.text for fact in read.facts)
