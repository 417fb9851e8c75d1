"""The tools of MCP as a surface, where they do the same: answers as far as a model is told them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from tests.surfaces.rest import Rest
from tests.surfaces.surface import IDS, Surface, refused

_Shape = Callable[[Any], Any]


def _memory(fact: Any) -> Any:
    return {**fact, "memory": fact["fact"]}


def _memories(answer: Any) -> Any:
    return {"results": [_memory(each) for each in answer["facts"]]}


def _one(answer: Any) -> Any:
    """What became of a text."""
    return {"results": [answer] if answer["event"] != "NONE" else [], "skipped": [answer]}


def _same(answer: Any) -> Any:
    return answer


TOOLS: dict[str, tuple[str, dict[str, str], _Shape]] = {
    "add": ("fact_remember", {"messages": "text"}, _one),
    "search": ("fact_search", {"query": "query", "limit": "limit", "as_of": "as_of"}, _memories),
    "delete": ("fact_forget", {"memory_id": "id"}, _same),
    "history": (
        "fact_history",
        {"memory_id": "id"},
        lambda answer: [
            {**each, "old_value": each["old"], "new_value": each["new"]}
            for each in answer["history"]
        ],
    ),
    "validate": ("fact_validate", {"memory_id": "id"}, _memory),
    "invalidate": (
        "fact_invalidate",
        {"memory_id": "id", "reason": "reason", "valid_to": "valid_to"},
        _memory,
    ),
    "revert": ("fact_revert", {"memory_id": "id"}, _memory),
    "profile": (
        "profile_read",
        {},
        lambda answer: {"results": [_memory(each) for each in answer["profile"]]},
    ),
    "conflicts": ("conflicts_list", {}, lambda answer: {"results": answer["conflicts"]}),
    "blocks.list": ("block_read", {}, lambda answer: {"results": answer["blocks"]}),
    "blocks.get": ("block_read", {"label": "label"}, lambda answer: answer["blocks"][0]),
    "blocks.append": (
        "block_append",
        {"label": "label", "text": "text", "version": "version"},
        _same,
    ),
    "blocks.replace": (
        "block_replace",
        {"label": "label", "old": "old", "new": "new", "version": "version"},
        _same,
    ),
    "blocks.rewrite": (
        "block_rethink",
        {"label": "label", "value": "value", "version": "version"},
        _same,
    ),
    "conversations.search": (
        "conversation_search",
        {name: name for name in ("query", "limit", "assistant", "conversation_id")},
        lambda answer: {"results": answer["messages"]},
    ),
    "answer": ("memory_answer", {"question": "question"}, _same),
    "deep_recall": (
        "deep_recall",
        {"question": "question", "max_iterations": "max_iterations"},
        _same,
    ),
}
"""The tool, its names of the arguments, and how its answer is read."""
COMPILED = {"message": "message"}
"""What `blocks.compile` takes: a text to read, and no tool."""


class Mcp(Surface):
    name = "mcp"
    OPERATIONS = frozenset(TOOLS) | {"blocks.compile"}

    def unsayable(self, operation: str, asked: Mapping[str, Any]) -> bool:
        """A tool takes fewer arguments than the operation, and its scope is the client's."""
        names = COMPILED if operation == "blocks.compile" else TOOLS[operation][1]
        if not isinstance(asked.get("message", ""), str):
            return True
        extra = asked.keys() - {*IDS, "infer"} - names.keys()
        text = asked.get("messages", "")
        is_text = isinstance(text, str) and "\ud800" not in text
        return bool(extra) or not is_text or asked.get("user_id") != "alice"

    def run(self, operation: str, /, **arguments: Any) -> Any:
        ids = {name: arguments.pop(name) for name in IDS if name in arguments}
        if operation == "blocks.compile":
            return self._compiled(ids, **arguments)
        tool, names, shaped = TOOLS[operation]
        if operation == "add":
            assert arguments.pop("infer", False) is False
        told = {names[name]: value for name, value in arguments.items()}
        found = self.rpc("tools/call", ids, name=tool, arguments=told)
        if found.get("isError"):
            raise refused(json.loads(found["content"][0]["text"])["error"])
        return shaped(found["structuredContent"])

    def _compiled(self, ids: dict[str, str], message: str | None = None) -> str:
        """A text to read, whose address has the message."""
        said = "" if message is None else f"/{quote(message, safe='')}"
        [read] = self.rpc("resources/read", ids, uri=f"recollect://chat{said}")["contents"]
        return read["text"]

    def rpc(self, method: str, ids: dict[str, str], **params: Any) -> Any:
        """The result of a request that stands alone. Raises Refused."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        }
        path = f"/mcp?{urlencode(ids or {'user_id': 'alice'})}"
        door = Rest(self.place, self.tenant)
        _, said = door.answer("POST", path, json.dumps(asked).encode(), headers)
        answer = json.loads(said)
        if "error" in answer:
            raise refused(answer["error"]["message"])
        return answer["result"]
