"""Cuts out context that clients add: environment, reminders, rules, chat templates. Pure.

The names are those that Cline, Roo, Cursor, Copilot, Claude Code, Codex and Aider send. Linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .spans import Closing, Cut, Piece, cut, over_newline

_FOREIGN = """
environment_details environment_context environment_info system-reminder system_reminder
system-prompt system_prompt system_message user_instructions user_info user_rules project_layout
open_and_recently_viewed_files attached_files attached-files additional_data cursor_rules
always_applied_workspace_rules agent_requestable_workspace_rules custom_instructions
available_instructions workspace_info workspace_context reminderInstructions
reminder_instructions editorContext editor_context toolUseInstructions repo_map git_status
git-status gitStatus claudeMd ide_selection ide_opened_file ide_diagnostics new-diagnostics
local-command-stdout local-command-stderr local-command-caveat command-name command-message
command-args bash-stdout bash-stderr user-prompt-submit-hook available_tools tool_list
tools_list tool_definitions function_definitions slash_commands linter_errors file_content
memory_bank available_skills skills_instructions INSTRUCTIONS
"""
_COMMON = [
    "context", "rules", "tools", "functions", "instructions", "documents", "system", "attachments",
    "files", "memory",
]  # fmt: skip
"""Words that people use as well: removed only if both tags stand on lines of their own."""
_USERS = [
    "user_query", "user_message", "userRequest", "user_request", "user-request", "task", "feedback",
]  # fmt: skip
"""Elements that hold the user's own words: only the tags are removed."""
_TAG = re.compile(
    rf"<(?P<close>/?)(?P<name>{'|'.join(map(re.escape, _FOREIGN.split() + _COMMON + _USERS))})"
    r"(?:\s[^<>\n]{0,200})?>"
)
_TEMPLATES = (
    (re.compile(r"<\|im_start\|>(?:system|developer)\b"), "<|im_end|>"),
    (re.compile(r"<\|start_header_id\|>system<\|end_header_id\|>"), "<|eot_id|>"),
    (re.compile(r"<<SYS>>"), "<</SYS>>"),
    (re.compile(r"\[SYSTEM_PROMPT\]"), "[/SYSTEM_PROMPT]"),
)
_BEFORE_TEMPLATE = re.compile(r"(?:\s|>|<s>|<\|begin_of_text\|>|\[INST\])*+")
_LOOK = 200
_CUT_MARK = "\n[...]\n"
"""Where a long text was shortened (`recollect.memory.model.messages.shorten`)."""


def cut_context(text: str) -> Cut:
    """Cut out the context that the client added."""
    pieces = 0
    for begins, ends in _TEMPLATES:
        text, found = cut(text, _between(text, begins, ends))
        pieces += found
    if "<" in text:
        text, found = cut(text, _elements(text))
        pieces += found
    return Cut(text, pieces)


def _begins_line(text: str, at: int) -> bool:
    """Whether a template begins its line. Inside a sentence it is an attack, left to quarantine."""
    before = text[max(0, at - _LOOK) : at].rpartition("\n")[2]
    return _BEFORE_TEMPLATE.fullmatch(before) is not None


def _between(text: str, begins: re.Pattern[str], ends: str) -> Iterator[Piece]:
    at = 0
    for match in begins.finditer(text):
        if match.start() < at or not _begins_line(text, match.start()):
            continue
        end = text.find(ends, match.end())
        if end < 0:
            return
        at = over_newline(text, end + len(ends))
        yield Piece(match.start(), at)


def _elements(text: str) -> Iterator[Piece]:
    tags = list(_TAG.finditer(text))
    closing = Closing(tags, lambda tag: tag["name"])
    paired: set[int] = set()
    at = 0
    for tag in tags:
        if tag.start() < at:
            continue
        if tag["close"]:
            spans = [Piece(*tag.span())] if tag.start() in paired else []
        else:
            spans = _element(text, tag, closing.of(tag), paired)
        for span in spans:
            at = span.end
            yield span


def _element(
    text: str, tag: re.Match[str], close: re.Match[str] | None, paired: set[int]
) -> list[Piece]:
    name = tag["name"]
    if name in _USERS:
        if close is None:
            return []
        paired.add(close.start())
        return [Piece(*tag.span())]
    if close is not None:
        if name in _COMMON and not (_alone(text, tag) and _alone(text, close)):
            return []
        return [Piece(tag.start(), over_newline(text, close.end()))]
    if name in _COMMON or not _alone(text, tag):
        return []
    end = text.find(_CUT_MARK, tag.end())
    return [Piece(tag.start(), len(text) if end < 0 else end)]


def _alone(text: str, tag: re.Match[str]) -> bool:
    """Whether the tag is alone on its line."""
    before = text[max(0, tag.start() - _LOOK) : tag.start()].rpartition("\n")[2]
    after = text[tag.end() : tag.end() + _LOOK].partition("\n")[0]
    return not (before + after).strip(" \t>\r")
