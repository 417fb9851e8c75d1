"""The methods of `AsyncMemory` that change memories and keep what they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import Field, SkipValidation

from ...model import inputs
from ...operations.common import MAX_IDS, Conditions, Expected, Importance, MemoryId
from ...operations.declaring import LIBRARY_ONLY, As, field, operation
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ...operations.told import FactDict
from ...operations.tooling import Effects, Tier, tool
from ..changes import Amendment, author_of
from ..results import MemoryDict, memory_dict
from ..upkeep import DEFAULT_WAIT, DryRun, UpkeepResults, Wait
from .base import MemoryCalls

_ONE = PREFIX + "/{memory_id}"


class ChangingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that change memories and keep what they were."""

    @operation(
        f"PUT {_ONE}", Right.WRITE, id="update", by_id=True, ids_twice=True, body_required=True
    )
    async def update(
        self,
        memory_id: MemoryId,
        text: Annotated[
            str | None,
            As(
                SkipValidation[
                    Annotated[str, Field(min_length=1, max_length=inputs.MAX_TEXT_CHARS)] | None
                ]
            ),
            field(
                "The new text of the memory; without it the text stays, if something else changes.",
                title="some text",
            ),
        ] = None,
        *,
        data: Annotated[str | None, LIBRARY_ONLY] = None,
        metadata: Annotated[
            Mapping[str, Any] | None,
            As(Conditions),
            field("Merged key by key; a key whose value is `null` is removed."),
        ] = None,
        importance: Importance = None,
        version: Expected = None,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Replace a memory's text; the old text is kept as superseded.

        Or change its `metadata` or `importance`; what is not given stays. `data` is another name of
        `text`. `metadata` is merged key by key; a key whose value is None is removed. Calls at the
        same time follow each other. A text that looks planted is quarantined, as one that is added.
        What the owner of an attached memory did not write is marked as the writer's
        (`source: shared`), and taken back by the owner's `revert`. With `version` (of `get`, or an
        ETag) only that version is changed. What was said cannot be changed: InvalidInputError.
        Raises NotFoundError, and ConflictError if the memory is at another version or others are
        changing it.
        """
        text = inputs.either("text", text, "data", data)
        if text is not None or (metadata is None and importance is None):
            inputs.check_text("text", text)
        inputs.check_metadata(metadata)
        inputs.check_version_number(version)
        owner_ref = self._view.owner_ref(**ids)
        item, permit = await self.shares.changeable(owner_ref, memory_id)
        redacted = await self._engine.bulk.run(
            item.scope, lambda: self._engine.redact(text) if text else None
        )
        clean = await self._view.clean(item.scope, metadata) if metadata else metadata
        amendment = Amendment(redacted, clean, importance)
        # Only what is attached needs a permit: its owner is another one.
        author = None if permit is None else author_of(owner_ref, item)
        changed = await self._changes.amend(item, amendment, version, permit, author)
        return self.shares.shown(owner_ref, changed)

    @tool(
        "fact_validate",
        "Confirm a fact",
        Tier.SEMANTIC,
        Effects(idempotent=True),
        description="Confirm a fact that is kept back until a person has looked at it. Call it "
        "only when the user has read the fact and said yes.",
        answer=FactDict,
        person=True,
    )
    @operation(f"POST {_ONE}/validate", Right.WRITE, id="validate", by_id=True, ids_twice=True)
    async def validate(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Validate a quarantined memory, so that it is recalled. Raises NotFoundError."""
        owner_ref = self._view.owner_ref(**ids)
        item = await self._lookup.existing(owner_ref, memory_id)
        return memory_dict(await self._believed(item))

    @operation(f"POST {_ONE}/settle", Right.WRITE, id="settle", by_id=True, ids_twice=True)
    async def settle(
        self,
        memory_id: MemoryId,
        *,
        replaces: Annotated[
            Sequence[str],
            As(list[str]),
            field(
                "Ids of the memories that it replaces; they are superseded, and can be restored.",
                max_length=MAX_IDS,
            ),
        ] = (),
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Say which memories of the same matter this one replaces; none keeps all.

        `replaces` are ids. It stays beside others of its matter. What is replaced is superseded;
        `restore` undoes that. Raises NotFoundError, and InvalidInputError for memories of another
        scope or that do not hold.
        """
        owner_ref = self._view.owner_ref(**ids)
        item = await self._lookup.existing(owner_ref, memory_id)
        names = [name for name in dict.fromkeys(replaces) if name != memory_id]
        others = [await self._lookup.existing(owner_ref, name) for name in names]
        return memory_dict(await self._changes.settle(item, others))

    @operation(f"POST {PREFIX}/consolidate", Right.WRITE, id="consolidate", tag="upkeep")
    async def consolidate(
        self,
        *,
        dry_run: DryRun = False,
        wait: Wait = DEFAULT_WAIT,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepResults:
        """Merge duplicates, sum topics up, archive the unused; nothing is erased.

        `upkeep.undo` takes it back. `dry_run` and `wait` are as of `upkeep.run`.
        """
        return await self.upkeep.run("consolidate", dry_run=dry_run, wait=wait, **ids)
