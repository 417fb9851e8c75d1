"""What a user sees of each surface, as text; asked at its own door, where it has one."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from recollect.memory.model import errors
from recollect.memory.tools import TOOLS
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from recollect.proxy.chat.tooling.shapes import SHAPES
from recollect.proxy.cli import command_line
from recollect.proxy.telemetry.names import METRICS
from tests.surfaces.mcp import Mcp
from tests.surfaces.place import Place
from tests.surfaces.rest import Rest


def as_json(value: Any) -> str:
    """JSON with sorted keys, a line for each value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1)


def openapi(place: Place) -> str:
    """The document that is served. Refusals, the same for most operations, are written once."""
    document = json.loads(Rest(place, "tenant-0").send("GET", "/v1/memories/openapi.json", None))
    del document["info"]["version"]
    refusals: dict[str, list[Any]] = {}
    for path in document["paths"].values():
        for operation in path.values():
            answers = operation["responses"]
            for status in [each for each in answers if int(each) >= 400]:
                known = refusals.setdefault(status, [])
                known += [answers[status]] * (answers[status] not in known)
                answers[status] = known.index(answers[status])
    return as_json({**document, "refusals": refusals})


def mcp(place: Place) -> str:
    """What a client learns about the server, and every list: there are no prompts."""
    client = {"name": "golden", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    ask = Mcp(place, "tenant-0").rpc
    found = {"initialize": ask("initialize", {}, **hello)}
    del found["initialize"]["serverInfo"]["version"]
    lists = ("tools/list", "resources/list", "resources/templates/list")
    return as_json(found | {method: ask(method, {}) for method in lists})


def tools(place: Place) -> str:
    """The shapes that tools have in each API of chats: the rest is as MCP says it of the tool."""
    listed = {tool["name"]: tool for tool in json.loads(mcp(place))["tools/list"]["tools"]}
    found: dict[str, dict[str, list[str]]] = {}
    for path, shape in SHAPES.items():
        for tool, each in zip(TOOLS, shape.rendered(TOOLS), strict=True):
            text = json.dumps(each, sort_keys=True)
            for key in ("description", "inputSchema", "name"):
                same = json.dumps(listed[tool.name][key], sort_keys=True)
                text = text.replace(f": {same}", f": <{key}>")
            found.setdefault(path, {}).setdefault(text, []).append(tool.name)
    return as_json(found)


def cli(_: Place) -> str:
    """The help of every command, unwrapped: versions of Python differ in where texts begin."""
    with patch.dict(os.environ, {"COLUMNS": "10000", "NO_COLOR": "1"}):
        told = "\n".join(_helps(command_line()))
    return re.sub(r"(?<=\S)(?: {2,}|\n {10,})(?=\S)", "  ", told)


def _helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## {parser.prog}\n\n{parser.format_help()}"
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name in dict.fromkeys(action.choices):
                yield from _helps(action.choices[name])


def rights(place: Place) -> str:
    """The right that each route needs, those of mem0's own server too; then the rest of the router."""
    told = {f"{each.method} {each.path}": each for each in (*ALL, *SERVER_OPERATIONS)}
    lines = [
        f"{route}  {told[route].right.word or 'none'}  {told[route].id}" for route in sorted(told)
    ]
    routes = [each for each in place._runner.app.router.routes() if each.resource]
    return "\n".join([*lines, "", *(f"{each.method} {each.resource.canonical}" for each in routes)])


def metrics(_: Place) -> str:
    """Names, labels and kinds."""
    lines = (f"{each.name}{{{', '.join(each.labels)}}} {each.kind.value}" for each in METRICS)
    return "\n".join(sorted(lines))


def error_codes(_: Place) -> str:
    """The errors of the library: what they are told from others by, and what to do about them."""
    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    own = [each for each in kinds if issubclass(each, errors.RecollectError)]
    return "\n".join(
        f"{each.code}  {each.__name__}({', '.join(base.__name__ for base in each.__bases__)})"
        f"  {each.advice}"
        for each in sorted(own, key=lambda each: (each.code, each.__name__))
    )
