"""Who shares an engine, what they say, and who may hear it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from recollect.memory.model.scope import MAX_SCOPE_CHARS
from recollect.memory.model.types import Scope

SEAL = re.compile(r"([a-j]+)x([a-j]+)x([a-j]+)seal", re.IGNORECASE)
_LETTERS = str.maketrans("0123456789", "abcdefghij")
_DIGITS = str.maketrans("abcdefghij", "0123456789")
TOPICS = (
    "I keep my bicycle near {lure}",
    "My sister works at {lure}",
    "My rent at {lure} is {amount} euros",
    "My favourite tea house is {lure}",
    "I no longer go to {lure}",
    "My dentist is at {lure}",
    "My rent at {lure} is {amount} euros",
)
AGENT, ANOTHER = "the agent", "another agent"
COMMON = "I live in Oslo and I have a green bicycle"
"""What everybody says in the same words."""

PAIRS = (
    ("alice", "Alice"),
    ("alice", "alice "),
    ("a", "aa"),
    ("jos\u00e9", "jose\u0301"),
    ("\u212a", "K"),
    ("\u00df", "ss"),
    ('x" || user_id != "y', "y"),
    ('" or "1"=="1', '"'),
    ("'; DROP TABLE turns; --", "'"),
    ("\\", "\\\\"),
    ('\\"', "\\"),
    ("*", "a*"),
    ("%", "%25"),
    ("_", "a"),
    ("/", "//"),
    ("u/1", "u%2F1"),
    ("..", "../u"),
    ("{alice}", "{alice}:1"),
    (":", "::"),
    ("None", "null"),
    ("0", "00"),
    ("1", "1.0"),
    ("\u200b", "\u200b\u200b"),
    ("\u3164", "\u115f"),
    ("\u00ad", "\u2060"),
    ("alice\u202e", "alice"),
    ("x\u2028", "x\u2029"),
    ("\ufeffalice", "alice"),
    ("\U0001f468\u200d\U0001f469", "\U0001f468"),
    ("\u65e5" * 256, "\u65e5" * 255),
    ("user_id", "user_id=alice"),
    ("[1,2]", "(1,2)"),
)
"""Two ids that something careless takes for one, or for more than an id."""

_STORABLE = st.characters(exclude_categories=["Cc", "Cs"])
_ANY_ID = st.text(_STORABLE, min_size=1, max_size=6).filter(str.strip)
_ANY_PAIR = st.tuples(_ANY_ID, _ANY_ID).filter(lambda pair: pair[0] != pair[1])
pairs = st.one_of(st.sampled_from(PAIRS), st.sampled_from(PAIRS), _ANY_PAIR)


@dataclass(frozen=True)
class People:
    """Two users, agents and a run in two tenants, and what each combination of them may see."""

    world: int
    """Tells the seals of one example from those of others in the same store."""
    scopes: tuple[Scope, ...]

    def seal(self, owner: int, number: int) -> str:
        """Looks like a name, and begins otherwise for each owner: to learning it is another's."""
        return f"{owner}x{self.world}x{number}".translate(_LETTERS).capitalize() + "seal"

    def lure(self, owner: int) -> str:
        """A word of everything this one says, which everybody knows."""
        return f"lure{owner}"

    def statement(self, owner: int, number: int) -> str:
        """A fact of one's own, in nearly everybody's words."""
        topic = TOPICS[number % len(TOPICS)].format(lure=self.lure(owner), amount=500 + number)
        return f"{topic} by {self.seal(owner, number)}"

    def question(self, about: int, number: int) -> str:
        """What somebody asks who wants to know about another."""
        topic = TOPICS[number % len(TOPICS)].format(lure=self.lure(about), amount=500 + number)
        return f"{topic} by what, remind me?"

    def foreign(self, text: str, may_see: Callable[[Scope], bool]) -> list[str]:
        """The seals in a text whose owners may not be seen."""
        return [
            match[0]
            for match in SEAL.finditer(text)
            if _number(match[2]) != self.world or not may_see(self.scopes[_number(match[1])])
        ]


def _number(letters: str) -> int:
    return int(letters.lower().translate(_DIGITS))


def people(
    world: int, users: tuple[str, str], tenants: tuple[str, str] = ("acme", "emca")
) -> People:
    """The ids go in as they are; tenants are told from those of other worlds by a prefix."""
    (one, two), (here, there) = users, (_within(f"{world}.", name) for name in tenants)
    cast = People(
        world,
        (
            Scope(tenant=here, user_id=one),
            Scope(tenant=here, user_id=two),
            Scope(tenant=there, user_id=one),
            Scope(tenant=here, user_id=one, agent_id=AGENT),
            Scope(tenant=here, user_id=two, agent_id=AGENT),
            Scope(tenant=here, agent_id=AGENT),
            Scope(tenant=here, agent_id=one),
            Scope(tenant=here, user_id=one, run_id=two),
            Scope(tenant=here, run_id=two),
            Scope(tenant=there, agent_id=AGENT),
            Scope(tenant=here, user_id=one, agent_id=ANOTHER),
        ),
    )
    assert len(set(cast.scopes)) == len(cast.scopes)
    return cast


def _within(prefix: str, name: str) -> str:
    """As long as the name, where both together are longer than an id may be."""
    return prefix + (name if len(prefix + name) <= MAX_SCOPE_CHARS else name[len(prefix) :])
