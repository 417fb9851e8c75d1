"""Analyses text into the terms of keyword search (BM25)."""

from .terms import index_terms, query_terms, stored_terms

__all__ = ["index_terms", "query_terms", "stored_terms"]
