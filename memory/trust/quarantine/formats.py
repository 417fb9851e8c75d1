"""Addresses, numbers of telephones and accounts, and commands, which need no language."""

from __future__ import annotations

import regex

LINK = regex.compile(
    r"https?://\S+|www\.\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+"
    r"|\b(?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|ai|co|app|dev|example|invalid|test|info|biz|shop|xyz|site|online"
    r"|link|click|top|ru|cn|de|fr|es|it|nl|br|pt|jp|in|uk|eu|me|ly|gg|to|cc|tk)\b(?:/\S*)?",
    flags=regex.IGNORECASE,
)
"""Addresses of pages and mail boxes."""
PHONE = regex.compile(r"\+\d[\d ()/-]{7,}\d")
"""Telephone numbers with their country."""
_HANDLE = regex.compile(r"(?<![\w.@/])@[\p{L}\d_][\w.]{2,}")
"""Names of accounts of networks and messengers."""
_LONG_NUMBER = regex.compile(r"(?<![\d.,:/-])(?:\d[ \-/()]{0,2}){8,}\d(?![\d.,]*\d)")
"""Telephone numbers without their country, and numbers of accounts."""
_IBAN = regex.compile(r"\b[A-Z]{2}\d{2}[ \dA-Z]{11,34}\b")
_PLACES = (LINK, PHONE, _HANDLE, _LONG_NUMBER, _IBAN)
SHELL = regex.compile(
    r"rm\s{1,4}-rf?|(?:curl|wget)\b[^\n|]{0,300}\|\s?(?:ba|z|da)?sh\b|chmod\s{1,4}777|drop\s{1,4}(?:table|database)"
    r"|--no-verify|--force\b|push\s{1,4}(?:-f|--delete|origin\s{1,4}--delete)|mkfs|sudo\s{1,4}\w|--trusted-host"
    r"|--insecure|verify\s?=\s?false|--no-check|strict-ssl\s{1,4}false|iex\s?\(|eval\s?\(|--yes\b"
    r"|--disable-[\w-]+|dangerously|npm_config_registry|--index-url|--extra-index-url",
    flags=regex.IGNORECASE,
)
"""Commands that delete data, load foreign code or disable checks."""

IMAGE = "!["
"""How an image begins, which is fetched when the text is shown."""


def in_format(text: str) -> list[str]:
    """What the text has of these: a "destination", a "command", an "image".

    Something can be sent to a destination, or somebody be led there.
    """
    found = {
        "destination": any(place.search(text) for place in _PLACES),
        "command": SHELL.search(text) is not None,
        "image": IMAGE in text,
    }
    return [name for name, there in found.items() if there]
