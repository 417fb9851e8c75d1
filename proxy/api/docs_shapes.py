"""JSON Schemas as people read them, and examples of their values. Pure; the texts are plain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

Schema = Mapping[str, Any]

_REF = "#/components/schemas/"
_BOUNDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
_EXAMPLES: dict[str, Any] = {
    "messages": "I drink green tea in the morning",
    "q": "what do I drink?",
    "query": "what do I drink?",
    "text": "I drink black tea in the morning",
    "user_id": "alice",
    "entity_id": "alice",
    "confirm": "local",
    "filters": {"tag": "work"},
    "dry_run": True,
}
"""By the name of a field; any other gets the first value that its schema allows."""
_TELLING = ("q", "query", "text", "user_id", "entity_id", "dry_run")
"""Shown in an example though not required: without them a request says little, or deletes much."""


def type_name(schema: Schema) -> str | None:
    """The name of the type that the schema refers to."""
    reference = schema.get("$ref")
    return None if reference is None else str(reference).removeprefix(_REF)


def kind_of(schema: Schema) -> str:
    """The accepted values in a few words: type, choices, bounds, default."""
    words = [_type(schema), *_bounds(schema)]
    if "default" in schema:
        words.append(f"default {json.dumps(schema['default'])}")
    return ", ".join(words)


def shape_of(schema: Schema, indent: str = "") -> str:
    """The value as it looks, one line for each member of an object."""
    if "properties" in schema:
        return _members(schema, indent)
    if schema.get("type") == "array" and "items" in schema:
        return f"[{shape_of(schema['items'], indent)}, …]"
    if isinstance(each := schema.get("additionalProperties"), Mapping):
        return f"{{text: {shape_of(each, indent)}, …}}"
    if "anyOf" in schema:
        return " | ".join(shape_of(each, indent) for each in schema["anyOf"])
    return _type(schema)


def curl(method: str, path: str, operation: Mapping[str, Any]) -> str:
    """A command that asks for the operation, with what it requires and little else."""
    parameters = operation["parameters"]
    content = operation.get("requestBody", {}).get("content", {})
    body = _body(content.get("application/json", {}).get("schema", {}))
    target = path
    for name in (each["name"] for each in parameters if each["in"] == "path"):
        target = target.replace(f"{{{name}}}", f"${name.upper()}")
        body.pop("user_id", None)  # the id says enough
    query = _query(parameters, required=bool(body) or target != path)
    query = {name: value for name, value in query.items() if name not in body}
    pairs = [f"{name}={quote(str(value), safe='')}" for name, value in query.items()]
    target += "?" + "&".join(pairs) if pairs else ""
    verb = "" if method == "GET" else f" -X {method}"
    lines = [f'curl{verb} "$RECOLLECT{target}"']
    if {} not in operation["security"]:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if body:
        said = json.dumps(body, ensure_ascii=False).replace("'", "'\\''")
        lines += ["-H 'Content-Type: application/json'", f"-d '{said}'"]
    if content and "application/json" not in content:
        lines += [f"-H 'Content-Type: {next(iter(content))}'", "--data-binary @FILE"]
    return " \\\n  ".join(lines)


def _type(schema: Schema) -> str:
    if name := type_name(schema):
        return name
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    kinds = schema.get("type", "any value")
    names = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_plain(name, schema) for name in names)


def _plain(name: str, schema: Schema) -> str:
    if name == "array" and "items" in schema:
        return f"list of {_type(schema['items'])}"
    if name == "string" and "format" in schema:
        return f"{name} ({schema['format']})"
    return name


def _bounds(schema: Schema) -> Iterable[str]:
    for low, high, unit in _BOUNDS:
        least, most = schema.get(low), schema.get(high)
        if least is not None and most is not None:
            yield f"{least} to {most}{unit}"
        elif least is not None:
            yield f"at least {least}{unit}"
        elif most is not None:
            yield f"at most {most}{unit}"


def _members(schema: Schema, indent: str) -> str:
    needed = schema.get("required", ())
    lines = [
        f'{indent}  "{name}"{"" if name in needed else "?"}: {shape_of(each, indent + "  ")}'
        for name, each in schema["properties"].items()
    ]
    return "\n".join(["{", *lines, indent + "}"])


def _query(parameters: Sequence[Mapping[str, Any]], *, required: bool) -> dict[str, Any]:
    """Examples for a query string; with `required` nothing else."""
    asked = {each["name"]: each for each in parameters if each["in"] == "query"}
    if required:
        asked = {name: each for name, each in asked.items() if each.get("required")}
    return _examples(asked)


def _body(schema: Schema) -> dict[str, Any]:
    required = schema.get("required", ())
    fields = schema.get("properties", {})
    return _examples(
        {name: {"schema": each, "required": name in required} for name, each in fields.items()}
    )


def _examples(fields: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Values of what is required, and of what tells the most; `q` and `query` are the same."""
    shown = [
        name
        for name, each in fields.items()
        if each.get("required") or name in _TELLING or len(fields) == 1
    ]
    if "q" in shown and "query" in shown:
        shown.remove("query")
    if "dry_run" in shown and "filters" in fields:
        shown.append("filters")  # a deletion by query has to say which
    return {name: _example(name, fields[name]["schema"]) for name in shown}


def _example(name: str, schema: Schema) -> Any:
    if name in _EXAMPLES:
        return _EXAMPLES[name]
    if "enum" in schema:
        return schema["enum"][0]
    if "default" in schema:
        return schema["default"]
    kind = schema.get("type", "string")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind == "array" and schema.get("minItems"):
        return [_example(name, schema["items"])]
    if kind == "object" and "required" in schema:
        return {each: _example(each, inner) for each, inner in schema["properties"].items()}
    by_kind = {"integer": 1, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return by_kind.get(kind, "…")
