"""Tools that know nothing of memories."""
