"""Captures turns for learning."""

from .filter import Capture
from .texts import is_as_said
from .turns import conversation_id_of, turn_id_of, turn_ids_of

__all__ = ["Capture", "conversation_id_of", "is_as_said", "turn_id_of", "turn_ids_of"]
