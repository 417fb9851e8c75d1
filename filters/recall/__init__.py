"""Recall as a step of the pipeline."""

from .filter import Recall

__all__ = ["Recall"]
