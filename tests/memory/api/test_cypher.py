"""The graph as Cypher: run by a real database of graphs (FalkorDB), whatever stands in it."""

import pytest
import redis
from hypothesis import example, given
from hypothesis import strategies as st

from recollect.memory.api.cypher import statements
from tests.support.redis_server import GraphRedis

WORDS = st.lists(
    st.sampled_from(
        ["Anna", " ", '"', "'", "\\", "u0022", "u", "\n", "\r", "//", ";", "}", ")", "`", "$x",
         "DETACH DELETE (n)", "/*", "\u2028", "\U0001f600", "\u5f20", "\t", "\x01"]
    ),
    min_size=1, max_size=12,
).map("".join)  # fmt: skip
BASE = {"type": "person", "aliases": [], "memories": 1, "created_at": "2026-01-01", "user_id": "a"}


def entity(key, name, **more):
    return {"id": key, "name": name, "description": None, **BASE, **more}


def relation(source, target, **more):
    one = {"source_id": source, "target_id": target, "relation": "knows", "memory_id": "m"}
    return one | {"source": "S", "target": "T", "quote": "q"} | more


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs each line of a text, and then a question; the rows of its answer."""
    if (absent := GraphRedis.absent()) is not None:
        pytest.skip(absent)
    with GraphRedis(tmp_path_factory.mktemp("graph")) as server:
        client = redis.Redis(port=server.port, protocol=2)

        def work(text, question):
            client.flushall()
            for line in text.splitlines():
                client.execute_command("GRAPH.QUERY", "g", line)
            return client.execute_command("GRAPH.QUERY", "g", question)[1]

        yield work
        client.close()


@pytest.mark.process
@given(name=WORDS, alias=WORDS, quote=WORDS)
@example(name='Anna "\\u0022}) DETACH DELETE (n) //', alias="\\", quote="\\\\u0027")
def test_texts_stay_texts(run, name, alias, quote):
    """No word of a memory becomes a statement, or a part of one."""
    made = [entity("1", name, aliases=[alias], description=quote), entity("2", "Bob")]
    text = statements(made, [relation("1", "2", quote=quote)])
    assert len(text.split("\n")) == 4
    asked = "MATCH (s)-[r]->(t) RETURN s.name, s.aliases[0], s.description, r.quote, t.name"
    [found] = run(text, asked)
    told = [each.replace("\u2028", " ") for each in (name, alias, quote, quote, "Bob")]
    assert [each.decode() for each in found] == told


@pytest.mark.process
def test_lines_may_be_run_again_and_in_any_order(run):
    """An end that is not there yet is filled later; nothing is there twice."""
    made = [entity("1", "Anna", type=None), entity("2", "Bob")]
    text = statements(made, [relation("1", "2"), relation("2", "1", relation="likes")])
    lines = text.splitlines()
    asked = "MATCH (e:Entity) OPTIONAL MATCH (e)-[r]->() RETURN e.id, e.name, e.type, r.type"
    expected = [[b"1", b"Anna", None, b"knows"], [b"2", b"Bob", b"person", b"likes"]]
    for order in (lines, lines[::-1], lines * 2):
        assert sorted(run("\n".join(order), asked)) == expected
