"""One memory: find it for its owner, and tell everybody who must know of its end."""
