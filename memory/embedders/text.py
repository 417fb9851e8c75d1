"""Makes any string acceptable to an embedder. Pure."""

from __future__ import annotations


def fit(text: str, max_chars: int) -> str:
    """At most `max_chars` characters of `text`, valid in UTF-8.

    The text is cut first: a tokenizer would read a whole megabyte before it truncates. Surrogate
    pairs (two halves, as some JSON writers leave them) are joined, lone ones become U+FFFD.
    """
    cut = text[:max_chars]
    try:
        cut.encode()
    except UnicodeEncodeError:
        return cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return cut
