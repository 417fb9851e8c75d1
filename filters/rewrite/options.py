"""What of the rewrite can be configured."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RewriteOptions(BaseModel):
    """How a message becomes a query that can be understood alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strategy: Literal["none", "terms"] = Field(
        default="terms",
        description="`terms` prepends key terms of earlier messages to a query that needs them; "
        "`none` searches for the message as it is.",
    )
    history_messages: int = Field(
        default=3,
        ge=0,
        le=50,
        description="How many earlier user messages the key terms come from.",
    )
    max_terms: int = Field(
        default=16, ge=0, le=200, description="Most key terms that are prepended."
    )
    reply_terms: int = Field(
        default=8,
        ge=0,
        le=200,
        description="How many of them may come from the messages that stand between the last user "
        'message and the one before ("which of those ...?" points into the answer). 0: none.',
    )
    max_query_chars: int = Field(
        default=2000,
        ge=16,
        le=100_000,
        description="Longest query (characters); of a longer message its beginning and end remain.",
    )
