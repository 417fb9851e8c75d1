"""Digests of the old turns of long conversations."""
