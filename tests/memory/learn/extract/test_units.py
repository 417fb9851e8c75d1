from recollect.memory.learn.extract.units import (
    MAX_CALL_CHARS,
    MAX_CONTEXT_CHARS,
    MAX_PIECE_CHARS,
    MAX_STEPS,
    MAX_TURN_CHARS,
    OVERLAP_CHARS,
    batches,
    halves,
    pieces,
    spans_of_sentences,
    units_of,
)

from .turns import talk, turn

SENTENCE = "This is sentence number {:06}. "
LONG = "".join(SENTENCE.format(n) for n in range(14_000))
"""About 100,000 tokens."""


def test_a_turn():
    """A turn is one unit with what the user, the tools and the assistant said."""
    [unit] = units_of([turn("hi", "hello", steps=[("search", "found"), ("empty", " ")])])
    assert (unit.user, unit.assistant) == ("hi", "hello")
    assert [(tool.name, tool.result) for tool in unit.tools] == [("search", "found")]


def test_nothing_to_read():
    """A turn in which nothing was said is no unit."""
    assert units_of([turn(" \n"), turn("")]) == []


def test_a_turn_of_100_000_tokens():
    """All of it is read in pieces that fit, each sentence stands whole in one, none is far off."""
    units = units_of([turn(LONG, "ok")])
    assert all(len(unit.user) <= MAX_PIECE_CHARS for unit in units)
    assert [unit.assistant for unit in units] == [""] * (len(units) - 1) + ["ok"]
    for n in range(14_000):
        assert any(
            SENTENCE.format(n).strip() in unit.user for unit in units[n // 450 : n // 300 + 2]
        )
    assert sum(len(unit.user) for unit in units) < len(LONG) * 1.1


def test_pieces_overlap():
    """Two sentences that follow each other stand together in some piece."""
    parts = pieces(LONG)
    pairs = [SENTENCE.format(n) + SENTENCE.format(n + 1).strip() for n in range(13_999)]
    assert all(any(pair in part for part in parts) for pair in pairs[:500] + pairs[-500:])


def test_text_without_any_end():
    """What has no sentences and no blanks is cut anyway, and nothing is lost."""
    parts = pieces("x" * 50_000)
    assert all(len(part) <= MAX_PIECE_CHARS for part in parts)
    assert sum(map(len, parts)) >= 50_000


def test_bounds():
    """Of answers, tools and endless texts a part is shown."""
    [unit] = units_of([turn("hi", "x" * 99_999, steps=[("t", "y" * 9999)] * 9)])
    assert len(unit.assistant) < MAX_CONTEXT_CHARS + 20
    assert len(unit.tools) == MAX_STEPS
    assert sum(len(u.user) for u in units_of([turn("x" * 2_000_000)])) < MAX_TURN_CHARS * 1.1


def test_batches():
    """No call is longer than its bound, and each unit is in exactly one, in order."""
    units = units_of(talk(*["x" * 11_000] * 10))
    made = batches(units)
    assert [unit for batch in made for unit in batch] == units
    assert all(sum(unit.size for unit in batch) <= MAX_CALL_CHARS for batch in made)
    assert len(made) == 4
    assert batches([]) == []


def test_halves():
    """Turns are divided, then a long text, and a short one no more."""
    units = units_of(talk("a", "b", "c"))
    assert halves(units) == [units[:1], units[1:]]
    [unit] = units_of([turn("One sentence. " * 500, "answer")])
    [first], [second] = halves([unit])
    assert max(len(first.user), len(second.user)) < len(unit.user) / 2 + 2 * OVERLAP_CHARS
    assert (first.assistant, second.assistant) == ("", "answer")
    assert halves(units[:1]) == []


def test_sentences():
    """Sentences are found in scripts with and without blanks, and cover all that is said."""
    text = "I am Bob. Really! 我叫王小明。住在北京。\n\nBye"
    assert [text[a:b].strip() for a, b in spans_of_sentences(text)] == [
        "I am Bob.",
        "Really!",
        "我叫王小明。",
        "住在北京。",
        "Bye",
    ]
