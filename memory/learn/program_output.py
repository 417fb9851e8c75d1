"""Recognises the output of programs: errors, stack traces, logs, status lines, pings. Pure.

It goes by shapes and by names that standards fix (POSIX, HTTP, syslog), which are the same in every
language. Words beside them are what somebody says, so in doubt a text is no output.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from http import HTTPStatus

from ..language.scanner import says
from ..util import lazy_regex as regex

MAX_CHARS = 200_000
"""A longer text is not judged."""
MAX_LINE_CHARS = 1_000
"""A text with a longer line is not judged: programs break their lines."""
FEW_WORDS = 2
"""Most words beside an error's name ("connect ECONNREFUSED"): three can say something about it."""
_MAX_MESSAGE_WORDS = 20
"""Of a program's message after an exception's name."""
_MIN_UNSPACED = 3
"""Letters of the shortest statement in a script without blanks."""

_ERRNO = sorted({*errno.errorcode.values(), "ENOTFOUND", "EAI_AGAIN", "ESOCKETTIMEDOUT"})
_BROKEN = (
    errno.ECONNREFUSED, errno.ECONNRESET, errno.ECONNABORTED, errno.ETIMEDOUT, errno.EHOSTUNREACH,
    errno.ENETUNREACH, errno.EPIPE, errno.ENOENT, errno.EACCES, errno.EADDRINUSE, errno.ENOSPC,
)  # fmt: skip
_MESSAGES = "|".join(regex.escape(os.strerror(code)) for code in _BROKEN)
_STATUS = "|".join(f"{s.value}[ :-]+{regex.escape(s.phrase)}" for s in HTTPStatus)
_EXCEPTION = r"\p{Lu}\w{1,80}(?:Error|Exception|Fault)"
_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERR|ERROR|CRIT|CRITICAL|FATAL|SEVERE|ALERT|EMERG)"
)
_CLOCK = r"(?<!\d)\d\d:\d\d:\d\d(?!\d)"

_STRONG = regex.compile(
    rf"\b(?:{'|'.join(_ERRNO)})\b|\b(?i:{_STATUS})\b|\b(?i:{_MESSAGES})\b|\b{_EXCEPTION}\b"
    r"|\bHTTP/\d(?:\.\d)?\"?\s+[1-5]\d\d\b"
    r"|\b(?i:(?:request )?failed with status(?: code)? [1-5]\d\d|time-?out (?:of|after)"
    r"(?: \d+ ?\w{1,12})?(?: exceeded)?|deadline exceeded|socket hang up|segmentation fault"
    r"|(?:connection|connect|request|read|socket|gateway|operation) time(?:d )?out)\b"
)
_WEAK = regex.compile(
    r"\b(?i:(?:http |server )?(?:error|status(?:[ _-]?code)?)[ :=#]*[1-5]\d\d|exit(?:ed)?"
    r"(?: with)?[ _-]?(?:code|status)[ :=]*-?\d{1,3}|err(?:or)?[ _-]?(?:code|no)[ :=]*-?\d+)\b"
    rf"|^\W{{0,2}}{_LEVEL}\b"
    r"|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?:/|https?:)\S*"
)
_LOG = regex.compile(
    rf"^\W?(?:\w{{3}},? )?[\W\dTZ]{{0,30}}?{_CLOCK}.{{0,60}}?\b{_LEVEL}\b"
    rf"|^\W?{_LEVEL}\b.{{0,40}}?{_CLOCK}"
    rf"|^\w{{3}} +\d\d? {_CLOCK} \S+ [\w./-]+(?:\[\d+\])?:"
    rf"|^[IWEF]\d{{4}} {_CLOCK}"
    r"|^(?=.*\blevel=\w)(?=.*\bmsg=)"
    r"|^\s*\{(?=.*\"(?:level|severity)\"\s*:)(?=.*\"(?:msg|message)\"\s*:).*\}\s*$"
    r"|^npm (?:ERR!|WARN\b)"
    r"|^\S+ \S+ \S+ \[[^\]]{10,40}\] \"[A-Z]{3,7} "
)
_FRAME = regex.compile(
    r"^\s*File \"[^\"]+\", line \d+"
    r"|^\s*at .{0,200}?[\w>)]\.\w{1,6}:\d+(?::\d+)?\)?\s*$"
    r"|^\s+at .{1,200}? in .{1,200}?:line \d+\s*$"
    r"|^\s+at .{1,200}?\((?:Native Method|<anonymous>|Unknown Source)\)\s*$"
    r"|^\s*from \S+:\d+:in "
    r"|^\s*#\d+ +(?:0x[0-9a-f]|\S+\(\d+\)|\{main\})"
    r"|^goroutine \d+ \[|^panic: |^\S+\.\w{1,4}:\d+:in |^\s+\S+\.go:\d+"
    r"|^Traceback \(most recent call last\):|^Exception in thread \""
    r"|^\s*\.\.\. \d+ more\s*$|^thread '[^']{0,80}' panicked at "
)
_RAISED = regex.compile(
    r"^\s*(?:Caused by: |Uncaught |Unhandled exception\. )?(?:[\w.$/:]{0,200}[.$/:])?"
    rf"{_EXCEPTION}\s*(?::|$)"
)
_PERROR = regex.compile(rf"^[\w./-]+: (?:.*: )?(?i:{_MESSAGES})\.?$")
_NAME = r"[A-Za-z0-9_]++"
_MACHINE = regex.compile(
    rf"\b{_NAME}://\S++|(?<![\w.])~?\.{{0,2}}+(?:/[A-Za-z0-9_.@%+-]++)++/?+"
    rf"|\b{_NAME}(?:(?:[.$@=/]|::?){_NAME})++|\b(?=[A-Za-z]*[0-9_]){_NAME}"
    rf"|\b(?:(?i:error|exception|http|status|code)|{_LEVEL})\b"
)
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['\u2019]\p{L}+)?")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_SIGNALS = frozenset(
    ("ping", "pong", "ack", "nack", "noop", "heartbeat", "keepalive", "keep-alive", "healthcheck")
)


def is_output(text: str) -> bool:
    """Whether a text is nothing but the output of programs.

    Every line is a stack frame, a log line or an error's name with hardly a word beside it. A text
    in which a person speaks of an error ("I get error 500 on Mondays") is none.
    """
    lines = _lines(text)
    if len(lines) == 1 and lines[0].strip(" .!\t").casefold() in _SIGNALS:
        return True
    trace = any(_FRAME.search(line) for line in lines)
    signs = 0
    for line in lines:
        if _FRAME.search(line) or _LOG.search(line) or _PERROR.search(line):
            signs += 1
            continue
        strong = _STRONG.search(line) is not None
        marked = strong or _WEAK.search(line) is not None
        words = _words(line, marked=marked)
        if marked and _is_error(line, words, strong=strong):
            signs += 1
        elif words and not (trace and line[0].isspace()):
            return False  # somebody's words; an indented line belongs to a trace
    return signs > 0


def _lines(text: str) -> list[str]:
    """The lines that are not empty; none of a text that is too long to be judged."""
    lines = [line for line in text.splitlines() if line.strip()] if len(text) <= MAX_CHARS else []
    return [] if any(len(line) > MAX_LINE_CHARS for line in lines) else lines


def is_statement(text: str) -> bool:
    """Whether a text can say something about something: a single word cannot ("ok", "好的")."""
    if len(_UNSPACED.findall(text)) >= _MIN_UNSPACED:
        return True
    return len(text.split()) > 1


def _is_error(line: str, words: Sequence[str], *, strong: bool) -> bool:
    """Whether a line with an error's name has hardly any `words` beside it."""
    if not all(map(str.isascii, words)) or says(
        " ".join(words), "people.first_person", "people.user"
    ):
        return False
    if _RAISED.search(line):
        return len(words) <= _MAX_MESSAGE_WORDS
    return len(words) <= (FEW_WORDS if strong else 0)


def _words(line: str, *, marked: bool) -> list[str]:
    """The words of a line that are not names or values of a program, nor an error's if `marked`."""
    rest = _WEAK.sub(" ", _STRONG.sub(" ", line)) if marked else line
    return _WORD.findall(_MACHINE.sub(" ", rest))
