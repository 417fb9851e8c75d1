"""Commands that are made from the table of operations: an action for each operation of a part.

An action takes what its operation takes: what is needed stands behind it, everything else is a
flag. It asks the proxy that runs, and otherwise opens the files itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args, get_origin
from urllib.parse import quote, urlencode

from .api_client import (
    TIMEOUT_SECONDS,
    ProxyRefusedError,
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    nowhere_to_keep,
    other_tenants,
    scope_of,
    why_not_asked,
)
from .terminal import confirmed, plain, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.operations.declaring import Declared

    from .arguments import CommandLine
    from .base import Commands

STDIN = "-"
Lines = Callable[[Any], Iterable[str]]
"""The lines that a person reads of an answer, or of each of its results."""
Ended = Callable[[Sequence[Any], argparse.Namespace], tuple[str, int]]


@dataclass(frozen=True, kw_only=True)
class PartCommand:
    """A command with the operations of one part of the library."""

    part: str
    help: str
    noun: str
    """What there is none of, where nothing is found."""
    none: Mapping[str, str] = field(default_factory=dict)
    """Of methods that say it in other words."""
    only: Collection[str] = ()
    """The methods that have actions; none: all of the part."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Names of actions that differ from those of the methods."""
    lines: Mapping[str, Lines] = field(default_factory=dict)
    """By the names of the methods; others show each key with its value."""
    before: Mapping[str, Callable[[Settings, Any], None]] = field(default_factory=dict)
    """What is done with an engine that was opened for a method."""
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is said of a method's fields at a terminal, if nothing is said."""
    ended: Mapping[str, Ended] = field(default_factory=dict)
    """By the names of the methods: a last sentence, and the exit status."""

    def add_parser(self, commands: Commands, shared: argparse.ArgumentParser) -> None:
        """Register the command; its actions are made when somebody looks at them."""
        parser = cast("CommandLine", commands.add_parser(self.part, help=self.help))
        parser.filled_by(lambda: self._fill(parser, shared))

    def run(self, settings: Settings, options: argparse.Namespace) -> int:
        """Ask the proxy or open the files, and show the answer; 1 if there is nothing."""
        from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

        [asked] = [each for each in self._operations() if self._word(each) == options.action]
        tenant = options.tenant or settings.identity.tenant
        if asked.declared.sure and not options.yes and not _agreed(asked.declared.sure, options):
            say("recollect: nothing was done; without a terminal, say --yes")
            return 2
        try:
            answer = self._answer(settings, asked, options, tenant)
        except ScopeError:
            say("recollect: no scope given: use --user, --agent or --run")
            return 2
        except InvalidInputError as error:
            say(f"recollect: {error}")
            return 2
        except (RecollectError, ProxyRefusedError) as error:
            say(f"recollect: {error}{why_not_asked(settings, tenant)}")
            return 1
        return self._show(settings, asked, options, answer)

    def _show(
        self,
        settings: Settings,
        asked: Declared,
        options: argparse.Namespace,
        answer: Mapping[str, Any],
    ) -> int:
        rows = answer.get("results", [answer])
        if not rows:
            scope = named(scope_of(settings, options))
            none = self.none.get(asked.word, f"no {self.noun}")
            say(f"recollect: {none} ({scope}){other_tenants(settings, options)}")
            return 1
        told = _as_json if options.json else self.lines.get(asked.word, _by_key)
        for line in (line for row in rows for line in told(row)):
            show(line)
        if "next" in answer:
            say(f"there is more: --cursor {answer['next']}")
        last, status = self.ended.get(asked.word, _done)(rows, options)
        if last and not options.json:
            say(last)
        return status

    def _operations(self) -> list[Declared]:
        from recollect.memory.api.table import table

        mine = [
            each
            for each in table()
            if each.part == self.part and (not self.only or each.word in self.only)
        ]
        # Of a method with several ways the first.
        return list({each.word: each for each in reversed(mine)}.values())[::-1]

    def _word(self, asked: Declared) -> str:
        return self.called.get(asked.word, asked.word)

    def _fill(self, parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        self.add_actions(actions, shared)

    def add_actions(self, actions: Commands, shared: argparse.ArgumentParser) -> None:
        """Register the actions beside others."""
        for each in self._operations():
            summary = _in_help(each.summary)
            action = actions.add_parser(self._word(each), parents=[shared], help=summary)
            add_scope_to(action)
            action.add_argument("--json", action="store_true", help="print JSON")
            for name, (kind, default) in each.fields.items():
                _add(action, name, kind, default, text=name in each.texts)
            if each.declared.sure:
                action.add_argument("--yes", action="store_true", help="do not ask")

    def _answer(
        self, settings: Settings, asked: Declared, options: argparse.Namespace, tenant: str
    ) -> Any:
        given = {name: getattr(options, name) for name in asked.fields}
        given |= {
            name: said
            for name, said in self.defaults.get(asked.word, {}).items()
            if given[name] is None
        }
        values = {
            name: sys.stdin.read().rstrip("\n") if said == STDIN and name in asked.texts else said
            for name, said in given.items()
            if said is not None
        }
        ids = _ids(settings, asked, options)
        wait = float(values.get("wait", 0))
        if wait and not values.get("dry_run"):
            what = values.get("kind", asked.word)
            say(f"{what} for {named(scope_of(settings, options))}, up to {wait:g} s ...")
        answer = ask(
            settings, tenant, *_request(asked, values | ids), seconds=TIMEOUT_SECONDS + wait
        )
        if answer is None:
            answer = asyncio.run(self._look(settings, asked, values | ids, tenant))
        return answer

    async def _look(
        self, settings: Settings, asked: Declared, values: Mapping[str, Any], tenant: str
    ) -> Any:
        """Open the parts and answer in this process. Raises RecollectError."""
        from recollect.memory import AsyncMemory
        from recollect.memory.engine.engine import Engine
        from recollect.memory.model.errors import StoreError

        if missing := nowhere_to_keep(settings) if asked.makes else nothing_to_open(settings):
            raise StoreError(missing)
        async with Engine.open(settings) as engine:
            if (prepare := self.before.get(asked.word)) is not None:
                prepare(settings, engine)
            return await asked.call(AsyncMemory(engine, tenant=tenant), values)


def _ids(settings: Settings, asked: Declared, options: argparse.Namespace) -> dict[str, str]:
    """The ids of the scope; none where an id is enough and nobody said whose it is."""
    if not asked.has_scope:
        return {}
    if asked.declared.by_id and (options.user, options.agent, options.run) == (None, None, None):
        return {}
    return scope_of(settings, options).ids()


def _request(asked: Declared, values: Mapping[str, Any]) -> tuple[str, str, Any]:
    """The path, the method and the body that say it over REST."""
    operation, left = asked.operation, asked.named(values)
    path = operation.path
    for name in operation.parameters:
        path = path.replace(f"{{{name}}}", quote(left.pop(name), safe="", errors="replace"))
    if operation.body is not None:
        return path, operation.method, left
    texts = {
        name: said if isinstance(said, str) else json.dumps(said) for name, said in left.items()
    }
    return f"{path}?{urlencode(texts, errors='replace')}", operation.method, None


def _agreed(question: str, options: argparse.Namespace) -> bool:
    return confirmed(question.format_map(vars(options)))


def _add(
    action: argparse.ArgumentParser, name: str, kind: Any, default: Any, *, text: bool
) -> None:
    """Register what an operation takes: behind the action if it is needed, else as a flag."""
    kind, described = _taken_apart(kind)
    needed = default is ...
    summary = _in_help(described)
    if not needed and default not in (None, "", False):
        summary += f" (default: {'yes' if default is True else default})"
    more: dict[str, Any] = {"metavar": name.upper() if needed else "TEXT", "help": summary}
    if kind is bool and default is False:
        more = {"action": "store_true", "default": None, "help": summary}
    elif kind is bool:
        more = {"action": argparse.BooleanOptionalAction, "default": None, "help": summary}
    elif kind in (int, float):
        more |= {"type": kind, "metavar": "N"}
    elif get_origin(kind) is Literal:
        more |= {"choices": get_args(kind), "metavar": name.upper() if needed else None}
    elif get_origin(kind) is list:
        more |= {"nargs": "+"}
    elif get_origin(kind) is dict:
        more |= {"action": _Pairs, "nargs": "+", "metavar": "NAME=VALUE"}
    elif isinstance(kind, type) and issubclass(kind, Enum):
        more |= {"choices": [each.value for each in kind], "metavar": None}
    elif needed and text:
        more["help"] = f"{summary}; {STDIN} reads it from stdin"
    action.add_argument(name if needed else f"--{name.replace('_', '-')}", **more)


def _taken_apart(kind: Any) -> tuple[Any, str]:
    """The type without None, and what is said of it."""
    described = ""
    while True:
        if get_origin(kind) is Annotated:
            kind, *marks = get_args(kind)
            described = described or next(filter(None, map(_description, marks)), "")
        elif type(None) in get_args(kind):
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
    return (text[0].lower() + text[1:]).rstrip(".").replace("`", "").replace("%", "%%")


def _done(_rows: Sequence[Any], _options: argparse.Namespace) -> tuple[str, int]:
    return "", 0


def _as_json(row: Any) -> Iterable[str]:
    yield json.dumps(row, ensure_ascii=False)


def _by_key(row: Mapping[str, Any]) -> Iterable[str]:
    return (f"{name}: {plain(str(value))}" for name, value in row.items())
