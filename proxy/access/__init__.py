"""Whose request it is, whether it may have memory, and the secrets that come with it."""
