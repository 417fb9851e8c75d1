"""`recollect chat`: talk to the model through the running proxy, and see what was recalled."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .api_client import no_proxy, runs
from .base import CommandError
from .model_key import STDIN, add_key_to, key_of
from .terminal import folded, harmless, say, show, width, write

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine
    from .talking import Talk

DESCRIPTION = """\
Talk to the model behind the running proxy, as any OpenAI client does. After each answer, stderr
says which memories the model was given, and why, or why none. Without MESSAGE it reads messages
line by line until the end of the input (Ctrl-D)."""
_PROMPT = "> "


def fill(parser: CommandLine) -> None:
    """Register ``chat``."""
    parser.description = DESCRIPTION
    parser.add_argument(
        "--user", metavar="U", help="who talks (default: the user of a chat that names none)"
    )
    parser.add_argument("--model", metavar="M", help="the model (default: the server's first)")
    add_key_to(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per answer")
    parser.add_argument("query", nargs="?", metavar="MESSAGE", help="ask this only")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Talk until the input ends; 1 if a message was not answered, 2 for a wrong call."""
    if options.key_file == STDIN and options.query is None:
        raise CommandError("stdin has the messages: name a file with --key-file", 2)
    key = key_of(options)
    if not runs(settings):
        raise CommandError(no_proxy(settings, settings.identity.tenant))
    # The client takes half a second to load.
    from .talking import Talk

    talk = Talk(settings, user=options.user, model=options.model, key=key)
    for text in _messages(options, talk):
        _say_and_show(talk, text, as_json=options.json)
    return 0


def _messages(options: argparse.Namespace, talk: Talk) -> Iterator[str]:
    """The message of the command line, or the lines of stdin that are not blank."""
    if options.query is not None:
        yield options.query.encode("utf-8", "replace").decode()
        return
    at_terminal = sys.stdin.isatty()
    if at_terminal:
        say(f"talking to {talk.model}; Ctrl-D ends")
    while True:
        if at_terminal:
            print(_PROMPT, end="", file=sys.stderr, flush=True)  # noqa: T201 - a prompt
        if not (line := sys.stdin.readline()):
            return
        if line.strip():
            yield line.strip()


def _say_and_show(talk: Talk, text: str, *, as_json: bool) -> None:
    heard = []
    for piece in talk.ask(text):
        heard.append(piece)
        if not as_json:
            write(harmless(piece))
    told = {"memory": talk.told("memory"), "reason": talk.told("reason")}
    if as_json:
        answer = {"answer": "".join(heard), **told, "recalled": talk.recalled()}
        show(json.dumps(answer, ensure_ascii=False))
        return
    show("")
    say(f"  [memory: {told['memory']} ({told['reason']}), {talk.told('count')} given]")
    for one in talk.recalled():
        say("\n".join(folded(f"- {one.get('memory', one['id'])}", width(), "  ")))
