"""What processes on the same files need beside them: who wrote, and locks."""

from __future__ import annotations

from .locks import SiblingLocks
from .readers import SiblingReaders

__all__ = ["SiblingLocks", "SiblingReaders"]
