"""Consolidation: what says the same is merged, what is of one topic condensed."""
