"""The tools of agents over REST: one operation for each tool of the table, and their list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, cast

from pydantic import AfterValidator, create_model
from typing_extensions import TypedDict

from recollect.config.tools import ToolOptions
from recollect.memory import InvalidInputError, NotFoundError
from recollect.memory.operations.fields import RequestModel, about, judged, needed, storable
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.tools import TOOLS, Tool, ToolDict, ToolGuard, ToolSet, checked, tool_dict

from ..access.rights import Right
from .operations import PREFIX, Operation, handled_in, operation
from .request import ApiRequest, Call

TAG = "tools"
_ARGUMENTS = "What the tool takes; the scope is never an argument."


class ToolResults(TypedDict):
    """The tools that agents are offered, in the order of the table."""

    results: list[ToolDict]


class ToolsApi:
    """The handlers of the tools."""

    def __init__(self, options: ToolOptions) -> None:
        self._options = options

    @operation(f"GET {PREFIX}/tools", id="list_tools", tag=TAG)
    async def list_tools(self, call: Call) -> ToolResults:
        """The tools that agents are offered, with their schemas."""
        tools = self._options.offered(
            read_only=call.grant.right < Right.WRITE, has_model=call.memory.has_model
        )
        return ToolResults(results=[tool_dict(each) for each in tools])

    async def called(self, tool: Tool, request: ApiRequest) -> Any:
        """Run a tool of the table. Raises NotFoundError for one that is not offered."""
        arguments = request.values["arguments"]
        tools: ToolSet = request.memory.tools(
            **request.ids, names=self._options.names, validates=self._options.validates
        )
        if tool.name not in tools.names:
            raise NotFoundError(f"the tool {tool.name!r} is not offered: see the settings")
        try:
            return await tools.run(tool.name, arguments)
        except InvalidInputError as error:
            raise InvalidInputError("arguments", str(error)) from None


@dataclass(frozen=True, slots=True)
class _Shown:
    """Describes arguments by the schema of their tool, which is made when somebody reads it."""

    tool: Tool

    def __get_pydantic_json_schema__(self, *_: object) -> dict[str, Any]:
        return dict(self.tool.input_schema)


def _body(tool: Tool) -> type[RequestModel]:
    """The model of a call's body: the arguments, and the ids of the scope beside them."""
    kind = Annotated[
        dict[str, Any],
        judged(partial(_arguments, tool)),
        AfterValidator(storable),
        _Shown(tool),
    ]
    takes_some = any(one.is_required() for one in tool.arguments.model_fields.values())
    field = needed(_ARGUMENTS, title="an object") if takes_some else about(_ARGUMENTS, {})
    name = "".join(part.title() for part in tool.name.split("_")) + "Body"
    made = create_model(name, __base__=ScopeFields, arguments=(kind, field))
    return cast("type[RequestModel]", made)


def _arguments(tool: Tool, name: str, said: Any) -> Any:
    """What a call takes, as it was said. Raises InvalidInputError unless the tool takes it."""
    if not isinstance(said, dict):
        raise InvalidInputError(name, "expected an object")
    try:
        checked(tool, said)
    except InvalidInputError as error:
        raise InvalidInputError(name, str(error)) from None
    return said


def _handler(tool: Tool) -> Callable[[ToolsApi, ApiRequest], Awaitable[Any]]:
    async def call(handlers: ToolsApi, request: ApiRequest) -> Any:
        return await handlers.called(tool, request)

    return call


def _operation(tool: Tool) -> Operation:
    return Operation(
        method="POST",
        path=f"{PREFIX}/tools/{tool.name}",
        handler=_handler(tool),
        summary=tool.title,
        answer=tool.answer,
        right=Right.READ if tool.guard is ToolGuard.READ else Right.WRITE,
        body=_body(tool),
        body_required=True,
        tag=TAG,
        name=tool.name,
    )


TOOL_OPERATIONS = (*handled_in(ToolsApi), *map(_operation, TOOLS))
