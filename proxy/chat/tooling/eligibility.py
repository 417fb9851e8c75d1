"""Which requests take injected tools. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...dialects.body import RequestBody
from .rounds import OurNames

_ORDINARY = (None, "auto")


def why_not(body: RequestBody, names: Collection[str]) -> str | None:
    """Why a request gets no tools of these names, in a word; None if it gets them.

    A client that has a tool of the same name means its own. One that says which tool is called, or
    wants an answer of a form, gets what it asked for.
    """
    fields = body.fields
    if not isinstance(fields.get("tools", []), list | None):
        return "tools_unreadable"
    ours = OurNames(names)
    if any(name in ours for name in body.tools):
        return "same_name"
    if fields.get("tool_choice") not in _ORDINARY or "function_call" in fields:
        return "tool_choice"
    if fields.get("functions"):
        return "functions"
    if fields.get("n") not in (None, 1):
        return "several_answers"
    if _has_form(fields):
        return "form"
    if fields.get("background") or body.conversation:
        # The server goes on by itself: nobody can answer its calls in between.
        return "kept_by_server"
    return None


def _has_form(fields: Mapping[str, Any]) -> bool:
    """Whether the answer must be JSON or follow a grammar: servers mix that with tools badly."""
    text = fields.get("text")
    asked = text.get("format") if isinstance(text, dict) else None
    formats = (fields.get("response_format"), asked)
    kinds = [each.get("type") for each in formats if isinstance(each, dict)]
    grammars = ("grammar", "json_schema", "guided_json", "guided_grammar", "guided_regex")
    return any(kind != "text" for kind in kinds) or any(fields.get(each) for each in grammars)
