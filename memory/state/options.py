"""Where conversations, jobs and history are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class StateOptions(BaseModel):
    """Conversations and jobs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["sqlite", "inmemory"] = Field(
        default="sqlite",
        description="`sqlite` survives restarts; `inmemory` forgets and is for tests.",
    )
    url: Path | None = Field(
        default=None, description="The SQLite file; `<data_dir>/state.db` if not set."
    )
    synchronous: Literal["normal", "full"] = Field(
        default="normal",
        description="`normal` survives the death of the process at any point; `full` also survives "
        "the loss of power, for one disk sync per burst of turns.",
    )


class HistoryOptions(BaseModel):
    """The audit trail of memories."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["sqlite", "inmemory"] = Field(
        default="sqlite", description="`sqlite` survives restarts; `inmemory` forgets."
    )
    url: Path | None = Field(
        default=None, description="The SQLite file; `<data_dir>/history.db` if not set."
    )
