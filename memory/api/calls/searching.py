"""The methods of `AsyncMemory` that search, and answer from what is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import Field, SkipValidation

from ...calibration import SAFE
from ...conversations.messages import ASSISTANT
from ...model import inputs
from ...model.streaming import OnText
from ...model.types import MemoryItem, Scope
from ...operations.common import (
    Conditions,
    Cursor,
    ManyMessages,
    MostResults,
    Share,
    StreamFields,
    TopK,
    ZoneFields,
    most_of,
)
from ...operations.declaring import LEFT_OUT, LIBRARY_ONLY, SEARCHED, As, field, operation
from ...operations.fields import TEXT
from ...operations.operation import PREFIX
from ...operations.scope import scope_apart
from ...query.arguments import ScopedQuery
from ...recall import FusionDict, Query, hops_of, tuned
from ...recall.lines import LineBounds
from ..answering import answer_from, as_hearsay
from ..deep_recall import DeepRecallDict, ScopedBounds, bounds_of, deep_recall
from ..earlier import earlier_messages, query_after
from ..results import (
    AnswerDict,
    MemoryResults,
    memory_dict,
)
from ..wordings import MOST_MADE, worded, wordings_wanted
from ..wordings import Wordings as Worded
from .base import MemoryCalls

MOST_TOLD = 5
"""Messages of the assistant that an answer may stand on, where they are asked for."""
Wordings = SkipValidation[
    Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=inputs.MAX_WORDINGS)]
]
MadeWordings = Annotated[int, Field(ge=0, le=MOST_MADE)]


class SearchingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that search, and answer from what is found."""

    @operation(f"GET {PREFIX}/search", id="search", beside=ZoneFields)
    @operation(
        f"POST {PREFIX}/search",
        id="search_posted",
        beside=ZoneFields,
        summary="The same, with filters as JSON",
        body_required=True,
    )
    async def search(
        self,
        query: Annotated[str, SEARCHED],
        *,
        limit: MostResults = None,
        top_k: TopK = None,
        threshold: Annotated[
            float | None,
            As(SkipValidation[Share]),
            field("Least score of a hit, from 0 to 1; null: `recall.threshold`; 0 lists all."),
        ] = None,
        multi_query: Annotated[
            Sequence[str] | int,
            As(Wordings | SkipValidation[MadeWordings]),
            LEFT_OUT,
            field("Other wordings of the query, or how many of them the model makes."),
        ] = (),
        hyde: Annotated[
            Sequence[str] | bool,
            As(Wordings | SkipValidation[bool]),
            LEFT_OUT,
            field(
                "Possible answers to the query, which are searched for by meaning, or true for one "
                "that the model makes."
            ),
        ] = (),
        fusion: Annotated[
            FusionDict | None,
            As(Conditions),
            field(
                "How this search weighs its signals: `weights` by signal, from 0 to 10, and "
                "`recency`, `importance`, `hearsay`, `neighbours` from 0 to 1; `half_life_days`."
            ),
        ] = None,
        expand_hops: Annotated[
            int | None,
            field(
                "1, the default: the best hits lead to memories that share a rare name with them; "
                "0: they do not.",
                ge=0,
                le=1,
            ),
        ] = None,
        cursor: Cursor = None,
        **which: Unpack[ScopedQuery],
    ) -> MemoryResults:
        """The memories that match a query, best first.

        What bears on `query` by meaning, words, names and time: at most `limit` (or `top_k`;
        default 100) of those that `which` describes. `score` says how
        probable it is that a memory bears on the query, from 0 to 1, each by itself; none is less
        probable than `threshold` (None: as for a chat, `recall.threshold`, if the embedder was
        measured; 0: all are listed). `similarity` is the cosine to the query. `multi_query` are
        other wordings of the query, or how many the model makes (at most 5); `hyde` possible
        answers to it, or True for one by the model, which are searched for by meaning only.
        `fusion` weighs the signals. With `expand_hops` 1, the default, the best hits lead to
        memories that share a rare name with them; with 0 they do not. If there are more, `next` is
        the `cursor` of the next page, which repeats nothing, also while others write; pages end
        after 500. If other processes write to the store, their writes of the last seconds may be
        missing.
        """
        scope, asked = self._view.meant(which)
        inputs.check_query(query)
        inputs.check_threshold(threshold)
        least = self._usual_threshold() if threshold is None else threshold
        wanted = wordings_wanted(multi_query, hyde, first_page=cursor is None)
        tuning = tuned(fusion, self._engine.recaller.tuning)
        found = Worded(wanted.multi_query, wanted.hyde)
        if wanted.asks_model:
            found = await worded(self._view.chat_model, query, wanted)
        page = await self._engine.queries.search_page(
            scope,
            Query(
                query,
                found.multi_query,
                found.hyde,
                tuning=tuning,
                hops=hops_of(expand_hops, self._engine.recaller.hops),
            ),
            asked,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            threshold=least,
            cursor=cursor,
        )
        results = MemoryResults(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in page.hits]
        )
        if page.next is not None:
            results["next"] = page.next
        if found.made:
            results["wordings"] = found.as_dict()
        if found.note:
            results["notes"] = [found.note]
        return results

    @operation(
        f"POST {PREFIX}/answer",
        id="answer",
        beside=StreamFields,
        told_live="on_text",
        streamed_as=("text/event-stream",),
        model_failure="{failure}; the model that answers is set in learn.llm",
    )
    async def answer(
        self,
        question: Annotated[str, TEXT, field("What is asked.", title="text")],
        *,
        limit: Annotated[
            int | None,
            most_of(inputs.MAX_LIMIT, inputs.DEFAULT_ANSWERED),
            field("Most memories to answer from."),
        ] = None,
        top_k: TopK = None,
        threshold: Annotated[
            float | None,
            As(SkipValidation[Share] | None),
            field("Least score of a memory to answer from, from 0 to 1; null: `recall.threshold`."),
        ] = 0.2,
        grounded: Annotated[
            bool, field("Whether there is an answer only if memories support it.")
        ] = True,
        conversation: Annotated[
            Sequence[Mapping[str, Any]],
            As(SkipValidation[ManyMessages], ()),
            LEFT_OUT,
            field("What was said before, in which the question is understood."),
        ] = (),
        on_text: Annotated[OnText | None, LIBRARY_ONLY] = None,
        hearsay: Annotated[
            bool,
            field("Whether it may also stand on what the assistant said in earlier conversations."),
        ] = False,
        **which: Unpack[ScopedQuery],
    ) -> AnswerDict:
        """Answer a question from memories, with those it follows from.

        They are those that a chat is given for the `question`: at most `limit` (or `top_k`; default
        10) of those that `which` describes, each of which bears on the question with a probability
        of at least `threshold` (None: as a chat, `recall.threshold`; the model that reads them
        tells which do). Wishes about answers are not among them. `citations` are the memories that
        the answer follows from. If they do not support one, or it has a number that stands in none
        of them, `answer` is None and `reason` says why; with `grounded` false the model answers all
        the same. Without memories no model is asked. The question is understood in the
        `conversation` before it. `on_text` is told the answer while the model writes it: it may end
        as None all the same. With `hearsay` it may also stand on what the assistant said in earlier
        conversations: such a citation begins with "The assistant said".

        Raises ModelError and ExtractionError if the model fails, ConfigError if it needs a key.
        """
        scope, asked = self._view.meant(which)
        inputs.check_query(question, "question")
        inputs.check_threshold(threshold)
        earlier = earlier_messages(conversation, question)
        query = query_after(question, earlier)
        bounds = LineBounds(inputs.most(limit, top_k, inputs.DEFAULT_ANSWERED), threshold)
        hits = (await self._engine.queries.lines(scope, query, asked, bounds)).given
        items = {hit.item.id: hit.item for hit in hits}
        notes = [hit.note for hit in hits]
        if hearsay:
            notes += await self._told(scope, question)
        answered = await answer_from(
            self._view.chat_model,
            question,
            notes,
            grounded=grounded,
            earlier=earlier,
            on_text=on_text,
        )
        result = AnswerDict(
            answer=answered.text,
            citations=[memory_dict(items.get(note.id, note)) for note in answered.cited],
            abstained=answered.text is None,
        )
        if answered.reason:
            result["reason"] = answered.reason
        return result

    @operation(f"POST {PREFIX}/deep-recall", id="search_deeply")
    async def deep_recall(
        self,
        question: Annotated[str, TEXT, field("What to find memories for.", title="a question")],
        **bounds: Unpack[ScopedBounds],
    ) -> DeepRecallDict:
        """Search, and search for what is missing, until what is found answers a question.

        A simple look-up is one search. A hard `question` is taken apart by its structure, and
        memories that only together answer it are joined by the names they share. A model, if there
        is one, judges what was found and says what to search for next; `bounds` are at most 5
        `max_iterations` (default 3), and the most `tokens` and `seconds` in all. If nothing says
        that the memories are enough, `abstained` is true and `reason` says why: also if the model
        fails. Without a model, how near they are to the question tells. Raises ConfigError if a
        model was chosen and needs a key.
        """
        ids, given = scope_apart(bounds)
        return await deep_recall(self._view, self._view.scope(**ids), question, bounds_of(**given))

    def _usual_threshold(self) -> float:
        """Of an embedder that nobody measured, words alone tell: what they miss is not left out."""
        recall, known = self._engine.options.recall, self._engine.recaller.calibration != SAFE
        return recall.threshold if known else 0.0

    async def _told(self, scope: Scope, question: str) -> list[MemoryItem]:
        """What the assistant said about it in earlier conversations, as what it is."""
        hits = await self._engine.conversations.search(
            scope, question, limit=MOST_TOLD, roles=(ASSISTANT,)
        )
        return [as_hearsay(hit.passage) for hit in hits]
