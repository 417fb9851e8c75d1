"""PostgreSQL with pgvector: see `options`."""

from .options import PgvectorStoreOptions

__all__ = ["PgvectorStoreOptions"]
