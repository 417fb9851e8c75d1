"""Commands that are made from the table of operations: an action for each operation of a part.

An action takes what its operation takes: what is needed stands behind it, everything else is a
flag. It asks the proxy that runs, and otherwise opens the files itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin
from urllib.parse import quote, urlencode

from .api_client import (
    TIMEOUT_SECONDS,
    Prepare,
    add_scope_to,
    ask,
    named,
    opened,
    other_tenants,
    scope_of,
)
from .shapes import Lines, by_key
from .terminal import confirm, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.operations.declaring import Declared

    from .arguments import Actions, CommandLine

PREFIX = "/v1/memories"
STDIN = "-"
Sent = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Ended = Callable[[Sequence[Any], argparse.Namespace, Any], tuple[str, int]]
"""A last sentence and the exit status, of the rows, what was said, and the whole answer."""


@dataclass(frozen=True, kw_only=True)
class PartCommand:
    """A command with the operations of one part of the library."""

    part: str
    noun: str = "results"
    """What there is none of, where nothing is found."""
    none: Mapping[str, str | Callable[[Any], str]] = field(default_factory=dict)
    """Of methods that say it in other words, or tell it from the answer."""
    only: Sequence[str] = ()
    """The methods that have actions; none: all of the part."""
    by_id: bool = False
    """Whether each method about what an id names has one, too."""
    everybody: Collection[str] = ()
    """Methods that are about the whole tenant if nobody is named."""
    makes: Collection[str] = ()
    """Methods that make something new, where nothing may be yet."""
    alone: bool = False
    """Whether the one method is the command itself."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Names of actions that differ from those of the methods."""
    lines: Mapping[str, Lines] = field(default_factory=dict)
    """By the names of the methods; others show each key with its value."""
    rows: Mapping[str, Callable[[Any], Sequence[Any]]] = field(default_factory=dict)
    """What is shown of an answer, where it is not in `results`; if nothing, that is told."""
    clears: Collection[str] = ()
    """Methods that may leave nothing: that is no failure."""
    before: Mapping[str, Prepare] = field(default_factory=dict)
    """What is done with an engine that was opened for a method."""
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is said of a method's fields at a terminal, if nothing is said."""
    sent: Mapping[str, Sent] = field(default_factory=dict)
    """What a proxy is sent of the values, where it takes them otherwise."""
    behind: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Fields that stand behind an action although they may be left out."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long a proxy may take for a method, if it is longer than for others."""
    ended: Mapping[str, Ended] = field(default_factory=dict)

    def fill(self, parser: CommandLine) -> None:
        """Add an action for each operation, or what the one operation takes."""
        if self.alone:
            self._fill(parser, self._operations()[0])
        else:
            self.add_actions(parser.actions())

    def add_actions(self, actions: Actions) -> None:
        """Register the actions beside others."""
        for each in self._operations():
            self._fill(actions.add_parser(self._word(each), help=_in_help(each.summary)), each)

    def _fill(self, action: argparse.ArgumentParser, asked: Declared) -> None:
        usual = self.defaults.get(asked.word, {})
        add_scope_to(action, ids=asked.has_scope)
        action.add_argument("--json", action="store_true", help="print JSON")
        for name, (kind, default) in asked.fields.items():
            behind = name in self.behind.get(asked.word, ())
            text = name in asked.texts
            _add(action, name, kind, usual.get(name, default), text=text, behind=behind)
        if asked.declared.sure:
            action.add_argument("--yes", action="store_true", help="do not ask")

    def _operations(self) -> list[Declared]:
        mine = [each for each in table() if each.part == self.part]
        more = [each.word for each in mine if each.declared.by_id or not self.only]
        words = dict.fromkeys([*self.only, *(more if self.by_id or not self.only else ())])
        return [operation_of(self.part, word) for word in words]

    def _word(self, asked: Declared) -> str:
        return self.called.get(asked.word, asked.word)

    def run(self, settings: Settings, options: argparse.Namespace) -> int:
        """Ask the proxy or open the files, and show the answer; 1 if there is nothing."""
        action = options.action if not self.alone else None
        [asked] = [each for each in self._operations() if action in (None, self._word(each))]
        question = asked.declared.sure
        if question and not options.yes:
            confirm(question.format_map(vars(options)), "nothing was done")
        return self._show(settings, asked, options, self._answer(settings, asked, options))

    def _answer(self, settings: Settings, asked: Declared, options: argparse.Namespace) -> Any:
        given = {name: getattr(options, name) for name in asked.fields}
        values = {
            **self.defaults.get(asked.word, {}),
            **{name: said for name, said in given.items() if said is not None},
        }
        for name in asked.texts:
            if values.get(name) == STDIN:
                values[name] = sys.stdin.read().rstrip("\n")
        wait = float(values.get("wait") or 0)
        if wait and not values.get("dry_run"):
            what = values.get("kind", asked.word)
            say(f"{what} for {named(scope_of(settings, options))}, up to {wait:g} s ...")
        values |= _ids(settings, asked, options, self.everybody)
        tenant = options.tenant or settings.identity.tenant
        seconds = self.seconds.get(asked.word, TIMEOUT_SECONDS) + wait
        sent = self.sent[asked.word](values) if asked.word in self.sent else values
        answer = ask(settings, tenant, *request_of(asked, sent), seconds=seconds)
        if answer is None:
            answer = asyncio.run(self._look(settings, asked, values, tenant))
        return answer

    async def _look(
        self, settings: Settings, asked: Declared, values: Mapping[str, Any], tenant: str
    ) -> Any:
        makes, prepare = asked.word in self.makes, self.before.get(asked.word)
        async with opened(settings, tenant, makes=makes, prepare=prepare) as memory:
            return await asked.call(memory, values)

    def _show(
        self, settings: Settings, asked: Declared, options: argparse.Namespace, answer: Any
    ) -> int:
        rows = self.rows.get(asked.word, _results)(answer)
        if not rows:
            none = self.none.get(asked.word, f"no {self.noun}")
            none = none if isinstance(none, str) else none(answer)
            whose = f" ({self._whose(settings, asked, options)})"
            say(f"recollect: {none}{whose}{other_tenants(settings, options)}")
            return int(asked.word not in self.clears)
        if options.json:
            for row in [answer] if isinstance(answer, list) else rows:
                show(json.dumps(row, ensure_ascii=False))
        else:
            for line in self.lines.get(asked.word, by_key)(rows):
                show(line)
        _tell_of_more(answer, options, len(rows))
        last, status = self.ended.get(asked.word, _done)(rows, options, answer)
        if last and not options.json:
            say(last)
        return status

    def _whose(self, settings: Settings, asked: Declared, options: argparse.Namespace) -> str:
        if _ids(settings, asked, options, self.everybody):
            return named(scope_of(settings, options))
        return f"tenant {options.tenant or settings.identity.tenant}"


@cache
def table() -> tuple[Declared, ...]:
    """The table of operations, with those that servers take otherwise; loads the engine."""
    from recollect.memory.api.calls.overseeing import OverseeingCalls
    from recollect.memory.api.calls.removing import RemovingCalls
    from recollect.memory.api.table import table
    from recollect.memory.operations.declaring import Declaration, Declared

    forget = Declaration(
        http=f"POST {PREFIX}/forget",
        id="forget",
        by_id=True,
        record={},
        sure="Erase {memory_id} and the turns it was learned from, everywhere?",
    )
    stats = Declaration(http=f"GET {PREFIX}/stats", id="stats", record={})
    return (
        *table(),
        Declared(part="", method=RemovingCalls.forget, declared=forget),
        Declared(part="", method=OverseeingCalls.stats, declared=stats),
    )


def operation_of(part: str, word: str) -> Declared:
    """The operation of a method; of one with several ways the first."""
    return next(each for each in table() if (each.part, each.word) == (part, word))


def _ids(
    settings: Settings, asked: Declared, options: argparse.Namespace, everybody: Collection[str]
) -> dict[str, str]:
    """The ids of the scope; none where an id is enough and nobody said whose it is."""
    if not asked.has_scope:
        return {}
    anybody = (options.user, options.agent, options.run) == (None, None, None)
    if anybody and (asked.declared.by_id or asked.word in everybody):
        return {}
    return scope_of(settings, options).ids()


def request_of(asked: Declared, values: Mapping[str, Any]) -> tuple[str, str, Any]:
    """The path, the method and the body that say it over REST."""
    operation, left = asked.operation, asked.named(values)
    path = operation.path
    for name in operation.parameters:
        path = path.replace(f"{{{name}}}", quote(left.pop(name), safe="", errors="replace"))
    if operation.body is not None:
        return path, operation.method, left
    texts = {name: _in_query(said) for name, said in left.items()}
    query = f"?{urlencode(texts, errors='replace')}" if texts else ""
    return path + query, operation.method, None


def _in_query(said: Any) -> str:
    if isinstance(said, str):
        return said
    return ",".join(said) if isinstance(said, list) else json.dumps(said)


def _add(
    action: argparse.ArgumentParser,
    name: str,
    kind: Any,
    default: Any,
    *,
    text: bool,
    behind: bool,
) -> None:
    """Register what an operation takes: behind the action if it is needed, else as a flag."""
    kind, described = _taken_apart(kind)
    needed = default is ...
    placed = needed or behind
    summary = _in_help(described)
    if not needed and default not in (None, "", False, (), []):
        summary += f" (default: {'yes' if default is True else default})"
    more: dict[str, Any] = {"metavar": name.upper() if placed else "TEXT"}
    if kind is bool and default is False:
        more = {"action": "store_true", "default": None}
    elif kind is bool:
        more = {"action": argparse.BooleanOptionalAction, "default": None}
    else:
        more |= _taking(kind, name, placed=placed)
        more |= {"nargs": "?"} if behind else {}
        if placed and text and summary and "type" not in more:
            summary += f"; {STDIN} reads it from stdin"
    action.add_argument(name if placed else f"--{name.replace('_', '-')}", **more, help=summary)


def _taking(kind: Any, name: str, *, placed: bool) -> dict[str, Any]:
    """How argparse is told of a type."""
    shown = name.upper() if placed else None
    if kind in (int, float):
        return {"type": kind, "metavar": "N"}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind), "metavar": shown}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"choices": [each.value for each in kind], "metavar": shown}
    if get_origin(kind) in (list, Sequence):
        one, _ = _taken_apart(get_args(kind)[0])
        return {"nargs": "+"} | _taking(one, name, placed=placed)
    if kind == dict[str, str]:
        return {"action": _Pairs, "nargs": "+", "metavar": "NAME=VALUE"}
    if placed or kind in (str, Any):
        return {}
    return {"type": _json, "metavar": "JSON"}


def _json(text: str) -> Any:
    """What has no flags of its own. argparse tells the error with its argument."""
    try:
        return json.loads(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected JSON, not {text!r}") from None


def _taken_apart(kind: Any) -> tuple[Any, str]:
    """The type without None, and what is said of it."""
    described = ""
    while True:
        if get_origin(kind) is Annotated:
            kind, *marks = get_args(kind)
            described = described or next(filter(None, map(_description, marks)), "")
        elif type(None) in get_args(kind) and len(get_args(kind)) == 2:  # noqa: PLR2004 - or None
            [kind] = [each for each in get_args(kind) if each is not type(None)]
        else:
            return kind, described


def _description(mark: Any) -> str:
    return getattr(mark, "description", None) or ""


class _Pairs(argparse.Action):
    """Reads words such as `user_id=ada` as an object."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        del option_string
        if wrong := [each for each in values if "=" not in each]:
            parser.error(f"argument {self.dest}: expected NAME=VALUE, not {wrong[0]!r}")
        setattr(namespace, self.dest, dict(each.split("=", 1) for each in values))


def _in_help(text: str) -> str:
    """A sentence as the help of an argument has it."""
    return (text[:1].lower() + text[1:]).rstrip(".").replace("`", "").replace("%", "%%")


def _results(answer: Any) -> Sequence[Any]:
    if isinstance(answer, list):
        return answer
    found: Sequence[Any] = answer.get("results", [answer])
    return found


def _done(_rows: Sequence[Any], _options: argparse.Namespace, _answer: Any) -> tuple[str, int]:
    return "", 0


def _tell_of_more(answer: Any, options: argparse.Namespace, shown: int) -> None:
    """How the next page is asked for, if there is one."""
    if not isinstance(answer, Mapping):
        return
    if answer.get("next"):
        say(f"there is more: --cursor {answer['next']}")
    elif "offset" in vars(options):
        after = (options.offset or 0) + shown
        if answer.get("more") or answer.get("count", 0) > after:
            say(f"there is more: --offset {after}")
