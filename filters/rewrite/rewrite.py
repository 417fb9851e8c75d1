"""Turns a message into a self-contained query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.memory.model.types import Message

from ..exchange import last_user_index
from .options import RewriteOptions
from .selfcontained import self_contained
from .terms import Term, choose, key_terms

_HEAD_SHARE = 0.5
_GAP = " … "
_SCANNED_CHARS = 1200
"""Only both ends of a longer earlier message are searched for key terms."""


def rewrite(messages: Sequence[Message], options: RewriteOptions) -> str:
    """The query for the last user message; "" if there is none.

    A self-contained message is only tidied. Others get key terms of the last `history_messages`
    user messages and of the messages between the last two in front.
    """
    query = tidied(messages, options)
    users = [i for i, message in enumerate(messages) if message.role == "user"]
    if options.strategy == "none" or len(users) <= 1 or self_contained(query):
        return query
    terms = _terms(messages, users, query, options)
    return _join(terms, query, options.max_query_chars)


def tidied(messages: Sequence[Message], options: RewriteOptions) -> str:
    """The last user message on one line and bounded; "" if there is none."""
    last = last_user_index(messages)
    return "" if last is None else tidy(messages[last].content, options.max_query_chars)


def tidy(text: str, limit: int) -> str:
    """`text` on one line; of a longer one both ends, at most `limit` characters."""
    line = " ".join(ends(text, 2 * limit).split())
    return ends(line, limit)


def ends(text: str, limit: int) -> str:
    """`text`, or both ends with a mark between, `limit` characters in all."""
    if len(text) <= limit:
        return text
    kept = limit - len(_GAP)
    head = int(kept * _HEAD_SHARE)
    return text[:head] + _GAP + text[len(text) - (kept - head) :]


def _terms(
    messages: Sequence[Message], users: Sequence[int], query: str, options: RewriteOptions
) -> list[Term]:
    """Terms for `query`, oldest first, without those it has."""
    known = {term.key for term in key_terms(query)}
    earlier = users[:-1][-options.history_messages :] if options.history_messages else []
    said = _fresh((messages[i] for i in earlier), known)
    between = range(users[-2] + 1, users[-1])
    known |= {term.key for term in said}
    replied = _fresh(
        (messages[i] for i in between if messages[i].role not in ("system", "developer")), known
    )
    answer = choose(replied, min(options.reply_terms, options.max_terms))
    return [*choose(said, options.max_terms - min(len(answer), options.max_terms // 2)), *answer][
        : options.max_terms
    ]


def _fresh(messages: Iterable[Message], known: set[str]) -> list[Term]:
    terms: dict[str, Term] = {}
    for message in messages:
        for term in key_terms(ends(message.content, _SCANNED_CHARS)):
            if term.key not in known:
                terms[term.key] = term
    return list(terms.values())


def _join(terms: Sequence[Term], query: str, limit: int) -> str:
    """Terms before the query, as many as fit."""
    kept: list[str] = []
    room = limit - len(query)
    for term in reversed(terms):
        room -= len(term.text) + 1
        if room < 0:
            break
        kept.insert(0, term.text)
    return " ".join([*kept, query])
