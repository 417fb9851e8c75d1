"""Make any string fit for an embedder. Pure."""

from __future__ import annotations


def fit(text: str, max_chars: int) -> str:
    """Return at most `max_chars` characters of `text` that UTF-8 can carry.

    Cutting comes first: a tokenizer would read all of a megabyte before it truncates. Surrogate
    pairs (two halves, as sloppy JSON writers leave them) are joined, lone ones become U+FFFD.
    """
    cut = text[:max_chars]
    try:
        cut.encode()
    except UnicodeEncodeError:
        return cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return cut
