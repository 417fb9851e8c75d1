"""The location of a store, as its options describe it. A backend overrides what differs."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

from ..model.strict import Options


class LocatedOptions(Options):
    """The defaults are those of a store that ends with its process."""

    backend: str
    key: ClassVar[str] = "store.backend"
    """The setting that an error about this store names."""

    @property
    def folder(self) -> Path | None:
        """The file or folder that only this store may use, absolute; None if it has none."""
        return None

    @property
    def remote(self) -> bool:
        """Whether it is a server: it may be unreachable at times, and others may write to it."""
        return False

    @property
    def shareable(self) -> bool:
        """Whether several processes can use it at once."""
        return self.remote

    @property
    def lasting(self) -> bool:
        """Whether memories outlive this process."""
        return self.remote or self.folder is not None

    @property
    def shown(self) -> str:
        """The location for people."""
        return "in memory"

    def placed(self, data_dir: Path) -> Self:
        """These options with a place in `data_dir`, if one is needed and none is named."""
        del data_dir
        return self
