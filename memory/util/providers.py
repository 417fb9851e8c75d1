"""Providers of models by name, as `providers.toml` describes them.

A name stands for an address, the variable of its key, and what its server accepts. What the options
say themselves wins. Naming a provider is what allows its variables to be read.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ..model.suggestions import nearest
from .untrusted_json import MODEL, read_json

TOOL = "tool"
JSON_FORMS = ("json_schema", "json_object", TOOL, "text")
"""Forms of an answer, the strictest first. `TOOL` is a call of the one tool that is offered: it is
asked for where a provider is known to take nothing stricter."""
_ASK_SECONDS = 2.0
_MOST_BYTES = 1 << 20
_NAME_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What differs between the servers of models. The fields are described in the file."""

    name: str
    base_url: str | None = None
    address: str | None = None
    port: int | None = None
    below: str = ""
    keys: tuple[str, ...] = ()
    header: str = "bearer"
    json: str = JSON_FORMS[0]
    tokens: str = "max_tokens"
    usage: bool = True
    model: str = ""
    embeddings: Mapping[str, Any] | None = None
    own_slash: bool = False
    source: str = ""

    def url(self, environ: Mapping[str, str]) -> str | None:
        """Its address; None if only the environment would tell, and it does not."""
        named = environ.get(self.address, "").strip() if self.address else ""
        if not named:
            return self.base_url
        url = (named if "://" in named else self._with_port(f"http://{named}")).rstrip("/")
        return url if url.endswith(self.below) else url + self.below

    def _with_port(self, url: str) -> str:
        """With a scheme the port is the scheme's, as the provider's own programs read it."""
        parts = urlsplit(url)
        if self.port is None or re.search(r":\d*$", parts.netloc.rpartition("]")[2]):
            return url
        return urlunsplit(parts._replace(netloc=f"{parts.netloc}:{self.port}"))

    def key(self, environ: Mapping[str, str]) -> str | None:
        """The key of the environment."""
        found = (environ.get(name, "").strip() for name in self.keys)
        return next((key for key in found if key), None)

    def named(self, model: str) -> str:
        """A model as its server knows it: without the provider's own name before a slash."""
        first, slash, rest = model.partition("/")
        return rest if slash and first == self.name and not self.own_slash else model

    def headers(self, key: str | None) -> dict[str, str]:
        """The header of the key, if it is none of OpenAI's client."""
        return {} if key is None or self.header == "bearer" else {self.header: key}


@functools.cache
def providers() -> Mapping[str, Provider]:
    """All of them, by their names."""
    text = files(__package__).joinpath("providers.toml").read_text("utf-8")
    return {name: _provider(name, row) for name, row in tomllib.loads(text).items()}


def _provider(name: str, row: dict[str, Any]) -> Provider:
    keys = tuple(row.pop("keys", ()))
    return Provider(name=name, keys=keys, **row)


def provider(name: str) -> Provider:
    """The provider of this name. Raises ValueError: there is none; tells the nearest."""
    found = providers().get(name)
    if found is None:
        meant = nearest(name, tuple(providers()))
        known = f"did you mean {meant!r}?" if meant else f"known are {', '.join(providers())}"
        raise ValueError(f"there is no provider {name!r}: {known}")
    return found


def address_of(name: str) -> str | None:
    """Where a provider is, by the environment if that names it. Raises as `provider`."""
    return provider(name).url(os.environ)


def is_hosted(name: str) -> bool:
    """Whether a provider is in one place, not wherever somebody runs it. Raises as `provider`."""
    url = urlsplit(provider(name).base_url or "")
    return url.scheme == "https"


def provided(given: Mapping[str, Any], environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Options of a chat model with what their provider tells, where they leave it out.

    A model such as ``anthropic/claude-…`` names its provider, if nothing else names a server.

    Raises:
        ValueError: there is no such provider, or nothing names its address.
    """
    options = _with_named(given)
    if options.get("provider") is None:
        return options
    known = _filled(options, os.environ if environ is None else environ)
    model = options.get("model") or known.model
    if model:
        options["model"] = known.named(str(model))
    elif options.get("model") is None:
        # Never the usual one of OpenAI's: the server does not have it.
        raise ValueError(_no_model(known, options))
    return options


def _no_model(known: Provider, options: Mapping[str, Any]) -> str:
    has = _model_of(known, str(options["base_url"]), options.get("api_key"))
    example = f", such as {has}, which is there" if has else ""
    return f"{known.name} has whatever models were put there: set model{example}"


def _model_of(known: Provider, base_url: str, key: Any) -> str | None:
    """A model that the server has; None if it does not say at once."""
    secret = key.get_secret_value() if hasattr(key, "get_secret_value") else key
    bearer = {"authorization": f"Bearer {secret}"} if secret else {}
    headers = known.headers(secret and str(secret)) or bearer
    address = urlsplit(base_url)
    kinds = {"http": HTTPConnection, "https": HTTPSConnection}
    if address.scheme not in kinds or not address.hostname:
        return None
    connection: HTTPConnection | None = None
    try:
        connection = kinds[address.scheme](address.hostname, address.port, timeout=_ASK_SECONDS)
        connection.request("GET", f"{address.path.rstrip('/')}/models", headers=headers)
        answer = connection.getresponse()
        listed = read_json(answer.read(_MOST_BYTES), MODEL)["data"]
        names = [each["id"] for each in listed if isinstance(each["id"], str)]
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
    finally:
        if connection is not None:
            connection.close()
    fit = (name for name in names if name.isprintable() and 0 < len(name) <= _NAME_CHARS)
    return next(fit, None)


def provided_embeddings(
    given: Mapping[str, Any], environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The same for options of embeddings.

    Raises:
        ValueError: as `provided`, or the provider is not known to have embeddings and no model and
            dimensions are named.
    """
    options = dict(given)
    if options.get("provider") is None:
        return options
    known = _filled(options, os.environ if environ is None else environ)
    usual = known.embeddings or {}
    for name in ("model", "dim"):
        if options.get(name) is None:
            # The dimensions belong to the usual model: those of another one are not known.
            fits = name == "model" or options.get("model") == usual.get("model")
            if name not in usual or not fits:
                raise ValueError(f"{known.name} has no usual embeddings: set model and dim")
            options[name] = usual[name]
    return options


def _with_named(given: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(given)
    if options.get("provider") is None and options.get("base_url") is None:
        first, slash, _ = str(options.get("model") or "").partition("/")
        if slash and first in providers():
            options["provider"] = first
    return options


def _filled(options: dict[str, Any], environ: Mapping[str, str]) -> Provider:
    known = provider(str(options["provider"]))
    ours = options.get("base_url") is None
    if ours:
        options["base_url"] = known.url(environ)
        if options["base_url"] is None:
            where = f", or the variable {known.address}" if known.address else ""
            raise ValueError(f"{known.name} has no address of its own: set base_url{where}")
    # A key of the environment is sent only where the provider is, never to another address.
    if options.get("api_key") is None and ours:
        options["api_key"] = known.key(environ)
    return known
