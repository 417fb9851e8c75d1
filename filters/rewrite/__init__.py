"""The rewrite: a query that can be understood alone."""

from .options import RewriteOptions
from .rewrite import rewrite
from .selfcontained import self_contained

__all__ = ["RewriteOptions", "rewrite", "self_contained"]
