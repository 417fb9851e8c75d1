"""What a short message answers or corrects, shown with it so that it is understood alone. Pure.

"Kim" after "What's your name?" tells a name, and "Sorry, I meant with oat milk" after "I take my
coffee black" tells how. Told by structure: a short message after a question of the assistant
answers it; one that begins with what denies or excuses, or that has no subject of its own, goes on
with what the user said before.

The assistant's question is context and shown as such. It makes no statement alone: an answer of
nothing but yes, no or thanks is kept only if the question names a trait of a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..language import scan
from ..language.message import Reading, is_social, take_apart
from ..language.pasted import own_words
from ..language.requests import Cue
from ..language.scanner import says
from ..language.words import is_question, sentences
from ..learn.cleaning import believed, is_suspicious
from ..model.types import Before
from ..recall.traits import instructs, traits_of
from ..trust.quarantine.carried import in_format
from .sentence import Whole, asks_at_end, names, read_sentence, weight
from .statements import languages_in, statements_in

LONGEST = 160
"""`weight` of the longest message that is shown with what it answers or corrects."""
FEW_WORDS, FEW_WEIGHT = 8, 50
"""Of one that needs no sign to be taken for the rest of what was said before."""
MOST_CONTEXT = 160
"""Characters of what it is shown with, of each side."""
ASKED = 'Assistant asked: "{}"'
STATED = 'Assistant said: "{}"'
EARLIER = 'Said before: "{}"'
_PERSONAL = frozenset({"allergy", "diet", "health", "name"})
"""Traits of which yes and no tell enough."""
_ORDERS = (Cue.TASK, Cue.TRANSFORM, Cue.FRAME)
"""What the first word of an order is; one that names something may correct another one."""
_DENIES = ("changes.negated", "changes.contrary", "turns.correction")
_MARKS = str.maketrans({'"': "'", "(": " ", ")": " ", "[": " ", "]": " ", "\n": " "})


def may_reply(text: str, asked: str) -> bool:
    """Whether a message may need what stands before it: cheap, and true of more than is shown.

    `asked` is the assistant's last question or sentence.
    """
    text = " ".join(text.split())
    if not text or weight(text) > LONGEST or asks_at_end(text):
        return False
    if is_question(asked):
        return True
    reading = Reading(take_apart(text))
    if _denies(reading):
        return True
    if is_social(reading, reading.material.asked):
        return False
    orders = 0 in reading.scan.covered(*_ORDERS) and not names(text)
    return _denies_first(reading) or (_is_elliptic(reading, text) and not orders)


def with_context(before: Before, text: str, stated: Sequence[str]) -> str | None:
    """The message behind what it answers or corrects; None if it is no reply, or tells nothing.

    `stated` is what the message states alone. The context stands in parentheses, each part with who
    said it.
    """
    text = " ".join(text.split())
    own = own_words(text)
    if not text or weight(text) > LONGEST or own.works or _asks(text):
        return None
    reading = Reading(take_apart(text))
    question = before.asked if is_question(before.asked) else ""
    if not _tells(reading, question):
        return None
    earlier = _earlier(before) if _goes_on(reading, text, stated, answers=bool(question)) else ""
    parts = [EARLIER.format(earlier)] if earlier else []
    if question and _may_ask(question):
        parts.append(ASKED.format(_shown(question)))
    elif not parts and before.asked and not question and _denies_first(reading):
        parts += [STATED.format(_shown(before.asked))] if _may_ask(before.asked) else []
    return f"({' '.join(parts)}) {text}" if parts else None


def _tells(reading: Reading, question: str) -> bool:
    """Whether a reply says more than yes, no or thanks, or enough to what is asked."""
    if not is_social(reading, reading.material.asked):
        return bool(reading.scan.words)
    found = reading.scan
    bare = found.covered(Cue.GREET, Cue.PRAISE) | found.stop
    if len(bare) < len(found.words) and (question or _denies(reading)):
        return True  # "no, Bergen" greets nobody called Bergen
    return not traits_of(question).isdisjoint(_PERSONAL)


def _asks(text: str) -> bool:
    """Whether a sentence of it surely asks or orders; a number makes "make that 11" a fact."""
    whole = Whole(languages_in(text))
    for sentence in sentences(text):
        read = read_sentence(sentence.strip(), whole)
        if asks_at_end(sentence) or (read.asks and not read.unsure and not read.named):
            return True
    return instructs(text)


def _goes_on(reading: Reading, text: str, stated: Sequence[str], *, answers: bool) -> bool:
    """Whether the message goes on with what the user said before."""
    if _denies_first(reading):
        return True
    if answers or not _is_elliptic(reading, text):
        return False
    named = read_sentence(text, Whole(languages_in(text))).named
    return named or bool(stated) or says(text, *_DENIES)


def _is_elliptic(reading: Reading, text: str) -> bool:
    """Whether it is short, and nobody is in it."""
    few = weight(text) <= FEW_WEIGHT and len(text.split()) <= FEW_WORDS
    return few and not reading.has(Cue.SELF, Cue.KIN)


def _denies_first(reading: Reading) -> bool:
    """Whether its first word denies, corrects or excuses: "no", "sorry", "not any more"."""
    return 0 in reading.scan.covered(Cue.GREET) or _denies(reading)


def _denies(reading: Reading) -> bool:
    found = scan(reading.material.asked)
    return any(hit.start == 0 for field in _DENIES for hit in found.found(field))


def _earlier(before: Before) -> str:
    """What the user said before, back to a statement that stands by itself."""
    told: list[str] = []
    sure = False
    for text in reversed(before.said):
        stated = statements_in(believed(text))
        reading = Reading(take_apart(" ".join(text.split())))
        if stated or _may_go_on(text, reading):
            told.append(" ".join(stated) or text)
        sure = sure or bool(stated)
        if stated and reading.has(Cue.SELF, Cue.KIN) and not _denies_first(reading):
            break
    return _shown(" / ".join(reversed(told))) if sure else ""


def _may_go_on(text: str, reading: Reading) -> bool:
    """Whether an earlier message, which states nothing alone, corrects one before it."""
    if weight(text) > LONGEST or _asks(text) or is_suspicious(text):
        return False
    return _denies_first(reading) and not is_social(reading, reading.material.asked)


def _may_ask(sentence: str) -> bool:
    """Whether a sentence of the assistant may be shown: it plants nothing and orders nothing.

    A question mark makes no order harmless.
    """
    if instructs(sentence) or in_format(sentence):
        return False
    plain = sentence.strip().rstrip("?？؟ ")  # noqa: RUF001 - marks of other scripts
    return not (is_suspicious(sentence) or is_suspicious(f"{plain}."))


def _shown(text: str) -> str:
    text = " ".join(text.translate(_MARKS).split())
    return text if len(text) <= MOST_CONTEXT else f"…{text[-MOST_CONTEXT:]}"
