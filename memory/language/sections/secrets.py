"""How secrets are told in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms

NAMES_OF_SECRETS = tuple(
    f"secrets.{name}"
    for name in (
        "password", "code", "key", "phrase", "login", "opens", "lock", "coded", "service", "keypad",
        "fiction", "other_things", "document", "born",
    )
)  # fmt: skip
"""What `scan` looks for; the other fields are small words, which mean something beside these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """How secrets and numbers of persons are told in sentences."""

    password: Terms = terms("Names of a password, of a network too; also short ones.")
    code: Terms = terms("Names of a PIN, or of a code that only ever opens or confirms something.")
    key: Terms = terms("Names of a key or token for a program.")
    phrase: Terms = terms("Names of a secret made of several words.")
    login: Terms = terms("Names of a user's account, beside which user and password stand.")
    opens: Terms = terms(
        "Words that are said of a code only beside a lock: code, combination, number, to enter, "
        "to open with."
    )
    lock: Terms = terms("Things that a code opens: door, safe, alarm, bicycle, phone.")
    coded: Terms = terms("Things that nothing but a code opens: alarm, safe, cash machine, SIM.")
    service: Terms = terms(
        "What one logs in to or connects with, and to do so: network, portal, account, to log in."
    )
    keypad: Terms = terms("Keys beside digits: star, hash, bell.")
    other_things: Terms = terms(
        "Longer terms that hold one of the words above and name no secret: key ring, zip code."
    )
    links: Terms = terms('What links a name and its value: "is", "equals", "changed to".')
    counted: Terms = terms("Beginnings of words for what a number counts: digits, days, euros.")
    other_numbers: Terms = terms(
        "What a number right after it is otherwise: room, order, version, at, since."
    )
    digits: Terms = terms("The words for zero to nine, double, ten and more.")
    fiction: Terms = terms(
        "Novels and plays, whose codes open nothing; not games, which have accounts."
    )
    card: Terms = terms("Words of payment cards and of paying.")
    document: Terms = terms("Names of the numbers and documents that a state issues to a person.")
    born: Terms = terms("Words of a birthday and of being born.")
    phone: Terms = terms("Words for telephones and calling.")
    street: Terms = terms(
        'Words for streets: "street" after the name, "rue" before it, "*straße" at its end.'
    )
