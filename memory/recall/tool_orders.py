"""Tells whether a tool does or tells what a message wants, with everything stated. Pure.

"Run the unit tests", "What time is it?": nothing that is known of the user makes the answer better,
and what was ordered once is no answer to the next order. Procedures do, so those are recalled.
"""

from __future__ import annotations

from ..language import scan
from ..language.message import Reading, request_and_material
from ..language.requests import Cue
from .prototypes import MessageMeaning

ORDERED = 0.07
"""How much nearer (`MessageMeaning.ordered`) a message must be to what a tool does."""
ORDERED_OPENLY = 0.21
"""The same of one whose words ask for something that may depend on the user ("make", "set")."""
MAX_CHARS = 200
"""A longer message states more than an order."""


def is_for_tool(message: str, meant: MessageMeaning | None) -> bool:
    """Whether nothing personal is in a message that a tool answers.

    `meant` is its meaning; None, and never, where that tells nothing.
    """
    if meant is None or meant.ordered < ORDERED or len(message) > MAX_CHARS:
        return False  # as of nearly all: nothing else is read
    reading = Reading(request_and_material(message))
    about_user = scan(reading.material.asked).has("person.about_user")
    if about_user or reading.has(Cue.SELF, Cue.KIN) or reading.material.code:
        return False
    return meant.ordered >= ORDERED_OPENLY or not reading.open_requests()
