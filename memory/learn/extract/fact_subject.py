"""Decides of whom a text tells: the user, or somebody of theirs. Pure.

By the people that it names and who speaks in it; a language without a file names nobody.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

import regex

from ...language import language_of, languages_of, scan, words_of
from ...language.detect import UNKNOWN, function_words_of
from ...language.scanner import cues_in, says
from ...language.words import is_unspaced

SELF = ("people.first_person", "requests.self")
KIN = ("requests.kin", "people.kin")
ROLES = ("people.roles",)
"""What a user may be as well as have."""
SUBJECT = 2
"""Words before the person that a clause tells of."""
_CLAUSE = regex.compile(
    r"\s-+(?=\s)|[,;:()\u2013\u2014\u060c\uff0c\u3001\uff1b\u061b]+(?!\d)|[.!?\u3002\uff01\uff1f\u061f\u0964\n]+"
)


def clauses_of(sentence: str) -> list[str]:
    """Its parts between marks and conjunctions."""
    found, spoken = list[str](), _spoken(sentence)
    for part in _CLAUSE.split(sentence):
        words, start = words_of(part), 0
        for first in sorted(_places(part, ("changes.conjunctions",), spoken)):
            at = words.starts[first]
            if at > start and not is_unspaced(words.raw[first]):
                found.append(part[start:at])
                start = at
        found.append(part[start:])
    return [one for one in found if one.strip()]


def tells_of_user(text: str) -> bool:
    """Whether the user is what a text is about, and not somebody of theirs."""
    # "L'utilisateur", "The user", "Der Nutzer".
    words = [word.rstrip("'") for word in words_of(text).folded]
    articles = function_words_of(language_of(text))
    users = [
        hit for hit in scan(text).found("people.user") if articles.issuperset(words[: hit.start])
    ]
    roles = {hit.start for hit in cues_in(text, *ROLES)}
    # "User's colleague" is somebody, "User is a coach" is not.
    owns = any(hit.end in roles or hit.end + 1 in roles for hit in users)
    return bool(users) and not owns and not says(text, *KIN)


def is_of_others(clauses: Sequence[str]) -> bool:
    """Whether the last of these clauses tells of somebody else, or goes on with one that does."""
    spoken = _spoken(" ".join(clauses))
    for clause in reversed(clauses):
        mine = _places(clause, SELF, spoken)
        kin = _places(clause, KIN, spoken) - mine
        # "My doctor" is somebody, "a doctor" may be the user.
        roles = {at for at in _places(clause, ROLES, spoken) if _is_owned(clause, at, mine)}
        people = kin | roles
        # The user is there only as in "my wife".
        if not mine <= {at - back for at in people for back in (1, 2)}:
            return False
        if people:
            return min(people) <= SUBJECT
    return False


def _places(clause: str, fields: Sequence[str], spoken: Container[str]) -> set[int]:
    return {hit.start for hit in cues_in(clause, *fields) if hit.language in spoken}


def _is_owned(clause: str, at: int, mine: Container[int]) -> bool:
    """Whether the word before is the user; in scripts without blanks, before a particle."""
    apart = is_unspaced(words_of(clause).raw[at])
    return at - 1 in mine or (apart and at - 2 in mine)


def _spoken(text: str) -> frozenset[str]:
    """The languages whose words count: Polish "ma" is "has", French "ma" is "my"."""
    language = language_of(text)
    return languages_of(words_of(text).folded) if language == UNKNOWN else frozenset({language})
