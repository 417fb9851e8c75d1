# ruff: noqa: RUF001 - punctuation and letters of other scripts are meant
"""Tokens that separate roles in chat templates, and our own tags."""

from __future__ import annotations

import regex

from ..looks import folded, lookalike

_GAP = r"[ \t]{0,4}"
_ROLE = "(?:system|developer|assistant)"
_TAG = (
    r"system|assistant|user|human|developer|instructions?|memory|memories|context|tool|tool_result"
    r"|tool_call|function|function_results?|function_calls?|prompt|message|recollect[\w-]*|admin"
    r"|override|important|system[-_ ][\w-]+"
    r"|[a-z]{0,20}[-_](?:profile|memor(?:y|ies)|polic(?:y|ies)|rules?|instructions?|context|prompt|turn)"
    r"|polic(?:y|ies)|profile|settings|permissions?|directives?"
)
_HEADING = r"(?:system|assistant|instructions?|developer|human|user|new instructions?)"
_NOTE = r"(?:\s(?:message|prompt|note|update|notice|override))?"
_MARKUP = regex.compile(
    "|".join(
        (
            r"<\|\s?[\w/ -]{2,40}\s?\|>",
            r"\[/?INST\]|<</?SYS>>",
            r"</?(?:start_of_turn|end_of_turn|bos|eos|s)>",
            rf"</?{_GAP}(?:{_TAG})(?=[\s>/:=])[^<>]{{0,80}}>",
            rf"(?m:^|(?<=[\s\"'「（(]))\#{{1,4}}{_GAP}{_HEADING}\b{_GAP}(?:message|prompt)?{_GAP}:?",
            rf"[\"']type[\"']{_GAP}:{_GAP}[\"'](?:function|tool|system)[\w-]{{0,20}}[\"']",
            rf"[\"']?role[\"']?{_GAP}:{_GAP}[\"']?(?:{_ROLE}|tool)\b",
            rf"(?m:^|(?<=[\n.!?。>\]\"'”」]\s?)){_GAP}{_ROLE}{_NOTE}{_GAP}(?:\]{_GAP})?[:：](?=\s)",
            rf"\[{_GAP}/?{_GAP}{_ROLE}(?:\s[\w ]{{0,30}})?{_GAP}[\]:]",
            rf"(?m:^){_GAP}(?:human|user|ai){_GAP}[:：]\s.*\n{{1,3}}{_GAP}(?:assistant|ai){_GAP}[:：]",
            r"\b(?:BEGIN|END)[ _](?:SYSTEM|INSTRUCTIONS?|PROMPT)\b",
            rf"\{{\{{{_GAP}\#?system[^}}]{{0,40}}\}}\}}",
        )
    ),
    flags=regex.IGNORECASE,
)
"""Tokens of chat templates, tags and headings named after roles, roles in JSON, forged turns."""


_BEGINS = regex.compile(r"[<\[#{:：]|(?:begin|end)[ _]", flags=regex.IGNORECASE)
"""What every token has."""
_PLAIN = regex.compile(r"[^\x00-\x7f]|&")
"""Only a text with one of these may have another visible form."""


def undisguised(text: str) -> str:
    """The visible form of `text` if that has more role markup than `text`, else `text`.

    Other texts are not folded, because folded punctuation would move the ends of sentences.
    """
    if not _PLAIN.search(text):
        return text
    read = folded(text)
    written = len(markup_spans(text))
    for look in (read, lookalike(read)):
        if len(markup_spans(look)) > written:
            return look
    return text


def markup_spans(text: str) -> list[tuple[int, int]]:
    """The offsets of role markup in `text`."""
    return [found.span() for found in _MARKUP.finditer(text)] if _BEGINS.search(text) else []
