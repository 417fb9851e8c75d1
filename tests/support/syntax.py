"""Source code as a tree, for tests that look at the product's own."""

from __future__ import annotations

import ast

TRIES = 3


def parsed(text: str) -> ast.Module:
    """The tree of a module.

    CPython before 3.11.8 counts the depth of trees for all threads together, and now and then
    finds it wrong (python/cpython#106905): then the same text is parsed again.
    """
    for _ in range(TRIES - 1):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)
