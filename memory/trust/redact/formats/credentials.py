# ruff: noqa: E501 - word lists and patterns of many scripts
"""Finds passwords in addresses and shell commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import regex

from ..findings import Finding
from .gates import matches
from .placeholders import is_placeholder
from .tokens import is_random
from .view import View

_ADDRESS_TOKEN = 16
_VALUE = r"(?:\"(?P<a>[^\"\n]{1,200}+)\"|'(?P<b>[^'\n]{1,200}+)'|(?P<c>[^\s\"'|;&]{1,200}+))"
_LOGIN = r"\"?'?[^\s:\"'@]{1,100}+:(?P<a>[^\s\"'|;]{1,200}+)"
_COMMANDS = {
    # the command, and its option with a password
    "curl": r"\s(?:-u|-U|--user|--proxy-user)[\s=]?\s{0,3}+" + _LOGIN,
    "mysql mysqldump mysqladmin mariadb mycli": r"\s-p(?=[^\s-])" + _VALUE,
    "sshpass": r"\s-p\s{0,3}+" + _VALUE,
    "redis-cli": r"\s(?:-a|--pass)\s{1,3}+" + _VALUE,
    "docker podman buildah helm skopeo az oc cf argocd": (
        r"\blogin\b.{0,80}?\s-p\s{1,3}+" + _VALUE
    ),
    "zip unzip": r"\s-P\s{1,3}+" + _VALUE,
    "machine": r"\spassword\s{1,3}+" + _VALUE,
}
_STATEMENTS = {
    # a required substring, and the whole statement
    "auth=(": r"auth=\(\s?[\"'][^\"'\n]{1,80}[\"'],\s?[\"'](?P<a>[^\"'\n]{1,100})",
    ":thin:": r":thin:[^/\s]{1,60}+/(?P<a>[^@\s]{1,100}+)@",
    "-stdin": r"echo\s{1,3}+(?:-n\s)?" + _VALUE + r"\s{0,3}+\|[^\n|]{0,80}?-stdin",
    "sudo -s": r"echo\s{1,3}+" + _VALUE + r"\s{0,3}+\|\s{0,3}+sudo\s-S",
    "identified": r"(?i)identified\s{1,3}+(?:with\s\w{1,40}+\s)?by\s{1,3}+['\"](?P<a>[^'\"\n]{1,200}+)",
    "password '": r"(?i)(?:with|encrypted)\spassword\s'(?P<a>[^'\n]{1,200}+)'",
    ":5432: :5433: :6432: :*:": r"(?m)^[\w.*-]{1,100}+:(?:5432|5433|6432|\*):[\w.*-]{1,60}+:[\w.*-]{1,60}+:(?P<a>\S{1,200}+)$",
}
_FLAG = (
    r"(?<![\w-])--?[\w-]{0,20}?(?:password|passwd|passphrase|secret|token|api-key|apikey|auth-key"
    r"|authkey|pwd|secret-key|access-key|pin)(?:\s|=)\s{0,2}+(?!-)" + _VALUE
)
_LOGIN_FLAG = r"--(?:user|auth|creds|credentials|basic-auth)(?:\s|=)" + _LOGIN
_REACH = 400
_LINE_END = regex.compile(r"\n|\|")
_BY_WORD = [
    (tuple(words.split()) if words.startswith(":5") else (words,), regex.compile(shape))
    for words, shape in _STATEMENTS.items()
]
_FLAGS = (
    (regex.compile(_FLAG), re.compile(r"-(?<![\w-]-)(?=-?[A-Za-z])")),
    (regex.compile(_LOGIN_FLAG), re.compile(r"-(?=-[uacb][susra])")),
)
_OPTION = re.compile(r"-(?<![\w-]-)[A-Za-z-]")
_UNDASHED = ("machine",)
"""Commands whose password is not an option."""
_STOP = regex.compile(r"[\s\"'<>`?#]|\\n|://")


def _commands() -> list[tuple[tuple[str, ...], regex.Pattern[str], regex.Pattern[str]]]:
    table = []
    for names, option in _COMMANDS.items():
        words = tuple(names.split())
        either = "|".join(words)
        command = regex.compile(rf"(?<![\w-])(?:{either})(?=\s)")
        table.append((words, command, regex.compile(option)))
    return table


_BY_COMMAND = _commands()


def find_credentials(view: View) -> Iterator[Finding]:
    """Passwords in `scheme://user:password@host` and given to well-known commands."""
    text = view.text
    if "@" in text:
        yield from _in_addresses(text)
    dashed = _OPTION.search(text)
    if dashed:
        flags = (matches(flag, gate, text) for flag, gate in _FLAGS)
        yield from (found for each in flags for found in _values(each))
    for words, command, option in _BY_COMMAND:
        if (dashed or words[0] in _UNDASHED) and any(word in text for word in words):
            yield from _in_commands(command, option, text)
    for words, statement in _BY_WORD:
        if any(word in view.low for word in words):
            yield from _values(statement.finditer(text))


def _in_addresses(text: str) -> Iterator[Finding]:
    at = text.find("://")
    while at >= 0:
        yield from _in_address(text, at)
        at = text.find("://", at + 3)


def _in_address(text: str, at: int) -> Iterator[Finding]:
    end = _STOP.search(text, at + 3, at + 600)
    stop = end.start() if end else min(len(text), at + 600)
    slash = text.find("/", at + 3, stop)
    authority = slash if slash >= 0 else stop
    sign = text.rfind("@", at + 3, authority)
    if sign < 0:
        return
    colon = text.find(":", at + 3, sign)
    if colon < 0:
        user = text[at + 3 : sign]
        if len(user) >= _ADDRESS_TOKEN and is_random(user):
            yield Finding(at + 3, sign, "api_key")
    elif not is_placeholder(text[colon + 1 : sign]):
        yield Finding(colon + 1, sign, "password")


def _in_commands(
    command: regex.Pattern[str], option: regex.Pattern[str], text: str
) -> Iterator[Finding]:
    """Option values of each command up to the end of its line; each line is read once."""
    match = command.search(text)
    while match:
        reach = match.end() + _REACH
        line = _LINE_END.search(text, match.end(), reach)
        end = line.start() if line else min(reach, len(text))
        yield from _values(option.finditer(text, match.end(), end))
        match = command.search(text, end)


def _values(found: Iterable[regex.Match[str]]) -> Iterator[Finding]:
    for match in found:
        for group, value in match.groupdict().items():
            if value and not is_placeholder(value) and not _is_path(value):
                begin = match.start(group)
                yield Finding(begin, begin + len(value.rstrip(",;)") or value), "password")


def _is_path(value: str) -> bool:
    return value.startswith(("/", "./", "~/", "http://", "https://")) or value.isspace()
