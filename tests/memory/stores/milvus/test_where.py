"""Filters as Milvus expressions."""

from recollect.memory.query import EVERYTHING, parse
from recollect.memory.stores.milvus.where import MOST_CHARS, Tells
from recollect.memory.stores.milvus.where import narrowed as narrowed_for
from tests.support.folding import rows


def narrowed(where):
    return narrowed_for(where, Tells.FACETS)


@rows(
    "said, text",
    [
        ({"type": "semantic"}, 'type in ["semantic"]'),
        ({"user_id": 'x" or "1" == "1'}, 'user_id in ["x\\" or \\"1\\" == \\"1"]'),
        ({"importance": {"gte": 1}}, "importance >= 1.0"),
        ({"created_at": {"lt": "1970-01-01T00:00:01Z"}}, "created_at < 1000"),
        ({"valid_to": {"gt": 1}}, "(valid_to > 1000 and valid_to != 0)"),
        ({"valid_to": None}, "valid_to in [0]"),
        ({"agent_id": "*"}, 'agent_id != ""'),
        ({"NOT": {"type": ["semantic"]}}, '(not (type in ["semantic"]))'),
        ({"type": {"nin": ["semantic"]}}, '(not (type in ["semantic"]))'),
        ({"type": {"in": []}}, 'id == ""'),
        (
            {"NOT": {"OR": [{"run_id": "a"}, {"id": "b"}]}},
            '(not (run_id in ["a"])) and (not (id in ["b"]))',
        ),
    ],
)
def test_conditions_on_columns_are_exact(said, text):
    """The server answers them alone."""
    assert narrowed(parse(said)) == (text, True)


@rows(
    "said, text",
    [
        ({"memory": {"contains": "tea"}}, None),
        ({"AND": [{"memory": {"contains": "a"}}, {"type": "semantic"}]}, 'type in ["semantic"]'),
        ({"OR": [{"memory": {"contains": "a"}}, {"type": "semantic"}]}, None),
        ({"NOT": {"OR": [{"memory": {"contains": "a"}}, {"id": "b"}]}}, '(not (id in ["b"]))'),
        ({"NOT": {"AND": [{"memory": {"contains": "a"}}, {"id": "b"}]}}, None),
    ],
)
def test_what_the_server_cannot_tell_is_left_open(said, text):
    """The expression admits more, never less."""
    assert narrowed(parse(said)) == (text, False)


def test_everything_needs_no_expression():
    """And nothing has one that no row passes."""
    assert narrowed(EVERYTHING) == (None, True)


def test_long_expressions_are_not_sent():
    """A server refuses them."""
    said = {"id": [f"{n:04}" + "x" * 200 for n in range(MOST_CHARS // 200)]}
    assert narrowed(parse(said)) == (None, False)
