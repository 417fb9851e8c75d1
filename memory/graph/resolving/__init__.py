"""Resolves mentions to known entities, or to new ones. Pure."""

from .resolution import ProposedMerge, Resolution
from .resolver import resolve

__all__ = ["ProposedMerge", "Resolution", "resolve"]
