"""Analyses text into the terms of keyword search (BM25)."""

from .languages import language_of
from .names import names_in, speaker_of
from .terms import index_terms, query_terms, stored_terms

__all__ = ["index_terms", "language_of", "names_in", "query_terms", "speaker_of", "stored_terms"]
