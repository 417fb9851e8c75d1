"""What a message tells of the user as a person, and what a request may need of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Terms, flag, named, terms

TRAITS = frozenset(["name", "diet", "allergy", "health", "manner", "plan"])
"""What people say of themselves. `manner` is how the user wants to be answered. Further traits,
and what a request is about, are told by meaning (`memory/recall/examples.toml`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What a message tells of the user as a person, and what a request may need of it."""

    hypothetical: Terms = terms('What follows is only supposed: "if I had", "imagine".')
    fiction: Terms = terms('The message is a game or a story: "let\'s play", "my character".')
    conditional: Terms = terms('Begins a condition: "if", "when", "in case".')
    letter: Terms = terms(
        'How a letter, a diary or a notice begins: "dear", "for sale". No greeting of a chat.'
    )
    joins: Terms = terms(
        'Stands between what is told and what is asked in one sentence: "so", "but", "because".'
    )
    orders: Terms = terms(
        'Begins an order that tells nothing of the user: "draw", "roll", "put this into".'
    )
    orders_last: Terms = terms("The same in languages whose verbs come last: it ends a sentence.")
    instructs: Terms = terms(
        'Begins a lasting instruction to the assistant: "always answer", "from now on".'
    )
    about_user: Terms = terms(
        'Asks what is known about the user: "who am I", "what do you remember about me".'
    )
    drops_pronouns: bool = flag('"I" may go without saying: "vivo en Roma".')
    traits: Named = named(
        "What people say of themselves, and what a stored fact says of them, by what it is about: "
        '"allergic", "vegetarian", "call me".',
        TRAITS,
    )
