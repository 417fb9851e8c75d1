"""The models of the bodies and queries of long work."""

from __future__ import annotations

from enum import StrEnum

from recollect.memory.model.tasks import TaskKind
from recollect.memory.operations.fields import RequestModel, Text, about, needed, whole, word
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.transfer import EmbedWhen, OnError

from ..models import EraseFields
from .runner import MOST_KEPT


class StartableKind(StrEnum):
    """The kinds of tasks that begin without a file."""

    EXPORT = TaskKind.EXPORT.value
    FORGET = TaskKind.FORGET.value
    REINDEX = TaskKind.REINDEX.value


class VectorFields(RequestModel):
    """Of an export."""

    vectors: bool = about(
        "Whether an export has vectors; without them an import embeds the texts again.",
        default=True,
    )


class ExportQuery(ScopeFields, VectorFields):
    """Of the lines of an export."""

    after: Text | None = about(
        "Only memories with an id greater than this: an export goes on after it."
    )


class ImportQuery(ScopeFields):
    """Of an import."""

    keep_ids: bool = about(
        "Keep the ids of lines that another installation wrote. Needs admin.", default=False
    )
    embed: EmbedWhen = word(
        "Which texts are embedded here: those without a fitting vector, none, all.",
        EmbedWhen.MISSING,
    )
    on_error: OnError = word(
        "Whether a line that cannot be read ends the import, or is left out.", OnError.STOP
    )


class TaskBody(EraseFields, VectorFields, ScopeFields):
    """Of a task that begins."""

    kind: StartableKind = needed(
        "What to do.", title="one of export, forget, reindex", strict=False
    )


class TasksQuery(ScopeFields):
    """Of tasks."""

    limit: int = whole("Most results.", high=MOST_KEPT, default=MOST_KEPT)
