"""How much of a question SQL answers itself: what it is asked admits never less."""

from __future__ import annotations

import sqlite3

from recollect.memory.database.scripts import for_sqlite
from recollect.memory.database.tables import TABLES
from recollect.memory.memories.row_conditions import RowConditions, in_scope, of_tenant, owned
from recollect.memory.memories.where import MOST_PATTERN, add_filter, pattern
from recollect.memory.model.types import ACTIVE, MemoryStatus, Scope
from recollect.memory.model.visible_scope import VisibleScope
from recollect.memory.query import parse
from tests.support.folding import rows

ALONE, NARROWED, LEFT = "=~."
"""SQL answers the filter alone; it leaves some out; it is not asked, and what is read is tested."""

ANSWERED = {
    ALONE: [
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
        {"session": "c1"},
        {"version": {"gte": 1.5}},
        {"source": "user"},
        {"id": [str(n) for n in range(900)]},
    ],
    NARROWED: [
        {"tag": "work"},
        {"car.colour": "red"},
        {"OR": [{"tag": "work"}, {"type": "semantic"}]},
        {"AND": [{"tag": {"ne": "a"}}, {"type": "semantic"}]},
        {"size": 3},
        {"size": {"gt": 3}},
        {"tag": ["a", True]},
        {"tag": "*"},
        {"tag": {"contains": "a"}},
        {"memory": {"contains": "tea"}},
        {"memory": "tea"},
        {"hash": "b"},
    ],
    LEFT: [
        {"NOT": {"hash": "b"}},
        {"tag": {"ne": "a"}},
        {"tag": None},
        {"OR": [{"tag": {"ne": "work"}}, {"type": "semantic"}]},
        {"memory": {"icontains": "tea"}},
        {"hash": {"lt": "b"}},
    ],
}


@rows("answer, said", [(answer, said) for answer, filters in ANSWERED.items() for said in filters])
def test_what_sql_answers_itself(answer, said):
    """A filter that it could answer and does not is one that reads all memories of a user."""
    asked = RowConditions(None)
    exact = add_filter(parse(said), asked)
    found = ALONE if exact else NARROWED if asked.condition != "1 = 1" else LEFT
    assert found == answer


def test_a_pattern_matches_what_it_is_made_of():
    """What has a meaning in one is any character; one that SQLite would refuse is not asked."""
    assert pattern("50%", "a_b\\") == "%50_%a_b_%"
    assert pattern("x" * MOST_PATTERN) is None


def test_a_tenant_bounds_every_condition():
    """Whatever is asked, the tenant must be right first; no value is part of the text."""
    scope = Scope(tenant="t", user_id="u")
    for asked in (in_scope(scope, list(MemoryStatus)), owned("t"), owned(scope), of_tenant("t")):
        add_filter(parse({"OR": [{"user_id": "x'); DROP TABLE"}, {"type": "semantic"}]}), asked)
        assert asked.condition.startswith("tenant = :v0 AND")
        assert asked.values["v0"] == "t"
        assert "DROP" not in asked.condition


USER = Scope(tenant="t", user_id="u")
PLANS = [
    (in_scope(USER, ACTIVE), "ORDER BY created_at DESC, id", "memories_newest (owner=?)"),
    (in_scope(USER, ACTIVE), "AND id > 'a' ORDER BY id", "memories_of (owner=? AND id>?)"),
    (
        in_scope(VisibleScope.of(Scope(tenant="t", user_id="u", agent_id="a")), ACTIVE),
        "ORDER BY created_at DESC, id",
        "memories_newest (owner=?)",
    ),
    (owned("t"), "AND id > 'a' ORDER BY id", "(tenant=? AND id>?)"),
    (of_tenant("t", ["a"]), "", "(tenant=? AND id=?)"),
    (in_scope(Scope(tenant="t", agent_id="a"), ACTIVE), "", "memories_of_agent"),
    (in_scope(Scope(tenant="t", run_id="a"), ACTIVE), "", "memories_of_run"),
]


@rows("asked, more, plan", PLANS)
def test_pages_are_read_in_the_order_of_an_index(asked, more, plan):
    """A page of a user's memories costs what it holds: nothing is sorted, no other row is read."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    sql, lists = for_sqlite(f"SELECT * FROM memories WHERE {asked.condition} {more} LIMIT 9")  # noqa: S608 - constants
    values = {**asked.values, **dict.fromkeys(lists, "[]")}
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    connection.close()
    assert any(plan in step for step in steps), steps
    assert not any("TEMP B-TREE" in step for step in steps), steps
