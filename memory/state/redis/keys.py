"""The names of the keys, and which keys share a hash tag.

Redis Cluster distributes keys by the part in braces, the hash tag. A script may touch keys of one
tag only: buckets of requests share that of their tenant.

Values between braces are percent-encoded: an id that contains braces, or begins with one, could
otherwise separate keys that belong together.
"""

from __future__ import annotations

from urllib.parse import quote


def encoded(text: str) -> str:
    """Any text as letters, digits and ``_.-~%``; lone surrogates too."""
    return quote(text, safe="", errors="surrogatepass")


class Keys:
    """All names with one prefix, which has no brace."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def bucket(self, tenant: str) -> str:
        """A hash: what a tenant has left of its requests."""
        return f"{self._prefix}bucket:{{{encoded(tenant)}}}"

    def bucket_share(self, tenant: str, user: str) -> str:
        """A hash: what one of its users took of them lately."""
        return f"{self.bucket(tenant)}:of:{encoded(user)}"

    def channel(self, name: str) -> str:
        """Where messages are published."""
        return f"{self._prefix}{name}"
