"""The location of a store, as its options describe it. A backend overrides what differs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar, Self

from pydantic import field_validator

from ..model.strict import Options

_URL = re.compile(r"https?://.+", re.IGNORECASE)
_NO_FOLDER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(/.*|\d{1,5}(/.*)?)")
"""An address with a scheme, or a host with a port. A drive of Windows has one letter."""


def checked_folder(uri: str) -> str:
    """What is no server's address, if it can be a folder's.

    Raises:
        ValueError: it is an address of another kind: it would become a folder of that name.
    """
    if _NO_FOLDER.fullmatch(uri):
        raise ValueError("expected an address that begins with http:// or https://, or a folder")
    return uri


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


class FolderOrServerOptions(LocatedOptions):
    """Of a store whose client works on a folder, for one process, or with a server."""

    key: ClassVar[str] = "store.uri"
    default_folder: ClassVar[str]
    """Its name in `data_dir`."""

    uri: str | None = None

    @field_validator("uri", check_fields=False)
    @classmethod
    def _is_a_place(cls, uri: str | None) -> str | None:
        return uri if uri is None or _URL.fullmatch(uri) else checked_folder(uri)

    @property
    def folder(self) -> Path | None:
        if self.uri is None or not self.uri.strip() or self.remote:
            return None
        return Path(self.uri).absolute()

    @property
    def remote(self) -> bool:
        return self.uri is not None and _URL.fullmatch(self.uri) is not None

    @property
    def shown(self) -> str:
        return str(self.uri)

    def placed(self, data_dir: Path) -> Self:
        if self.uri is not None:
            return self
        return self.model_copy(update={"uri": str(data_dir / self.default_folder)})
