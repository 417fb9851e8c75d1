"""The shape of a request by which a client's own is known without any turn. Pure.

A person writes to somebody; a client fills in a form: fixed instructions, the material that they
are about, and often the beginning or the form of the answer. Who asks for what is told by meaning
(`single_request`); the shape says where to look, and how sure it must be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.memory.model.messages import INSTRUCTIONS
from recollect.memory.model.types import Message

from ..exchange import Exchange

PROBE_TOKENS = 16
"""The least that the Responses API takes: room for a word, so that nobody reads the answer."""
FEW_TOKENS = 100
"""Room for a title or some tags, which a person hardly leaves for an answer."""
SOME_TOKENS = 1000
_BEGUN = 60
"""Characters of an answer that is only begun."""
_LONG = 200
"""Characters from which a message in the middle of a chat may be a form."""
_LISTED = 3
_END = 16_000
"""Characters that are read of each end of a long message: a form has its marks there. All of a
megabyte would keep the event loop for twenty milliseconds."""
_ENDS = 2

_DATA = re.compile(r"\s*(?:[{\[]|<[\w-]+>|```)")
_FORM = re.compile(r"""[{\[]\s*"[\w-]+"\s*:|</[\w-]+>|<[\w-]+>[^<]{0,200}</""")
"""The form of an answer, written out: an object of JSON, an element."""
_LABEL = re.compile(r"^\W{0,4}(\w[\w ]{0,18})\W{0,3}[:\uff1a]", re.MULTILINE)
_ROLE = re.compile(
    r"^\W{0,4}(user|human|assistant|ai|model|bot)\b\W{0,3}(?:[:\uff1a>]|$)|\"role\"\s*:\s*\"(\w+)\"",
    re.MULTILINE | re.IGNORECASE,
)
"""The roles of the APIs as labels, headings, elements, or in JSON."""
_RULE = re.compile(r"^\s*(?:```|\"\"\"|-{3,}|={3,}|#{3,})", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*\u2022]|#{1,6}|<[\w-]+)", re.MULTILINE)
_MARK = re.compile(r"\s*(?:\[[A-Z]{2}|<[\w-]+[ >])")


@dataclass(frozen=True, slots=True)
class RequestShape:
    """The parts of a request by which a client's own is known, and how its form supports that."""

    system: str
    """Its instructions."""
    asked: str
    """The last message of the user."""
    chatting: bool
    """A conversation comes before that."""
    tools: bool
    """The model may call tools; a call that it must make is a form of the answer."""
    stream: bool
    limit: int | None
    forced: bool
    """The answer is begun as data, or must have a form."""

    @classmethod
    def of(cls, exchange: Exchange) -> RequestShape:
        """The shape of a request."""
        manner, messages = exchange.manner, list(exchange.messages)
        begun = _begun(messages)
        said = [each for each in messages if each.role not in INSTRUCTIONS]
        said = said[:-1] if begun else said
        asked = said[-1].content if said and said[-1].role == "user" else ""
        told = (each.content for each in messages if each.role in INSTRUCTIONS)
        return cls(
            "\n".join(filter(None, (exchange.instructions, *told))),
            _ends_of(asked),
            manner.continues or any(each.role != "user" for each in said),
            manner.tools and not manner.forced,
            manner.stream,
            manner.limit,
            begun or manner.forced,
        )

    @property
    def probes(self) -> bool:
        """There is room for a word only, without a conversation; of instructions none, or a token.

        A person's question has an answer of a word, too: what is asked must be hardly more.
        """
        least = 1 if self.system or self.tools else PROBE_TOKENS
        return self.limit is not None and self.limit <= least and not self.chatting

    @property
    def strong(self) -> bool:
        """Its answer is for a program: it has a form, or room for some words only."""
        return self.forced or (self.limit is not None and self.limit <= FEW_TOKENS)

    @property
    def quotes_roles(self) -> bool:
        """The message holds a conversation, written out with the roles of both sides."""
        roles = {(found[1] or found[2]).lower() for found in _ROLE.finditer(self.asked)}
        return len(roles) > 1

    @property
    def fills_form(self) -> bool:
        """The message says how the answer is to be written, and has labelled or ruled material."""
        labels = {found[1].lower() for found in _LABEL.finditer(self.asked)}
        ruled = len(labels) > 1 or _RULE.search(self.asked) is not None
        return ruled and _FORM.search(self.asked) is not None

    @property
    def encloses(self) -> bool:
        """The message has ruled material with text before and behind it, and nobody watches."""
        rules = list(_RULE.finditer(self.asked))
        if len(rules) < _ENDS or (self.stream and (self.limit or SOME_TOKENS + 1) > SOME_TOKENS):
            return False
        before, behind = self.asked[: rules[0].start()], self.asked[rules[-1].end() :]
        return bool(before.strip() and behind.strip())

    @property
    def is_listed(self) -> bool:
        """The message is long, and of several points."""
        return len(self.asked) >= _LONG and len(_ITEM.findall(self.asked)) >= _LISTED

    @property
    def is_marked(self) -> bool:
        """The message is long, and begins with a mark that nobody types."""
        return len(self.asked) >= _LONG and _MARK.match(self.asked) is not None


def _begun(messages: Sequence[Message]) -> bool:
    """Whether the last message begins the answer, as data."""
    if not messages or messages[-1].role != "assistant" or messages[-1].calls:
        return False
    text = messages[-1].content
    return len(text) <= _BEGUN and _DATA.match(text) is not None


def _ends_of(text: str) -> str:
    """The text, without the middle of a very long one."""
    return text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"
