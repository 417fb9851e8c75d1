"""The rewrite: a query that can be understood alone."""

__all__ = []
