"""The tools in front: what each sends, and whom a preset takes it for.

The requests in `recorded/` have the headers and bodies that the tools send, with invented values.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from multidict import CIMultiDict

from recollect.config.presets import PRESETS, PresetName
from recollect.config.server import IdentityOptions
from recollect.proxy.access.identity import resolve_caller
from recollect.proxy.dialects.chat import parse_chat_body
from tests.hostile.facing import Facing
from tests.support.folding import rows

RECORDED = Path(__file__).parent / "recorded"
SENT = {
    "openwebui": (
        "5f7a1c0e-2f64-4a0d-9b1e-0d8f6f1f3a11",
        "0b9c7d1e-6a55-4f0c-8a3b-7f8d2f2b9c01",
    ),
    "librechat": ("665f1b2c9d3e4a0012ab34cd", "9d0f5a35-6a5e-4b52-9c67-3f2a8f0f4f10"),
    "litellm": ("ada", "trip-42"),
    "semantic-router": ("ada", None),
    "supermemory": ("ada", "kitchen"),
    "helicone": ("ada", "3c7a5e0b-4e0e-4c8e-9a53-4b6f0c7c2d11"),
}
"""The user and the conversation of each recording."""


def recorded(name):
    """The headers and the body of a request."""
    head, _, body = (RECORDED / f"{name}.http").read_text("utf-8").partition("\n\n")
    return [tuple(line.split(": ", 1)) for line in head.split("\n")[1:]], body.strip()


def caller_of(name, **options):
    headers, body = recorded(name)
    parsed = parse_chat_body(body.encode())
    options = IdentityOptions(**options)
    return resolve_caller(CIMultiDict(headers), parsed, parsed.messages, options, on_loopback=True)


@rows("name", get_args(PresetName))
def test_no_preset_is_trusted_unasked(name):
    """Anybody can send such a header."""
    caller = caller_of(name, trust_body=False)
    assert (caller.scope.user_id, caller.session, caller.named) == ("default", None, False)


@rows("name", get_args(PresetName))
async def test_a_recorded_request(name):
    """Through the product: the answer says who it was taken for; the upstream gets every header."""
    head, _, body = (RECORDED / f"{name}.http").read_bytes().partition(b"\n\n")
    body = body.strip()
    length = b"\r\nContent-Length: %d\r\n\r\n" % len(body)
    async with Facing(identity__preset=name) as facing:
        seen = await facing.ask(head.replace(b"\n", b"\r\n") + length + body)
        sent = facing.upstream.requests[-1]
    assert seen.head.values("x-recollect-user") == [SENT[name][0]]
    assert sent.body == body
    for header in (*PRESETS[name].user_headers, *PRESETS[name].session_headers):
        values = [value for key, value in recorded(name)[0] if key.lower() == header]
        assert sent.values(header) == values


def test_a_pipeline_of_open_webui():
    """It sends an object as `user`: with the preset the header names the user, else it is nobody."""
    caller = caller_of("openwebui-pipeline", preset="openwebui")
    assert caller.scope.user_id == SENT["openwebui"][0]
    caller = caller_of("openwebui-pipeline")
    assert (caller.scope, caller.reason) == (None, "bad_identity")
