"""Captures turns for learning."""

from .filter import Capture
from .turns import conversation_id_of, turn_id_of, turn_ids_of

__all__ = ["Capture", "conversation_id_of", "turn_id_of", "turn_ids_of"]
