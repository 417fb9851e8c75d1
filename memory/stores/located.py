"""What the options of every store say about where it is. A backend overrides what differs."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict


class LocatedOptions(BaseModel):
    """The defaults are those of a store that lives and dies with its process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: str
    key: ClassVar[str] = "store.backend"
    """The setting that an error about this store names."""

    @property
    def folder(self) -> Path | None:
        """The file or folder that belongs to it alone, absolute; None if it has none."""
        return None

    @property
    def remote(self) -> bool:
        """Whether it is a server: it may come and go without us, and others may write to it."""
        return False

    @property
    def lasting(self) -> bool:
        """Whether it keeps memories beyond this process."""
        return self.remote or self.folder is not None

    @property
    def shown(self) -> str:
        """Where it is, for people."""
        return "in memory"

    @property
    def maintain_seconds(self) -> float:
        """How often it may tidy up after writes."""
        return 2.0

    def placed(self, data_dir: Path) -> Self:
        """The same with a place in `data_dir`, if it needs one and none is named."""
        del data_dir
        return self
