"""The `mem0ai` client, several versions of it: a whole session each, with its URL changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.clients.elsewhere import Elsewhere
from tests.clients.environments import ROOT
from tests.clients.running import Outcome, lines_of
from tests.clients.serving import served
from tests.clients.upstream import ScriptedUpstream

PAGE = ROOT / "docs" / "migrating-from-mem0.md"
KEY = "key-of-clients"
LEAST_STEPS = 30
"""Of each client, synchronous or not: a program that stops early has fewer."""


async def mem0_pass(outcomes: Sequence[Outcome], folder: Path) -> None:
    """Every step of every version against `recollect serve`, and the table of what came of it."""
    sessions: dict[str, list[dict[str, Any]]] = {}
    for outcome in outcomes:
        async with (
            ScriptedUpstream() as upstream,
            Elsewhere() as elsewhere,
            served(
                folder / f"serve-{outcome.client.name}",
                upstream.base_url,
                api__token=KEY,
                learn__llm__base_url=upstream.base_url,
                learn__llm__model=outcome.story.model,
            ) as url,
        ):
            number = str(outcome.story.number)
            environ = {"MEM0_URL": url, "MEM0_KEY": KEY, "MEM0_NUMBER": number}
            environ["MEM0_PAGE"] = str(PAGE)
            seen = await lines_of(outcome.client, [], elsewhere.environ | environ)
            for each in seen:
                outcome.note(f"{each['step']} ({each['kind']})", each.get("error", ""))
            outcome.note("all steps", missing(seen))
            outcome.note("calls nobody else", ", ".join(sorted(set(elsewhere.hosts))))
        sessions[outcome.client.version] = seen
    print(table(sessions), flush=True)


def missing(seen: Sequence[dict[str, Any]]) -> str:
    """What is wrong with how many steps there were; "" if nothing is."""
    counts = {kind: sum(each["kind"] == kind for each in seen) for kind in ("sync", "async")}
    early = {kind: count for kind, count in counts.items() if count < LEAST_STEPS}
    return f"the program ended early: {early}" if early else ""


def table(sessions: dict[str, list[dict[str, Any]]]) -> str:
    """Method x version; where the clients of one version differ, the synchronous one is first."""
    steps = list(dict.fromkeys(each["step"] for seen in sessions.values() for each in seen))
    rows = [["method", *sessions]]
    rows += [[step, *(_cell(step, seen) for seen in sessions.values())] for step in steps]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _cell(step: str, seen: Sequence[dict[str, Any]]) -> str:
    found = [
        "FAILED" if "error" in each else each["answer"] for each in seen if each["step"] == step
    ]
    return " / ".join(dict.fromkeys(found))
