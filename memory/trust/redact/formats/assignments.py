# ruff: noqa: SIM905
"""Finds secrets assigned to names (.env files, code, headers), in addresses and in commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from ....util import lazy_regex as regex
from ....util.parts_of_text import holds_any
from .shapes import is_placeholder
from .tokens import is_random, vendors
from .view import Finding, View, matches

_HINTS = (
    "pass", "pwd", "secret", "token", "key", "auth", "credential", "cookie", "session", "bearer",
    "wort", "senha", "contrasena", "clave", "mdp", "pin", "cvv", "cvc", "otp", "salt", "jwt",
    "psk", "pw", "psw", "puk", "woord", "sid",
)  # fmt: skip
_SIGN = (
    r"(?:\\?[\"'`]?\s{0,3}+\]?(?:=>|:=|\?=|={1,3}|:(?!:))\s{0,3}+"
    r"|\\?[\"']\s?,\s{0,3}+(?=\\?[\"']))"
)
_NAME = regex.compile(
    rf"(?<![\w.\-])(?P<name>[A-Za-z_][\w.\-]{{1,80}}+)(?P<sep>{_SIGN})", regex.ASCII
)
_HINTED = re.compile(rf"(?:{'|'.join(_HINTS)})[\w.\-]{{0,80}}+(?={_SIGN})", re.ASCII)
_HEAD = re.compile(r"[\w.\-]*+", re.ASCII)
_LONGEST_NAME = 82
_WORDS = regex.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PASSWORDS = frozenset(
    """password passwords passwd passphrase passcode passwort kennwort contrasena senha pwd psw mdp
    pass pw pin cvv cvc otp puk wachtwoord""".split()
)
_LONG_PASSWORDS = ("password", "passwd", "passwort", "kennwort", "passphrase", "pwd")
_KEYS = frozenset("credential bearer jwt cookie authorization auth psk session sid salt".split())
_LONG_KEYS = (
    "secret",
    "secrets",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "authkey",
    "sessionid",
)
_NO_KEYS = frozenset(
    """public pub pk primary foreign cache sort partition row object map host hot translation
    idempotency dedup index lookup group json dict shortcut tab arrow registry label field column
    unique composite natural surrogate answer turkey monkey""".split()
)
_QUOTED = regex.compile(
    r"""(?:[bfruBFRU]{1,2})?(?:\\")(?P<e>[^"\n]{0,2000}?)\\"
    |(?:[bfruBFRU]{1,2})?"(?P<d>(?:\\.|[^"\\\n]){0,4000}+)"
    |(?:[bfruBFRU]{1,2})?'(?P<s>(?:\\.|[^'\\\n]){0,4000}+)'
    |`(?P<b>[^`\n]{0,2000}+)`""",
    regex.VERBOSE,
)
_BARE = regex.compile(r"[^\s,;&\"'`<>|]{1,4000}+")
_BARE_PASSWORD = regex.compile(r"[^\s\"'`]{1,400}+")
_SCHEME = regex.compile(
    r"(?:basic|bearer|token|digest|apikey|api-key|bot|splunk|negotiate)\s++", regex.IGNORECASE
)
_IDENTIFIER = regex.compile(r"[A-Za-z_][A-Za-z_]*+(?:[.\-:/][A-Za-z_]++)*+[;,)]*+")
_PATH = regex.compile(r"(?:https?://|\.{0,2}/|~/|[A-Za-z]:\\)\S++")
_MIN_KEY = 8
_LONG_ENOUGH = 16
_MIN_WORD = 4
_SPACES = 8
_COUNTED_DIGITS = range(3, 9)
_COUNTED = frozenset("pin cvv cvv2 cvc cvc2 otp puk".split())
_NEXT = regex.compile(r"[&;,](?=[\w.\-\[\]]{1,40}=)|;|\\n|\\r|,\s?\Z|[<>|](?=\s|\Z)|(?<=.)//|\]\(")


def find_assigned(view: View) -> Iterator[Finding]:
    """Values of names like password, key or token, without their quotes."""
    text, low = view.text, view.low
    for match in _names(text, low):
        word = secret_word(match["name"])
        found = word and _value(text, match.end(), password=word in _PASSWORDS)
        if word and found and _is_secret(text, match, word, *found):
            yield Finding(*found[:2], "password" if word in _PASSWORDS else "api_key")


def _names(text: str, low: str) -> Iterator[regex.Match[str]]:
    """Names that contain a hint, each with its assignment sign."""
    done = 0
    for hint in _HINTED.finditer(low):
        if hint.start() < done:
            continue
        head = _HEAD.match(text[max(0, hint.start() - _LONGEST_NAME) : hint.start()][::-1])
        match = _NAME.match(text, hint.start() - (head.end() if head else 0))
        if match and not text.startswith("${", max(0, match.start() - 2)):
            yield match
        done = match.end() if match else hint.end()


@lru_cache(maxsize=2048)
def secret_word(name: str) -> str | None:
    """The word of an identifier that marks a secret: `password` in `dbPassword`."""
    words: list[str] = [word.lower() for word in _WORDS.findall(name) if not word.isdigit()]
    if words[-1:] == ["id"] and words[-2:-1] in (["secret"], ["session"], ["key"]):
        words.pop()
    last, before = ["", "", *words][-1], ["", *words][-2] if words else ""
    if last in ("key", "keys"):
        return "key" if before and before not in _NO_KEYS else None
    if last in _PASSWORDS or last in _KEYS:
        return last
    if last.endswith(_LONG_PASSWORDS):
        return "password"
    return "secret" if last.endswith(_LONG_KEYS) else None


def _value(text: str, start: int, *, password: bool) -> tuple[int, int, bool] | None:
    """Start and end of the value at `start`, and whether it is quoted."""
    quoted = _QUOTED.match(text, start)
    if quoted:
        group = str(quoted.lastgroup)
        return (*_after_scheme(text, *quoted.span(group)), True)
    bare = (_BARE_PASSWORD if password else _BARE).match(text, start)
    if bare is None:
        return None
    begin, end = _after_scheme(text, *bare.span())
    if begin >= bare.end():
        again = _BARE.match(text, begin)
        end = again.end() if again else begin
    stop = _cut(text, begin, end)
    return (begin, stop, False) if stop > begin else None


def _after_scheme(text: str, start: int, end: int) -> tuple[int, int]:
    scheme = _SCHEME.match(text, start)
    return (min(scheme.end(), max(end, scheme.end())), end) if scheme else (start, end)


def _cut(text: str, start: int, end: int) -> int:
    """The end of a bare value: before the next parameter, without closing punctuation."""
    value = text[start:end]
    stop = _NEXT.search(value)
    if stop:
        value = value[: stop.start()]
    return start + len(value.rstrip(".,;:)]}>"))


def _is_secret(
    text: str, match: regex.Match[str], word: str, start: int, end: int, quoted: bool
) -> bool:
    value = text[start:end]
    if not value or is_placeholder(value) or _PATH.match(value):
        return False
    tight = "=" in match["sep"]
    if word in _COUNTED:
        digits = value.strip("#*")
        return digits.isdigit() and len(digits) in _COUNTED_DIGITS and (tight or quoted)
    if word not in _PASSWORDS:
        return _is_key(value, tight=tight, quoted=quoted)
    if quoted:
        return " " not in value.strip() or (value.count(" ") <= _SPACES and tight)
    if _IDENTIFIER.fullmatch(value):
        follows = text[end : end + 1] in ("(", ".", ",", ")", "[")
        return _is_plain_word(match, value) and not follows
    return tight or (not value.isdigit() and word not in ("pass", "pw", "pwd"))


def _is_plain_word(match: regex.Match[str], value: str) -> bool:
    """Whether a value of letters only is written as in an environment file or a query."""
    name, sep = match["name"], match["sep"]
    return len(value) >= _MIN_WORD and (sep == "=" or (name.isupper() and "=" in sep))


def _is_key(value: str, *, tight: bool, quoted: bool) -> bool:
    if len(value) < _MIN_KEY or " " in value.strip() or value.isdigit() or "://" in value:
        return False
    if _IDENTIFIER.fullmatch(value):
        mixed = value.upper() != value and value.lower() != value
        return value.isalpha() and mixed and len(value) >= _LONG_ENOUGH
    return any(char.isdigit() for char in value) and (tight or quoted or len(value) >= _LONG_ENOUGH)


_ADDRESS_TOKEN = 16
_VALUE = r"(?:\"(?P<a>[^\"\n]{1,200}+)\"|'(?P<b>[^'\n]{1,200}+)'|(?P<c>[^\s\"'|;&]{1,200}+))"
_LOGIN = r"\"?'?[^\s:\"'@]{1,100}+:(?P<a>[^\s\"'|;]{1,200}+)"
_FLAG = (
    r"(?<![\w-])--?[\w-]{0,20}?(?:password|passwd|passphrase|secret|token|api-key|apikey|auth-key"
    r"|authkey|pwd|secret-key|access-key|pin)(?:\s|=)\s{0,2}+(?!-)" + _VALUE
)
_LOGIN_FLAG = r"--(?:user|auth|creds|credentials|basic-auth)(?:\s|=)" + _LOGIN
_REACH = 400
_LINE_END = regex.compile(r"\n|\|")
_FLAGS = (
    (regex.compile(_FLAG), re.compile(r"-(?<![\w-]-)(?=-?[A-Za-z])")),
    (regex.compile(_LOGIN_FLAG), re.compile(r"-(?=-[uacb][susra])")),
)
_OPTION = re.compile(r"-(?<![\w-]-)[A-Za-z-]")
_UNDASHED = ("machine",)
"""Commands whose password is not an option."""
_STOP = regex.compile(r"[\s\"'<>`?#]|\\n|://")


@cache
def _commands() -> Sequence[tuple[Sequence[str], regex.Pattern[str], regex.Pattern[str]]]:
    """The names of a command, what finds it, and its option with a password."""
    return [
        (words, regex.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?=\s)"), _compiled(option))
        for names, option in vendors()["commands"].items()
        if (words := names.split())
    ]


@cache
def _statements() -> Sequence[tuple[Sequence[str], regex.Pattern[str]]]:
    """What a statement contains, one of several, and the whole of it."""
    table = vendors()["statements"].items()
    return [(parts.split("|"), _compiled(statement)) for parts, statement in table]


def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern.replace("<value>", _VALUE).replace("<login>", _LOGIN))


def find_credentials(view: View) -> Iterator[Finding]:
    """Passwords in `scheme://user:password@host` and given to well-known commands."""
    text = view.text
    if "@" in text:
        yield from _in_addresses(text)
    dashed = _OPTION.search(text)
    if dashed:
        flags = (matches(flag, gate, text) for flag, gate in _FLAGS)
        yield from (found for each in flags for found in _values(each))
    for words, command, option in _commands():
        if (dashed or words[0] in _UNDASHED) and holds_any(text, words):
            yield from _in_commands(command, option, text)
    low = view.low
    for words, statement in _statements():
        if holds_any(low, words):
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
