"""Captures turns for learning."""

from recollect.memory.model.turn_ids import conversation_id_of, turn_id_of, turn_ids_of

from .filter import Capture
from .texts import is_as_said

__all__ = ["Capture", "conversation_id_of", "is_as_said", "turn_id_of", "turn_ids_of"]
