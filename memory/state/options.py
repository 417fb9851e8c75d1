"""Options of Redis. An address may hold a password: no message here repeats it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from ..database.options import REDIS, scheme_of, with_a_port, without_password


class RedisOptions(BaseModel):
    """Redis between several proxies and workers."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: SecretStr | None = Field(
        default=None,
        description="`redis://`, `rediss://` (TLS) or `unix://`; of a cluster, any node. If "
        "not set, replicas wake each other by PostgreSQL, and each has limits of its own.",
    )
    prefix: str = Field(
        default="recollect",
        pattern=r"^[A-Za-z0-9_.-]{1,64}$",
        description="Prefix of every key, so that several deployments can share one Redis.",
    )

    @field_validator("url")
    @classmethod
    def _of_a_redis(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            if scheme_of(value.get_secret_value()) not in REDIS:
                raise ValueError("expected an address such as redis://host")
            with_a_port(value.get_secret_value())
        return value

    @property
    def address(self) -> str | None:
        """The url as it was given, with its password."""
        return None if self.url is None else self.url.get_secret_value()

    @property
    def shown(self) -> str:
        """The location for people: without a password."""
        return without_password(self.address or "")
