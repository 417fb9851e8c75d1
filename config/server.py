"""Options of the proxy's own parts. They live here because `config` may not import `proxy`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from yarl import URL

from .network import is_address, is_host_name


class Options(BaseModel):
    """Frozen, and strict about keys nobody knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ListenOptions(Options):
    """Where clients connect."""

    host: str = Field(default="127.0.0.1", description="Address to bind.")
    port: int = Field(default=8787, ge=0, le=65535, description="Port; 0 takes a free one.")
    allowed_hosts: tuple[str, ...] = Field(
        default=(),
        description="Further host names of this server, such as `memory.example.org`; "
        "`*.example.org` means every name below that one. Without being listed these are its own: "
        "on loopback the loopback names and addresses; elsewhere every IP address, `host`, names "
        "without a dot, and names that end in `.local`, `.internal`, `.home.arpa`, `.localhost` or "
        "`.svc`. Requests for other names have no memory, because a web page can point a name of "
        "its own here: the memory API refuses them, chats pass without it.",
    )
    allowed_origins: tuple[str, ...] = Field(
        default=(),
        description="Web origins, such as `http://127.0.0.1:3000`, whose pages may use memory from "
        "a browser: the memory API answers their preflights (CORS) and refuses all others. Proxied "
        "routes keep the upstream's own CORS headers.",
    )
    head_seconds: float = Field(
        default=30,
        gt=0,
        description="Longest a client may take to send the head of a request, from its first byte, "
        "or from the connection for the first one; then the connection is closed (seconds).",
    )
    body_idle_seconds: float = Field(
        default=60,
        gt=0,
        description="Longest a client may pause in the middle of a request body; then the "
        "connection is closed (seconds).",
    )

    debug_header: bool | None = Field(
        default=None,
        description="Whether a chat that asks with `x-recollect-debug: explain` is told in "
        "`x-recollect-explain` which memories were ranked and why: ids and figures, no text. If "
        "not set, on loopback only; elsewhere the question is ignored.",
    )

    @field_validator("allowed_hosts")
    @classmethod
    def _host_names(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(value.lower().removesuffix(".") for value in values)
        for name in names:
            if not (is_address(name) or is_host_name(name.removeprefix("*."))):
                raise ValueError(
                    "expected host names, such as memory.example.org or *.example.org: no scheme, "
                    "no port, no path; others than ASCII ones as xn--…"
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
    """The OpenAI-compatible server behind the proxy: named here and never by a request."""

    base_url: str = Field(
        default="https://api.openai.com/v1",
        description="What clients would use as their base URL without Recollect.",
    )
    connect_seconds: float = Field(default=10, gt=0, description="Longest wait for a connection.")
    idle_seconds: float = Field(
        default=600,
        gt=0,
        description="Longest silence of the upstream, before its first byte and between two; there "
        "is no limit on the whole answer (seconds).",
    )
    max_parsed_bytes: int = Field(
        default=4 * 2**20,
        ge=1024,
        description="Chat requests up to this size are read for memory; larger ones stream through "
        "untouched (bytes).",
    )

    @field_validator("base_url")
    @classmethod
    def _absolute_http(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in {"http", "https"} or not url.host:
            raise ValueError("expected an absolute http or https URL, such as https://host/v1")
        if url.query_string or url.fragment or url.user or url.password:
            raise ValueError("must not contain credentials, a query or a fragment")
        return value.rstrip("/")


class IdentityOptions(Options):
    """Whose memory a request is about."""

    mode: Literal["personal", "gateway"] = Field(
        default="personal",
        description="`personal`: one tenant, and on a loopback bind a request that names no user "
        "is the default user; off loopback chats have no memory, because any caller could name any "
        "user. `gateway`: the tenant follows from the client's credential, and a request without a "
        "user gets no memory.",
    )
    trust_callers: bool = Field(
        default=False,
        description="In personal mode off loopback: every caller who reaches the port may name "
        "every user, and read what is remembered of them. Only behind something that decides who "
        "may call; public host names have to be in `listen.allowed_hosts`.",
    )
    default_user_in_gateway: bool = Field(
        default=False,
        description="In gateway mode: a request that names no user is `default_user` of its own "
        "credential's tenant.",
    )
    tenant: str = Field(default="local", min_length=1, description="The tenant of personal mode.")
    default_user: str = Field(
        default="default",
        min_length=1,
        description="The user of requests that name none, in personal mode on loopback and with "
        "`default_user_in_gateway`.",
    )
    user_headers: tuple[str, ...] = Field(
        default=(),
        description="Headers of other tools that name the user and are trusted, such as "
        "`x-openwebui-user-id`; they are forwarded like any other.",
    )
    session_headers: tuple[str, ...] = Field(
        default=(),
        description="Headers of other tools that name the conversation, such as "
        "`x-openwebui-chat-id`.",
    )
    trust_body: bool = Field(
        default=True,
        description="Whether `safety_identifier`, `user` and `metadata.user_id` of the body may "
        "name the user when no header does.",
    )
    hash_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="Key of the hash that turns a credential into a tenant; the same on every "
        "replica, and changing it hides all memories. Gateway mode makes one in `data_dir` where "
        "everything is embedded, and requires it where state is shared. It also keys the fence "
        "around injected memories, in both modes.",
    )
    tenants: dict[str, SecretStr] = Field(
        default_factory=dict,
        description="Tenants by name with the credential of each; others are hashed.",
    )


class ApiOptions(Options):
    """The memory API under `/v1/memories/`."""

    enabled: bool = Field(default=True, description="`false` hides it; its paths go upstream.")
    token: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="Bearer token of the memory API; required off loopback, where without it the "
        "server does not start.",
    )
    max_body_bytes: int = Field(
        default=2**20, ge=1024, description="Largest request body of the memory API (bytes)."
    )


class TelemetryOptions(Options):
    """OpenTelemetry. Nothing is sent anywhere unless an endpoint is set."""

    otlp_endpoint: str | None = Field(
        default=None,
        description="OTLP/HTTP collector for traces, such as `http://127.0.0.1:4318`; off if not "
        "set.",
    )
    service_name: str = Field(default="recollect", min_length=1, description="As traces show it.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least severity that is logged."
    )


class ProxyOptions(Options):
    """Everything that is not the engine's."""

    data_dir: Path = Field(
        default=Path("~/.recollect"),
        description="Where memories, state and models are kept unless a key below says otherwise.",
    )
    listen: ListenOptions = Field(default_factory=ListenOptions)
    upstream: UpstreamOptions = Field(default_factory=UpstreamOptions)
    identity: IdentityOptions = Field(default_factory=IdentityOptions)
    api: ApiOptions = Field(default_factory=ApiOptions)
    telemetry: TelemetryOptions = Field(default_factory=TelemetryOptions)
