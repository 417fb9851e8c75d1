"""Forgetting by saying so: requests of users in a chat, and their agreement."""

from .dialogue import ForgetAnswer, SpokenForgetting, SpokenMessage, Step, asked_in

__all__ = ["ForgetAnswer", "SpokenForgetting", "SpokenMessage", "Step", "asked_in"]
