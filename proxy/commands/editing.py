"""`recollect memories search`, `add`, `update`, `delete` and `forget`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .api_client import add_scope_to, named, scope_of
from .terminal import confirmed, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .arguments import Actions

ACTIONS = frozenset({"search", "add", "update", "delete", "forget"})
DEFAULT_LIMIT = 10
STDIN = "-"
_PATH = "/v1/memories/"
_TOLD = {
    "delete": "removed; its history is kept, `recollect memories history ID` shows it",
    "update": "changed; the old text is kept as superseded",
}


def add_parsers(actions: Actions) -> None:
    """Register the actions."""
    search = actions.add_parser("search", help="show what matches, best first")
    search.add_argument("query", metavar="QUERY")
    search.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help=f"({DEFAULT_LIMIT})"
    )
    add = actions.add_parser("add", help="remember a text as it is")
    add.add_argument("text", metavar="TEXT", help=f"the memory; {STDIN} reads it from stdin")
    add.add_argument(
        "--infer", action="store_true", help="let learn.llm extract facts from it instead"
    )
    for action in (search, add):
        add_scope_to(action)
        action.add_argument("--json", action="store_true", help="one JSON object per line")
    update = _with_id(actions, "update", "give a memory another text")
    update.add_argument("text", metavar="TEXT", help=f"its text; {STDIN} reads it from stdin")
    _with_id(actions, "delete", "remove a memory; its history is kept")
    forget = _with_id(actions, "forget", "erase a memory in all stores, with its turns")
    forget.add_argument("--yes", action="store_true", help="do not ask")


def _with_id(actions: Actions, name: str, summary: str) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=summary)
    action.add_argument("id", metavar="ID", help="the id, as listed")
    add_scope_to(action, ids=False)
    action.add_argument("--json", action="store_true", help="print JSON")
    return action


def prepare(options: argparse.Namespace) -> str:
    """Read a text from stdin, and ask before an erasure; why nothing is done, "" to go on."""
    if getattr(options, "text", None) == STDIN:
        options.text = sys.stdin.read().strip()
    if options.action != "forget" or options.yes:
        return ""
    if confirmed(f"Erase {options.id} and the turns it was learned from, everywhere?"):
        return ""
    return "nothing was erased; without a terminal, say --yes"


def request(settings: Settings, options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    if options.action == "search":
        ids = scope_of(settings, options).ids()
        query = urlencode({"q": options.query, "limit": options.limit} | ids, errors="replace")
        return f"{_PATH}search/?{query}", "GET", None
    if options.action == "add":
        ids = scope_of(settings, options).ids()
        return _PATH, "POST", {"messages": options.text, "infer": options.infer} | ids
    if options.action == "forget":
        return f"{_PATH}forget", "POST", {"ids": [options.id]}
    path = f"{_PATH}{quote(options.id, safe='', errors='replace')}/"
    if options.action == "delete":
        return path, "DELETE", None
    return path, "PUT", {"text": options.text}


async def answer_of(memory: AsyncMemory, settings: Settings, options: argparse.Namespace) -> Any:
    """The answer of a memory that was opened in this process."""
    if options.action == "update":
        return await memory.update(options.id, options.text)
    if options.action == "forget":
        return await memory.forget(options.id)
    if options.action == "delete":
        await memory.delete(options.id)
        return {"deleted": 1}
    ids: dict[str, Any] = scope_of(settings, options).ids()
    if options.action == "add":
        return await memory.add(options.text, infer=options.infer, **ids)
    return await memory.search(options.query, limit=options.limit, **ids)


def shown(settings: Settings, options: argparse.Namespace, answer: Any) -> int:
    """Show the answer; 1 if nothing was found, stored or erased."""
    if options.action in {"search", "add"}:
        return _results(settings, options, answer)
    done = options.action != "forget" or any(answer["erased"].values())
    if options.json:
        show(json.dumps(answer, ensure_ascii=False, indent=2))
    else:
        say(_TOLD[options.action] if options.action in _TOLD else _receipt(answer))
    return 0 if done else 1


def _results(settings: Settings, options: argparse.Namespace, answer: Any) -> int:
    from .memories_table import LISTING, changes

    found = answer["results"]
    if options.json:
        for one in found:
            show(json.dumps(one, ensure_ascii=False))
    elif found:
        show("\n".join((LISTING if options.action == "search" else changes)(found)))
    if found:
        return 0
    scope = named(scope_of(settings, options))
    say(f"recollect: {_nothing(options.action, answer)} ({scope})")
    return 1


def _nothing(action: str, answer: Any) -> str:
    if action == "search":
        return "nothing matches"
    reasons = [str(one["reason"]) for one in answer.get("skipped", ())]
    reasons += answer.get("rejected", {})
    return "nothing was stored" + (f": {', '.join(reasons)}" if reasons else "")


def _receipt(receipt: Any) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in receipt["erased"].items() if count)
    if receipt.get("derived"):
        counts += f" ({receipt['derived']} of them made of the others)"
    verified = "; nothing of it is found any more" if receipt["verified"] else ""
    return f"erased: {counts or 'nothing'}{verified} (receipt {receipt['id']})"
