# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""Makes passages of a turn: what is kept of it until something was learned from it. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import regex

from ..language.structure import parts_of
from ..language.words import sentences
from ..learn.cleaning import believed, is_suspicious
from ..learn.firewall import clean, may_repeat, own_text, strip_injected
from ..learn.roles import as_oneself
from ..model.messages import is_left_out
from ..model.row_kinds import SAID_PREFIX
from ..model.times import sequence_from
from ..model.turns import told_to_of
from ..model.types import MemoryItem, MemoryType, Provenance, Source, Turn, Vector
from ..recall.asking import may_concern_answers, speaks_of_user
from ..recall.importance import NEUTRAL
from ..recall.index.entry import (
    ASKED,
    IMPERSONAL,
    LABELLED,
    LEFT,
    PASTED,
    LazyEntry,
    SaidPassage,
    untold_of,
)
from ..trust.redact import is_empty_remains
from .cutting import CutText, cut, pieces
from .replies import with_question

VERSION = 2
"""Of notes. The turns of notes with another number are read again."""
FLAGS = frozenset({ASKED, IMPERSONAL, LABELLED, LEFT, PASTED})


@dataclass(frozen=True, slots=True)
class Noted:
    """A passage as it is kept."""

    text: str
    vector: Vector | None = None
    over: frozenset[str] = frozenset()
    importance: float = NEUTRAL
    flags: frozenset[str] = frozenset()
    """Of `FLAGS` those that hold."""


def dump_note(found: Sequence[Noted], embedder_id: str) -> str:
    """The note of a turn with these passages; vectors are kept with half precision."""
    kept = [
        [
            one.text,
            _packed(one.vector),
            sorted(one.over),
            round(one.importance, 2),
            *sorted(one.flags),
        ]
        for one in found
    ]
    return json.dumps({"v": VERSION, "embedder": embedder_id, "passages": kept})


def load_note(note: str, embedder_id: str | None = None, dim: int = 0) -> list[Noted] | None:
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
                frozenset(flags) & FLAGS,
            )
            for text, vector, over, importance, *flags in read["passages"]
        ]
    except (ValueError, TypeError, KeyError, binascii.Error):
        return None


class ToldCount(NamedTuple):
    """How many passages of a turn tell something, without building them."""

    told: int
    left: int
    """Of them, those that the memories of the turn do not tell."""


def told_count(note: str | None) -> ToldCount | None:
    """By the note of the turn; None if it has none that can be read."""
    found = None if note is None else load_note(note)
    if found is None:
        return None
    told = [one.flags for one in found if not untold_of(one.flags)]
    return ToldCount(len(told), sum(LEFT in flags for flags in told))


def _packed(vector: Vector | None) -> str | None:
    return None if vector is None else base64.b64encode(vector.astype("<f2").tobytes()).decode()


def _unpacked(packed: str | None, dim: int) -> Vector | None:
    if packed is None:
        return None
    vector = np.frombuffer(base64.b64decode(packed), "<f2").astype(np.float32)
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if len(vector) == dim and length > 0 else None


_LETTER = regex.compile(r"\p{L}")
MOST = 1_000
"""Passages of a turn, about 400,000 characters; the rest of a longer message stays in its turn."""
OF_LEARNED = 0.2
"""Most importance of a turn from which extraction kept nothing."""


class FlaggedText(NamedTuple):
    """A passage of a turn's text, and what it is."""

    text: str
    flags: frozenset[str] = frozenset()
    """Of `FLAGS` those that hold."""


def texts_of(
    turn: Turn, known: Sequence[str] = (), *, introduced: bool = False
) -> list[FlaggedText]:
    """The passages of a turn, in order.

    `introduced`: its first line says that another's text follows. `known` are the memories that the
    model was shown: whoever pastes them says nothing new. What the quarantine withholds
    is left out.
    """
    turn = as_oneself(turn)
    return texts_in(turn, own_text(turn.user_text, known), known, introduced=introduced)


def texts_in(
    turn: Turn, own: str, known: Sequence[str] = (), *, introduced: bool = False
) -> list[FlaggedText]:
    """The same, of a turn whose message is what is its user's `own` by the firewall."""
    if is_left_out(turn.user_text):
        return []
    asked = "" if turn.before is None else _cleaned(turn, turn.before.asked, known)
    if (shown := with_question(asked, own)) and not is_suspicious(shown):
        return [] if is_empty_remains(own) else [FlaggedText(shown)]
    every = (*_told(own, introduced=introduced), *_taken(turn.user_text, own, known))
    told = [one for one in every if one.text and not is_empty_remains(one.text)]
    if len(told) <= MOST:
        return told
    own_first = sorted(range(len(told)), key=lambda at: PASTED in told[at].flags)
    return [told[at] for at in sorted(own_first[:MOST])]


_PLAIN = regex.compile(r"[^\r\n\t:：;；<>{}\[\]|`\"“”„«»「」『』]{1,160}")
"""A line in which no material can stand."""


def says_nothing(turn: Turn, own: str) -> bool:
    """Whether its message is a plain line of which `ranked` leaves nothing, whatever is withheld.

    So nobody has to judge it. `own` is its user's by the firewall.
    """
    if turn.before is not None or own != turn.user_text or _PLAIN.fullmatch(own) is None:
        return False
    if speaks_of_user(own):
        return False  # without a look at its sentences
    return all(one.of_nobody and not may_concern_answers(one.text) for one in cut(own))


def bare(turn: Turn) -> list[Noted]:
    """The passages of a turn that nobody noted yet."""
    return ranked(noted(texts_of(turn)))


def noted(found: Iterable[FlaggedText]) -> list[Noted]:
    """Passages without vectors."""
    return [Noted(one.text, flags=one.flags) for one in found]


def ranked(found: Iterable[Noted]) -> list[Noted]:
    """Without what asks and speaks of nobody: it answers nothing, and most that is asked is so.

    But for orders that may begin a wish about answers, or end one. Without material that is nothing
    but numbers, too: nobody knows of what.
    """
    return [one for one in found if _may_answer(one)]


def _may_answer(one: Noted) -> bool:
    if PASTED in one.flags:
        return _LETTER.search(one.text) is not None
    return IMPERSONAL not in one.flags or may_concern_answers(one.text)


def depends_on_known(turn: Turn, own: str) -> bool:
    """Whether `texts_of` a turn may depend on the memories that the model was shown.

    `own` is its user's as far as can be told without them.
    """
    if not turn.recalled:
        return False
    return turn.before is not None or own != turn.user_text or may_repeat(own)


def _told(own: str, *, introduced: bool) -> Iterator[FlaggedText]:
    """The passages of a message, each with whose it is."""
    for part in parts_of(own, introduced=introduced):
        if not part.own:
            yield from (
                FlaggedText(text, _MATERIAL) for text in pieces(part.text) if _is_safe(text)
            )
            continue
        # What stands before a sentence may say whose it is, and each passage is shown alone.
        found = cut(believed(part.text))
        alone = len(found) == 1
        yield from (
            FlaggedText(one.text, _flags(one)) for one in found if alone or _is_safe(one.text)
        )


_MATERIAL = frozenset({PASTED})


def _flags(one: CutText) -> frozenset[str]:
    if not one.asks:
        return frozenset()
    return frozenset({ASKED, IMPERSONAL} if one.of_nobody else {ASKED})


def _taken(text: str, own: str, known: Sequence[str]) -> Iterator[FlaggedText]:
    """What the firewall took out is material, but for blocks of ours and memories that it knows."""
    if own == text:
        return
    kept = _plain(own_text(text) if known else own)
    gone = "".join(one for one in sentences(strip_injected(text)) if _plain(one) not in kept)
    yield from (FlaggedText(one, _MATERIAL) for one in pieces(gone) if _is_safe(one))


_TAGS = regex.compile(r"</?[A-Za-z][\w:-]{0,40}+(?:\s[^<>]{0,200}+)?>")


def _plain(text: str) -> str:
    """The words, without the elements that a client put around them."""
    return " ".join(_TAGS.sub(" ", text).split())


def _is_safe(text: str) -> bool:
    return not is_suspicious(text)


def _cleaned(turn: Turn, asked: str, known: Sequence[str]) -> str:
    """The assistant's question, if it does not only repeat memories."""
    before = replace(turn, user_text="", assistant_text=asked, steps=(), before=None)
    return clean([before], known).turns[0].assistant_text


def id_of(turn_id: str, number: int) -> str:
    """The id of a turn's passage."""
    return f"{SAID_PREFIX}{turn_id}" if number == 0 else f"{SAID_PREFIX}{turn_id}:{number}"


def passage(
    turn: Turn, number: int, noted: Noted, *, embedder_id: str, learned: bool
) -> SaidPassage:
    """A passage as a row."""
    left, worth = LEFT in noted.flags, noted.importance
    item = MemoryItem(
        id=id_of(turn.id, number),
        text=noted.text,
        type=MemoryType.EPISODIC,
        scope=turn.scope,
        created_at=turn.created_at,
        updated_at=turn.created_at,
        embedder_id=embedder_id,
        importance=min(worth, OF_LEARNED) if learned and not left else worth,
        provenance=Provenance(
            source=Source.SAID,
            conversation_id=turn.conversation_id,
            turn_ids=(turn.id,),
            told_to=told_to_of([turn]),
            sequence=sequence_from(turn.created_at) + number,
            flags=tuple(sorted(noted.flags)),
        ),
    )
    return SaidPassage(LazyEntry(item))
