"""What one client finds: the tools of a scope, and texts to read. Knows no protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.memory.model.errors import NotFoundError
from recollect.memory.tools import Tool, ToolAnswer, ToolSet

PROFILE_URI = "recollect://profile"
BLOCK_URI = "recollect://blocks/"
"""Before the label of a block."""
BLOCK_TEMPLATE = BLOCK_URI + "{label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A tool as it is shown to a client."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    read_only: bool
    destructive: bool
    idempotent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """A text that a client may read, without the text."""

    uri: str
    name: str
    title: str
    description: str


class Desk(Protocol):
    """Where the calls of one client are carried out, all for one scope."""

    @property
    def offers(self) -> Sequence[Offer]:
        """The tools that it may call."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Run a tool; errors are answers, as of `ToolSet.call`."""

    async def readings(self) -> Sequence[Readable]:
        """The texts that there are. Raises RecollectError."""

    async def read(self, uri: str) -> str:
        """A text as it is now. Raises NotFoundError, and other RecollectErrors."""


class Sources(Protocol):
    """Where the texts come from, for one scope."""

    async def profile(self) -> Mapping[str, Any]:
        """As `AsyncMemory.profile` answers."""

    async def blocks(self) -> Mapping[str, Any]:
        """As `AsyncMemory.blocks.list` answers."""

    async def block(self, label: str) -> Mapping[str, Any]:
        """As `AsyncMemory.blocks.get` answers. Raises NotFoundError."""


class ScopeTexts:
    """The profile and the blocks of a scope as texts."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def readings(self) -> Sequence[Readable]:
        """The profile, then each block."""
        found = await self._sources.blocks()
        return [PROFILE, *(_reading_of(block) for block in found["results"])]

    async def read(self, uri: str) -> str:
        """The lines of the profile, or the value of a block. Raises NotFoundError."""
        if uri == PROFILE_URI:
            found = await self._sources.profile()
            return "\n".join(f"- {line['memory']}" for line in found["results"])
        label = uri.removeprefix(BLOCK_URI)
        if not label or label == uri:
            raise NotFoundError(f"there is no {uri!r}: expected {PROFILE_URI}, or {BLOCK_TEMPLATE}")
        return str((await self._sources.block(label))["value"])


PROFILE = Readable(
    uri=PROFILE_URI,
    name="profile",
    title="Profile",
    description="What is known about the user as a person, most important first.",
)


def offer_of(tool: Tool) -> Offer:
    """A tool of the table as it is shown."""
    return Offer(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        read_only=tool.effects.read_only,
        destructive=tool.effects.destructive,
        idempotent=tool.effects.idempotent,
    )


class OpenDesk:
    """The tools and texts of a memory that is open in this process."""

    def __init__(self, tools: ToolSet, sources: Sources) -> None:
        self._tools = tools
        self._texts = ScopeTexts(sources)

    @property
    def offers(self) -> Sequence[Offer]:
        """Those of the set."""
        return _shown(self._tools.tools)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        return await self._tools.call(name, arguments)

    async def readings(self) -> Sequence[Readable]:
        return await self._texts.readings()

    async def read(self, uri: str) -> str:
        return await self._texts.read(uri)


def _shown(tools: Iterable[Tool]) -> Sequence[Offer]:
    """Schemas are made once: making one takes longer than most calls."""
    return [
        _OFFERS.get(tool.name) or _OFFERS.setdefault(tool.name, offer_of(tool)) for tool in tools
    ]


_OFFERS: dict[str, Offer] = {}


def _reading_of(block: Mapping[str, Any]) -> Readable:
    return Readable(
        uri=BLOCK_URI + block["label"],
        name=block["label"],
        title=f"Block {block['label']}",
        description=block["description"],
    )
