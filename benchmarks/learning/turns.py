"""What people say in the load measurements: turns of an ordinary length with facts in them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from string import Formatter

USER_CHARS, ANSWER_CHARS = 300, 1500
SENSITIVE_EVERY = 15
"""Every so many turns speak of passwords, keys or cards; most such sentences hold no secret."""

_SLOTS = {
    "trait": "red blue old new broken expensive borrowed favourite spare rusty tiny huge",
    "thing": "car bike house garden boat guitar piano camera laptop phone watch coat tent",
    "place": "Lisbon Oslo Kyoto Lima Cairo Perth Quito Hanoi Dakar Riga Turin Bergen",
    "name": "Marta Jonas Yuki Diego Amira Liam Rosa Binh Awa Janis Chiara Ingrid",
    "job": "nurse teacher plumber architect chemist pilot baker lawyer farmer dentist",
    "food": "peanuts shrimp celery gluten strawberries mustard lupin sesame walnuts",
    "event": "wedding conference funeral concert reunion marathon workshop exhibition",
    "weekday": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "kin": "sister brother mother father cousin aunt uncle neighbour boss",
    "hobby": "climbing sailing pottery chess fencing gardening juggling archery",
}
_FACTS = (
    (
        "My {trait} {thing} is from {place} and cost {number} EUR.",
        "User's {trait} {thing} is from {place} and cost {number} EUR",
    ),
    (
        "I am going to a {event} in {place} with {number} other people.",
        "User is going to a {event} in {place} with {number} other people",
    ),
    (
        "My {kin} {name} works as a {job} in {place}.",
        "User's {kin} {name} works as a {job} in {place}",
    ),
    ("I have been allergic to {food} for {number} months.", None),
    ("Our {hobby} group meets every {weekday} at {name}'s place.", None),
    ("I want to save {number} EUR for a {thing} this year.", None),
)
"""What a user says, and the fact; None: the same about "User"."""
_OTHERWISE = (("I am ", "User is "), ("I have ", "User has "), ("I want ", "User wants "))
_CHATTER = (
    "Thanks, that was already quite helpful for me.",
    "Could you go through the options again, a little slower this time?",
    "I was not sure how to put it, so bear with me.",
    "It has been a long week and I would like to get this done before dinner.",
    "Please keep it short, I will read it on the train.",
    "What would you do first if you were in this situation?",
    "A friend said something else, but I could not follow the argument.",
)
_SENSITIVE = (
    "I forgot my password again and the reset page does not load.",
    "My password is Tr4velling-{name}-{number}, is that strong enough?",
    "Do you know where the API key of the weather service goes?",
    "The card ends in {number} and the bank wants a new PIN from me.",
)
_ANSWERS = (
    "There are a few ways to look at this, and which of them is best depends on your plans.",
    "First, write down what you already have, so that nothing is bought twice.",
    "Second, compare the offers by what they cost over 3 years, not by the price on the label.",
    "Most people underestimate the time this takes: plan for 2 or 3 evenings, not for one.",
    "If the weather turns, you can still move everything indoors without much effort.",
    "Keep the receipts for at least 24 months; some shops ask for them even after that.",
    "A good rule is to spend no more than 10% of the budget on things you use once.",
    "You could ask around whether somebody has done it before and would share their notes.",
    "In that case I would start with the smaller step and see how it feels after a week.",
    "For comparison: the standard version costs about 1,200 EUR, the larger one 1,850 EUR.",
    "It may help to call them in the morning, when the lines are free.",
    "That said, nothing forces you to decide today, and waiting has no cost here.",
    "Here is a short list:\n- check the dates\n- book the tickets\n- tell the others",
    "The documentation at https://example.org/guide/start?page=2 explains the details.",
    "```python\nfor row in table:\n    print(row['total'] * 1.19)\n```",
    "Let me know which of these sounds right, and we go into the details from there.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as it comes from a client."""

    user: str
    answer: str


class Talk:
    """Makes turns, memories and questions; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chooser = random.Random(seed)
        self._made = 0

    def turn(self, facts: int = 1) -> Said:
        """About 300 characters from the user, with so many facts, and 1,500 from the assistant."""
        self._made += 1
        user = [self._fill(self._chooser.choice(_FACTS)[0]) for _ in range(facts)]
        if self._made % SENSITIVE_EVERY == 0:
            user.append(self._fill(self._chooser.choice(_SENSITIVE)))
        return Said(self._padded(user, _CHATTER, USER_CHARS), self._answer())

    def memory(self) -> str:
        """A fact as it is stored."""
        said, fact = self._chooser.choice(_FACTS)
        return self._fill(_about_user(said, fact))

    def question(self) -> str:
        """Something that needs memory, and that was not asked before."""
        forms = (
            "How much did I pay for my {trait} {thing} from {place}, was it {number} EUR?",
            "What did I say about the {event} in {place} and the {number} people?",
            "Which {kin} of mine works as a {job}, was it {name} in {place}, number {number}?",
        )
        return self._fill(self._chooser.choice(forms))

    def _answer(self) -> str:
        return self._padded([], _ANSWERS, ANSWER_CHARS)

    def _padded(self, parts: list[str], pool: tuple[str, ...], most: int) -> str:
        size = sum(map(len, parts))
        while size < most:
            parts.append(self._chooser.choice(pool))
            size += len(parts[-1]) + 1
        self._chooser.shuffle(parts)
        return " ".join(parts)

    def _fill(self, form: str) -> str:
        names = [name for _, name, _, _ in Formatter().parse(form) if name]
        given = {name: self._chooser.choice(_SLOTS.get(name, "").split() or [""]) for name in names}
        given |= {"number": str(self._chooser.randrange(11, 9999))} if "number" in given else {}
        return form.format(**given)


def facts_in(text: str) -> list[tuple[str, str]]:
    """The facts that a text of `Talk` holds, each with the words that show it."""
    return [
        (found.expand(fact), found[0])
        for pattern, fact in _PATTERNS
        for found in pattern.finditer(text)
    ]


def _about_user(said: str, fact: str | None) -> str:
    if fact is not None:
        return fact
    for old, new in _OTHERWISE:
        said = said.replace(old, new)
    return said.replace("Our ", "User's ").rstrip(".")


def _pattern(said: str, fact: str | None) -> tuple[re.Pattern[str], str]:
    found = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[\\w]+)", re.escape(said))
    return re.compile(found), re.sub(r"\{(\w+)\}", r"\\g<\1>", _about_user(said, fact))


_PATTERNS = [_pattern(said, fact) for said, fact in _FACTS]
