"""Other people's clients, unmodified, through Recollect: `python -m tests.clients.run [NAME...]`.

Each client tells a fact in one process and is asked about it in another, in every way it offers:
streamed, with a tool, with a schema, by chat completions and by responses. The upstream knows the
fact from memory only. A second pass asks a real llama.cpp server, a third one a model that finds the
fact by a tool that the proxy injects. The programs of `examples/` are run last, or alone as the name
`examples`; then an older client of MCP, alone as `mcp_python_1`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.clients.checks import (
    Story,
    answer_problem,
    not_learned,
    problem,
    real_problem,
    requests_of,
)
from tests.clients.elsewhere import Elsewhere
from tests.clients.environments import (
    MCP_BEFORE,
    Client,
    InstallError,
    clients,
    command_of,
    python_of,
)
from tests.clients.examples import NAME as EXAMPLES
from tests.clients.examples import examples_pass, install_all
from tests.clients.mcp_before import NAME as MCP
from tests.clients.mcp_before import mcp_pass
from tests.clients.mem0 import mem0_pass
from tests.clients.running import Outcome, lines_of
from tests.clients.serving import LOGS, post, served
from tests.clients.upstream import Received, ScriptedUpstream, ToolUpstream, fact_of
from tests.support.llama import LlamaServer
from tests.support.recorder import Recorder

FIRST = "told"
OTHERS = (EXAMPLES, MCP)
"""What is no client of a model server, by the names for the command line."""
REAL_STEPS = frozenset({"asked", "streamed"})
TOOL_STEPS = REAL_STEPS | {"chat", "chat_streamed", "responses", "responses_streamed"}
"""Those whose answer is a text and nothing else."""
LONGEST_REAL_ANSWER = 32


class Runner:
    """Runs programs of clients against one address; what they print is kept in `LOGS`."""

    def __init__(self, url: str, elsewhere: Elsewhere) -> None:
        self._url = url
        self._elsewhere = elsewhere

    async def do(self, outcome: Outcome, *steps: str) -> list[dict[str, Any]]:
        """What the client saw in each step; one that it did not reach has an error."""
        lines = await self._run(outcome, steps)
        outcome.steps = next((line["steps"] for line in lines if "steps" in line), ())
        seen = {line["step"]: line for line in lines if "step" in line}
        lost = {"error": f"the program ended before this step; see {outcome.client.name}.log"}
        return [seen.get(step, {"step": step, **lost}) for step in steps]

    async def _run(self, outcome: Outcome, steps: Sequence[str]) -> list[dict[str, Any]]:
        environ = self._elsewhere.environ | {
            "OPENAI_BASE_URL": f"{self._url}/v1",
            "OPENAI_API_KEY": "sk-clients",
            "STORY": json.dumps(outcome.story.as_json()),
        }
        return await lines_of(outcome.client, steps, environ)


async def scripted_pass(outcomes: Sequence[Outcome], folder: Path) -> None:
    """Every step of every client, in front of the scripted upstream."""
    async with (
        ScriptedUpstream() as upstream,
        Elsewhere() as elsewhere,
        served(folder / "serve", upstream.base_url) as url,
    ):
        runner = Runner(url, elsewhere)
        for outcome in outcomes:
            story = outcome.story
            elsewhere.hosts, upstream.received = [], []
            seen = await runner.do(outcome, FIRST)
            await post(url, "/v1/memories/flush", {"user_id": story.told_by})
            seen += await runner.do(outcome, *(s for s in outcome.steps if s != FIRST))
            _keep(outcome.client, upstream.received)
            for each in seen:
                requests = requests_of(each["step"], story, upstream.received)
                paths = ", ".join(dict.fromkeys(request.path for request in requests))
                outcome.note(each["step"], problem(each["step"], each, story, requests), paths)
            outcome.note("learned", not_learned(story, upstream.received))
            if hosts := ", ".join(sorted(set(elsewhere.hosts))):
                print(f"{outcome.client.name:15} also calls {hosts}", flush=True)


async def real_pass(outcomes: Sequence[Outcome], folder: Path) -> None:
    """A few steps in front of a llama.cpp server, with a fact from the memory API."""
    with LlamaServer(longest_answer=LONGEST_REAL_ANSWER) as llama:
        async with (
            Recorder(llama.base_url) as recorder,
            Elsewhere() as elsewhere,
            served(folder / "serve-llama", recorder.base_url) as url,
        ):
            runner = Runner(url, elsewhere)
            for outcome in outcomes:
                story = outcome.story
                await post(url, "/v1/memories/", told(story))
                before = len(recorder.bodies)
                steps = [step for step in outcome.steps if step in REAL_STEPS]
                seen = await runner.do(outcome, *steps)
                received = [Received("", {}, body) for body in recorder.bodies[before:]]
                for each in seen:
                    requests = requests_of(each["step"], story, received)
                    noted = real_problem(each, story, requests)
                    outcome.note(f"{each['step']} (llama.cpp)", noted)


async def tools_pass(outcomes: Sequence[Outcome], folder: Path) -> None:
    """The steps that end with a text: the proxy gives the model its tools and answers their calls."""
    async with (
        ToolUpstream() as upstream,
        Elsewhere() as elsewhere,
        served(folder / "serve-tools", upstream.base_url, tools__inject="true") as url,
    ):
        runner = Runner(url, elsewhere)
        for outcome in outcomes:
            await post(url, "/v1/memories/", told(outcome.story))
            seen = await runner.do(outcome, *(s for s in outcome.steps if s in TOOL_STEPS))
            for each in seen:
                outcome.note(f"{each['step']} (tools)", answer_problem(each, outcome.story))


def told(story: Story) -> dict[str, Any]:
    """The fact, for the memory API."""
    return {"messages": fact_of(story.number), "user_id": story.told_by, "infer": False}


def _keep(client: Client, received: Sequence[Received]) -> None:
    """Write down what the upstream got, for reading after a failure."""
    lines = [json.dumps(vars(each)) for each in received]
    (LOGS / f"{client.name}.requests.jsonl").write_text("\n".join(lines) + "\n")


def chosen(names: Sequence[str]) -> list[Outcome]:
    """The clients that are named, or all, each with a number of its own to remember."""
    known = {client.name: client for client in clients()}
    if unknown := set(names) - {*known, *OTHERS}:
        there = ", ".join([*known, *OTHERS])
        raise SystemExit(f"no client {', '.join(sorted(unknown))}; there are {there}")
    numbered = enumerate(known.values(), 4711)
    return [Outcome(c, Story(c.name, n)) for n, c in numbered if not names or c.name in names]


async def main() -> int:
    """Install, run, print; the exit status."""
    parser = argparse.ArgumentParser(description="Run unmodified clients through Recollect.")
    parser.add_argument("client", nargs="*", help="only these")
    names = parser.parse_args().client
    outcomes = chosen(names)
    with_examples, with_mcp = (not names or each in names for each in OTHERS)
    LOGS.mkdir(parents=True, exist_ok=True)
    for path in LOGS.iterdir():
        path.unlink()
    try:
        for outcome in outcomes:
            command_of(outcome.client)
        if with_examples:
            install_all()
        if with_mcp:
            python_of(MCP_BEFORE)
    except InstallError as error:
        raise SystemExit(str(error)) from error
    with tempfile.TemporaryDirectory(prefix="recollect-clients-") as name:
        chats = [outcome for outcome in outcomes if not outcome.client.is_of_memory]
        if chats:
            await scripted_pass(chats, Path(name))
            await real_pass(chats, Path(name))
            await tools_pass(chats, Path(name))
        if len(chats) < len(outcomes):
            await mem0_pass([each for each in outcomes if each not in chats], Path(name))
        failed = await examples_pass(Path(name)) if with_examples else []
        failed += await mcp_pass(Path(name)) if with_mcp else []
    checks = sum(outcome.checks for outcome in outcomes)
    print(f"{len(outcomes)} clients, {checks} checks; what they said is in .clients/logs")
    failed += [f"{each.client.name} ({', '.join(each.failed)})" for each in outcomes if each.failed]
    if failed:
        print(f"failed: {'; '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    # Ended from outside, it still ends what it has started.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    sys.exit(asyncio.run(main()))
