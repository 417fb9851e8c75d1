"""Makes passages of a turn: what is kept of it until something was learned from it. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from ..language.message import Reading, is_social, take_apart
from ..language.pasted import own_words
from ..language.reach import reach_of
from ..language.requests import Cue, cues_of
from ..language.words import sentences
from ..learn.cleaning import believed, is_suspicious
from ..learn.firewall import clean, may_repeat, own_text
from ..learn.roles import as_oneself
from ..model.times import sequence_from
from ..model.types import Before, MemoryItem, MemoryType, Provenance, Source, Turn, Vector
from ..recall.importance import NEUTRAL
from ..recall.index.entry import LEFT, PASTED, PREFIX, Entry, SaidPassage
from ..recall.prototypes import Prototypes
from ..recall.traits import LONGEST, is_among_others, lasts, orders, with_others
from ..trust.redact import is_husk
from .replies import with_context
from .sentence import asks_at_end, weight
from .statements import statements_in

VERSION = 1
"""Of notes. The turns of notes with another number are read again."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A passage as it is kept."""

    text: str
    vector: Vector | None = None
    over: frozenset[str] = frozenset()
    importance: float = NEUTRAL
    pasted: bool = False
    """Whether it stands behind a label of somebody else's words."""
    left: bool = False
    """Whether memories tell the rest of its turn, and not this."""


def dump_note(found: Sequence[Noted], embedder_id: str) -> str:
    """The note of a turn with these passages; vectors are kept with half precision."""
    kept = [
        [
            one.text,
            _packed(one.vector),
            sorted(one.over),
            round(one.importance, 2),
            *([one.pasted, True] if one.left else [True] if one.pasted else ()),
        ]
        for one in found
    ]
    return json.dumps({"v": VERSION, "embedder": embedder_id, "passages": kept})


def load_note(note: str, embedder_id: str, dim: int) -> list[Noted] | None:
    """The passages of a note; None if it cannot be read, as one of another version.

    Vectors of another embedder are left out.
    """
    try:
        read = json.loads(note)
        if read["v"] != VERSION:
            return None
        same = read["embedder"] == embedder_id
        return [
            Noted(
                str(text),
                _unpacked(vector, dim) if same else None,
                frozenset(map(str, over)),
                min(max(float(importance), 0.0), 1.0),
                flags[:1] == [True],
                flags[1:2] == [True],
            )
            for text, vector, over, importance, *flags in read["passages"]
        ]
    except (ValueError, TypeError, KeyError, binascii.Error):
        return None


def _packed(vector: Vector | None) -> str | None:
    return None if vector is None else base64.b64encode(vector.astype("<f2").tobytes()).decode()


def _unpacked(packed: str | None, dim: int) -> Vector | None:
    if packed is None:
        return None
    vector = np.frombuffer(base64.b64decode(packed), "<f2").astype(np.float32)
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if len(vector) == dim and length > 0 else None


REMARK = 16
"""The `weight` of what goes on with an instruction ("Stop with the emojis. All of them.")."""
OF_LEARNED = 0.2
"""Most importance of a turn from which extraction kept nothing."""


def texts_of(turn: Turn, known: Sequence[str] = ()) -> list[str]:
    """The texts of a turn's passages, in order.

    `known` are the memories that the model was shown: whoever pastes them says nothing new. What
    the quarantine withholds is left out.
    """
    turn = as_oneself(turn)
    return texts_in(turn, own_text(turn.user_text, known), known)


def texts_in(turn: Turn, own: str, known: Sequence[str] = ()) -> list[str]:
    """The same, of a turn whose message is what is its user's `own`."""
    told = statements_in(own)
    before = None if turn.before is None else _cleaned(turn, turn.before, known)
    shown = before and with_context(before, own, told)
    if shown and not is_husk(own) and not is_suspicious(shown):
        return [shown]
    stated = "\n".join(told)
    if not stated:
        return []
    sentences = [one.strip() for one in believed(stated).split("\n") if one.strip()]
    return [text for text in _grouped(_together(own, sentences)) if not is_husk(text)]


def depends_on_known(turn: Turn, own: str) -> bool:
    """Whether `texts_of` a turn may depend on the memories that the model was shown.

    `own` is its user's as far as can be told without them.
    """
    if not turn.recalled:
        return False
    return turn.before is not None or own != turn.user_text or may_repeat(own)


def _together(text: str, told: Sequence[str]) -> list[str]:
    """The sentences; a wish in somebody else's text with what stands around it.

    That shows whose it is. What stands there is not told again beside it.
    """
    found = {one: around for one in told if lasts(one) and (around := with_others(text, one))}
    if not found:
        return list(told)
    shown = [found.get(one, one) for one in told if one in found or not _is_in(one, found.values())]
    # A text in which anything is withheld is not told at all.
    return [
        one for one in dict.fromkeys(shown) if one not in found.values() or not is_suspicious(one)
    ]


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


def passage(
    turn: Turn,
    number: int,
    text: str,
    *,
    embedder_id: str,
    learned: bool,
    importance: float = NEUTRAL,
    pasted: bool = False,
    left: bool = False,
) -> SaidPassage:
    """A passage that is ready to be ranked."""
    item = MemoryItem(
        id=id_of(turn.id, number),
        text=text,
        type=MemoryType.EPISODIC,
        scope=turn.scope,
        created_at=turn.created_at,
        updated_at=turn.created_at,
        embedder_id=embedder_id,
        importance=min(importance, OF_LEARNED) if learned and not left else importance,
        provenance=Provenance(
            source=Source.SAID,
            conversation_id=turn.conversation_id,
            turn_ids=(turn.id,),
            sequence=sequence_from(turn.created_at) + number,
            flags=(*((PASTED,) if pasted else ()), *((LEFT,) if left else ())),
        ),
    )
    return SaidPassage(Entry.of(item))


LONGEST_ORDER = 400
"""Characters of the longest message whose orders are compared."""
MOST_ORDERS = 4
"""Orders of a message that are compared at most."""
NEAR, SURELY = 0.09, 0.16
"""How much nearer it must be to wishes than to requests and to all else, and to instructions than
to all else. Of 1,900 messages of `benchmarks/unseen` that say no wish, five are as near."""


def orders_of(turn: Turn, kept: Sequence[str]) -> list[str]:
    """The sentences of a message that are not `kept`, if none asks: they may be wishes.

    None of one that is small talk: of 216 among 44,000 texts, none is a wish.
    """
    if len(turn.user_text) > LONGEST_ORDER:
        return []
    reading = Reading(take_apart(turn.user_text))
    if is_social(reading, reading.material.asked):
        return []
    own = own_words(turn.user_text)
    told = [one.strip() for one in sentences(own.text) if one.strip()]
    if own.works or any(map(asks_at_end, told)) or is_suspicious(turn.user_text):
        return []
    # What is kept with what it follows is read alone too.
    whole = kept if turn.before is None else ()
    open_ = [one for one in told if one not in kept and not any(one in text for text in whole)]
    return open_ if len(open_) <= MOST_ORDERS else []


def wishes_among(
    prototypes: Prototypes,
    sentences_: Sequence[str],
    vectors: Sequence[Vector],
    said_at: datetime,
) -> list[str]:
    """Those of `orders_of` that are about answers; none if another one orders something.

    One that points at something ("make it shorter") is for one answer, unless it says how far it
    reaches.
    """
    found = [is_wish(prototypes, vector) for vector in vectors]
    open_ = [one for one, wish in zip(sentences_, found, strict=True) if not wish]
    if any(map(orders, open_)):
        return []
    return [
        one
        for one, wish in zip(sentences_, found, strict=True)
        if wish and (not cues_of(one).has(Cue.ANAPHORA) or reach_of(one, said_at).here)
    ]


def is_wish(prototypes: Prototypes, vector: Vector) -> bool:
    """Whether an order with this vector is about answers, and not for this one."""
    meant = prototypes.told(vector)
    lead = prototypes.lead(vector)
    return min(meant.wished, lead) >= NEAR and meant.instructs >= SURELY
