import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import ExtractionError
from memory.learn.parse import MAX_FACT_CHARS, MAX_FACTS, parse_facts, strip_reasoning
from memory.types import Candidate, MemoryType

BOB = '{"facts": [{"type": "semantic", "text": "User is Bob", "quote": "I am Bob"}]}'


def texts(answer):
    return [candidate.text for candidate in parse_facts(answer)]


def test_the_shape_that_was_asked_for():
    """An answer as the schema wants it becomes candidates with type and quote."""
    assert parse_facts(BOB) == [
        Candidate(text="User is Bob", type=MemoryType.SEMANTIC, quote="I am Bob")
    ]


@pytest.mark.parametrize(
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
        '{"facts": ["User is Bob", "user is bob", {"text": "USER IS BOB"}]}',
        '{"facts": ["User is Bob", 7, null, {}, [], ""]}',
        '{"text": "User is Bob", "type": "semantic"}',
        '{"facts": [{"text": "User is\nBob"}]}',
        f"If there was nothing I would say []. {BOB}",
        'In the form {"facts": [{"text": "...", "quote": "..."}]}: ["User is Bob"]',
    ],
)
def test_whatever_it_is_wrapped_in(answer):
    """Fences, prose, reasoning, bare lists and other keys are all read; repetitions count once."""
    assert texts(answer) == ["User is Bob"]


@pytest.mark.parametrize("answer", ['{"facts": []}', "[]", "None. []", "```json\n[]\n```"])
def test_said_to_be_nothing(answer):
    """A list without facts is an answer, not a failure."""
    assert parse_facts(answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n",
        "I found no facts.",
        "<think>only thoughts, and cut off",
        "{}",
        "[1, 2, 3]",
        '{"facts": null}',
        '{"facts": "User is Bob"}',
        '{"facts": [{"statement": "User is Bob"}]}',
        '{"facts": [{"text": "..."}]}',
        '{"facts": [{"text": "User is Bob"',
        '{"facts": ["C:\\users"',
        "null",
    ],
)
def test_nothing_that_could_be_read(answer):
    """Silence, prose, other shapes and cut-off JSON are failures, never "no facts"."""
    with pytest.raises(ExtractionError):
        parse_facts(answer)


def test_invalid_escape_costs_only_what_it_breaks():
    """A broken escape in the outer object leaves the facts readable that stand whole inside it."""
    broken = '{"facts": [{"text": "User is Bob"}, {"text": "Uses C:\\q"}]}'
    with pytest.raises(ValueError, match="escape"):
        json.loads(broken)
    assert texts(broken) == ["User is Bob"]


def test_escapes_and_scripts():
    """Escapes are decoded and every script comes through; lone surrogates become question marks."""
    assert texts('["Caf\\u00e9 \\u597d", "नमस्ते", "x\\ud800y"]') == ["Café 好", "नमस्ते", "x?y"]


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("procedural", MemoryType.PROCEDURAL),
        (" Episodic ", MemoryType.EPISODIC),
        ("reflective", MemoryType.SEMANTIC),
        ("preference", MemoryType.SEMANTIC),
        (None, MemoryType.SEMANTIC),
        (["procedural"], MemoryType.SEMANTIC),
    ],
)
def test_types(named, kind):
    """Only the three learned types count; anything else is semantic."""
    [candidate] = parse_facts(json.dumps([{"text": "x", "type": named}]))
    assert candidate.type is kind


@pytest.mark.parametrize("quote", [None, "", "  ", 7, ["x"]])
def test_no_quote(quote):
    """A quote that is no text is no quote."""
    [candidate] = parse_facts(json.dumps([{"text": "x", "quote": quote}]))
    assert candidate.quote is None


def test_bounds():
    """No more than MAX_FACTS facts are read, and none that is a document."""
    many = [f"fact {n}" for n in range(MAX_FACTS + 50)]
    assert texts(json.dumps(many)) == many[:MAX_FACTS]
    assert texts(json.dumps(["x" * (MAX_FACT_CHARS + 1), "short"])) == ["short"]
    [candidate] = parse_facts(json.dumps([{"text": "x", "quote": "q" * 9999}]))
    assert len(candidate.quote) == MAX_FACT_CHARS


@pytest.mark.parametrize("unit", ["[", '{"a":', '[{"text":', '["', '["aaaa",', "<think>", "[1],"])
def test_hostile_answers_end(unit):
    """Nothing a model can repeat a hundred thousand times keeps the parser busy or breaks it."""
    done = threading.Event()

    def parse():
        with pytest.raises(ExtractionError):
            parse_facts(unit * 100_000)
        done.set()

    thread = threading.Thread(target=parse, daemon=True)
    thread.start()
    thread.join(20)  # a hang, not a timing: it takes well below a second
    assert done.is_set()


def test_strip_reasoning():
    """Blocks go, whether closed, cut off or opened by the template; text around them stays."""
    assert strip_reasoning("a <think>b</think> c <thinking>d</thinking> e") == "a  c  e"
    assert strip_reasoning("a <think>b") == "a"
    assert strip_reasoning("a</think>b</think> c") == "c"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["facts", "text", "x"]), inner),
)
FRAGMENTS = st.lists(
    st.sampled_from(
        ["[", "]", "{", "}", '"', ",", ":", "facts", "\\u", "\\", "<think>", "</think>"]
    )
    | st.text(max_size=3)
).map("".join)


@given(st.text() | FRAGMENTS | JSON.map(json.dumps))
def test_never_anything_but_extraction_error(answer):
    """Any text is either candidates, each with readable text, or an ExtractionError."""
    try:
        candidates = parse_facts(answer)
    except ExtractionError:
        return
    assert all(c.text and c.text == " ".join(c.text.split()) for c in candidates)
    assert len({c.text.casefold() for c in candidates}) == len(candidates) <= MAX_FACTS


@given(
    st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), unique_by=str.casefold),
    st.text(st.characters(exclude_characters="[]{}<>")),
)
def test_facts_survive_the_way(facts, prose):
    """Whatever list of facts a model writes, in whatever prose, is what is read."""
    assert texts(f"{prose}{json.dumps({'facts': facts})}{prose}") == facts
