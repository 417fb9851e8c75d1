"""The part of `AsyncMemory` that asks: search, list, count, export, and deleting by a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from ..answer import answer_from
from ..engine.options import read_options
from ..model import inputs
from ..model.errors import ConfigError, InvalidInputError
from ..model.kinds import MemoryKind, kind_of
from ..model.ports import ChatModel
from ..model.types import MemoryItem, Scope
from ..query.arguments import MemoryQuery, QueryArguments, read_arguments
from ..query.naming import scope_in
from ..query.narrowing import check_narrows
from ..recall.options import FusionOptions
from ..recall.queries import Queries
from ..recall.query import Query
from ..records.events import Subscription
from .about_user import AboutUser
from .results import AnswerDict, CountDict, DeletedByQuery, MemoryDict, MemoryResults, memory_dict
from .used import shown

MOST_DELETED = 10_000
"""Memories that one call deletes."""


class Asking(AboutUser):
    """Every method takes `QueryArguments`, which say which memories of the scope are meant.

    Without `user_id`, `agent_id` and `run_id`, the filters may say whose: ``{"user_id": "ada"}``.
    """

    _model: ChatModel | None

    @property
    def _queries(self) -> Queries:
        return self._engine.queries

    @property
    def _chat_model(self) -> ChatModel:
        return self._model or self._engine.model_of(self.tenant)

    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        multi_query: Sequence[str] = (),
        hyde: Sequence[str] = (),
        fusion: Mapping[str, Any] | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The memories relevant to `query`, best first, by meaning, words, names and time.

        At most `limit` (or `top_k`; default 100) of those that `which` describes. `score` says how
        sure it is that a memory answers, from 0 to 1, and never rises from one result to the next;
        about 0.5 and more is what a chat would get. `similarity` is the cosine to the query. With
        `threshold` no memory
        of a lower score. `multi_query` are other wordings of the query, `hyde` possible answers to
        it, which are searched for by meaning only. `fusion` has keys of `recall.fusion` for this
        search. If there are more, `next` is the `cursor` of the next page, which repeats nothing,
        also while others write; pages end after 500 memories. If other processes write to the
        store, their writes of the last seconds may be missing.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        inputs.check_query(query)
        inputs.check_wordings("multi_query", multi_query)
        inputs.check_wordings("hyde", hyde)
        inputs.check_threshold(threshold)
        page = await self._queries.search_page(
            scope,
            Query(query, tuple(multi_query), tuple(hyde)),
            asked,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            threshold=threshold,
            fusion=self._fusion(fusion),
            cursor=cursor,
        )
        results = MemoryResults(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in page.hits]
        )
        if page.next is not None:
            results["next"] = page.next
        return results

    async def answer(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = 0.2,
        grounded: bool = True,
        **which: Unpack[QueryArguments],
    ) -> AnswerDict:
        """Answer a `question` from the memories that a search for it finds.

        They are at most `limit` (or `top_k`; default 10) of those that `which` describes, with a
        score of at least `threshold`. `citations` are the memories that the answer follows from. If
        they do not support one, or it has a number that stands in none of them, `answer` is None
        and `reason` says why; with `grounded` false the model answers all the same. Without
        memories no model is asked.

        Raises ModelError and ExtractionError if the model fails, ConfigError if it needs a key.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        inputs.check_query(question)
        inputs.check_threshold(threshold)
        hits = await self._queries.search(
            scope,
            Query(question),
            asked,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_ANSWERED),
            threshold=threshold,
        )
        items = [hit.item for hit in hits]
        answered = await answer_from(self._chat_model, question, items, grounded=grounded)
        result = AnswerDict(
            answer=answered.text, citations=[memory_dict(item) for item in answered.cited]
        )
        if answered.reason:
            result["reason"] = answered.reason
        return result

    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The newest memories of a scope that `which` describes, newest first.

        At most `limit` (or `top_k`; default 100). If there are more, `next` is the `cursor` of the
        next page. Memories that are added or removed meanwhile shift nothing.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        limit = inputs.most(limit, top_k, inputs.DEFAULT_LIMIT)
        page = await self._queries.page(scope, asked, limit=limit, cursor=cursor)
        results = MemoryResults(results=await self._shown(page.items))
        if page.next is not None:
            results["next"] = page.next
        return results

    async def count(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> CountDict:
        """How many memories of a scope `which` describes."""
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        return CountDict(count=await self._queries.count(scope, asked))

    async def export(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """All memories of a scope that `which` describes, newest first, at once.

        For more than fit the memory of a process, read page by page with `get_all`.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        items = await self._queries.list(scope, asked)
        return MemoryResults(results=await self._shown(items))

    async def delete_by_query(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        dry_run: bool = False,
        erase: bool = False,
        **which: Unpack[QueryArguments],
    ) -> DeletedByQuery:
        """Remove the memories of a scope that `which` describes; their history stays.

        With `erase` they are erased everywhere, as by `forget`; of what was said the turns always
        are, with all that was said in them. With `dry_run` nothing is removed,
        and the result is what would be. Something must be asked for besides the scope and a status;
        `delete_all` is for the whole scope. At most 10,000 memories.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, which)
        _check_deletable(asked, which.get("filters"), scope)
        for name, value in (("dry_run", dry_run), ("erase", erase)):
            if not isinstance(value, bool):
                raise InvalidInputError(name, "expected true or false")
        async with self._engine.gone.telling(scope):
            items = await self._queries.list(scope, asked, limit=MOST_DELETED + 1)
            if len(items) > MOST_DELETED:
                raise InvalidInputError(
                    "filters", f"must describe at most {MOST_DELETED} memories to delete"
                )
            items = await self._with_their_turns(items)
            result = DeletedByQuery(
                results=[memory_dict(item) for item in items], dry_run=dry_run, deleted=0
            )
            if dry_run or not items:
                return result
            result["deleted"] = len(items)
            said = [item.id for item in items if kind_of(item) is MemoryKind.SAID]
            if erase:
                receipt = await self._engine.forgetter.forget_ids(
                    scope, [item.id for item in items]
                )
                result["receipt"] = receipt.as_dict()
                return result
            if said:
                await self._engine.forgetter.forget_ids(scope, said)
            stored = [item for item in items if kind_of(item) is MemoryKind.MEMORY]
            result["deleted"] = len(said) + await self._engine.changes.delete(stored)
            return result

    async def _with_their_turns(self, items: Sequence[MemoryItem]) -> list[MemoryItem]:
        """These, and what else was said in the same turns: a turn is erased as a whole."""
        said = [item for item in items if kind_of(item) is MemoryKind.SAID]
        turns = sorted({turn for item in said for turn in item.provenance.turn_ids})
        beside = await self._engine.said_rows.of_turns(self.tenant, turns)
        there = {item.id for item in items}
        return [*items, *(one.item for one in beside if one.item.id not in there)]

    def subscribe(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Subscription:
        """The changes of memories from now on, of a scope or of the whole tenant.

            async for change in memory.subscribe(user_id="ada"):
                print(change["event"], change.get("memory"))

        `event` is one of the history (`ADD`, `UPDATE`, …), `FORGET` for a memory that was erased,
        or `GAP` if over a thousand changes, or a megabyte of text, waited and `missed` of them were
        dropped. Only changes that this process makes are told, each after it was written, at least
        once; of a memory that was forgotten before its change is read, without a text.
        """
        return self._engine.feed.subscribe(self._whose(user_id, agent_id, run_id))

    def _meant(
        self,
        user_id: str | None,
        agent_id: str | None,
        run_id: str | None,
        which: Mapping[str, Any],
    ) -> tuple[Scope, MemoryQuery]:
        """Whose memories are meant, and which of them. Without ids the filters say whose."""
        filters = which.get("filters")
        if filters is None or not self._names_nobody(user_id, agent_id, run_id):
            return self._scope(user_id, agent_id, run_id), read_arguments(which)
        named = scope_in(filters)
        return self._scope(**named.ids), read_arguments({**which, "filters": named.filters})

    def _fusion(self, given: Mapping[str, Any] | None) -> FusionOptions | None:
        """The configured fusion with some of its keys replaced. Raises InvalidInputError."""
        if given is None:
            return None
        if not isinstance(given, Mapping):
            raise InvalidInputError("fusion", "expected an object with keys of recall.fusion")
        configured = self._engine.options.recall.fusion.model_dump()
        try:
            return read_options(FusionOptions, {**configured, **given})
        except ConfigError as error:
            raise InvalidInputError("fusion", str(error).splitlines()[0]) from None

    async def _shown(self, items: Sequence[MemoryItem]) -> list[MemoryDict]:
        return await shown(self._engine.parts.state.usage, items)


def _check_deletable(asked: MemoryQuery, filters: object, scope: Scope) -> None:
    if asked.in_the_past:
        raise InvalidInputError("as_of", "cannot be deleted by: what was true stays true")
    check_narrows(filters, scope)
    if not asked.narrows(scope):
        raise InvalidInputError(
            "filters", "expected something that tells the memories; delete_all removes all"
        )
