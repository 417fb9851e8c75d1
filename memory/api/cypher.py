"""Writes the graph as statements of Cypher, which Neo4j and others run. Pure.

Each statement is a line that can be run again: it makes what is not there, and sets the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .graph_results import GraphEntityDict, RelationDict

HEAD = (
    "// The graph of Recollect, for cypher-shell; running it again changes nothing.\n"
    "CREATE CONSTRAINT recollect_entity IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;\n"
)
_ESCAPED = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\u2028": " ", "\u2029": " ", "\0": ""}
)


def statements(entities: Iterable[GraphEntityDict], relations: Iterable[RelationDict]) -> str:
    """The statements of some entities, and of relations, whose ends may come later."""
    return "".join((*map(_entity, entities), *map(_relation, relations)))


def _entity(entity: GraphEntityDict) -> str:
    told = {name: value for name, value in entity.items() if name != "id" and value is not None}
    return f"MERGE (e:Entity {{id: {_value(entity['id'])}}}) SET {_set('e', told)};\n"


def _relation(one: RelationDict) -> str:
    kind, memory = _value(one["relation"]), _value(one["memory_id"])
    source, target = _value(one["source_id"]), _value(one["target_id"])
    return (
        f"MERGE (s:Entity {{id: {source}}}) MERGE (t:Entity {{id: {target}}}) "
        f"MERGE (s)-[r:RELATES_TO {{type: {kind}, memory_id: {memory}}}]->(t) "
        f"SET {_set('r', {'quote': one['quote']})};\n"
    )


def _set(name: str, values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}.{key} = {_value(value)}" for key, value in values.items())


def _value(value: str | int | Sequence[str]) -> str:
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    # Some read \\u0022 as a quote before they look at anything else, also behind a backslash.
    return f'"{value.translate(_ESCAPED)}"'.replace("\\\\u", '\\\\" + "u')
