"""Finds numbers of documents and persons by the name of the document before them."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ..findings import Finding
from ..formats.identity import KIND
from .prose import Prose

_VALUE = regex.compile(
    r"(?<![A-Za-z0-9_'\u2019])(?=(?:[\w./ -]{0,4}\d){5})(?:[A-Za-z]{0,4}[ -]?)?\d[\dA-Za-z]*"
    r"(?:[ ./-][\dA-Za-z]*\d[\dA-Za-z]*){0,6}(?![A-Za-z0-9_])"
)
_DATE = regex.compile(
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d"
)
_DASHED = regex.compile(
    r"(?<![A-Za-z0-9_-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|[.,]\d)"
)
"""The social security number of the United States as it is written most often."""
_REACH = 50
_BEFORE = 40


def find_documents(read: Prose) -> Iterator[Finding]:
    """Identity, passport, tax and insurance numbers: kind `national_id`."""
    text, done = read.view.text, 0
    for hit in read.seen.found("secrets.document"):
        _, end = read.span(hit)
        value = _VALUE.search(text, max(done, end), end + _REACH)
        if value and not _DATE.fullmatch(value.group()) and "\n\n" not in text[end : value.start()]:
            yield Finding(*value.span(), KIND)
            done = value.end()
    for match in _DASHED.finditer(text):
        before = read.words(max(0, match.start() - _BEFORE), match.start())
        if read.other_numbers.isdisjoint(before):
            yield Finding(*match.span(), KIND)
