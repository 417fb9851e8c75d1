"""Cuts out instructions to the assistant that clients send as the user's words. Pure."""

from __future__ import annotations

import re

from .segments import drop, first_person, is_marked
from .spans import Cut

_ROLE = r"(?:assistant|agent|chatbot|bot|AI|A\.I\.|language model|LLM|copilot|tutor|expert|coder)"
_PERSONA = re.compile(
    r"[\s>*#\"“]*+(?:"
    rf"you are (?:(?:a|an|the|my)\b[^.\n]{{0,80}}?\b{_ROLE}\b"
    r"|(?:chatgpt|claude|gemini|grok|copilot|cline|cursor|codex)\b"
    rf"|[A-Z]\w{{1,30}}, (?:a|an|the)\b[^.\n]{{0,80}}?\b{_ROLE}\b)"
    r"|(?:du bist|sie sind) ein\w* [^.\n]{0,60}?(?:assistent|ki\b|agent|experte)"
    r"|(?:tu es|vous êtes) une? [^.\n]{0,60}?(?:assistant|agent|ia\b|expert)"
    r"|(?:eres|usted es) un\w* [^.\n]{0,60}?(?:asistente|agente|ia\b|experto)"
    r"|você é um\w* [^.\n]{0,60}?(?:assistente|agente|ia\b|especialista)"
    r"|你是(?:一个|一名|一位)?[^。\n]{0,30}?(?:助手|助理|专家|机器人|模型)"
    r"|あなたは[^。\n]{0,30}?(?:アシスタント|エージェント|専門家|モデル)"
    r")",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"[\s>*#-]*+(?:"
    r"knowledge cut-?off:|current date(?: and time)?:|current time:|image input capabilities:"
    r"|you have access to the following (?:tools|functions)"
    r"|you (?:must|should) always (?:answer|respond|reply)\b"
    r"|(?:never|do not|don't) reveal (?:these|this|your) (?:instructions|prompt|system prompt)"
    r"|as an ai (?:assistant|language model)\b"
    r"|(?:read|see) (?:heartbeat|agents|soul|boot\w*|memory)\.md\b"
    r"|i have \*added these files to the chat\*"
    r"|here are summaries of some files present in my git repository"
    r"|\[error\] you did not use a tool in your previous response"
    r")",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"[\s>*#]*+(?:rules?|guidelines|instructions|constraints|tools|available tools|output format"
    r"|response format|capabilities|tone|style|safety|objective|persona|role)\**:?\**\s*$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"[\s>*#\"“-]*+(?:\d{1,3}[.)] )?(?:you(?:r|'re)?\b|always\b|never\b|do not\b|don't\b|be \w+"
    r"|use \w+|only \w+|answer\b|respond\b|reply\b|follow\b|keep\b|avoid\b|ensure\b|make sure\b"
    r"|(?:if|when) (?:the user|asked|you)\b|the user\b|the assistant\b|remember to\b|cite\b"
    r"|refuse\b|format\b|prefer\b)",
    re.IGNORECASE,
)
"""How prompts continue. Without "please" and "write", which users say."""


class _Prompt:
    """Reads the segments of a text in order. A prompt ends where a person speaks."""

    def __init__(self) -> None:
        self._inside = False

    def __call__(self, segment: str) -> bool:
        """Whether this segment belongs to instructions."""
        if _PERSONA.match(segment):
            self._inside = True
            return True
        if _ALONE.match(segment):
            return True
        if self._inside and not self._goes_on(segment):
            self._inside = False
        return self._inside

    @staticmethod
    def _goes_on(segment: str) -> bool:
        if not segment.strip():
            return True
        if first_person(segment):
            return False
        return bool(_HEADING.match(segment) or _ORDER.match(segment)) or is_marked(segment)


def cut_prompts(text: str) -> Cut:
    """Cut out "You are a helpful assistant" and the orders that follow it."""
    return drop(text, _Prompt())
