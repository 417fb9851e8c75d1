"""Reflection: conclusions from what happened, with what they follow from."""
