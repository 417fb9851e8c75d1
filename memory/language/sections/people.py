"""Who is spoken of."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who is spoken of."""

    user: Terms = terms('What a stored fact calls the person it is about: "user".')
    first_person: Terms = terms('"I", "me", "my", "we", in all forms.')
    kin: Terms = terms("Relatives, partners, friends, flatmates, neighbours and pets.")
    roles: Terms = terms(
        "People of work and services, which a user may be as well as have: colleague, boss, "
        "client, doctor, teacher, landlord."
    )
