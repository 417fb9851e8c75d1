"""Which mention of a text is which known entity, and which is a new one. Pure."""

from .resolution import ProposedMerge, Resolution
from .resolver import resolve

__all__ = ["ProposedMerge", "Resolution", "resolve"]
