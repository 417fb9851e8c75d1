"""Bytes between client and upstream: connections, headers, relaying. Knows nothing of memory."""
