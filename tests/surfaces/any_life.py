"""A user's life in any order: told, replaced, forgotten, imported; and what must be nowhere then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from recollect.memory.api.earlier_chats import write_lines
from tests.support.chat_exports import chatgpt, talk, written
from tests.support.scripted import facts
from tests.surfaces.place import Place
from tests.surfaces.walks import ALICE, QUIET, SURFACES, Life, files_with, unmarked

MATTERS = (
    ("I am allergic to {}.", "User is allergic to {}"),
    ("I work at {}.", "User works at {}"),
    ("My dog is called {}.", "User's dog is called {}"),
    ("I live in {}.", "User lives in {}"),
)
SYLLABLES = ("zor", "blat", "quen", "mip", "fro", "vax", "jul", "drim", "thal", "wex", "nuk", "gri")
_JUDGE = "For each new fact, compare it"


class AnyLife(Life):
    """What was said, as far as it is known what must be gone or old."""

    def __init__(self, place: Place, seed: int, folder: Path) -> None:
        super().__init__(place, "nobody", folder)
        self.random = Random(seed)
        self.folder = folder
        self.steps: list[str] = []
        self.texts: dict[str, str] = {}
        """By what was said, the fact that a model finds in it."""
        self.now: dict[int, str] = {}
        """By matter, the name that holds."""
        self.names: dict[str, set[str]] = {}
        """By the id of a memory, all names that it ever had."""
        self.old: set[str] = set()
        self.gone: set[str] = set()
        self.exports: list[Path] = []
        self.foreign: list[list[str]] = []
        """Names in each export of another service."""
        self.said: set[str] = set()
        """Those of them that were imported."""
        self.sessions: list[tuple[str, str]] = []
        self.memory = {"id": "none"}
        place.model.replies = [self._reply]

    def step(self) -> None:
        """Do something that can be done now."""
        [chosen] = self.random.choices([*STEPS], [*STEPS.values()])
        if done := chosen(self):
            self.steps.append(f"{chosen.__name__} {done}")
            self.settle()

    def name_of(self) -> str:
        """A name that nothing else has."""
        made = "".join(self.random.sample(SYLLABLES, 4))
        return made.capitalize() if made not in map(str.lower, self.old | self.gone) else made + "o"

    def tell(self, matter: int, name: str) -> str:
        """Say it in a chat that is learned; what was said of the matter before is old."""
        said, fact = (text.format(name) for text in MATTERS[matter])
        self.texts[said] = fact
        self.answer = "I see."
        self.sessions.append((said, f"{len(self.sessions)} of {matter}"))
        self.chat(said, session=self.sessions[-1][1])
        self.rest.ask("flush", dict(ALICE))
        self.become(matter, name)
        return name

    def become(self, matter: int, name: str) -> None:
        """It holds from now on."""
        if (before := self.now.pop(matter, None)) is not None:
            self.old.add(before)
        self.now[matter] = name
        self.gone.discard(name)
        self.old.discard(name)
        self.read()

    def read(self) -> None:
        """See which memory has which name."""
        for one in self.listed():
            for name in self.now.values():
                if name in one["memory"]:
                    self.names.setdefault(one["id"], set()).add(name)

    def id_of(self, name: str) -> str:
        """The memory that has this name."""
        return next(one["id"] for one in self.listed() if name in one["memory"])

    def forgotten(self, names: set[str]) -> None:
        """They must be nowhere from now on."""
        self.gone |= names
        self.old -= names
        self.said -= names
        self.now = {matter: name for matter, name in self.now.items() if name not in names}

    def some(self) -> tuple[int, str] | None:
        """A matter that something holds of."""
        return self.random.choice(sorted(self.now.items())) if self.now else None

    def _reply(self, body: dict[str, Any]) -> Any:
        if body["model"] == "m":
            return self.answer
        prompt = str(body["messages"])
        if _JUDGE in prompt:
            return _judged(body["messages"][-1]["content"])
        if "What am I allergic to?" in prompt:
            return json.dumps({"grounds": [1], "answer": prompt})
        return facts(*(fact for said, fact in self.texts.items() if said in prompt))


def _judged(asked: str) -> str:
    """Each fact takes the place of what was known of its matter."""
    found, fact = [], ""
    for line in asked.splitlines():
        if new := re.match(r"New fact (\d+): (.*)", line):
            number, fact = int(new[1]), new[2]
        elif (known := re.match(r" *known (\d+) \(.*?\): (.*)", line)) and _alike(fact, known[2]):
            row = {"fact": number, "event": "UPDATE", "known": int(known[1]), "text": None}
            found.append(row)
    return json.dumps({"decisions": found[:1]})


def _alike(one: str, other: str) -> bool:
    return one.split()[:-1] == other.split()[:-1]


def tell(life: AnyLife) -> str:
    """Something new, which takes the place of what was known of its matter."""
    return life.tell(life.random.randrange(len(MATTERS)), life.name_of())


def tell_again(life: AnyLife) -> str:
    """What was forgotten, by hand: from then on it is new."""
    if not life.gone:
        return ""
    return life.tell(life.random.randrange(len(MATTERS)), life.random.choice(sorted(life.gone)))


def update(life: AnyLife) -> str:
    """Another text by hand."""
    if (chosen := life.some()) is None:
        return ""
    (matter, name), new = chosen, life.name_of()
    text = MATTERS[matter][1].format(new)
    life.rest.run("update", memory_id=life.id_of(name), text=text)
    life.become(matter, new)
    return f"{name} to {new}"


def end(life: AnyLife) -> str:
    """It is said not to be so, or not any more; or to be wrong."""
    if (chosen := life.some()) is None:
        return ""
    matter, name = chosen
    how = life.random.choice(("invalidate", "outdated", "wrong"))
    asked = {"memory_id": life.id_of(name), **ALICE}
    if how == "invalidate":
        life.rest.run(how, **asked)
    else:
        life.rest.run("feedback", feedback=how, **asked)
    life.old.add(life.now.pop(matter))
    return f"{name}: {how}"


def forget_id(life: AnyLife) -> str:
    """A memory with all that it ever said."""
    if (chosen := life.some()) is None:
        return ""
    name = life.id_of(chosen[1])
    life.memory = {"id": name}
    assert life.rest.run("forget", memory_id=name, **ALICE)["verified"]
    # Another memory may have been told by a name that this one had once.
    gone = life.names[name] - {each for each in life.now.values() if each != chosen[1]}
    life.forgotten(gone)
    return str(sorted(gone))


def forget_query(life: AnyLife) -> str:
    """What a name names, whatever it is."""
    known = sorted({*life.now.values(), *life.old, *life.said})
    if not known:
        return ""
    name = life.random.choice(known)
    proposal = life.rest.ask("forget", {"query": name, **ALICE})
    if "confirm" in proposal:  # else it fell with what was forgotten before
        life.rest.ask("forget", {"confirm": proposal["confirm"], **ALICE})
    life.forgotten({name})
    told = str(life.listed())
    life.now = {matter: each for matter, each in life.now.items() if each in told}
    return name


def forget_all(life: AnyLife) -> str:
    """Everything of the user."""
    if life.random.random() < SELDOM or not life.now:
        return ""
    life.rest.ask("forget", {"all": True, **ALICE})
    life.forgotten({*life.now.values(), *life.old, *life.said})
    return "all"


def export(life: AnyLife) -> str:
    """All as it is now, into a file."""
    path = life.folder / f"{len(life.exports)}.jsonl"
    life.rest.run("export_file", path=path, **ALICE)
    life.exports.append(path)
    return path.name


def import_older(life: AnyLife) -> str:
    """Any of these files."""
    if not life.exports:
        return ""
    path = life.random.choice(life.exports)
    life.rest.run("import_file", path=path, **ALICE)
    return path.name


def import_foreign(life: AnyLife) -> str:
    """An export of ChatGPT; or one that was imported before, with more in it."""
    again = bool(life.foreign) and life.random.random() < OFTEN
    if again:
        at = life.random.randrange(len(life.foreign))
        life.foreign[at].append(life.name_of())
    else:
        at = len(life.foreign)
        life.foreign.append([life.name_of(), life.name_of()])
    told = [text for name in life.foreign[at] for text in (f"I collect {name}.", "I see.")]
    found = written(life.folder / "foreign.json", [chatgpt(*talk(*told), name=f"c{at}")])
    path = life.folder / "foreign.jsonl"
    with path.open("wb") as file:
        write_lines("chatgpt", found, life.scope, file, lambda _: None)
    life.rest.run("import_file", path=path, **ALICE)
    life.said.update(each for each in life.foreign[at] if each not in life.gone)
    found.unlink()
    path.unlink()
    return f"{'again ' * again}{life.foreign[at]}"


def resend(life: AnyLife) -> str:
    """A client has a conversation still, and goes on with it."""
    if not life.sessions:
        return ""
    said, session = life.random.choice(life.sessions)
    life.chat(said, "I see.", "Thank you, that is all for today.", session=session)
    life.rest.ask("flush", dict(ALICE))
    return said


def look_after(life: AnyLife) -> str:
    """What upkeep does."""
    life.rest.run("consolidate", **ALICE)
    return "all"


SELDOM, OFTEN = 0.7, 0.6
STEPS: dict[Callable[[AnyLife], str], int] = {
    tell: 6, tell_again: 1, update: 1, end: 1, forget_id: 3, forget_query: 2, forget_all: 1,
    export: 4, import_older: 4, import_foreign: 2, resend: 2, look_after: 1,
}  # fmt: skip
"""With how often each is tried."""


def wrong_of(life: AnyLife) -> list[str]:
    """What is shown that must not be: a surface, and the name."""
    found = []
    for surface, walk in (SURFACES | QUIET).items():
        told = walk(life)
        whole = str(told).lower()
        found += [f"{surface}: {name} is forgotten" for name in life.gone if name.lower() in whole]
        found += [f"{surface}: {name} is old" for name in life.old if [*unmarked(told, name)]]
    # The files of exports are the user's own.
    kept = life.place.folder
    return found + [f"file: {name}" for name in life.gone if files_with(kept, name)]
