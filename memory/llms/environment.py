"""Variables of the environment, for the library: OpenAI's two, and mem0's for `from_config`.

Only `AsyncMemory.open` and `Memory` use them. The proxy, its workers and its commands are
configured by a file, flags and variables of their own, and never send this key.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from ..util.openai_client import OPENAI_BASE_URL

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"


class ModelServer(NamedTuple):
    """The address of a server and the key that is sent to it; OpenAI's address if not set."""

    base_url: str | None
    api_key: SecretStr | None

    @property
    def wants(self) -> tuple[str, str] | None:
        """The field that makes calls impossible, and what was expected; None if they may work."""
        if self.base_url is not None and not _is_url(self.base_url):
            return "base_url", (
                f"expected a URL such as http://127.0.0.1:11434/v1 (also in {BASE_URL_VARIABLE})"
            )
        if self.api_key is None and _origin(self.base_url) == _origin(None):
            return "api_key", f"required by OpenAI; set it, or the variable {KEY_VARIABLE}"
        return None


def model_from_environment(
    base_url: str | None, api_key: SecretStr | None, environ: Mapping[str, str] | None = None
) -> ModelServer:
    """The server and the key, completed from the environment where the options leave them out.

    A key from the environment is sent only to the server that the environment names and to OpenAI,
    not to another server that the options name.
    """
    environ = os.environ if environ is None else environ
    named = environ.get(BASE_URL_VARIABLE, "").strip() or None
    chosen = base_url or named
    if not api_key:
        key = environ.get(KEY_VARIABLE, "").strip()
        trusted = {_origin(named), _origin(None)}
        api_key = SecretStr(key) if key and _origin(chosen) in trusted else None
    return ModelServer(chosen, api_key)


def variables_set(names: Collection[str]) -> dict[str, str]:
    """Those of these variables that are set, for a configuration that leaves a place to them."""
    return {name: value for name in names if (value := os.environ.get(name, "").strip())}


def _is_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _origin(base_url: str | None) -> tuple[str, str | None, int | None] | None:
    """Scheme, host and port; None for what is not a URL."""
    text = base_url or OPENAI_BASE_URL
    if not _is_url(text):
        return None
    url = urlsplit(text)
    return url.scheme, url.hostname, url.port or {"http": 80, "https": 443}[url.scheme]
