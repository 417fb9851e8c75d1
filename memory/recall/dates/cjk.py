"""Reads Chinese and Japanese, which do not separate words, with one lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .lexicon import Entry, entries
from .numerals import FIRST_YEAR, LAST_YEAR, classify
from .spans import day, months
from .symbols import SymbolText
from .tables import Table

SCRIPT = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_FIGURES = "\u3007一二三四五六七八九"
_NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_DAYS_OF_WEEK = "一二三四五六日"
_PUNCTUATION = {",": ",", "。": ";", "!": ";", "?": ";", ";": ";", "\n": ";"}
_MONTHS = 12
_OTHER: Entry = ((".", None),)


class CjkLexicon:
    """The phrases of both languages, matched at any character."""

    def __init__(self, tables: Iterable[Table]) -> None:
        """For a word in several tables, the first table counts."""
        self._words: dict[str, Entry] = {}
        for table in tables:
            for phrase, entry in entries(table):
                alone = entry == (("u", "weekend"),)
                self._words.setdefault(phrase, (("t", None), *entry) if alone else entry)
                if len(entry) > 1 and entry[1] == ("u", "week"):
                    self._add_days(phrase, entry)
        longest_first = sorted(self._words, key=lambda word: (-len(word), word))
        self._token = re.compile(
            rf"(?P<year>\d{{4}}|[{_FIGURES}零]{{4}})\s*年"
            rf"(?:\s*(?P<month>{_NUMBER})\s*月(?:\s*(?P<day>{_NUMBER})\s*[日号號])?)?"
            rf"|(?P<m>{_NUMBER})\s*月(?!曜)(?:\s*(?P<d>{_NUMBER})\s*[日号號])?"
            rf"|(?P<word>{'|'.join(map(re.escape, longest_first))})"
            r"|(?P<digits>\d+(?:[.,:/-]\d+)*)(?P<suffix>[A-Za-z]*)"
            r"|(?P<number>[一两兩二三四五六七八九十]{1,3})"
            r"|(?P<mark>[,。!?;\n])"
            r"|[A-Za-z]+|\S"
        )

    def _add_days(self, week: str, entry: Entry) -> None:
        """上周二."""
        for number, figure in enumerate(_DAYS_OF_WEEK):
            self._words.setdefault(week + figure, (*entry, ("d", number)))
        self._words.setdefault(week + "天", (*entry, ("d", 6)))

    def read(self, text: str) -> SymbolText:
        """A text of these languages as symbols."""
        reading = SymbolText(text)
        for match in self._token.finditer(text):
            reading.add(self._entry(text, match), match.start(), match.end())
        return reading

    def _entry(self, text: str, match: re.Match[str]) -> Entry:
        kind = match.lastgroup
        if kind in ("year", "month", "day"):
            return _dated(match)
        if kind in ("m", "d"):
            return _dated_without_year(match)
        if kind == "word":
            return self._words[match["word"]]
        if kind == "number":
            return (("n", _value(match["number"])),)
        if kind == "mark":
            return ((_PUNCTUATION[match["mark"]], None),)
        return _digits(text, match) if kind in ("digits", "suffix") else _OTHER


def _digits(text: str, match: re.Match[str]) -> Entry:
    start, end = match.span()
    before = text[start - 1] if start else ""
    # A letter of these scripts next to a number belongs to another word.
    before = before if before.isascii() else ""
    return tuple(
        classify(
            match["digits"],
            match["suffix"],
            before,
            text[end : end + 1],
            day_first=False,
            after_part=False,
        )
    )


def _dated(match: re.Match[str]) -> Entry:
    """2023年, 2023年5月, 2023年5月7日."""
    year = _year(match["year"])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return _OTHER
    if match["month"] is None:
        return (("Y", year),)
    month = _value(match["month"])
    if not 1 <= month <= _MONTHS:
        return _OTHER
    if match["day"] is None:
        return (("D", [months(year * 12 + month - 1)]),)
    span = day(year, month, _value(match["day"]))
    return (("D", [span]),) if span else _OTHER


def _dated_without_year(match: re.Match[str]) -> Entry:
    """5月, 5月7日."""
    month = _value(match["m"])
    if not 1 <= month <= _MONTHS:
        return _OTHER
    return (("m", month),) if match["d"] is None else (("m", month), ("o", _value(match["d"])))


def _year(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return int("".join(str(_FIGURES.find(figure.replace("零", _FIGURES[0]))) for figure in text))


def _value(text: str) -> int:
    """A number of up to two digits, or in characters (二十三)."""
    if text.isdecimal():
        return int(text)
    text = text.replace("两", "二").replace("兩", "二")
    tens, ten, ones = text.rpartition("十")
    one = _FIGURES.find(ones) if ones else 0
    return one + 10 * (_FIGURES.find(tens) if tens else 1) if ten else one
