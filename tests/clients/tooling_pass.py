"""The talks of `tooling.py` with real clients, through a proxy that injects its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.memory.tools import offered
from tests.clients.elsewhere import Elsewhere
from tests.clients.environments import PROGRAMS, Client
from tests.clients.running import Outcome, lines_of
from tests.clients.serving import LOGS, post, served
from tests.clients.strict import told
from tests.clients.tooling import RUNS, ToolUpstream, problem

PROGRAM = "tooling"


@dataclass(frozen=True)
class Talker:
    """What runs the programs: the address, and what a program is to know beside the story."""

    url: str
    environ: Mapping[str, str]

    async def talk(self, outcome: Outcome) -> dict[str, dict[str, Any]]:
        """What the client saw in each run; one that it did not reach has an error."""
        runs = {run.name: run.as_json() for run in RUNS}
        environ = {
            **self.environ,
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_KEY": "sk-clients",
            "STORY": json.dumps({**outcome.story.as_json(), "runs": runs}),
        }
        lines = await lines_of(outcome.client, [*runs], environ, PROGRAM)
        seen = {line["step"]: line for line in lines if "step" in line}
        lost = {"error": f"the program ended before this; see {outcome.client.name}.log"}
        return {name: seen.get(name, lost) for name in runs}


def talks(client: Client) -> bool:
    """Whether the client has a program of talks."""
    return any((PROGRAMS / client.name).glob(f"{PROGRAM}.*"))


async def tooling_pass(outcomes: Sequence[Outcome], folder: Path) -> None:
    """Every talk in every way of every client that has the program."""
    names = {tool.name for tool in offered(None)}
    async with (
        ToolUpstream() as upstream,
        Elsewhere() as elsewhere,
        served(folder / "serve-tools", upstream.base_url, tools__inject="true") as url,
    ):
        talker = Talker(url, elsewhere.environ)
        for outcome in outcomes:
            upstream.received = []
            await post(url, "/v1/memories/", told(outcome.story))
            seen = await talker.talk(outcome)
            kept = [json.dumps(vars(each)) for each in upstream.received]
            (LOGS / f"{outcome.client.name}.tools.jsonl").write_text("\n".join(kept) + "\n")
            for run in RUNS:
                wrong = problem(run, seen[run.name], outcome.story, upstream.received, names)
                outcome.note(f"tools: {run.name}", wrong)
