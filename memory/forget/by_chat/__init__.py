"""Forgetting by saying so: requests of users in a chat, and their agreement."""

from .dialogue import ForgettingByChat
from .messages import ForgetAnswer, SpokenMessage, Step, asked_in

__all__ = ["ForgetAnswer", "ForgettingByChat", "SpokenMessage", "Step", "asked_in"]
