"""Whether the words that a fact was read from assert it: of the user, and not denied. Pure.

It reads the clauses that carry the fact. A clause that asks, denies, supposes or tells of somebody
else stands against a fact that does not say so.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...language import stored_terms
from ...language.cues import cues_in, says, without
from ...language.message.material import take_apart
from ...language.requests import Cue, cues_of
from ...language.sections.people import RELATIONS
from ...language.sentences import is_question
from ...language.vocabulary import Hit
from .facts import Fact
from .passage import Passage
from .said import scripts_of

SAME = 0.6
"""Share of a fact's terms that stand in a clause which says it, or denies it."""
_NEGATED = "changes.negated"
_NO = (_NEGATED, "changes.ceased")
_SELF = ("people.first_person", "requests.self")
_SUPPOSED = ("person.hypothetical", "changes.intended", "person.conditional")
_OTHERS = (
    "requests.kin",
    *(f"people.kin.{name}" for name in sorted(RELATIONS - {"family", "team", "company"})),
)


def is_denied(fact: Fact, passage: Passage) -> str:
    """Whether the clauses that carry a fact only ask it or say the contrary: how, in a few words."""
    clauses = [passage.text(span) for span in passage.clauses]
    if _asked(clauses):
        return "it was asked, not said"
    if _denied(fact, passage, clauses):
        return "it was denied"
    return "it was not denied" if _affirmed(fact, passage, clauses) else ""


def is_unsure(fact: Fact, passage: Passage) -> str:
    """Whether they seem to suppose it, to quote it, or to tell it of somebody else: how.

    They go by words for that, so a model that can read may know better.
    """
    clauses = [passage.text(span) for span in passage.clauses]
    if _supposed(fact, passage, clauses):
        return "it was supposed, wished or invented"
    if _supplied(passage, clauses):
        return "it stands in a text to be worked on"
    others = _tells_of_user(fact.text) and all(map(_tells_of_others, clauses))
    return "it was said of somebody else" if others else ""


def is_about_others(fact: Fact) -> bool:
    """Whether a fact tells of the user what the model says is about somebody else."""
    who = fact.who or "user"
    if says(who, "people.user", *_SELF) or not _tells_of_user(fact.text):
        return False
    return scripts_of([who]) == scripts_of([fact.text]) and not (
        set(stored_terms(who)) & set(stored_terms(fact.text))
    )


def _tells_of_user(text: str) -> bool:
    """Whether the user is what a text is about, and not somebody of theirs."""
    begins = any(hit.start <= 1 for hit in cues_in(text, "people.user"))
    return begins and not says(text, *_OTHERS)


def _asked(clauses: Sequence[str]) -> bool:
    # "What can I cook for my vegan wife?" tells something of the user.
    return all(is_question(clause) and not says(clause, *_SELF) for clause in clauses)


def _denied(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if says(fact.text, *_NO):
        return False
    told = " ".join(passage.text(piece) for piece in passage.pieces)
    if passage.quoted and not says(told, _NEGATED) and says(_left_out(passage), _NEGATED):
        return True
    return any(_odd(clause) and _shares(fact, clause) >= SAME for clause in clauses)


def _affirmed(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if not _odd(fact.text) or says(passage.near, *_NO):
        return False
    return any(_shares(fact, clause) == 1 for clause in clauses)


def _supposed(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if says(passage.near, "person.fiction") and not says(fact.text, "person.fiction"):
        return True
    if says(fact.text, *_SUPPOSED):
        return False
    return says(passage.sentences, "person.hypothetical") or all(
        says(clause, "changes.intended") or _is_condition(clause) for clause in clauses
    )


def _is_condition(clause: str) -> bool:
    return any(hit.start == 0 for hit in cues_in(clause, "person.conditional"))


def _supplied(passage: Passage, clauses: Sequence[str]) -> bool:
    whole = take_apart(passage.part.text)
    if not whole.quoted or any(clause.strip(" .,:;!?\n") in whole.asked for clause in clauses):
        return False
    return cues_of(whole.asked).has(Cue.TRANSFORM, Cue.TONGUE, Cue.WORDING)


def _tells_of_others(clause: str) -> bool:
    others = list(cues_in(clause, *_OTHERS))
    return bool(others) and not any(
        _is_apart(hit, others) for hit in cues_in(clause, *_SELF)
    )


def _is_apart(hit: Hit, others: Sequence[Hit]) -> bool:
    """Whether a word for the user is not the "my" of "my wife"."""
    return not any(0 <= other.start - hit.end <= 1 or hit.start <= other.start < hit.end for other in others)


def _left_out(passage: Passage) -> str:
    """The words between the pieces of a quote, and the two before it in its clause."""
    text = passage.part.text
    begin = min((a for a, b in passage.clauses if b > passage.span[0]), default=passage.span[0])
    before = text[begin : passage.span[0]]
    gaps = [text[a:b] for (_, a), (b, _) in zip(passage.pieces, passage.pieces[1:], strict=False)]
    return " ".join([" ".join(before.split()[-2:]), *gaps])


def _odd(text: str) -> bool:
    """Whether a text is denied: "nobody but me" is not, "never, never" is."""
    hits = sorted({(hit.start, hit.end) for hit in cues_in(text, _NEGATED)})
    apart = [hit for before, hit in zip([(-9, -9), *hits], hits, strict=False) if hit[0] > before[1] + 1]
    return len(apart) % 2 == 1


def _shares(fact: Fact, clause: str) -> float:
    terms = set(stored_terms(without(fact.text, "people.user", _NEGATED)))
    return len(terms & set(stored_terms(clause))) / len(terms) if terms else 0.0
