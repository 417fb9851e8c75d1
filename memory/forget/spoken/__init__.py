"""Forgetting by saying so: requests of users in a chat, and their agreement."""

from .driver import ForgetAnswer, SpokenForgetting, SpokenMessage, Step, asked_in

__all__ = ["ForgetAnswer", "SpokenForgetting", "SpokenMessage", "Step", "asked_in"]
