"""Whether the words that a fact was read from assert it: of the user, and not denied. Pure.

It reads the clauses that carry the fact. A clause that asks, denies, supposes or tells of somebody
else stands against a fact that does not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
_SUPPOSED = ("person.hypothetical", "changes.intended")
_OTHERS = (
    "requests.kin",
    *(f"people.kin.{name}" for name in sorted(RELATIONS - {"family", "team", "company"})),
)


def stands_against(fact: Fact, passage: Passage) -> str:
    """What stands against a fact in the clauses that carry it, in a few words; "" if nothing."""
    clauses = [passage.text(span) for span in passage.clauses]
    checks: tuple[tuple[str, Callable[[Fact, Passage, Sequence[str]], bool]], ...] = (
        ("it was asked, not said", _asked),
        ("it was denied", _denied),
        ("it was not denied", _affirmed),
        ("it was supposed, wished or invented", _supposed),
        ("it stands in a text to be worked on", _supplied),
        ("it was said of somebody else", _of_others),
    )
    return next((name for name, check in checks if check(fact, passage, clauses)), "")


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


def _asked(_fact: Fact, _passage: Passage, clauses: Sequence[str]) -> bool:
    # "What can I cook for my vegan wife?" tells something of the user.
    return all(is_question(clause) and not says(clause, *_SELF) for clause in clauses)


def _denied(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if says(fact.text, *_NO):
        return False
    if passage.quoted and not says(passage.quote, _NEGATED) and says(_left_out(passage), _NEGATED):
        return True
    return any(_odd(clause) and _shares(fact, clause) >= SAME for clause in clauses)


def _affirmed(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if not _odd(fact.text) or says(passage.near, *_NO):
        return False
    return any(_shares(fact, clause) == 1 for clause in clauses)


def _supposed(fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    if says(passage.near, "person.fiction") and not says(fact.text, "person.fiction"):
        return True
    if says(fact.text, *_SUPPOSED, "person.conditional"):
        return False
    return all(says(clause, *_SUPPOSED) or _is_condition(clause) for clause in clauses)


def _is_condition(clause: str) -> bool:
    return any(hit.start == 0 for hit in cues_in(clause, "person.conditional"))


def _supplied(_fact: Fact, passage: Passage, clauses: Sequence[str]) -> bool:
    whole = take_apart(passage.part.text)
    if not whole.quoted or any(clause.strip(" .,:;!?\n") in whole.asked for clause in clauses):
        return False
    return cues_of(whole.asked).has(Cue.TRANSFORM, Cue.TONGUE, Cue.WORDING)


def _of_others(fact: Fact, _passage: Passage, clauses: Sequence[str]) -> bool:
    return _tells_of_user(fact.text) and all(_tells_of_others(clause) for clause in clauses)


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
