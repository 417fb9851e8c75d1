"""Splits a user's message: what they ask or say, supplied material, and small talk."""

from ..words import is_question
from .judged_message import Reading, is_social
from .material import Material, bound, is_chore, request_and_material

__all__ = [
    "Material", "Reading", "bound", "is_chore", "is_question", "is_social",
    "request_and_material",
]  # fmt: skip
