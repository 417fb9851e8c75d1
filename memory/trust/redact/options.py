"""Options of redaction."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ...model.options_base import ByKind, Options

Policy = Literal["keep", "redact"]


class PersonalOptions(ByKind):
    """Whether personal data is kept or redacted, by kind.

    Most kinds are kept: memories are about a person, and "my email is ..." is such a memory.
    """

    email: Policy = Field(default="keep", description="Email addresses.")
    phone: Policy = Field(default="keep", description="Telephone numbers.")
    address: Policy = Field(default="keep", description="Street and house number, with the town.")
    birth_date: Policy = Field(
        default="keep", description="Dates that the text names as a birthday."
    )
    national_id: Policy = Field(
        default="redact",
        description="Numbers that a state issues to a person: social security, tax, identity "
        "card, passport.",
    )

    def redacted(self) -> frozenset[str]:
        return frozenset(kind for kind, policy in self.model_dump().items() if policy == "redact")


class RedactOptions(Options):
    """Data that is removed from turns and facts before they are stored or sent to a model."""

    secrets: bool = Field(
        default=True,
        description="Remove API keys, tokens, private keys, passwords, PINs, recovery codes, "
        "seed phrases, payment cards and IBANs, for good.",
    )
    personal: PersonalOptions = Field(
        default_factory=PersonalOptions, description="Personal data by kind: `keep` or `redact`."
    )
