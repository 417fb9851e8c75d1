"""The figures: each counts hits among cases, by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from quality.lines import last, share, source
from quality.talks import Given, Talks

from recollect.memory import NotFoundError

Row = Mapping[str, Any]
OK = "I see."
ALL = "all"
SORTS = ("matched", "beside", "standing")
"""Why lines are given; see `Given`."""
FORGET_EVERY = 3
"""Every third fact is forgotten."""
OWN_WORDS = 0.9
"""Share of a stored line's pieces that stand in the user's own messages."""


class Counts:
    """Hits among cases, by figure and language."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, list[int]]] = {}

    def add(self, figure: str, lang: str, hits: int, cases: int = 1) -> None:
        for name in (ALL, lang):
            found = self.found.setdefault(figure, {}).setdefault(name, [0, 0])
            found[0] += hits
            found[1] += cases


async def tell(talks: Talks, user: str, facts: Iterable[Row], answers: Mapping[str, str]) -> None:
    """Each fact in a conversation of its own."""
    for fact in facts:
        said = [{"role": "user", "content": fact["text"]}]
        await talks.say(user, f"told {fact['id']}", said, answers.get(fact["id"], OK))


async def questions(talks: Talks, persons: Sequence[Row], counts: Counts) -> None:
    """Own questions, those of others, what was never told, and what is about nobody."""
    for person in persons:
        facts = {fact["id"]: fact["text"] for fact in person["facts"]}
        for number, ask in enumerate(person["asks"]):
            given = await talks.given(person["id"], f"own {number}", ask["q"])
            needs = ask["needs"]
            note(counts, "own" if needs else ask["kind"], person["lang"], given)
            if needs:
                found = {source(line, facts) for line in given.all}
                counts.add("own_found", person["lang"], bool(found.intersection(needs)))
                needless = sum(source(line, facts) not in needs for line in given.matched)
                counts.add("needless", person["lang"], needless, len(given.matched))
        await _foreign(talks, person, persons, counts)


def note(counts: Counts, kind: str, lang: str, given: Given) -> None:
    """Whether a request was given a match, or anything, and how many lines of each sort."""
    counts.add(f"{kind}_match", lang, bool(given.matched))
    counts.add(f"{kind}_any", lang, bool(given.all))
    for sort in SORTS:
        counts.add(f"{kind}_{sort}_lines", lang, len(getattr(given, sort)))


async def _foreign(talks: Talks, person: Row, persons: Sequence[Row], counts: Counts) -> None:
    for other in persons:
        for number, ask in enumerate(other["asks"] if other is not person else ()):
            if ask["needs"]:
                session = f"of {other['id']} {number}"
                given = await talks.given(person["id"], session, ask["q"])
                note(counts, "foreign", other["lang"], given)


async def general(
    talks: Talks, persons: Sequence[Row], rows: Sequence[Row], counts: Counts
) -> None:
    """Requests that need nothing of anybody, each by one of the persons."""
    asked = [row for row in rows if not row["search"]]
    for number, row in enumerate(asked):
        user = persons[number % len(persons)]["id"]
        given = await talks.given(user, f"general {number}", row["message"])
        note(counts, "general", row["lang"], given)


async def changes(talks: Talks, rows: Sequence[Row], counts: Counts) -> None:
    """A fact and a newer one: the newer must be shown, and the older not alone."""
    for row in rows:
        for name in ("first", "then"):
            said = [{"role": "user", "content": row[name]}]
            await talks.say(row["id"], name, said, OK)
            await talks.settled()
        block = (await talks.given(row["id"], "ask", row["ask"])).block
        new, old = last(block, row["new"]), last(block, row["old"])
        counts.add("new_shown", row["lang"], new >= 0)
        counts.add("old_alone", row["lang"], old >= 0 > new)
        if min(new, old) >= 0:
            counts.add("new_holds", row["lang"], new > old)
        notes = await talks.noted(row["id"], row["ask"])
        counts.add("answer_lines", row["lang"], len(notes))
        new, old = last("\n".join(notes), row["new"]), last("\n".join(notes), row["old"])
        counts.add("answer_new_shown", row["lang"], new >= 0)
        counts.add("answer_old_alone", row["lang"], old >= 0 > new)


async def forgotten(talks: Talks, persons: Sequence[Row], counts: Counts) -> None:
    """Every third fact is forgotten, asked for, and its conversation is sent again in two ways."""
    for person in persons:
        one = Forgetful(talks, person, counts)
        await tell(talks, one.user, person["facts"], {})
        await talks.settled()
        await one.forget()
        await one.look("forgotten")
        await one.resend()
        await one.look("resent")


class Forgetful:
    """A person of whom every third fact is forgotten."""

    def __init__(self, talks: Talks, person: Row, counts: Counts) -> None:
        self.user = f"{person['id']} forgets"
        self._talks, self._person, self._counts = talks, person, counts
        self._texts = {fact["id"]: fact["text"] for fact in person["facts"]}
        self._gone = [fact["id"] for fact in person["facts"][::FORGET_EVERY]]

    async def forget(self) -> None:
        """Erase what is stored of these facts."""
        for one in await self._talks.stored(self.user):
            if source(one["memory"], self._texts) in self._gone:
                with suppress(NotFoundError):  # erased with another line of its turn
                    await self._talks.memory.forget(one["id"])

    async def resend(self) -> None:
        """Each old request as it was, for another answer; then with a message more."""
        for name in self._gone:
            old = [{"role": "user", "content": self._texts[name]}]
            answered = [*old, {"role": "assistant", "content": OK}]
            await self._talks.say(self.user, f"told {name}", old, OK)
            thanks = [*answered, {"role": "user", "content": "Thanks!"}]
            await self._talks.say(self.user, f"told {name}", thanks, "You are welcome.")
        await self._talks.settled()

    async def look(self, when: str) -> None:
        """How many of the facts are shown for their questions, or stored."""
        lang = self._person["lang"]
        for number, ask in enumerate(self._person["asks"]):
            if wanted := set(ask["needs"]) & set(self._gone):
                given = await self._talks.given(self.user, f"{when} {number}", ask["q"])
                found = {source(line, self._texts) for line in given.all}
                self._counts.add(f"{when}_shown", lang, bool(wanted & found))
        stored = await self._talks.stored(self.user)
        there = {source(one["memory"], self._texts) for one in stored} & set(self._gone)
        self._counts.add(f"{when}_stored", lang, len(there), len(self._gone))


async def words(talks: Talks, persons: Sequence[Row], counts: Counts) -> None:
    """The user says every second fact, the model claims the one after it in its answer."""
    for person in persons:
        user, facts = f"{person['id']} hears", person["facts"]
        said, claimed = facts[::2], facts[1::2]
        claims = {own["id"]: claim["text"] for own, claim in zip(said, claimed, strict=False)}
        await tell(talks, user, said, claims)
        await talks.settled()
        own = " ".join(fact["text"] for fact in said)
        lines = [one["memory"] for one in await talks.stored(user)]
        without = sum(share(line, own) < OWN_WORDS for line in lines)
        counts.add("stored_without_words", person["lang"], without, len(lines))
