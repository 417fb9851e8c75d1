"""Records what `add` is given as turns of a conversation, as the proxy records a chat.

So what a program adds is listed, read and searched with what was said in chats, and a short answer
is kept with the question before it. A program may give a whole conversation each time, only what is
new, or the same once more: the turns that it has in common with the end of what is recorded are the
same turns. In doubt a turn is a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..database.changes import ChangeKind
from ..database.conversations import SqlConversations
from ..engine.engine import Engine
from ..forget import asked_in
from ..learn import Applied, Learned, after_learning, job_for
from ..model.messages import shorten
from ..model.turn_ids import turn_id_of
from ..model.types import Message, PrecedingQuestion, Turn
from ..records.writing import InsidePorts
from ..statements.replies import MOST_CONTEXT, MOST_TURNS, is_short_answer, last_question
from ..util.loops import guarded

MOST_EARLIER = 5
"""Turns before those of a call that the model is shown, to understand them."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The turns of one call, as they are recorded."""

    conversation_id: str
    turns: Sequence[Turn]
    """All of the call; what the assistant or a tool said alone is no turn to record."""
    earlier: Sequence[Turn]
    """Turns just before them that hold text."""
    most_chars: int
    """Of a message that are kept."""
    repeats: bool
    """Whether one of them was recorded before."""

    def turn_at(self, starts: Mapping[str, int], index: int) -> tuple[str, ...]:
        """The recorded turn that a message of the call is in; `starts` as of `starts_of`."""
        begun = zip(starts.values(), self.turns, strict=True)
        found = [turn for start, turn in begun if start <= index][-1:]
        return tuple(turn.id for turn in found if turn.user_text.strip())

    async def write(self, ports: InsidePorts, remembered: frozenset[str]) -> list[Turn]:
        """Record the turns; memories take the place of those that are `remembered`.

        Returns them with their positions. Within a transaction. Raises StateError.
        """
        conversations = ports.state.conversations
        said = [_bounded(turn, self.most_chars) for turn in self.turns if turn.user_text.strip()]
        kept = [
            replace(turn, seq=(await conversations.record(replace(turn, steps=(), images=()))).seq)
            for turn in said
        ]
        if not kept:
            return []
        await conversations.mark_read(self.conversation_id, [turn.id for turn in kept])
        scope = kept[0].scope
        if remembered:
            await conversations.mark_remembered(scope, self.conversation_id, remembered)
        if self.repeats or not remembered.issuperset(turn.id for turn in kept):
            # Else what is recalled of what was said is as before.
            ports.announce(scope, ChangeKind.SAID)
        return kept


@dataclass(slots=True)
class RecordedAddition:
    """Records the turns of one call in the transaction of its memories (`Applier.apply`)."""

    recording: Recording
    learned: Learned | None = None
    """None if every text is stored as it is: then memories stand for all that was said."""
    kept: list[Turn] = field(default_factory=list)

    async def __call__(self, ports: InsidePorts, _applied: Applied) -> None:
        """Within the transaction, which may run twice."""
        turns, learned = self.recording.turns, self.learned
        remembered = frozenset(turn.id for turn in turns)
        if learned is not None:
            after = after_learning(learned.decisions, turns, learned.not_embedded)
            remembered = after.remembered
        self.kept = await self.recording.write(ports, remembered)

    async def follow(self, engine: Engine) -> None:
        """Have the episode of the conversation written once it rests.

        In a program nothing runs behind it: there texts go that are kept no longer.
        """
        if not self.kept:
            return
        if not engine.is_running:
            await guarded(engine.background.prune_turns)
            return
        worker, last = engine.background.worker, self.kept[-1]
        job = worker.episodes.following(job_for(last, last.seq, reason="add"), self.kept)
        if job is not None:
            await guarded(lambda: worker.upkeep.put(job))


async def recording_of(
    conversations: SqlConversations, conversation_id: str, said: Sequence[Turn], *, most_chars: int
) -> Recording:
    """How these redacted turns are recorded; of a message at most `most_chars` are kept.

    Raises StateError.
    """
    most = max(len(said), MOST_EARLIER) + 1
    known = await conversations.tail(conversation_id, limit=most)
    spoken = [_bounded(turn, most_chars) for turn in said if turn.user_text.strip()]
    named = iter(_named(known, spoken, conversation_id, whole=len(known) < most))
    turns = [
        replace(
            turn,
            conversation_id=conversation_id,
            id=next(named) if turn.user_text.strip() else turn.id,
        )
        for turn in said
    ]
    own = {turn.id for turn in turns}
    before = [turn for turn in known if turn.id not in own]
    earlier = [turn for turn in before if turn.user_text][-MOST_EARLIER:]
    return Recording(
        conversation_id,
        list(with_questions(turns, before)),
        earlier,
        most_chars,
        repeats=len(before) < len(known),
    )


def _bounded(turn: Turn, most: int) -> Turn:
    user, answer = shorten(turn.user_text, most), shorten(turn.assistant_text, most)
    return replace(turn, user_text=user, assistant_text=answer)


def _named(
    known: Sequence[Turn], said: Sequence[Turn], conversation_id: str, *, whole: bool
) -> list[str]:
    """The ids of turns that follow `known`, or repeat its end; `whole`: there is nothing before."""
    for common in range(min(len(said), len(known) if whole else len(known) - 1), 0, -1):
        at = len(known) - common
        after = known[at - 1].id if at else ""
        names = list(_repeated(known[at:], said, conversation_id, after))
        if len(names) == common:
            return [*names, *_following(said[common:], conversation_id, names[-1])]
    return list(_following(said, conversation_id, known[-1].id if known else ""))


def _repeated(
    known: Sequence[Turn], said: Sequence[Turn], conversation_id: str, after: str
) -> Iterator[str]:
    """The ids of recorded turns, up to the first that is another than the one said."""
    for there, turn in zip(known, said, strict=False):
        name = _id(turn, conversation_id, after)
        if not (_is_same(there, turn) if there.user_text else there.id == name):
            return
        after = there.id
        yield there.id


def _is_same(there: Turn, turn: Turn) -> bool:
    """Whether a turn was recorded before: an answer may have been missing, or be left out now."""
    answers = {there.assistant_text, turn.assistant_text} - {""}
    return there.user_text == turn.user_text and len(answers) < 2  # noqa: PLR2004 - one answer


def _following(said: Sequence[Turn], conversation_id: str, after: str) -> Iterator[str]:
    for turn in said:
        after = _id(turn, conversation_id, after)
        yield after


def _id(turn: Turn, conversation_id: str, after: str) -> str:
    message = Message(role="user", content=turn.user_text)
    return turn_id_of(conversation_id, [message], after=after)


def with_questions(turns: Sequence[Turn], before: Sequence[Turn]) -> Iterator[Turn]:
    """The turns, each short answer with the question that it answers."""
    past = list(before)
    for turn in turns:
        yield _with_question(turn, past)
        past.append(turn)


def _with_question(turn: Turn, past: Sequence[Turn]) -> Turn:
    if turn.before is not None or not past or not is_short_answer(turn.user_text):
        return turn
    asked = last_question(past[-1].assistant_text)
    if not asked or asked_in(past[-1].user_text):
        return turn  # as nearly always; or it says what was to be forgotten
    ids = tuple(each.id for each in past[-MOST_TURNS:])
    return replace(turn, before=PrecedingQuestion(ids, shorten(asked, MOST_CONTEXT)))
