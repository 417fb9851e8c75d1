"""Providers of models by name, as `providers.toml` describes them.

A name stands for an address, the variable of its key, and what its server accepts. What the options
say themselves wins. Naming a provider is what allows its variables to be read.
"""

from __future__ import annotations

import functools
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from ..model.nearest import nearest

JSON_FORMS = ("json_schema", "json_object", "text")
"""Forms of an answer, the strictest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What differs between the servers of models. The fields are described in the file."""

    name: str
    base_url: str | None = None
    address: str | None = None
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
        url = (named if "://" in named else f"http://{named}").rstrip("/")
        return url if url.endswith(self.below) else url + self.below

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


def provided(given: Mapping[str, Any], environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Options of a chat model with what their provider tells, where they leave it out.

    A model such as ``anthropic/claude-…`` names its provider, if nothing else names a server.

    Raises:
        ValueError: there is no such provider, or nothing names its address.
    """
    options = _with_named(given)
    if options.get("provider") is None:
        return options
    environ = os.environ if environ is None else environ
    known = provider(str(options["provider"]))
    _fill(options, known, environ)
    model = options.get("model") or known.model
    if model:
        options["model"] = known.named(str(model))
    return options


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
    environ = os.environ if environ is None else environ
    known = provider(str(options["provider"]))
    _fill(options, known, environ)
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


def _fill(options: dict[str, Any], known: Provider, environ: Mapping[str, str]) -> None:
    ours = options.get("base_url") is None
    if ours:
        options["base_url"] = known.url(environ)
        if options["base_url"] is None:
            where = f", or the variable {known.address}" if known.address else ""
            raise ValueError(f"{known.name} has no address of its own: set base_url{where}")
    # A key of the environment is sent only where the provider is, never to another address.
    if options.get("api_key") is None and ours:
        options["api_key"] = known.key(environ)
