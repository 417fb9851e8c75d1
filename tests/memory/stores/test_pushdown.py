"""How much of a filter each store answers itself: what it is asked admits never less."""

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.query import EVERYTHING, parse
from recollect.memory.query.narrowing import narrowed
from recollect.memory.stores.chroma.where import ChromaLanguage, facets
from recollect.memory.stores.milvus import where as milvus
from recollect.memory.stores.milvus.where import MOST_CHARS, Tells
from recollect.memory.stores.pgvector.sql import RowCondition, in_scope, owned
from recollect.memory.stores.pgvector.where import add_filter
from recollect.memory.stores.qdrant.where import QdrantLanguage

ALONE, NARROWED, LEFT = "=~."
"""It answers the filter alone; it leaves some out; it is not asked, and we test what it lists."""

ANSWERED = {
    # Chroma, Qdrant, PostgreSQL; Milvus that knows texts (embedded), facets (a server).
    "=====": [
        {"type": "semantic"},
        {"user_id": 'x" or "1" == "1'},
        {"agent_id": "*"},
        {"NOT": {"type": ["semantic"]}},
        {"type": {"nin": ["semantic"]}},
        {"type": {"in": []}},
        {"importance": {"gte": 0.5}},
        {"NOT": {"importance": {"gte": 0.5}}},
        {"created_at": {"lt": "1970-01-01T00:00:01Z"}},
        {"valid_to": {"gt": 1}},
        {"valid_to": None},
        {"NOT": {"OR": [{"run_id": "a"}, {"id": "b"}]}},
    ],
    "~~=~=": [
        {"tag": "work"},
        {"car.colour": "red"},
        {"OR": [{"tag": "work"}, {"type": "semantic"}]},
        {"AND": [{"tag": "work"}, {"type": "semantic"}]},
        {"NOT": {"OR": [{"tag": "a"}, {"id": "b"}]}},
    ],
    ".~=~=": [{"tag": ""}, {"size": 3}, {"size": {"gt": 3}}],
    "..=~=": [{"tag": ["a", True]}, {"tag": "*"}],
    "..=.=": [
        {"tag": {"ne": "a"}},
        {"tag": None},
        {"NOT": {"tag": "work"}},
        {"session": "c1"},
        {"version": {"gte": 2}},
        {"source": "user"},
        {"NOT": {"AND": [{"tag": "a"}, {"id": "b"}]}},
    ],
    "...~=": [{"size": 2**60}, {"tag": {"gt": "2026-01-01"}}, {"tag": {"gt": True}}],
    "..=~~": [{"tag": {"contains": value}} for value in ("a", 1, None)],
    "..=..": [{"NOT": {"tag": {"contains": "a"}}}, {"memory": {"contains": "tea"}}],
    ".~=~.": [{"tag": "x" * 300}],
    "..=~.": [{'a"b': 1}],
    # No server folds as Python does.
    ".....": [{"memory": {"icontains": "tea"}}, {"hash": {"lt": "b"}}],
}


def _in_postgres(where):
    asked = RowCondition()
    exact = add_filter(where, asked)
    # PostgreSQL refuses a statement with a value that nothing refers to.
    assert (asked.condition == "TRUE") <= (asked.values == [])
    return None if asked.condition == "TRUE" else asked.condition, exact


LANGUAGES = (
    lambda where: narrowed(where, ChromaLanguage()),
    lambda where: narrowed(where, QdrantLanguage()),
    _in_postgres,
    lambda where: milvus.narrowed(where, Tells.TEXT),
    lambda where: milvus.narrowed(where, Tells.FACETS),
)


def _answered(where):
    made = [language(where) for language in LANGUAGES]
    pairs = [(each.said, each.exact) if hasattr(each, "said") else each for each in made]
    return "".join(ALONE if exact else LEFT if said is None else NARROWED for said, exact in pairs)


def test_what_each_store_answers_itself():
    """A filter that it could answer and does not is one that reads all memories of a user."""
    wrong = [
        (said, found, expected)
        for expected, filters in ANSWERED.items()
        for said in filters
        if (found := _answered(parse(said))) != expected
    ]
    assert not wrong


def test_what_is_not_asked():
    """Everything needs no expression; one that a server would refuse for its length is not sent."""
    assert _answered(EVERYTHING) == ALONE * len(LANGUAGES)
    assert all(milvus.narrowed(EVERYTHING, tells).said is None for tells in Tells)
    said = {"id": [f"{n:04}" + "x" * 200 for n in range(MOST_CHARS // 200)]}
    assert milvus.narrowed(parse(said), Tells.FACETS) == (None, False)


def test_chroma_keeps_short_texts_for_filters():
    """Numbers, lists and long texts are not, and no memory brings any number of keys."""
    assert facets({"a": "x", "b": 1, "c": {"d": "y"}, "e": ["z"], "f": "z" * 999}) == {
        "m:a": "x", "m:c.d": "y",
    }  # fmt: skip
    assert len(facets({str(n): "x" for n in range(1000)})) < 100


def test_a_tenant_bounds_every_condition_in_sql():
    """Whatever is asked, the tenant must be right first; no value is part of the text."""
    scope = Scope(tenant="t", user_id="u")
    for asked in (in_scope(scope, list(MemoryStatus)), owned("t"), owned(scope)):
        add_filter(parse({"OR": [{"user_id": "x'); DROP TABLE"}, {"type": "semantic"}]}), asked)
        assert asked.condition.startswith("tenant = $1::text AND")
        assert asked.values[0] == "t"
        assert "DROP" not in asked.condition
