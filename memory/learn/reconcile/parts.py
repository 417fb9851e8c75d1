"""The parts of a statement, each found by one function. Pure.

Texts are folded and in one spelling (`spelled_of`); `bare` ones lack cues, dates and relations.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

from ...language.fold import fold
from .locales import Mark, Pack

_NUMBER = regex.compile(r"(?<![\w.])\d+(?::\d\d)?(?:\.\d+)*|\d+(?::\d\d)?(?:\.\d+)*")
_QUANTITY = regex.compile(
    r"(?P<sign>[$€£¥₹]|usd |eur |gbp )?\s?(?P<value>\d+(?::\d\d)?(?:\.\d+)?)\s?-?"
    r"(?P<unit>[%°$€£¥₹]|[万億亿千百]*\p{Han}|(?!\p{Han})\p{L}[\p{L}\p{M}]*)?"
)
_HYPHENATED = regex.compile(r"(?<![\w-])\p{L}+-\p{L}+(?![\w-])")
_COMMAS = regex.compile("[,;\u3001\u060c\uff0c]")
_BREAKS = regex.compile(r"[,;:\u3001\u060c\uff0c\u3002]|\.\s")
WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[+#]+)?|[$€£¥₹%]")
_PIECES = regex.compile(r"[\p{Katakana}\u30fc]+|[\p{Han}]|[\p{Latin}\p{M}\p{N}]+|[$€£¥₹%]")
_CHARACTERS = regex.compile(r"[\p{Katakana}\u30fc]+|[\p{Han}\p{Hiragana}]|[\p{Latin}\p{N}]+")
_CONTRACTIONS = (
    (regex.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (regex.compile(r"\bwon't\b"), "will not"),
    (regex.compile(r"(?<=\w)n't\b"), " not"),
    (regex.compile(r"(?<=\b(?:it|that|there|he|she|what|who))'s\b"), " is"),
)
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with the word it counts ("pages"), or "" without one."""

    value: str
    unit: str


def lowered_of(text: str) -> str:
    """The folded text with contractions written out."""
    lowered = fold(text)
    for contraction, words in _CONTRACTIONS:
        lowered = contraction.sub(words, lowered)
    return lowered


def spelled_of(text: str, pack: Pack) -> str:
    """The text in one spelling, with digits for number words."""
    if not pack.spaced:
        return pack.respelled.sub(lambda found: pack.spelling[found[0]], text)
    text = _HYPHENATED.sub(lambda found: pack.spelling.get(found[0], found[0]), text)
    return regex.sub(
        r"(?<![\w-])[\p{L}\p{M}]+(?![\w])", lambda found: pack.counts.get(found[0], found[0]), text
    )


def without_of(text: str, pack: Pack) -> str:
    """The text without the user, cues, dates and relations."""
    for pattern in (*pack.marks.values(), pack.user, pack.kin, pack.month, pack.weekday):
        text = pattern.sub(" ", text)
    return text


def stems_of(text: str, pack: Pack) -> list[str]:
    """The stems of all words but function words; characters in scripts without blanks."""
    if not pack.spaced:
        return [piece for piece in _PIECES.findall(text) if piece not in pack.stop]
    words = [pack.spelling.get(word, word) for word in WORDS.findall(text)]
    return [pack.stem(w) for w in words if w not in pack.stop and (len(w) > 1 or not w.isalpha())]


def content_of(bare: str, pack: Pack) -> frozenset[str]:
    """The stems of a bare text without light words, numbers and units."""
    units = {_unit(found["sign"], found["unit"], pack) for found in _QUANTITY.finditer(bare)}
    if not pack.spaced:
        bare = _QUANTITY.sub(" ", bare)
    return frozenset(
        stem
        for stem in stems_of(bare, pack)
        if not stem[0].isdigit()
        and stem not in pack.light
        and stem not in units
        and stem not in _SIGNS
    )


def order_of(text: str, pack: Pack) -> tuple[str, ...]:
    """The stems of all words but articles and the user, in order."""
    text = pack.user.sub(" ", text)
    if not pack.spaced:
        return tuple(piece for piece in _PIECES.findall(text) if piece not in pack.stop)
    return tuple(_term(word, pack) for word in WORDS.findall(text) if _counts(word, pack))


def _counts(word: str, pack: Pack) -> bool:
    """Whether a word can change the meaning."""
    if word in pack.months:
        return True  # "May", which is a function word as well
    if word == "s" or word in pack.stop:
        negation = pack.marks[Mark.NEGATED].fullmatch(word)
        return negation is not None or word in pack.comparing
    return True


def _term(word: str, pack: Pack) -> str:
    if word in pack.months:
        return f"month{pack.months[word]}"
    if word in pack.weekdays:
        return f"day{pack.weekdays[word]}"
    return pack.stem(pack.spelling.get(word, word))


def quantities_of(text: str, pack: Pack) -> tuple[Quantity, ...]:
    """Numbers with what they count."""
    return tuple(
        Quantity(found["value"].lstrip("0") or "0", _unit(found["sign"], found["unit"], pack))
        for found in _QUANTITY.finditer(text)
    )


def _unit(sign: str | None, word: str | None, pack: Pack) -> str:
    unit = fold((sign or word or "").strip())
    unit = _SIGNS.get(unit, pack.spelling.get(unit, unit))
    if not unit or unit in pack.stop or unit in pack.months:
        return ""
    return pack.stem(unit)


def calendar_of(text: str, pack: Pack) -> frozenset[str]:
    """Months, weekdays and times of day."""
    months = {f"month{pack.months[found]}" for found in pack.month.findall(text)}
    days = {f"day{pack.weekdays[found]}" for found in pack.weekday.findall(text)}
    return frozenset(months | days | set(regex.findall(r"\d\d:\d\d", text)))


def holder_of(
    text: str, pack: Pack, names: frozenset[str]
) -> tuple[str | None, frozenset[str], int]:
    """The relation at the head of a statement ("User's brother Felix ..."), its name, its end."""
    start = 0
    while True:
        start += len(text[start:]) - len(text[start:].lstrip(" '\u2019,.-"))
        if kin := pack.kin.match(text, start):
            following = WORDS.match(text, kin.end() + 1)
            named = following is not None and following[0] in names
            end = following.end() if following and named else kin.end()
            return pack.roles[kin[0]], frozenset({following[0]} if following and named else ()), end
        lead = pack.lead.match(text, start)
        if lead is None or lead.end() == start:
            return None, frozenset(), start
        start = lead.end()


def contrasts_of(text: str, pack: Pack) -> dict[str, frozenset[str]]:
    """The mentioned values of each axis ("side": left)."""
    found: dict[str, set[str]] = {}
    for word in pack.contrast.findall(text):
        axis, value = pack.contrasts[word]
        found.setdefault(axis, set()).add(value)
    return {axis: frozenset(values) for axis, values in found.items()}


def head_names_of(text: str, pack: Pack, names: frozenset[str]) -> frozenset[str]:
    """Names of a subject that is the user's thing ("User's flat in Oslo has ...")."""
    verb, user = pack.verbs.search(text), pack.user.search(text)
    if verb is None or user is None or user.start() > verb.start():
        return frozenset()
    return names & frozenset(WORDS.findall(text[user.end() : verb.start()]))


def heads_of(text: str, pack: Pack) -> frozenset[str]:
    """Axes that are mentioned before the first verb ("The printer at home is ...")."""
    verb = pack.verbs.search(text)
    return frozenset(contrasts_of(text[: verb.start()], pack)) if verb else frozenset()


def tail_of(text: str, pack: Pack) -> frozenset[str]:
    """Content after the last cue of refutation."""
    ends = [found.end() for found in pack.marks[Mark.REFUTED].finditer(text)]
    return content_of(without_of(text[max(ends) :], pack), pack) if ends else frozenset()


def ended_of(text: str, pack: Pack) -> frozenset[str]:
    """Content of the clauses that say that something ended."""
    ended: frozenset[str] = frozenset()
    for clause in _clauses(pack.reason.sub(" ", text), pack):
        if pack.marks[Mark.CEASED].search(clause):
            ended |= content_of(without_of(clause, pack), pack)
    return ended


def plain_of(text: str, pack: Pack) -> tuple[str, ...]:
    """Words without the user, articles and words of change, unstemmed."""
    for pattern in (pack.user, pack.marks[Mark.CHANGED]):
        text = pattern.sub(" ", text)
    words = WORDS.findall(text) if pack.spaced else _CHARACTERS.findall(text)
    return tuple(word for word in words if word not in pack.articles)


def told_of(text: str, pack: Pack) -> frozenset[str]:
    """Content of the clauses that state or end something; denials and reasons are left out."""
    told: frozenset[str] = frozenset()
    for clause in _clauses(pack.reason.sub(" ", text), pack):
        ends = pack.marks[Mark.CEASED].search(clause) is not None
        if ends or not pack.marks[Mark.NEGATED].search(clause):
            told |= content_of(without_of(clause, pack), pack)
    return told


def _clauses(text: str, pack: Pack) -> list[str]:
    return [
        part
        for clause in _BREAKS.split(text)
        for part in pack.conjunction.split(clause)
        if part.strip()
    ]


def dated_of(text: str, pack: Pack) -> frozenset[str]:
    """The calendar with the numbers beside it; empty without a date."""
    calendar = calendar_of(text, pack)
    return calendar | set(_NUMBER.findall(text)) if calendar else frozenset()


def attribute_of(text: str, pack: Pack) -> str | None:
    """The words between the owner and "is" ("favourite soup"), if there can be only one."""
    verb = pack.verbs.search(text)
    if verb is None or not pack.spaced:
        return None
    words = stems_of(without_of(text[: verb.start()], pack), pack)
    single = any(word in pack.single for word in words)
    return " ".join(sorted(words)) if single else None


def several_of(text: str, pack: Pack, holder_end: int) -> frozenset[str]:
    """The frame that several things can fill ("User speaks ..."), if there is one."""
    if not pack.spaced:
        return frozenset(
            piece for one in pack.several.findall(text) for piece in _PIECES.findall(one)
        )
    found = pack.several.match(text[holder_end:].lstrip(" ,"))
    return frozenset(stems_of(found[0], pack)) if found else frozenset()


def is_list_of(text: str, pack: Pack) -> bool:
    """Whether it has list items or several clauses."""
    return _COMMAS.search(text) is not None or pack.conjunction.search(text) is not None
