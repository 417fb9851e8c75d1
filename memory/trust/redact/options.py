"""What is removed from texts before they are stored or sent to a model."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Policy = Literal["keep", "redact"]


class PersonalOptions(BaseModel):
    """What becomes of personal data, kind by kind.

    Most is kept: a memory is about a person, and "my email is ..." is a fact to remember.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    email: Policy = Field(default="keep", description="Email addresses.")
    phone: Policy = Field(default="keep", description="Telephone numbers.")
    address: Policy = Field(
        default="keep", description="Postal addresses: street with house number, also the town."
    )
    birth_date: Policy = Field(
        default="keep", description="Dates that are said to be somebody's birthday."
    )
    national_id: Policy = Field(
        default="redact",
        description="Numbers a state gave to a person (social security, tax, identity card, "
        "passport): nothing to talk about, and enough to steal an identity.",
    )

    def redacted(self) -> frozenset[str]:
        """The kinds that are removed."""
        return frozenset(kind for kind, policy in self.model_dump().items() if policy == "redact")


class RedactOptions(BaseModel):
    """What is removed from turns and facts before they are stored or sent to a model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    secrets: bool = Field(
        default=True,
        description="Remove API keys, tokens, private keys, passwords, PINs, recovery codes, seed "
        "phrases, payment cards and IBANs. Nothing brings them back.",
    )
    personal: PersonalOptions = Field(
        default_factory=PersonalOptions,
        description="Personal data, kind by kind: `keep` or `redact`.",
    )
