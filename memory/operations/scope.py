"""Whose memories an operation is about: the ids that every surface calls alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, SkipValidation
from typing_extensions import TypedDict

from ..model.scope import MAX_SCOPE_CHARS
from .fields import RequestModel, about

Id = SkipValidation[Annotated[str, Field(min_length=1, max_length=MAX_SCOPE_CHARS)] | None]


class ScopeIds(TypedDict, total=False):
    """The ids of a scope, at least one of them."""

    user_id: str | None
    agent_id: str | None
    run_id: str | None


class ScopeFields(RequestModel):
    """Whose memories are meant."""

    user_id: Id = about("The user.")
    agent_id: Id = about("The agent.")
    run_id: Id = about("The run.")


def scope_apart(asked: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The ids of a scope, and all else that is asked."""
    ids = {name: asked.get(name) for name in ScopeFields.model_fields}
    return ids, {name: asked[name] for name in asked.keys() - ids.keys()}
