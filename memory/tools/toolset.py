"""The tools of one scope: a list to show a model, and one way to call them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ..model.errors import InvalidInputError, NotFoundError, RecollectError
from ..operations.tooling import Bound, Tool, ToolArguments
from .rendering import openai_tools, responses_tools

MAX_ARGUMENT_CHARS = 200_000
"""Of the JSON text of a call's arguments."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a call: a value, or an error that says what to do."""

    value: Mapping[str, Any]
    error: str | None = None
    """Why it was refused or failed; None if it succeeded."""

    @property
    def is_error(self) -> bool:
        return self.error is not None

    @property
    def text(self) -> str:
        """The same as compact JSON; an error as ``{"error": ...}``."""
        told = self.value if self.error is None else {"error": self.error}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class ToolSet:
    """Tools that work on one scope only; whatever a call's arguments say."""

    def __init__(self, tools: Sequence[Tool], bound: Bound) -> None:
        self.tools = tuple(tools)
        self._by_name = {tool.name: tool for tool in tools}
        self._bound = bound

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in the order of the table."""
        return tuple(self._by_name)

    def get(self, name: str) -> Tool | None:
        """The tool of this name, if it is offered."""
        return self._by_name.get(name)

    async def call(self, name: str, arguments: Mapping[str, Any] | str) -> ToolAnswer:
        """Run a tool. `arguments` is an object, or its JSON text as models write it.

        An unknown name, wrong arguments, what is not allowed, what is not there and a part that
        fails are answers with an `error`. Raises nothing but cancellation.
        """
        if name not in self._by_name:
            return ToolAnswer(
                {}, f"there is no tool {name!r}; expected one of {', '.join(self.names)}"
            )
        try:
            return ToolAnswer(await self.run(name, arguments))
        except InvalidInputError as error:
            return ToolAnswer({}, str(error))
        except RecollectError as error:
            return ToolAnswer({}, f"{error.code}: {error}")

    async def run(self, name: str, arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
        """The same for a caller that handles errors itself.

        Raises:
            NotFoundError: there is no such tool, or what it is asked about is not there.
            InvalidInputError: an argument is wrong; names it.
            RecollectError: it is not allowed, or a part failed.
        """
        tool = self.get(name)
        if tool is None:
            raise NotFoundError(f"there is no tool {name!r}")
        return await tool.run(self._bound, checked(tool, arguments))

    def openai(self) -> list[dict[str, Any]]:
        """The `tools` of a request to Chat Completions."""
        return openai_tools(self.tools)

    def openai_responses(self) -> list[dict[str, Any]]:
        """The `tools` of a request to Responses."""
        return responses_tools(self.tools)


def checked(tool: Tool, arguments: Mapping[str, Any] | str) -> ToolArguments:
    """The arguments of a call, or their JSON text. Raises InvalidInputError, which names one."""
    try:
        return tool.arguments.model_validate(_object(arguments))
    except ValidationError as error:
        raise _wrong(error) from None


def _object(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    if len(arguments) > MAX_ARGUMENT_CHARS:
        raise InvalidInputError("arguments", f"must have at most {MAX_ARGUMENT_CHARS} characters")
    try:
        # Models write nothing for a call without arguments.
        found = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("arguments", f"is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InvalidInputError("arguments", "expected a JSON object")
    return found


def _wrong(error: ValidationError) -> InvalidInputError:
    """What is wrong with the arguments: the first of them by name, and the others after it."""
    told = [
        (
            ".".join(map(str, each["loc"])) or "arguments",
            "is no argument of this tool" if each["type"] == "extra_forbidden" else each["msg"],
        )
        for each in error.errors(include_url=False, include_input=False)
    ]
    (field, expected), *others = told
    return InvalidInputError(field, "; ".join([expected, *(f"{n}: {why}" for n, why in others)]))
