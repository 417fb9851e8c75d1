"""Recollect's own endpoints."""
