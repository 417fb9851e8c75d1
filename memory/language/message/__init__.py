"""What a user's message is made of: what they ask or say, supplied material, and small talk."""

from ..sentences import is_question
from .chores import is_chore, is_housekeeping, is_tool_result
from .material import WHOLE_CHARS, Material, bound, take_apart
from .reading import Reading
from .social import is_social

__all__ = [
    "WHOLE_CHARS",
    "Material",
    "Reading",
    "bound",
    "is_chore",
    "is_housekeeping",
    "is_question",
    "is_social",
    "is_tool_result",
    "take_apart",
]
