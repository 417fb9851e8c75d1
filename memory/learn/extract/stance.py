"""Decides whether the words behind a fact assert it: of the user, and not denied. Pure.

It reads the clauses that carry the fact. A clause that asks, denies, supposes or tells of somebody
else stands against a fact that does not say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ...language import language_of, packs, stored_terms, words_of
from ...language.message.material import request_and_material
from ...language.requests import Cue, cues_of
from ...language.scanner import cues_in, says, without
from ...language.words import folded_words, is_question, is_unspaced
from .answer import Fact
from .fact_passage import FactPassage
from .fact_subject import SELF, tells_of_user
from .turn_texts import scripts_of

SAME = 0.6
"""Share of a fact's terms that stand in a clause which says it, or denies it."""
_STEM = 4
"""Least letters that two forms of a word have in common."""
_NEGATED = "changes.negated"
_MARKS = regex.compile(r"\p{M}")
_NO = (_NEGATED, "changes.contrary")
_SUPPOSED = ("person.hypothetical", "changes.intended", "person.conditional")


def is_denied(fact: Fact, passage: FactPassage) -> str:
    """How the clauses that carry a fact only ask it or say the contrary; "" if they do not."""
    clauses = [passage.text(span) for span in passage.clauses]
    if _asked(clauses):
        return "it was asked, not said"
    if _denied(fact, passage, clauses):
        return "it was denied"
    return "it was not denied" if _affirmed(fact, passage, clauses) else ""


def is_unsure(fact: Fact, passage: FactPassage) -> str:
    """Whether they seem to suppose it, or to quote it: how.

    They go by words for that, so a model that can read may know better.
    """
    clauses = [passage.text(span) for span in passage.clauses]
    if _supposed(fact, passage, clauses):
        return "it was supposed, wished or invented"
    if _supplied(passage, clauses):
        return "it stands in a text to be worked on"
    return "it repeats what somebody else said" if all(map(_repeats, clauses)) else ""


def is_about_others(fact: Fact) -> bool:
    """Whether a fact tells of the user what the model says is about somebody else."""
    who = fact.who or ""
    # "me" is the user, "my wife" is not.
    users = says(who, "people.user") or (len(who.split()) == 1 and says(who, *SELF))
    if not who or users or not tells_of_user(fact.text):
        return False
    return scripts_of([who]) == scripts_of([fact.text]) and not (
        set(stored_terms(who)) & set(stored_terms(fact.text))
    )


def _asked(clauses: Sequence[str]) -> bool:
    # "What can I cook for my vegan wife?" tells something of the user.
    return all(is_question(clause) and not says(clause, *SELF) for clause in clauses)


def _denied(fact: Fact, passage: FactPassage, clauses: Sequence[str]) -> bool:
    if says(fact.text, *_NO):
        return False
    if passage.quoted and not says(passage.quote, _NEGATED) and says(_before(passage), _NEGATED):
        return True
    return any(
        _is_negated(part) and _shares(fact, part) >= SAME
        for clause in clauses
        for part in _joined(clause)
    )


def _joined(clause: str) -> Iterator[str]:
    """The parts of a clause between its conjunctions; a denial ends at "but"."""
    words, start = words_of(clause), 0
    for hit in cues_in(clause, "changes.conjunctions"):
        at = words.starts[hit.start]
        if at > start and not is_unspaced(words.raw[hit.start]):
            yield clause[start:at]
            start = at
    yield clause[start:]


def _affirmed(fact: Fact, passage: FactPassage, clauses: Sequence[str]) -> bool:
    if not _is_negated(fact.text) or says(passage.near, *_NO) or _says_no(passage.near):
        return False
    return any(_shares(fact, clause) == 1 for clause in clauses)


def _says_no(text: str) -> bool:
    """Whether a text has a negation whose marks are written otherwise: "नही"."""
    pack = packs().get(language_of(text))
    known = {_MARKS.sub("", word) for word in pack.changes.negated} if pack else set()
    return any(len(word) > 1 and _MARKS.sub("", word) in known for word in words_of(text).folded)


def _supposed(fact: Fact, passage: FactPassage, clauses: Sequence[str]) -> bool:
    told = request_and_material(passage.near).asked
    if says(told, "person.fiction") and not says(fact.text, "person.fiction"):
        return True
    if says(fact.text, *_SUPPOSED):
        return False
    parts = [part for clause in clauses for part in _joined(clause)]
    telling = [part for part in parts if _shares(fact, part)] or clauses
    return (
        says(passage.sentences, "person.hypothetical")
        or all(map(_intends, telling))
        or all(map(_is_condition, clauses))
    )


def _is_condition(clause: str) -> bool:
    return any(hit.start == 0 for hit in cues_in(clause, "person.conditional"))


def _intends(clause: str) -> bool:
    """Whether it tells what is not so yet; files have the words as a stored fact has them."""
    if says(clause, "changes.intended"):
        return True
    words, pack = words_of(clause).folded, packs().get(language_of(clause))
    terms = (folded_words(term) for term in pack.changes.intended) if pack else ()
    return any(
        all(map(_is_inflected, term, words[at:]))
        for term in terms
        for at in range(len(words) - len(term) + 1)
    )


def _is_inflected(one: str, other: str) -> bool:
    """Whether two words are the same but for the last letter: "wants" and "want"."""
    size = max(len(one), len(other)) - 1
    return one == other or (size >= _STEM and one[:size] == other[:size])


def _supplied(passage: FactPassage, clauses: Sequence[str]) -> bool:
    whole = request_and_material(passage.part.text)
    if not whole.quoted or any(clause.strip(" .,:;!?\n") in whole.asked for clause in clauses):
        return False
    return cues_of(whole.asked).has(Cue.TRANSFORM)


def _repeats(clause: str) -> bool:
    """Whether it begins with what the assistant is to have said: "you told me to"."""
    mine = {hit.start for hit in cues_in(clause, "people.first_person")}
    told = {hit.start for hit in cues_in(clause, "turns.recalling")}
    begins = [hit for hit in cues_in(clause, "requests.self") if hit.start == 0]
    return any(
        hit.end > 1 and not told.isdisjoint(range(hit.end)) and mine.isdisjoint(range(hit.end))
        for hit in begins
    )


def _before(passage: FactPassage) -> str:
    """The two words before a quote, in its clause."""
    begin = min((a for a, b in passage.clauses if b > passage.span[0]), default=passage.span[0])
    return " ".join(passage.part.text[begin : passage.span[0]].split()[-2:])


def _is_negated(text: str) -> bool:
    """Whether a text is denied; "nobody but me" is not."""
    hits = list(cues_in(text, _NEGATED))
    mine = {hit.start for hit in cues_in(text, "people.first_person")}
    return bool(hits) and not (len(hits) > 1 and any(hit.end in mine for hit in hits))


def _shares(fact: Fact, clause: str) -> float:
    """The share of a fact's terms that stand in a clause, in any form."""
    mine = _content(without(fact.text, "people.user", _NEGATED))
    theirs = _content(clause)
    same = [one for one in mine if any(_is_form(one, other) for other in theirs)]
    return len(same) / len(mine) if mine else 0.0


def _content(text: str) -> set[str]:
    """Its terms; of a script without blanks the single signs, as pairs have endings in them."""
    terms = set(stored_terms(text))
    return {one for one in terms if len(one) == 1 and is_unspaced(one)} or terms


def _is_form(one: str, other: str) -> bool:
    size = max(3, min(len(one), len(other)) - 1)
    return one == other or (len(one) >= size <= len(other) and one[:size] == other[:size])
