"""The texts, tool steps and pictures of a turn: redacted and bounded before they are written.

Pure except for the log. Of a very long text only the beginning and the end are redacted, each with
a margin, so that no part of a secret is kept.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.memory.learn import lost_secrets, storable
from recollect.memory.model.messages import TOOL_ROLES, shorten
from recollect.memory.model.types import Message, ToolCall, ToolStep, Turn
from recollect.memory.util.tokens import ApproximateCounter

from ..exchange import last_user_index
from .question_before import MOST_CHARS

MAX_IMAGES = 4
MAX_IMAGE_CHARS = 2_000_000
"""Of all URLs together: 1.5 MB of pictures. A URL that does not fit is left out."""
MAX_ADDRESS = 4096
"""Most characters of a web address."""


def kept_images(urls: Sequence[str], redact: Redact | None = None) -> tuple[str, ...]:
    """The first pictures that fit, without web addresses that contain a secret."""
    kept: list[str] = []
    room = MAX_IMAGE_CHARS
    for url in urls:
        if len(kept) < MAX_IMAGES and len(url) <= room and _is_harmless(url, redact):
            kept.append(url)
            room -= len(url)
    return tuple(kept)


def _is_harmless(url: str, redact: Redact | None) -> bool:
    if url.startswith("data:image/"):
        return url.isascii()
    if not url.startswith(("http://", "https://")) or not url.isascii() or len(url) > MAX_ADDRESS:
        return False
    if redact is None:
        return True
    try:
        return redact(url) == url
    except Exception:  # noqa: BLE001 - as with texts: in doubt it is not kept
        return False


log = logging.getLogger(__name__)

Redact = Callable[[str], str]

NOT_KEPT = "[not kept: it could not be redacted]"
CUT = "\n[...]\n"
"""The mark of a cut, as in `recollect.memory.model.messages.shorten`."""
MARGIN = 4096
"""Characters redacted beyond those kept; the longest secret, a 4,096-bit RSA key in PEM, has
3,272."""


class Redacting:
    """Redacts texts and counts failures. Thread-safe."""

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact
        self.failures = 0

    def __call__(self, text: str, limit: int) -> str:
        """At most about `limit` characters of the redacted text. Never raises."""
        if len(text) <= limit + 2 * MARGIN:
            return shorten(self._clean(text), limit)
        half = limit // 2
        head = self._clean(text[: half + MARGIN])
        tail = self._clean(text[-(half + MARGIN) :])
        if NOT_KEPT in (head, tail):
            return NOT_KEPT
        # A secret cut at the edge of the window is within its last `MARGIN` characters.
        head = head[: max(0, min(half, len(head) - MARGIN))]
        tail = tail[max(MARGIN, len(tail) - half) :]
        return f"{head}{CUT}{tail}"

    def _clean(self, text: str) -> str:
        plain = storable(text)
        return plain if self._redact is None or not plain else self._redacted(self._redact, plain)

    def _redacted(self, redact: Redact, text: str) -> str:
        try:
            return _checked(redact(text))
        except Exception as error:  # noqa: BLE001 - whatever it is, the raw text must not get through
            self.failures += 1
            # The error's message may contain the text.
            log.error("a text is not kept, redacting it failed: %s", type(error).__name__)  # noqa: TRY400
            return NOT_KEPT


def _checked(redacted: object) -> str:
    if not isinstance(redacted, str):
        raise TypeError("a redactor gives text")
    return redacted


class Once:
    """Redacts each text of a turn once. `before` is `kept` of the turn's last request."""

    def __init__(self, redacting: Redacting, before: Mapping[int, str]) -> None:
        self._redacting = redacting
        self._before = before
        self.kept: dict[int, str] = {}
        """Redacted texts by the hash of the original."""

    def __call__(self, text: str, limit: int) -> str:
        """As `Redacting`; a known text may be cut further."""
        known = self._before.get(hash(text))
        if known is None:
            known = self._redacting(text, limit)
        elif len(known) > limit + len(CUT):
            known = shorten(known, limit)
        self.kept[hash(text)] = known
        return known

    def work(self, text: str, limit: int) -> int:
        """The number of characters to redact."""
        return 0 if hash(text) in self._before else min(len(text), limit + 2 * MARGIN)


MAX_STEPS = 40
"""Most steps of a turn; of more the first `FIRST_STEPS` and the last are kept."""
FIRST_STEPS = 10
MAX_STEPS_CHARS = 60_000
"""Arguments and results of all steps of a turn together."""
MAX_ARGUMENT_CHARS = 2000
MAX_RESULT_CHARS = 4000
MAX_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """Most characters of one step."""

    arguments: int
    result: int


def limits_for(steps: int) -> Limits:
    """The limits for a turn with this many steps."""
    share = MAX_STEPS_CHARS // max(1, steps)
    return Limits(min(MAX_ARGUMENT_CHARS, share // 3), min(MAX_RESULT_CHARS, share * 2 // 3))


def steps_of(messages: Sequence[Message], asked: Iterable[ToolCall] = ()) -> list[ToolStep]:
    """The answered tool calls since the last user message, in order.

    `asked` are calls of an answer that this request does not repeat. The result of an unknown call
    becomes a step without a name, if it has text. What memory itself was asked is no step: it would
    be learned again, and stay here when it is forgotten there.
    """
    begin = last_user_index(messages)
    reading = _Pairs()
    for call in asked:
        reading.ask(call)
    for message in messages[0 if begin is None else begin + 1 :]:
        for call in message.calls:
            reading.ask(call)
        if message.role in TOOL_ROLES:
            reading.answer(message)
    return reading.steps()


def bounded(steps: Sequence[ToolStep]) -> list[ToolStep]:
    """The first and the last of too many."""
    if len(steps) <= MAX_STEPS:
        return list(steps)
    return [*steps[:FIRST_STEPS], *steps[FIRST_STEPS - MAX_STEPS :]]


class _Pairs:
    """Calls in the order they were asked, and their results as they come."""

    def __init__(self) -> None:
        self._steps: list[ToolStep] = []
        self._answered: list[bool] = []
        self._open: dict[str, deque[int]] = {}

    def ask(self, call: ToolCall) -> None:
        # Some clients give all calls the same id: their results come in the order of the calls.
        self._open.setdefault(call.id, deque()).append(len(self._steps))
        self._steps.append(ToolStep(call.name, call.arguments, ""))
        self._answered.append(False)

    def answer(self, message: Message) -> None:
        waiting = self._open.get(message.call_id or "")
        if waiting:
            number = waiting.popleft()
            self._steps[number] = replace(self._steps[number], result=message.content)
            self._answered[number] = True
        elif message.content:
            self._steps.append(ToolStep("", "", message.content))
            self._answered.append(True)

    def steps(self) -> list[ToolStep]:
        if not self._steps:
            return []
        from recollect.memory.tools import is_of_memory  # it takes the whole library

        return [
            step
            for step, done in zip(self._steps, self._answered, strict=True)
            if done and not is_of_memory(step.name)
        ]


_TOKENS = ApproximateCounter()


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one turn."""

    user: str
    answer: str
    steps: Sequence[ToolStep]
    before: str = ""
    """What came before a short message (`preceding_question`): no text of the turn itself."""

    @property
    def size(self) -> int:
        """Their characters."""
        return (
            len(self.user)
            + len(self.answer)
            + len(self.before)
            + sum(len(step.name) + len(step.arguments) + len(step.result) for step in self.steps)
        )

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Equal for equal texts."""
        return (self.user, self.answer, self.before, *self.steps)

    def all(self) -> Iterator[str]:
        """Each of them."""
        yield from (self.user, self.answer)
        for step in self.steps:
            yield from (step.name, step.arguments, step.result)


def prepare(raw: Texts, once: Once, limit: int) -> Texts:
    """The redacted texts; messages have at most about `limit` characters."""
    limits = limits_for(len(raw.steps))
    return Texts(
        user=once(raw.user, limit),
        answer=once(raw.answer, limit),
        steps=[_prepared(step, once, limits) for step in raw.steps],
        before=once(raw.before, MOST_CHARS) if raw.before else "",
    )


def work(raw: Texts, once: Once, limit: int) -> int:
    """The number of characters that `prepare` redacts."""
    limits = limits_for(len(raw.steps))
    own = (raw.user, raw.answer, raw.before)
    return sum(once.work(text, limit) for text in own) + sum(
        once.work(step.arguments, limits.arguments) + once.work(step.result, limits.result)
        for step in raw.steps
    )


def tokens_of(texts: Texts) -> int:
    """The approximate number of tokens."""
    return sum(_TOKENS.count(text) for text in texts.all() if text)


def _prepared(step: ToolStep, once: Once, limits: Limits) -> ToolStep:
    return ToolStep(
        once(step.name, MAX_NAME_CHARS),
        once(step.arguments, limits.arguments),
        once(step.result, limits.result),
    )


def is_as_said(turn: Turn) -> bool:
    """Whether a recorded turn is text alone, of which nothing was removed or cut."""
    texts = (turn.user_text, turn.assistant_text)
    whole = all(text.strip() and CUT not in text and not lost_secrets(text) for text in texts)
    return whole and not turn.steps and not turn.images
