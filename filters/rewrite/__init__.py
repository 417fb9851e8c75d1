"""The rewrite: a query that can be understood alone."""

from .options import RewriteOptions

__all__ = ["RewriteOptions"]
