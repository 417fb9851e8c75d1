"""The fields that mem0's clients send in many requests, with what each does here."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, WithJsonSchema

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import Idle, RequestModel, Text, Unsupported, about, judged
from recollect.memory.query import parse

from .filters import object_in

MEM0_FILTERS = (
    "mem0's filters. An id at the top or in AND says whose memories are meant; all else is a "
    'condition within them, such as {"AND": [{"user_id": "ada"}, {"tag": "work"}]}.'
)

SAME_TENANT = Idle("the credential says whose memories these are.")
_IN_PATH = Idle("the path has the version.")
_SET_PROMPT = "set learn.prompt, or give `prompt`"
_EXPIRATION = Unsupported("memories do not expire; delete them, or by a query")
Absent = Annotated[
    Any, Unsupported("there is no app level; use agent_id, run_id or a key of the metadata")
]
"""An `app_id`."""
NoCategories = Annotated[Any, Unsupported("memories have no categories; use a key of the metadata")]
Expiration = Annotated[Any, _EXPIRATION]
Cleared = Annotated[Any, _EXPIRATION, AfterValidator(lambda _: True)]
TextFilters = Annotated[Any, judged(object_in), WithJsonSchema({"type": "string"})]
TextConditions = Annotated[
    Any,
    judged(lambda name, said: conditions(name, object_in(name, said))),
    WithJsonSchema({"type": "string"}),
]
NeverExpire = Annotated[Any, Idle("memories do not expire.")]
OutputFormat = Annotated[Any, Idle("answers have `results`.")]


def conditions(name: str, value: Any) -> Any:
    """Checked here too, so that a refusal names this field and not the filters."""
    if isinstance(value, dict) and value:
        try:
            parse({f"metadata.{key}": wanted for key, wanted in value.items()})
        except InvalidInputError as error:
            raise InvalidInputError(name, error.expected) from None
    return value


class ProjectFields(RequestModel):
    """Of everything that clients before 2.0 send."""

    org_id: Annotated[Any, SAME_TENANT] = None
    project_id: Annotated[Any, SAME_TENANT] = None


class SameProjectFields(RequestModel):
    """Of deletions."""

    project_id: Text | None = about("Must be the tenant, if it is given: a project is one.")


class VersionFields(RequestModel):
    """Of requests with a version of the API."""

    version: Annotated[Any, _IN_PATH] = None
    api_version: Annotated[Any, _IN_PATH] = None
    async_mode: Annotated[Any, Idle("additions are done when the answer comes.")] = None
    enable_graph: Annotated[Any, Idle("graph.enabled does, for the whole server.")] = None


class NotStoredFields(RequestModel):
    """Of an addition: ignored, something else would be stored than was asked for."""

    expiration_date: Expiration = None
    app_id: Absent = None
    immutable: Annotated[Any, Unsupported("every memory can be changed", (False,))] = None
    custom_instructions: Annotated[
        Any, Unsupported("set learn.prompt, or give `prompt`, which replaces it")
    ] = None
    agent_custom_instructions: Annotated[Any, Unsupported(_SET_PROMPT)] = None
    custom_categories: Annotated[Any, Unsupported("memories have no categories; use metadata")] = (
        None
    )
    structured_data_schema: Annotated[Any, Unsupported("use metadata")] = None


class ClearingFields(RequestModel):
    """Of an update: true if the request clears the time of its end."""

    expiration_date: Cleared = about(
        "`null` is accepted, and is so anyway: memories do not expire."
    )
