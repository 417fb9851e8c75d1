"""Options of the proxy. They are here because `config` may not import `proxy`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from yarl import URL

from recollect.memory.model.options_base import Options
from recollect.memory.util.openai_client import OPENAI_BASE_URL
from recollect.memory.util.providers import address_of, is_hosted

from .identity import IdentityOptions as IdentityOptions  # noqa: PLC0414 - one of the options here
from .network import is_address, is_host_name
from .tools import ToolOptions

ChangeKind = Literal[
    "ADD", "UPDATE", "DELETE", "QUARANTINE", "VALIDATE", "ARCHIVE", "RESTORE", "FORGET", "GAP"
]


_ENDPOINTS = ("/chat/completions", "/responses", "/v1/completions")
"""Ends of URLs that people copy where a base URL belongs."""


class ListenOptions(Options):
    """Where clients connect, and from which web pages."""

    host: str = Field(default="127.0.0.1", description="Address to bind.")
    port: int = Field(default=8787, ge=0, le=65535, description="Port; 0 takes a free one.")
    workers: Annotated[int, Field(ge=1, le=256)] | Literal["all"] = Field(
        default=1,
        description="Processes that serve behind the port; `all`: one for each core. With more "
        "than one, a parent owns the embedded parts and starts a worker again that ends "
        "(Linux).",
    )
    allowed_hosts: tuple[str, ...] = Field(
        default=(),
        description="Further host names of this server; `*.example.org` means every name below "
        "it. Known are on loopback its own names, elsewhere IP addresses, `host`, names without "
        "a dot and of private networks. For others chats have no memory and the memory API "
        "refuses: a web page can point its own name here.",
    )
    allowed_origins: tuple[str, ...] = Field(
        default=(),
        description="Web origins whose pages may use memory from a browser, such as "
        "`http://127.0.0.1:3000`. Proxied routes keep the upstream's own CORS headers.",
    )
    debug_headers: bool | None = Field(
        default=None,
        description="Whether answers name the user in `x-recollect-user`, and with "
        "`x-recollect-debug: explain` the ranked memories in `x-recollect-explain`, without "
        "text. If not set, on loopback only.",
    )

    @field_validator("allowed_hosts")
    @classmethod
    def _host_names(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(value.lower().removesuffix(".") for value in values)
        for name in names:
            if not (is_address(name) or is_host_name(name.removeprefix("*."))):
                raise ValueError(
                    "expected host names, such as memory.example.org or *.example.org: no scheme, "
                    "no port, no path; non-ASCII names as xn--…"
                )
        return names

    @field_validator("allowed_origins")
    @classmethod
    def _exact_origins(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            try:
                exact = "*" not in value and str(URL(value).origin()) == value.lower()
            except ValueError:
                exact = False
            if not exact:
                raise ValueError(
                    "expected exact web origins, such as http://127.0.0.1:3000: no path, no `*`"
                )
        return tuple(value.lower() for value in values)


class UpstreamOptions(Options):
    """The OpenAI-compatible server behind the proxy. A request cannot choose another one."""

    provider: str | None = Field(
        default=None,
        description="Name of a provider ([which](backends.md#providers-of-models)) instead of the "
        "address.",
    )
    base_url: str = Field(
        default=OPENAI_BASE_URL,
        description="Base URL of the model server: the one that clients used before Recollect.",
    )
    max_parsed_bytes: int = Field(
        default=4 * 2**20,
        ge=1024,
        description="Largest chat request that is read for memory (bytes); larger ones pass "
        "unchanged.",
    )

    @model_validator(mode="before")
    @classmethod
    def _of_the_provider(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or given.get("provider") is None:
            return given
        named = str(given["provider"])
        found = address_of(named)
        if said := given.get("base_url"):
            if is_hosted(named) and str(said).rstrip("/") != found:
                raise ValueError(
                    f"provider {named} is {found}, and base_url names another server: leave one out"
                )
            return given
        if found is None:  # never OpenAI's instead: clients' keys would go there
            raise ValueError(f"{given['provider']} has no address of its own: set base_url")
        return {**given, "base_url": found}

    @property
    def shown(self) -> str:
        """The address for the log, which tells if it is not the one of the provider."""
        usual = None if self.provider is None else address_of(self.provider)
        if usual in {None, self.base_url}:
            return self.base_url
        return f"{self.base_url} (upstream.base_url, not {usual} of provider {self.provider})"

    @field_validator("base_url")
    @classmethod
    def _absolute_http(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in {"http", "https"} or not url.host:
            raise ValueError("expected an absolute http or https URL, such as https://host/v1")
        if url.query_string or url.fragment or url.user or url.password:
            raise ValueError("must not contain credentials, a query or a fragment")
        base = value.rstrip("/")
        if base.endswith(_ENDPOINTS):
            raise ValueError(
                "expected the base URL alone, such as https://host/v1: clients add what follows"
            )
        return base


class LimitOptions(Options):
    """How much one tenant may ask of the memory API, and so each of its users."""

    requests_per_minute: int | None = Field(
        default=None,
        ge=0,
        le=100_000,
        description="Requests per minute, in the long run; more get 429. 0 or not set: no "
        "limit. Replicas count together if they share a Redis.",
    )
    burst: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description="Requests at once, after a pause. If not set, those of a minute.",
    )
    max_body_bytes: int | None = Field(
        default=None,
        ge=1024,
        description="Largest request body (bytes); more gets 413. If not set, 1 MiB.",
    )


class ApiOptions(Options):
    """The memory API under `/v1/memories/`."""

    enabled: bool = Field(default=True, description="If `false`, its paths answer 404.")
    token: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="Bearer token of the memory API, for the tenant `identity.tenant`. "
        "Required off loopback in personal and gateway mode. A request that has it anywhere "
        "else is never sent upstream.",
    )
    tokens_file: Path | None = Field(
        default=None,
        description="File with the hashes of the tokens of `recollect tokens`; `tokens.json` "
        "in `data_dir` if not set. Replicas share it; a change counts at once.",
    )
    limits: LimitOptions = Field(
        default_factory=LimitOptions,
        description="How much each tenant may ask of the memory API. A user that a credential "
        "proves always leaves something for the others.",
    )
    tenant_limits: dict[str, LimitOptions] = Field(
        default_factory=dict,
        description="Other limits by the name of the tenant. A key that is not set there is that "
        "of `api.limits`.",
    )
    audit_log: Path | None = Field(
        default=None,
        description="File of the [audit log](api.md#audit-log); `audit.jsonl` in `data_dir` if "
        "not set.",
    )
    audit: Literal["admin", "writes", "all"] = Field(
        default="admin",
        description="What is in it: administrative actions; also every change of memories "
        "(`writes`); also every read (`all`).",
    )


class WebhookOptions(Options):
    """A server that is told of changes of memories, by POST with JSON."""

    url: str | None = Field(
        default=None, description="Where changes are posted. If not set, nothing is posted."
    )
    secret: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="Signs each request in `x-recollect-signature`: HMAC-SHA256 of time and body.",
    )
    events: tuple[ChangeKind, ...] = Field(
        default=(), description="The kinds of changes that are posted; all if none are named."
    )

    @field_validator("url")
    @classmethod
    def _is_a_url(cls, value: str | None) -> str | None:
        if value is None or (URL(value).scheme in {"http", "https"} and URL(value).host):
            return value
        raise ValueError("expected a URL such as https://example.org/hooks/memory")


MOST_PORT = 65_535


class EventsOptions(Options):
    """Who is told of changes of memories."""

    webhook: WebhookOptions = Field(default_factory=WebhookOptions)


class TelemetryOptions(Options):
    """OpenTelemetry and metrics. Nothing is sent anywhere unless an endpoint is set."""

    otlp_endpoint: str | None = Field(
        default=None,
        description="OTLP/HTTP collector for traces, such as `http://127.0.0.1:4318`. If not set, "
        "traces are off.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Lowest severity that is logged."
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="Lines of the log: for people, or JSON with the ids of the work in progress.",
    )
    metrics: str | None = Field(
        default="127.0.0.1:9464",
        description="Address of Prometheus's `/metrics`. It asks for no credentials: off loopback, "
        "keep clients from it. `null`, or port 0, turns it off.",
    )

    @field_validator("metrics")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        host, _, port = (value or "localhost:0").rpartition(":")
        if host and port.isdecimal() and int(port) <= MOST_PORT:
            return value
        raise ValueError("expected an address with a port, such as 127.0.0.1:9464")

    @property
    def metrics_at(self) -> tuple[str, int]:
        """Where `/metrics` is: a host, and a port or 0."""
        host, _, port = (self.metrics or "localhost:0").rpartition(":")
        return host.strip("[]"), int(port)


class ProxyOptions(Options):
    """The options that do not belong to the engine."""

    data_dir: Path = Field(
        default=Path("~/.recollect"),
        description="Folder of memories, state and models unless another key names a path.",
    )
    listen: ListenOptions = Field(default_factory=ListenOptions)
    upstream: UpstreamOptions = Field(default_factory=UpstreamOptions)
    identity: IdentityOptions = Field(default_factory=IdentityOptions)
    api: ApiOptions = Field(default_factory=ApiOptions)
    tools: ToolOptions = Field(default_factory=ToolOptions)
    events: EventsOptions = Field(default_factory=EventsOptions)
    telemetry: TelemetryOptions = Field(default_factory=TelemetryOptions)

    @field_validator("data_dir", mode="before")
    @classmethod
    def _not_empty(cls, value: object) -> object:
        # An empty path is the current folder, which nobody means.
        if isinstance(value, str) and not value.strip():
            raise ValueError("expected the path of a folder, got nothing")
        return value
