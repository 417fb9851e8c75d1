"""Runs the programs of `examples/` as they are, and judges what they and the model server saw."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.clients.elsewhere import Elsewhere
from tests.clients.environments import ENVIRONMENTS, PROGRAMS, ROOT, Client, command_of, node
from tests.clients.running import printed_by
from tests.clients.serving import LOGS, clean_environ, served
from tests.clients.upstream import Received, ScriptedUpstream

NAME = "examples"
"""What the examples are called beside the clients."""
FOLDER = ROOT / "examples"
TOLD = "My budget for the Lisbon offsite is 4,000 euros."
ASKED = "What may the offsite cost?"
"""What every example says, in two conversations; so does the README."""
FACT = "4,000 euros"
INJECTED = "x-recollect-memory: injected"


@dataclass(frozen=True)
class Example:
    """A program, and the client whose environment it runs in."""

    file: str
    client: str = ""

    @property
    def path(self) -> Path:
        return FOLDER / self.file


EXAMPLES = (
    Example("curl.sh"),
    Example("langchain_chat.py", "langchain"),
    Example("openai_node.mjs", "openai_node"),
    Example("openai_python.py", "openai_python"),
)
"""Every program of the folder; tests/examples checks what else is there."""


def install_all() -> None:
    """Make the environments of all examples.

    Raises:
        InstallError: one cannot be made.
    """
    for example in EXAMPLES:
        command_for(example)


def command_for(example: Example) -> list[str]:
    """How an example is started; the environment of its client is made if need be.

    Raises:
        InstallError: it cannot be made.
    """
    if not example.client:
        return ["sh", str(example.path)]
    client = Client(PROGRAMS / example.client)
    python = command_of(client)[0]
    if not client.is_node:
        return [python, str(example.path)]
    # Node looks for packages beside a program's own file.
    copied = shutil.copy(example.path, ENVIRONMENTS / client.name)
    return [str(node()), copied]


async def output_of(command: Sequence[str], base_url: str, more: Mapping[str, str]) -> str:
    """What a program prints, with the two variables that an example needs."""
    own = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "sk-examples"}
    return await printed_by(command, clean_environ() | more | own)


def problem(printed: str, received: Sequence[Received]) -> str:
    """What is wrong with a run; "" if it told, asked, was remembered and showed it."""
    chats = [each for each in received if not each.is_learning]
    # Memories may stand before what the user said.
    said = [text for each in chats for text in (TOLD, ASKED) if each.said.endswith(text)]
    if said != [TOLD, ASKED] or len(chats) != len(said):
        return f"the upstream received {[each.said for each in chats]}\n{printed}"
    if FACT not in json.dumps(chats[-1].body):
        return f"the second request has no memory in it\n{printed}"
    shown = [line.strip().lower() for line in printed.splitlines()]
    if shown.count(INJECTED) != 1:
        return f"the program does not show the outcome once\n{printed}"
    return ""


async def examples_pass(folder: Path) -> list[str]:
    """Run each with an empty data folder; the names of those that failed."""
    failed = []
    for example in EXAMPLES:
        command = command_for(example)
        async with (
            ScriptedUpstream() as upstream,
            Elsewhere() as elsewhere,
            served(folder / f"serve-{example.file}", upstream.base_url) as url,
        ):
            printed = await output_of(command, f"{url}/v1", elsewhere.environ)
            wrong = problem(printed, upstream.received)
        (LOGS / f"{example.file}.log").write_text(printed)
        print(f"{NAME}/{example.file:20} {'FAILED' if wrong else 'ok'}", flush=True)
        if wrong:
            failed.append(f"{NAME}/{example.file}")
            print("    " + "\n    ".join(wrong.splitlines()[-12:]), file=sys.stderr, flush=True)
    return failed
