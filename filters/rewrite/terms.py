"""Turns a message into a self-contained query, with key terms of earlier messages. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.memory.language import ANY, Hit, is_unspaced
from recollect.memory.language.requests import Cue, CueScan, cues_of
from recollect.memory.model.types import Message

from ..exchange import last_user_index
from .options import RewriteOptions

_MIN_CONTENT = 2
"""Least content words of a query, and before a pronoun that refers to one."""
_MIN_CJK_CONTENT = 4
"""The same in characters, for scripts without blanks."""
_FOLLOW_UP_WORDS = 7
"""A query of up to this many words that begins like a follow-up is one."""
_SHORT_WORDS = 10
"""In a query of up to this many words, a pronoun at the end refers to earlier messages."""
_FILLERS = (Cue.OPENER, Cue.FRAME, Cue.SELF, Cue.ANAPHORA, Cue.ELLIPSIS, Cue.GREET)


def self_contained(query: str) -> bool:
    """Whether `query` names what it is about.

    False if it has too few content words, begins like a follow-up, or has a pronoun without an
    antecedent. Text in languages without a list counts as complete.
    """
    found = cues_of(query)
    if not found.words or _is_foreign(found):
        return bool(found.words)
    content = content_words(found)
    if _content_weight(found, content) < _needed(found) or _follows_up(found):
        return False
    return not any(_dangles(found, hit, content) for hit in found.found(Cue.ANAPHORA))


def content_words(found: CueScan) -> list[int]:
    """Indexes of words that say what a text is about."""
    fillers = found.covered(*_FILLERS) - found.covered(Cue.GENERAL, Cue.KIN)
    return [
        i
        for i, word in enumerate(found.words)
        if i not in found.stop and i not in fillers and word != "'s" and any(map(str.isalnum, word))
    ]


def _is_foreign(found: CueScan) -> bool:
    """No word of any language that has a list."""
    latin = any("a" <= word[0] <= "z" for word in found.words)
    return not latin and found.languages == frozenset({ANY})


def _needed(found: CueScan) -> int:
    return _MIN_CJK_CONTENT if is_unspaced(found.words[0]) else _MIN_CONTENT


def _content_weight(found: CueScan, content: list[int]) -> int:
    """The number of content words; capitalised ones after the first word count twice."""
    return sum(1 + (found.raw[i][0].isupper() and i > 0) for i in content)


def _follows_up(found: CueScan) -> bool:
    starts = any(hit.start == 0 for hit in found.found(Cue.ELLIPSIS))
    opens = any(hit.start == 0 for hit in found.found(Cue.OPENER))
    return starts and not opens and len(found.words) <= _FOLLOW_UP_WORDS


def _dangles(found: CueScan, hit: Hit, content: list[int]) -> bool:
    before = sum(i < hit.start for i in content)
    at_the_end = hit.end == len(found.words) <= _SHORT_WORDS  # "which port did I give it"
    return at_the_end or before < _needed(found)


_NAME, _NUMBER, _WORD = 2, 2, 1
_MAX_RUN = 12
"""Longest run of CJK characters taken as one term."""
_MIN_LETTERS = 2


class Term(NamedTuple):
    """A key term as written, its form for comparison, and its weight."""

    text: str
    key: str
    weight: int


def key_terms(text: str) -> list[Term]:
    """The distinct content words of `text`, in order; runs of characters in CJK scripts."""
    found = cues_of(text)
    terms: dict[str, Term] = {}
    for term in _terms(found, text):
        terms.setdefault(term.key, term)
    return list(terms.values())


def _terms(found: CueScan, source: str) -> Iterator[Term]:
    for run in _runs(found, source):
        word = found.raw[run[0]]
        glue = "" if is_unspaced(word) else "-"
        text = glue.join(found.raw[i] for i in run)
        key = glue.join(found.words[i] for i in run)
        if is_unspaced(word):
            for start in range(0, len(text), _MAX_RUN):
                part = text[start : start + _MAX_RUN]
                yield Term(part, part, _WORD)
        elif len(text) >= _MIN_LETTERS or word.isdigit():
            yield Term(text, key, _weight(found, run[0]))


def _runs(found: CueScan, source: str) -> Iterable[list[int]]:
    """Indexes of content words; adjacent CJK characters and hyphenated words are joined."""
    run: list[int] = []
    for index in content_words(found):
        joins = (
            run
            and index == run[-1] + 1
            and index not in found.clause_starts
            and _joins(found.raw[index - 1], found.raw[index], source)
        )
        if not joins and run:
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def _joins(left: str, right: str, source: str) -> bool:
    if is_unspaced(right):
        return is_unspaced(left)
    return f"{left}-{right}" in source


def _weight(found: CueScan, index: int) -> int:
    word = found.raw[index]
    if any(map(str.isdigit, word)):
        return _NUMBER
    return _NAME if word[0].isupper() and index not in found.clause_starts else _WORD


def choose(terms: Sequence[Term], limit: int) -> list[Term]:
    """The `limit` terms of highest weight, later ones first among equals, in original order."""
    ranked = sorted(range(len(terms)), key=lambda i: (terms[i].weight, i), reverse=True)
    return [terms[i] for i in sorted(ranked[:limit])]


_HEAD_SHARE = 0.5
_GAP = " … "
HISTORY_MESSAGES = 3
"""Earlier user messages that key terms come from."""
MAX_TERMS = 16
"""Key terms that are prepended."""
REPLY_TERMS = 8
"""How many of them may come from the messages that stand between the last user message and the one
before ("which of those ...?" points into the answer)."""
MAX_QUERY_CHARS = 2000
"""Of a longer message its beginning and end remain."""
_SCANNED_CHARS = 1200
"""Only both ends of a longer earlier message are searched for key terms."""


def rewrite(messages: Sequence[Message], options: RewriteOptions) -> str:
    """The query for the last user message; "" if there is none.

    A self-contained message is only tidied. Others get key terms of the last `HISTORY_MESSAGES`
    user messages and of the messages between the last two in front.
    """
    query = tidied(messages)
    users = [i for i, message in enumerate(messages) if message.role == "user"]
    if options.strategy == "none" or len(users) <= 1 or self_contained(query):
        return query
    terms = _terms_before(messages, users, query)
    return _join(terms, query, MAX_QUERY_CHARS)


def tidied(messages: Sequence[Message]) -> str:
    """The last user message on one line and bounded; "" if there is none."""
    last = last_user_index(messages)
    return "" if last is None else tidy(messages[last].content, MAX_QUERY_CHARS)


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


def _terms_before(messages: Sequence[Message], users: Sequence[int], query: str) -> list[Term]:
    """Terms for `query`, oldest first, without those it has."""
    known = {term.key for term in key_terms(query)}
    said = _fresh((messages[i] for i in users[:-1][-HISTORY_MESSAGES:]), known)
    between = range(users[-2] + 1, users[-1])
    known |= {term.key for term in said}
    replied = _fresh(
        (messages[i] for i in between if messages[i].role not in ("system", "developer")), known
    )
    answer = choose(replied, REPLY_TERMS)
    return [*choose(said, MAX_TERMS - min(len(answer), MAX_TERMS // 2)), *answer][:MAX_TERMS]


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
