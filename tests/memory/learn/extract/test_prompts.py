from recollect.memory.learn.extract.prompts import (
    EXTRACTION_PROMPT,
    GRAPH_FORM,
    TRIPLE_FORM,
    asking,
)
from recollect.memory.learn.extract.transcript import units_of
from tests.support.folding import rows

from .turns import turn

UNITS = units_of([turn("I am Bob {x} {}")])


def test_the_conversation_is_data():
    """Instructions are the system message, the conversation is fenced in the user's."""
    system, asked = asking(UNITS, GRAPH_FORM.shape)
    assert (system.role, asked.role) == ("system", "user")
    assert system.content == f"{EXTRACTION_PROMPT}\n\n{GRAPH_FORM.shape}"
    assert asked.content.startswith("<conversation>\n")
    assert "user: I am Bob {x} {}\n</conversation>" in asked.content


@rows("form, most", [(TRIPLE_FORM, 2), (GRAPH_FORM, 4)])
def test_the_schema_is_one_strict_servers_take(form, most):
    """Every object lists all its properties as required and allows no others."""

    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for value in node.values():
                yield from objects(value)

    found = list(objects(form.schema))
    assert len(found) == most
    for node in found:
        assert node["additionalProperties"] is False
        assert set(node["required"]) == set(node["properties"])
