"""Cuts out what clients add to the user's words. Pure, linear.

Environment, reminders, rules and chat templates (the names are those that Cline, Roo, Cursor,
Copilot, Claude Code, Codex and Aider send), files that they paste without tags, and instructions to
the assistant.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...language import words_of
from ...language.scanner import begins, cues_in
from ...language.words import is_question
from .spans import Closing, Cut, Piece, cut, drop, first_person, is_marked, line_end, over_newline

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
    for opening, ends in _TEMPLATES:
        text, found = cut(text, _between(text, opening, ends))
        pieces += found
    if "<" in text:
        text, found = cut(text, _elements(text))
        pieces += found
    return Cut(text, pieces)


def _begins_line(text: str, at: int) -> bool:
    """Whether a template begins its line. Inside a sentence it is an attack, left to quarantine."""
    before = text[max(0, at - _LOOK) : at].rpartition("\n")[2]
    return _BEFORE_TEMPLATE.fullmatch(before) is not None


def _between(text: str, opening: re.Pattern[str], ends: str) -> Iterator[Piece]:
    at = 0
    for match in opening.finditer(text):
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


_DUMP = re.compile(
    r"^[ \t>]*+(?:#{1,6}[ \t]++|=++[ \t]*+|\*\*|(?:contents of|file:)[ \t]++)[^\n]{0,80}?"
    r"(?:\b(?:AGENTS|CLAUDE|GEMINI|SOUL|IDENTITY|BOOT|BOOTSTRAP|HEARTBEAT|MEMORY|USER|TOOLS|SKILL"
    r"|CONVENTIONS|copilot-instructions)\.mdc?\b|\.(?:cursor|cline|windsurf)rules\b)[^\n]*+$"
    r"|^#{1,3}[ \t]++Context from my IDE setup:?[ \t]*+$"
    r"|^Contents of \S[^\n]{0,200}?\.md\b[^\n]*+$",
    re.MULTILINE,
)
_REQUEST = re.compile(
    r"^#{1,4}[ \t]++(?:My|The|User)(?:[ \t]+user)?['\u2019]?s?[ \t]+"
    r"(?:request|question|message|query|task)[^\n]{0,80}?$",
    re.MULTILINE | re.IGNORECASE,
)
_RULE = re.compile(r"^(?:-{3,}|={3,})[ \t]*+$", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*+\n\s*+")
_MARKDOWN = re.compile(r"[ \t]*+(?:[#>|`*+-]|\d{1,3}[.)]\s|\w[\w ./-]{0,40}:\s|```|\S+/\S*$)")


def cut_dumps(text: str) -> Cut:
    """Cut out instruction files (``# AGENTS.md``) up to where the user speaks again."""
    return cut(text, _dumps(text))


def _dumps(text: str) -> Iterator[Piece]:
    headings = list(_DUMP.finditer(text))
    if not headings:
        return
    requests = [Piece(*match.span()) for match in _REQUEST.finditer(text)]
    rules = [Piece(*match.span()) for match in _RULE.finditer(text)]
    at = 0
    for heading in headings:
        if heading.start() >= at:
            # The heading of a request, or else the last rule, because files contain rules too.
            following = _from(requests, heading.end())
            announced = following or [rule for rule in rules[-1:] if rule.start >= heading.end()]
            at = _dump_end(text, heading.end(), announced[0] if announced else None)
            yield Piece(heading.start(), at)


def _from(spans: Sequence[Piece], at: int) -> list[Piece]:
    """The first piece that begins at or after `at`, in a list."""
    first = bisect_left(spans, at, key=lambda span: span.start)
    return list(spans[first : first + 1])


def _dump_end(text: str, at: int, announced: Piece | None) -> int:
    """The start of the first spoken paragraph, or the end of the announcing line."""
    stop = announced.start if announced else len(text)
    for gap in _PARAGRAPH.finditer(text, at, stop):
        if _speaks(text, gap.end()):
            return gap.end()
    return line_end(text, announced.start) if announced else len(text)


def _speaks(text: str, begins: int) -> bool:
    """Whether a paragraph is speech and not part of a document."""
    line = text[begins : min(line_end(text, begins), begins + 2000)]
    if not line.strip() or _MARKDOWN.match(line):
        return False
    return is_question(line) or first_person(line)


_NEAR = 30
"""Words, or characters in a script without blanks, in which a persona's role follows."""
_NAMED = re.compile(r"^(\W*\w{1,10} \w{1,10}) \w{2,31},")
"""A name between "you are" and what it is."""
_SIGNATURE = re.compile(
    r"knowledge cut-?off:|current date(?: and time)?:|current time:|image input capabilities:"
    r"|you have access to the following (?:tools|functions)"
    r"|(?:read|see) (?:heartbeat|agents|soul|boot\w*|memory)\.md\b"
    r"|i have \*added these files to the chat\*"
    r"|here are summaries of some files present in my git repository"
    r"|\[error\] you did not use a tool in your previous response",
    re.IGNORECASE,
)
"""What ChatGPT, OpenClaw, Aider and Cline write, in whatever language their users do."""


class _Prompt:
    """Reads the segments of a text in order. A prompt ends where a person speaks."""

    def __init__(self) -> None:
        self._inside = False

    def __call__(self, segment: str) -> bool:
        """Whether this segment belongs to instructions."""
        if _is_persona(segment):
            self._inside = True
            return True
        if _SIGNATURE.match(segment.lstrip(" \t\n>*#-")):
            return True
        if self._inside and not _goes_on(segment):
            self._inside = False
        return self._inside


def _is_persona(segment: str) -> bool:
    """Whether it makes the assistant somebody: "You are an expert coder"."""
    return begins(_NAMED.sub(r"\1", segment), "turns.addressed") is not None and any(
        hit.start < _NEAR for hit in cues_in(segment, "turns.role")
    )


def _goes_on(segment: str) -> bool:
    if not segment.strip():
        return True
    if first_person(segment):
        return False
    heading = begins(segment, "turns.heading")
    return (
        is_marked(segment)
        or begins(segment, "turns.order") is not None
        or (heading is not None and heading.end == len(words_of(segment).raw))
    )


def cut_prompts(text: str) -> Cut:
    """Cut out "You are a helpful assistant" and the orders that follow it."""
    return drop(text, _Prompt())
