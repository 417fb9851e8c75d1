import json

from memory.learn.parse import parse_facts
from memory.learn.prompts import (
    EXTRACTION_PROMPT,
    FACTS_SCHEMA,
    extraction_messages,
    repair_messages,
)

from .doubles import NOON, user


def test_the_conversation_is_data():
    """Instructions are the system message, the conversation is fenced in the user's."""
    system, asked = extraction_messages([user("I am Bob {x}")], at=NOON)
    assert (system.role, system.content) == ("system", EXTRACTION_PROMPT)
    assert asked.role == "user"
    assert "<conversation>\nuser: I am Bob {x}\n</conversation>" in asked.content


def test_the_date_is_told():
    """Relative dates can be resolved: the model is told the day the messages are of."""
    assert "Monday, 2026-03-02" in extraction_messages([user("today")], at=NOON)[1].content


def test_own_instructions():
    """A caller's prompt replaces ours and nothing else."""
    ours = extraction_messages([user("hi")], at=NOON)
    theirs = extraction_messages([user("hi")], at=NOON, prompt="Only pets.")
    assert theirs[0].content == "Only pets."
    assert theirs[1] == ours[1]


def test_repair_shows_what_was_wrong():
    """The second try repeats the call, the answer and what could not be read about it."""
    asked = extraction_messages([user("hi")], at=NOON)
    again = repair_messages(asked, "{oops}", "the answer was {odd}")
    assert again[:2] == asked
    assert (again[2].role, again[2].content) == ("assistant", "{oops}")
    assert "the answer was {odd}" in again[3].content
    assert '{"facts": [' in again[3].content


def test_the_schema_is_one_strict_servers_take():
    """Every object lists all its properties as required and allows no others."""

    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for value in node.values():
                yield from objects(value)

    found = list(objects(FACTS_SCHEMA))
    assert len(found) == 2
    for node in found:
        assert node["additionalProperties"] is False
        assert set(node["required"]) == set(node["properties"])


def test_the_shape_in_the_prompt_is_not_mistaken_for_facts():
    """A model that only repeats the form it was shown has not said any fact."""
    form = EXTRACTION_PROMPT.rsplit("nothing else:\n", 1)[1].splitlines()[0]
    assert json.loads(form)
    assert parse_facts(form + '["User is Bob"]')[0].text == "User is Bob"
