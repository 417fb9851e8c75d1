"""Tools in front of the proxy, and the headers in which each names its users and conversations.

Sources: Open WebUI `backend/open_webui/env.py` (`ENABLE_FORWARD_USER_INFO_HEADERS`); LibreChat's
placeholders of `endpoints.custom[].headers`, under the names that its integrations use; LiteLLM
`litellm_pre_call_utils.py` (`add_user_information_to_llm_headers`, and the headers of clients that
`forward_client_headers_to_llm_api` passes on); vLLM Semantic Router's authorisation signal; the
routers of Supermemory and Helicone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

PresetName = Literal[
    "openwebui", "librechat", "litellm", "semantic-router", "supermemory", "helicone"
]


@dataclass(frozen=True, slots=True)
class Preset:
    """The headers of one tool, in lower case; of several the first that a request has counts."""

    user_headers: tuple[str, ...]
    session_headers: tuple[str, ...] = ()


PRESETS: Mapping[PresetName, Preset] = {
    "openwebui": Preset(("x-openwebui-user-id",), ("x-openwebui-chat-id",)),
    "librechat": Preset(("x-librechat-user-id",), ("x-librechat-conversation-id",)),
    "litellm": Preset(
        # What LiteLLM found out itself comes before what a client told it.
        (
            "x-litellm-user_api_key_end_user_id",
            "x-litellm-customer-id",
            "x-litellm-end-user-id",
            "x-litellm-user_api_key_user_id",
        ),
        ("x-litellm-session-id",),
    ),
    "semantic-router": Preset(("x-authz-user-id",)),
    "supermemory": Preset(("x-sm-user-id",), ("x-sm-conversation-id",)),
    "helicone": Preset(("helicone-user-id",), ("helicone-session-id",)),
}
"""Every preset of `identity.preset`."""


def preset_of(header: str) -> PresetName:
    """The preset that trusts this header of a user. Raises KeyError."""
    return _BY_HEADER[header]


_BY_HEADER: dict[str, PresetName] = {
    header: name for name, preset in PRESETS.items() for header in preset.user_headers
}
USER_HEADERS: tuple[str, ...] = tuple(_BY_HEADER)
"""The headers in which the tools name the user."""
