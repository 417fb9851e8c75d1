"""What processes on the same files need beside them: who wrote."""

from __future__ import annotations

from .readers import SiblingReaders

__all__ = ["SiblingReaders"]
