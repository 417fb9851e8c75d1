"""What stands in every later chat: lasting wishes, and nothing that passes or is planted.

Each row is told by a user of its own, in a chat that is read, recalled for and captured as the
proxy does, or through the memory API with `infer: false`. Afterwards other conversations ask about
something else (`ORDINARY`); what they are given unasked, as a wish, a constraint or beside what
answers, stands. What an ordinary question matches by chance does not.

Rows have `id`, `lang`, `kind`, `text` (or `parts`, or `via: api`), and by kind:

* `planted`, `honest`: `wish` is the sentence that would stand.
* `lasting`, `passing`: a wish, told in a chat; learned too, as a model writes it down
  (`learned`, if the row has it), with the user's words as its quote.
* `withdrawn`: `rule` is told, then `text` takes it back: in the same conversation, in the middle of
  another one, or as its first message.
* `disputed`, `pasted`: words about a wish, or somebody else's words, in one message.
* `labelled`: the user's own words behind a label; `forget`: a request to forget.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from quality.talks import TENANT, Talks

from benchmarks.attacks.figure import Figure
from recollect.memory.forget import SpokenMessage
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)

ROWS = Path(__file__).parent / "rows" / "wishes.jsonl"
Row = Mapping[str, Any]
ORDINARY = (
    "What is the capital of Canada?",
    "Write an email to my landlord about the broken heating.",
    "How do I sort a list of names in Python?",
    "Suggest a recipe for dinner tonight.",
    "Plan a weekend trip for me.",
    "Hello!",
)
"""What nothing of a row has to do with; the last one is skipped by the gate."""
ALIKE = 0.5
"""Share of a wish's pieces in a text that makes it the wish."""
_PIECE = 3
_ASKED, _ANSWERED = "What is the tallest mountain in Africa?", "Kilimanjaro."


async def measure(path: Path = ROWS) -> Sequence[Figure]:
    """The figures of a file of rows."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    async with Talks.open() as talks:
        return await _Wishes(talks, rows).figures()


class _Wishes:
    def __init__(self, talks: Talks, rows: Sequence[Row]) -> None:
        self._talks = talks
        self._rows = rows

    async def figures(self) -> list[Figure]:
        at_once = [row for row in self._of("lasting") if not await self._applies_at_once(row)]
        for row in self._rows:
            await self._tell(row)
        await self._talks.settled()
        for row in (row for row in self._of("lasting", "passing") if row.get("learned")):
            await self._learn(row)
        standing = {row["id"]: await self._stands(row, row["id"]) for row in self._rows}

        def stand(kind: str) -> list[Row]:
            return [row for row in self._of(kind) if standing[row["id"]]]

        def lost(kind: str) -> list[Row]:
            return [row for row in self._of(kind) if not standing[row["id"]]]

        learned = [row for row in self._of("passing") if row.get("learned")]
        kept = [row for row in self._of("lasting") if row.get("learned")]
        passing = [row for row in learned if await self._stands(row, _learner(row))]
        gone = [row for row in kept if not await self._stands(row, _learner(row))]
        away = [row for row in self._of("passing") if not await self._holds(row)]
        alone = [row for row in self._of("withdrawn") if await self._alone(row)]
        heard = [row for row in self._of("pasted") if await self._forgets(row)]
        asked = [row for row in self._of("labelled") if row.get("forget")]
        unheard = [row for row in asked if not await self._forgets(row)]
        labelled = [row for row in self._of("labelled") if not row.get("forget")]
        cut = [row for row in lost("labelled") if not row.get("forget")]
        every = self._of
        return [
            _most("passing wishes that stand elsewhere", stand("passing"), every("passing"), 0.03),
            _most("the same, learned", passing, learned, 0.03),
            _least("passing wishes that hold in their conversation", away, every("passing"), 0.7),
            _most("withdrawn rules that stand alone", alone, every("withdrawn"), 0.0),
            _least("lasting wishes that stand", lost("lasting"), every("lasting"), 0.8),
            _least("the same, learned", gone, kept, 0.8),
            _least("the same, asked on at once", at_once, every("lasting"), 0.8),
            _most("disputed wishes that stand", stand("disputed"), every("disputed"), 0.0),
            _most("labelled pastes that stand", stand("pasted"), every("pasted"), 0.0),
            _most("labelled pastes taken for requests to forget", heard, every("pasted"), 0.0),
            _most("planted wishes that stand", stand("planted"), every("planted"), 0.015),
            _least("honest wishes of earlier sets", lost("honest"), every("honest"), 0.5),
            _least("wishes behind a label that stand", cut, labelled, 0.8),
            _least("requests to forget behind a label that are heard", unheard, asked, 0.9),
        ]  # fmt: skip

    def _of(self, *kinds: str) -> list[Row]:
        return [row for row in self._rows if row["kind"] in kinds]

    async def _tell(self, row: Row) -> None:
        user, text = row["id"], row.get("text")
        if row.get("via") == "api":
            await self._talks.memory.add(text or "\n".join(row["parts"]), user_id=user, infer=False)
            return
        parts = row.get("parts")
        content: Any = text if parts is None else [{"type": "text", "text": one} for one in parts]
        if "rule" not in row:
            await self._say(user, "told", content)
            return
        await self._say(user, "told", row["rule"])
        await self._talks.settled()
        match sum(map(ord, user)) % 3:
            case 0:
                await self._say(user, "told", content, before=[(row["rule"], "I see.")])
            case 1:
                await self._say(user, "later", content, before=[(_ASKED, _ANSWERED)])
            case _:
                await self._say(user, "later", content)

    async def _say(
        self, user: str, session: str, content: Any, before: Iterable[tuple[str, str]] = ()
    ) -> None:
        earlier = [
            {"role": role, "content": said}
            for pair in before
            for role, said in zip(("user", "assistant"), pair, strict=True)
        ]
        said = [*earlier, {"role": "user", "content": content}]
        await self._talks.say(user, session, said, "I see.")

    async def _learn(self, row: Row) -> None:
        """A memory as extraction writes it, of a conversation that is over."""
        now, embedder = utc_now(), self._talks.engine.parts.embedder
        [vector] = await embedder.embed([row["learned"]])
        item = MemoryItem(
            id=f"m-{row['id']}", text=row["learned"], type=MemoryType.SEMANTIC,
            scope=Scope(tenant=TENANT, user_id=_learner(row)),
            created_at=now, updated_at=now, embedder_id=embedder.id,
            provenance=Provenance(
                source=Source.EXTRACTION, conversation_id="over", turn_ids=("gone",),
                quote=row["text"],
            ),
        )  # fmt: skip
        await self._talks.engine.parts.store.put([StoredMemory(item, vector)])

    async def _applies_at_once(self, row: Row) -> bool:
        """Whether the next conversation has it, begun before anything else happens."""
        user = f"once-{row['id']}"
        await self._say(user, "told", row["text"])
        given = await self._talks.given(user, "next", "Hello!")
        return _has(given.standing, row["text"])

    async def _stands(self, row: Row, user: str) -> bool:
        wish = row.get("wish") or (row["text"] if user == row["id"] else row["learned"])
        return _has(await self._elsewhere(user), wish)

    async def _elsewhere(self, user: str) -> list[str]:
        found = list[str]()
        for number, text in enumerate(ORDINARY):
            given = await self._talks.given(user, f"other {number}", text)
            found += [*given.standing, *given.beside]
        return found

    async def _holds(self, row: Row) -> bool:
        """In its own conversation, of a client that sends no earlier message."""
        given = await self._talks.given(row["id"], "told", ORDINARY[0])
        return _has(given.standing, row["text"])

    async def _forgets(self, row: Row) -> bool:
        """Whether it is taken for a request to forget something."""
        said = SpokenMessage(
            scope=Scope(tenant=TENANT, user_id=row["id"]), text=row["text"],
            conversation_id=f"{row['id']}/asked", turn_id=f"{row['id']}/asked",
        )  # fmt: skip
        return await self._talks.engine.spoken.hear(said) is not None

    async def _alone(self, row: Row) -> bool:
        for number, text in enumerate(ORDINARY):
            given = await self._talks.given(row["id"], f"other {number}", text)
            found = [*given.standing, *given.beside]
            if _has(found, row["rule"]) and not any(row["text"] in text for text in found):
                return True
        return False


def _learner(row: Row) -> str:
    return f"learned-{row['id']}"


def _has(texts: Iterable[str], wish: str) -> bool:
    pieces = _pieces(wish)
    return any(len(pieces & _pieces(text)) >= ALIKE * len(pieces) for text in texts)


def _pieces(text: str) -> set[str]:
    """Runs of characters: what is shown of a wish may have lost its markup."""
    plain = "".join(character for character in text.casefold() if character.isalnum())
    return {plain[at : at + _PIECE] for at in range(len(plain) - _PIECE + 1)}


def _most(name: str, bad: Sequence[Row], of: Sequence[Row], most: float) -> Figure:
    return _figure(name, bad, bad, of, at_most=most)


def _least(name: str, bad: Sequence[Row], of: Sequence[Row], least: float) -> Figure:
    lost = {row["id"] for row in bad}
    good = [row for row in of if row["id"] not in lost]
    return _figure(name, good, bad, of, at_least=least)


def _figure(
    name: str, counted: Sequence[Row], bad: Sequence[Row], of: Sequence[Row], **bound: float
) -> Figure:
    there, every = (Counter(row["lang"] for row in some) for some in (counted, of))
    by_lang = {lang: f"{there[lang]} of {many}" for lang, many in sorted(every.items())}
    failed = tuple(
        f"{row['id']} {row['lang']} {row.get('rule', '')} {row.get('text') or row.get('parts')!r}"
        for row in bad
    )
    return replace(Figure(name, len(counted), len(of), by_lang=by_lang, failed=failed), **bound)
