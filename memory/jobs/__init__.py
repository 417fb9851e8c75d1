"""Background work: jobs and their leases, idle conversations, and yielding to requests."""

from .lease import LeaseLostError, while_held

__all__ = ["LeaseLostError", "while_held"]
