"""`recollect whatif`: which memory changed the answer of the model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .api_client import add_scope_to, ask, no_proxy, scope_of
from .base import CommandError
from .model_key import add_key_to, key_of
from .terminal import folded, say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DESCRIPTION = """\
Ask the model MESSAGE with all memories that a chat would be given, once more with them, and once
without each, at temperature 0. Each of these is a real request that costs what a chat costs, so
--max-calls says how many are allowed. Nothing is learned. It needs a running proxy."""
KEY_HEADER = "x-recollect-upstream-key"
_SECONDS = 120
_TOKENS = 256
_ASKED = ("model", "max_calls", "max_tokens", "seconds")
_GRACE = 10.0
"""Seconds of the proxy for what is not an answer of the model."""
_ANSWER = "    "


def fill(parser: CommandLine) -> None:
    """Register ``whatif``."""
    parser.description = DESCRIPTION
    add_scope_to(parser)
    parser.add_argument("--model", required=True, metavar="M", help="the model that is asked")
    parser.add_argument(
        "--max-calls", type=int, required=True, metavar="N", help="most requests, from 2 to 16"
    )
    parser.add_argument(
        "--max-tokens", type=int, default=_TOKENS, metavar="N", help=f"of an answer ({_TOKENS})"
    )
    parser.add_argument(
        "--seconds", type=int, default=_SECONDS, metavar="N", help=f"for all ({_SECONDS})"
    )
    add_key_to(parser)
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    parser.add_argument("query", metavar="MESSAGE", help="the message")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy and show the answers; 1 if it could not, or no memory was recalled."""
    scope, key = scope_of(settings, options), key_of(options)
    asked = {name: getattr(options, name) for name in _ASKED}
    messages = [{"role": "user", "content": options.query.encode("utf-8", "replace").decode()}]
    say(f"asking {options.model} up to {options.max_calls} times")
    answer = ask(
        settings,
        scope.tenant,
        "/v1/memories/whatif",
        "POST",
        {"messages": messages, **asked, **scope.ids()},
        also={KEY_HEADER: key} if key else None,
        seconds=options.seconds + _GRACE,
    )
    if answer is None:
        raise CommandError(no_proxy(settings, scope.tenant))
    show(json.dumps(answer, ensure_ascii=False) if options.json else render(answer))
    return 0 if answer["again"] or answer["without"] or answer["not_tried"] else 1


def render(answer: Mapping[str, Any], room: int | None = None) -> str:
    """The answers, most changed first, and what they cost. Pure if `room` is given."""
    wide = room or width()
    lines = ["With all memories:", *folded(answer["base"], wide, _ANSWER), ""]
    for one in answer["without"]:
        lines += folded(f"Without \u201c{one['memory']}\u201d ({one['memory_id']}):", wide)
        said = "the same answer" if one["same"] else one["answer"]
        lines += [*folded(said, wide, _ANSWER), f"{_ANSWER}({one['distance']:.0%} other)", ""]
    for one in answer["not_tried"]:
        lines += folded(f"Not tried without \u201c{one['memory']}\u201d: {one['why']}", wide)
    cost = f"{answer['calls']} requests, {answer['tokens']:,} tokens"
    return "\n".join([*lines, *folded(_verdict(answer), wide), cost])


def _verdict(answer: Mapping[str, Any]) -> str:
    if not (answer["without"] or answer["not_tried"]):
        return f"Nothing was recalled ({answer['reason']}): there is nothing to leave out."
    changed = sum(not one["same"] for one in answer["without"])
    told = f"{changed} of {len(answer['without'])} memories changed the answer."
    if answer["steady"] is False:
        apart = f"{answer['again']['distance']:.0%}"
        told += f" The same request twice differs by {apart}: smaller differences say nothing."
    return told
