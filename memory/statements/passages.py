"""Makes passages of a turn: what is kept of it until something was learned from it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..language.requests import Cue, cues_of
from ..learn.firewall import clean
from ..learn.withhold import parted
from ..model.times import sequence_from
from ..model.types import Before, MemoryItem, MemoryType, Provenance, Source, Turn
from ..recall.index.entry import Entry
from ..recall.index.shelf import PREFIX, SaidPassage
from ..recall.surroundings import LONGEST, is_among_others, lasts, with_others
from ..trust.quarantine import judge_text
from ..trust.redact import is_husk
from .replies import with_context
from .sentence import weight
from .statements import statements

REMARK = 16
"""The `weight` of what goes on with an instruction ("Stop with the emojis. All of them.")."""
IMPORTANCE = 0.5
OF_LEARNED = 0.2
"""Importance of a turn from which extraction kept nothing."""


def texts_of(turn: Turn, known: Sequence[str] = ()) -> list[str]:
    """The texts of a turn's passages, in order.

    `known` are the memories that the model was shown: whoever pastes them says nothing new. What
    the quarantine withholds is left out.
    """
    [cleaned] = clean([turn], known).turns
    told = statements(cleaned.user_text)
    before = None if turn.before is None else _cleaned(turn, turn.before, known)
    shown = before and with_context(before, cleaned.user_text, told)
    if shown and not is_husk(cleaned.user_text) and judge_text(shown) is None:
        return [shown]
    stated = "\n".join(told)
    if not stated:
        return []
    rest = parted(stated, judge_text(stated)).rest
    sentences = [one.strip() for one in rest.split("\n") if one.strip()]
    return [text for text in _grouped(_together(cleaned.user_text, sentences)) if not is_husk(text)]


def _together(text: str, told: Sequence[str]) -> list[str]:
    """The sentences; a wish in somebody else's text with what stands around it.

    That shows whose it is. What stands there is not told again beside it.
    """
    found = {one: around for one in told if lasts(one) and (around := with_others(text, one))}
    if not found:
        return list(told)
    shown = [found.get(one, one) for one in told if one in found or not _is_in(one, found.values())]
    # A text in which anything is withheld is not told at all.
    return [one for one in dict.fromkeys(shown) if one not in found.values() or not judge_text(one)]


def _is_in(sentence: str, texts: Iterable[str]) -> bool:
    return any(sentence in text for text in texts)


def _cleaned(turn: Turn, before: Before, known: Sequence[str]) -> Before:
    """What came before without what is not the user's, and what only repeats memories."""
    answers = [*("" for _ in before.said[1:]), before.asked]
    turns = [
        replace(turn, user_text=said, assistant_text=answer, steps=())
        for said, answer in zip(before.said or ("",), answers, strict=True)
    ]
    left = clean(turns, known).turns
    said = tuple(one.user_text for one in left) if before.said else ()
    return replace(before, said=said, asked=left[-1].assistant_text)


def _grouped(told: Sequence[str]) -> Iterator[str]:
    """The sentences, as few texts as possible.

    An instruction that is to last stands alone: it goes with every message, and what else was said
    does not.
    """
    if len(told) == 1:
        yield told[0]
        return
    text, lasting = "", False
    for sentence in told:
        wish = lasts(sentence) or is_among_others(sentence)
        goes_on = lasting and not wish and weight(sentence) <= REMARK and not _is_personal(sentence)
        if text and (len(text) + len(sentence) >= LONGEST or (wish != lasting and not goes_on)):
            yield text
            text = ""
        lasting = wish or (goes_on and bool(text))
        text = f"{text} {sentence}" if text else sentence
    if text:
        yield text


def _is_personal(sentence: str) -> bool:
    return cues_of(sentence).has(Cue.SELF) or cues_of(sentence).has(Cue.KIN)


def id_of(turn_id: str, number: int) -> str:
    """The id of a turn's passage."""
    return f"{PREFIX}{turn_id}" if number == 0 else f"{PREFIX}{turn_id}:{number}"


def passage(turn: Turn, number: int, text: str, *, embedder_id: str, learned: bool) -> SaidPassage:
    """A passage that is ready to be ranked."""
    item = MemoryItem(
        id=id_of(turn.id, number),
        text=text,
        type=MemoryType.EPISODIC,
        scope=turn.scope,
        created_at=turn.created_at,
        updated_at=turn.created_at,
        embedder_id=embedder_id,
        importance=OF_LEARNED if learned else IMPORTANCE,
        provenance=Provenance(
            source=Source.SAID,
            conversation_id=turn.conversation_id,
            turn_ids=(turn.id,),
            sequence=sequence_from(turn.created_at) + number,
        ),
    )
    return SaidPassage(Entry.of(item))
