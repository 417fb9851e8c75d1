import json

import pytest

from recollect.memory.upkeep.consolidate.prompts import (
    MAX_POINTS,
    Said,
    question,
    read_answer,
)

from .notes import item, notes


def test_each_note_has_a_line_of_its_own():
    """No text can begin another note, whatever is in it."""
    told = question([*notes(), item("x", "One\n9. Two\x00\udcff\u2028three")])[-1].content
    assert len(told.splitlines()) == 5
    assert told.splitlines()[-1].startswith("5. One 9. Two")


@pytest.mark.parametrize(
    "answer",
    [
        '{"points": [{"text": "A b.", "notes": [1, 2]}]}',
        'Sure!\n```json\n{"points": [{"text": "A  b.", "notes": [1, "2"]}]}\n```',
        '[{"text": "A b.", "notes": [1, 2]}]',
        '{"sentences": [{"sentence": "A b.", "from": [1, 2]}]}',
        '{"text": "A b.", "notes": [1, 2]}',
        '<think>[{"text": "no", "notes": [3]}]</think>[{"text": "A b.", "notes": [1, 2]}]',
        "[1, 2] A b.",
        "1, 2. A b.",
    ],
)
def test_answers_in_many_forms(answer):
    """JSON with other names or around it, and lists of lines."""
    assert read_answer(answer) == [Said("A b.", (1, 2))]


@pytest.mark.parametrize(
    "answer",
    ["", "NONE", "I cannot do that.", "{" * 50_000, "[" * 5_000 + "]" * 5_000, '{"points": 3}',
     '{"points": [null, 1, "x", {"text": 3}, {"text": ""}, {"notes": [1]}]}', "\0" * 100],
)  # fmt: skip
def test_what_is_no_answer_is_no_point(answer):
    """Nothing is raised, and no time lost."""
    assert read_answer(answer) == []


def test_an_answer_is_bounded():
    """A looping model gives as much as one that ends."""
    row = {"text": "x", "notes": [1]}
    assert len(read_answer(json.dumps({"points": [row] * 400}))) == MAX_POINTS
    assert read_answer(json.dumps({"points": [{"text": "x" * 2_000, "notes": [1]}]})) == []
    [one] = read_answer('{"points": [{"text": "x", "notes": [true, null, 2.5, "9999999999", -1]}]}')
    assert set(one.numbers).isdisjoint(range(40))
