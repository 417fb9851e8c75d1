"""Resolves mentions to known entities, or to new ones. Pure."""

from .resolution import Resolution
from .resolver import resolve

__all__ = ["Resolution", "resolve"]
