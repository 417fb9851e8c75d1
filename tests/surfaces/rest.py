"""The memory API over HTTP as a surface: requests are made from its own table of operations."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from recollect.proxy.api.tables import ALL
from tests.support.waiting import HANG_SECONDS
from tests.surfaces.place import token_of
from tests.surfaces.surface import IDS, Refused, Surface

KINDS = {
    400: "invalid_input",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    412: "version_conflict",
}
"""The codes that statuses stand for."""
BY_ID = {each.id: each for each in ALL}
NAMED = {
    "search": "search_posted",
    "users": "list_users",
    "deep_recall": "search_deeply",
    "entities": "find_entities",
    "relations": "entity_relations",
    "forget_all": "forget",
    "propose_forget": "forget",
    "confirm_forget": "forget",
    "blocks.define": "define_block",
    "blocks.list": "list_blocks",
    "blocks.get": "get_block",
    "blocks.append": "append_to_block",
    "blocks.replace": "replace_in_block",
    "blocks.rewrite": "rewrite_block",
    "blocks.delete": "delete_block",
    "blocks.history": "block_history",
    "blocks.attach": "attach_block",
    "blocks.detach": "detach_block",
    "blocks.compile": "compiled",
    "blocks.metadata": "blocks_metadata",
    "shares.attach": "share",
    "shares.detach": "unshare",
    "shares.of": "memory_shares",
    "shares.list": "list_shares",
    "procedures.list": "list_procedures",
    "procedures.get": "get_procedure",
    "procedures.activate": "activate_procedure",
    "procedures.outcome": "report_outcome",
    "procedures.check": "check_procedure",
    "conversations.list": "list_conversations",
    "conversations.messages": "conversation_messages",
    "conversations.search": "search_conversations_posted",
    "conversations.erase": "erase_conversation",
    "upkeep.run": "run_upkeep",
    "upkeep.list": "list_upkeep",
    "upkeep.get": "get_upkeep",
    "upkeep.undo": "undo_upkeep",
    "graph.entities": "find_entities",
    "graph.get": "get_entity",
    "graph.relations": "entity_relations",
    "graph.merge": "merge_entities",
    "graph.merges": "list_entity_merges",
    "graph.undo": "undo_entity_merge",
    "graph.rebuild": "rebuild_graph",
    "graph.check": "check_graph",
    "graph.export": "export_graph",
    "topics.graph": "graph",
    "topics.abstract": "abstract",
    "topics.dedupe": "dedupe",
}
"""What the API calls an operation, where its id is another."""
SAME = (
    *("add", "add_batch", "add_procedure", "get_all", "count", "get", "update", "delete"),
    *("delete_all", "delete_by_query", "history", "versions", "feedback", "validate", "restore"),
    "undo_feedback",
    *("settle", "invalidate", "revert", "explain", "answer", "conflicts", "profile", "said"),
    *("stats", "consolidate", "forget", "episodes", "inspect"),
)
FILES = frozenset({"export_file", "import_file"})


class Rest(Surface):
    name = "rest"
    OPERATIONS = frozenset(NAMED) | frozenset(SAME) | FILES

    def run(self, operation: str, /, **arguments: Any) -> Any:
        if operation == "export_file":
            return self._export(**arguments)
        if operation == "import_file":
            return self._import(**arguments)
        chosen = NAMED.get(operation, operation)
        if operation == "episodes":
            chosen = "search_episodes" if "query" in arguments else "list_episodes"
        headers = {}
        if BY_ID[chosen].if_match and "version" in arguments:
            headers["If-Match"] = f'"{arguments.pop("version")}"'
        answer = self.ask(chosen, _as_sent(operation, arguments), headers)
        return answer["text"] if operation == "blocks.compile" else answer

    def ask(
        self, operation_id: str, asked: dict[str, Any], headers: dict[str, str] | None = None
    ) -> Any:
        """What an operation of the API answers to fields by their names."""
        made = BY_ID[operation_id]
        ids = {name: quote(str(asked.pop(name)), safe="") for name in made.parameters}
        in_query = {} if made.in_body else asked
        query = {name: _in_query(value) for name, value in in_query.items()}
        path = f"{made.path.format(**ids)}?{urlencode(query, doseq=True)}"
        body = json.dumps(asked).encode() if made.in_body else None
        return json.loads(self.send(made.method, path, body, headers))

    def send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str] | None = None
    ) -> bytes:
        """The body of an answer. Raises Refused."""
        status, said = self.answer(method, path, body, headers)
        if status >= 400:
            text = json.loads(said)["detail"]
            raise Refused(_kind(status, text), text)
        return said

    def answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.place.port, timeout=HANG_SECONDS)
        sent = {"Authorization": f"Bearer {token_of(self.tenant)}", **(headers or {})}
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **sent})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _export(self, path: str, **arguments: Any) -> dict[str, int]:
        query = urlencode({name: _in_query(value) for name, value in arguments.items()})
        lines = self.send("GET", f"/v1/memories/export?{query}", None)
        Path(path).write_bytes(lines)
        return {"memories": sum(line.startswith(b'{"memory"') for line in lines.splitlines())}

    def _import(self, path: str, **arguments: Any) -> Any:
        """The result of a task, once it has ended."""
        query = urlencode({name: _in_query(value) for name, value in arguments.items()})
        lines = Path(path).read_bytes()
        task = json.loads(self.send("POST", f"/v1/memories/import?{query}", lines))
        deadline = time.monotonic() + HANG_SECONDS
        while task["state"] in {"queued", "running"} and time.monotonic() < deadline:
            time.sleep(0.01)
            task = self.ask("get_task", {"task_id": task["id"]})
        if task["state"] != "done":
            raise Refused("invalid_input", task["error"])
        return task["counts"]


def _kind(status: int, text: str) -> str:
    if text.startswith("At least one of"):
        return "scope_required"
    return KINDS.get(status) or text.removeprefix("nothing was stored: ").partition(": ")[0]


def _as_sent(operation: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The arguments by the names that the API has for them."""
    asked = dict(asked)
    if operation == "forget":
        asked["ids"] = [asked.pop("memory_id")]
    elif operation == "forget_all":
        asked["all"] = True
    elif operation == "confirm_forget":
        asked["confirm"] = asked.pop("token")
    elif operation == "revert" and "to" in asked:
        asked["version"] = asked.pop("to")
    elif operation in {"relations", "graph.relations", "graph.get"}:
        asked["entity"] = asked.pop("name")
    elif operation == "shares.detach":
        asked |= {f"to_{name}": value for name, value in asked.pop("to").items()}
    elif operation == "users":
        asked = {name: value for name, value in asked.items() if name not in IDS}
    return asked


def _in_query(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, dict) else value
