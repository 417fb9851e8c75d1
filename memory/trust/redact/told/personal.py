# ruff: noqa: E501, RUF001 - word lists and patterns of many scripts
"""Finds personal data: email, phone, postal address, birth date, national ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import regex

from ..findings import Finding, settle
from ..formats.view import View
from .identity import find_identity

_LOCAL = 64
_PHONE = regex.compile(
    r"(?<![A-Za-z0-9_.,:/-])(?:\+|00|\(|\d)(?:[ ()./-]{0,3}\d){6,14}+(?![A-Za-z0-9_]|[.,:-]\d|[ -]\d)"
)
_PHONE_SAID = regex.compile(
    r"phone|\btel|\bcall|mobile|\bcell|\bfax|whatsapp|\bsms|\btext me|ring me|reach|contact|telefon|handy|\banruf|movil|celular|llam|telephone|portable|appel|\bfone|ligar|ligue"
    r"|cellulare|telefono|mobiel|bel me|телефон|звон|电话|電話|手机|手機|号码|携帯|फ़ोन|फोन|मोबाइल|कॉल|هاتف|جوال|اتصل|موبايل|رقمي|전화|휴대폰|rufnummer|durchwahl|numero|nummer"
)
_NOT_PHONE = regex.compile(
    r"order|invoice|isbn|track|iban|card|konto|account|ticket|version|serial|commit|build|bestell|rechnung|pedido|facture|commande"
)
_STREETS = r"street|st\.?|road|rd\.?|avenue|ave\.?|lane|ln\.?|drive|dr\.?|boulevard|blvd\.?|court|ct\.?|place|pl\.?|square|terrace|way|close|crescent|row|mews|gardens|hill|grove"
_ADDRESS = regex.compile(
    rf"(?<!\w)\d{{1,5}}[a-zA-Z]?,?\s(?:[\p{{L}}'.-]{{1,30}}+\s){{1,4}}?(?:{_STREETS})(?!\w)(?:,?\s(?:apt|flat|unit|suite|\#)\.?\s?\w{{1,6}})?(?:,\s[\p{{L}}\d .'-]{{2,40}}+){{0,3}}"
    r"|(?<!\w)(?:[\p{L}.-]{1,40}?(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|gracht|plein|kade))\s\d{1,4}\s?[a-z]?(?!\w)(?:,?\s(?:D-)?\d{4,5}\s[\p{L}.-]{2,40})?"
    r"|(?<!\w)\d{1,4}(?:\s?(?:bis|ter))?,?\s(?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|allee|allée|quai|route|cours)\s[\p{L}'’ .-]{2,50}+(?:,?\s\d{5}\s[\p{L}-]{2,30})?"
    r"|(?<!\w)(?:calle|c/|avenida|avda\.?|av\.|plaza|paseo|carrera|rua|r\.|travessa|praca|praça|alameda|via|viale|piazza|corso|ul\.|улица|ул\.|проспект)\s[\p{L}'’ .-]{2,50}+,?\s?(?:n[ºo°.]?\s?)?\d{1,5}[a-zA-Z]?(?!\w)"
    r"|(?:\p{Han}{2,8}[省市区區县縣]){1,3}\p{Han}{1,12}[路街道巷弄]\d{1,5}[号號]?(?:\d{1,5}[室楼樓])?|〒?\d{3}-\d{4}\s?\p{Han}{2,3}[都道府県][\p{Han}\p{Hiragana}\p{Katakana}\d-]{3,30}|\p{Han}{2,3}[都道府県]\p{Han}{1,8}[市区町村][\p{Han}\p{Hiragana}\p{Katakana}]{0,10}\d[\d丁目番地号-]{1,12}",
    regex.IGNORECASE,
)
_BORN = regex.compile(
    r"born|birth\s?da|date of birth|\bdob\b|b-?day|birthday|geburtstag|geburtsdatum|geboren|geb\.|cumpleanos|nacimiento|nac(?:i|io|ido|ida)\b|naissance|anniversaire|nee?\b|nascimento|aniversario|nasc(?:i|eu|ido|ida)"
    r"|compleanno|nascita|nat[oa]\b|verjaardag|geboorte|родил|рожден|生日|出生|誕生日|生年月日|जन्म|ميلاد|ولد|생일"
)
_MONTHS = r"(?:jan|feb|mar|m[aä]r|apr|abr|avr|may|mai|mayo|jun|jui|jul|aug|ago|ao[uû]|set|sep|oct|okt|out|nov|dec|dez|dic|d[eé]c|янв|фев|мар|апр|ма|июн|июл|авг|сен|окт|ноя|дек|जन|फ|मार्च|अप्रैल|मई|जून|जुल|अग|सित|अक्टू|नव|दिस|يناير|فبراير|مارس|ابريل|أبريل|مايو|يونيو|يوليو|اغسطس|أغسطس|سبتمبر|اكتوبر|أكتوبر|نوفمبر|ديسمبر)"
_DATE = regex.compile(
    rf"(?<!\d)(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d{{4}}|\d{{2}})|\d{{1,2}}(?:st|nd|rd|th|\.|º|er)?\s(?:of\s|de\s|di\s)?{_MONTHS}[^\W\d]{{0,9}}\.?(?:,?\s(?:de\s|del\s)?\d{{4}})?"
    rf"|{_MONTHS}[^\W\d]{{0,9}}\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|\d{{4}}年\d{{1,2}}月\d{{1,2}}日?|\d{{1,2}}月\d{{1,2}}日)(?!\d)",
    regex.IGNORECASE,
)
_FEW, _MANY = 8, 15
_BIRTH_REACH = 40
_BEFORE_AT = regex.compile(r"[\w.+%'-]*+(?<![.'-])|")
_AFTER_AT = regex.compile(r"@(?:[\w-]{1,63}+\.){1,8}+[\w-]{2,24}+")
_NATIONAL = regex.compile(
    r"\(\d{2,4}\) ?\d{3,5}[- ]\d{3,4}|\d{3}[-. ]\d{3}[-. ]\d{4}|0\d(?:[ .]\d{2}){4}|0\d{1,4}[-/ ]\d{3,8}(?:[- ]\d{2,5})?"
)


def personal_of(seen: View, kinds: Collection[str]) -> list[Finding]:
    """Personal data of the given `kinds` (as in `PersonalOptions`), sorted, without overlaps.

    Raises `KeyError` for an unknown kind.
    """
    finders = [_FINDERS[kind] for kind in kinds]
    return settle(seen.back(found) for find in finders for found in find(seen))


def _emails(seen: View) -> Iterator[Finding]:
    at = seen.text.find("@")
    while at >= 0:
        local = _BEFORE_AT.match(seen.text[max(0, at - _LOCAL) : at][::-1])
        start = at - (local.end() if local else 0)
        after = _AFTER_AT.match(seen.text, at)
        if start < at and after:
            yield Finding(start, after.end(), "email")
        at = seen.text.find("@", after.end() if after else at + 1)


def _phones(seen: View) -> Iterator[Finding]:
    for match in _PHONE.finditer(seen.text):
        number = match.group()
        digits = sum(char.isdigit() for char in number)
        before = seen.low[max(0, match.start() - 50) : match.start()]
        said = _PHONE_SAID.search(before)
        international = number.startswith(("+", "00"))
        if not _FEW - 1 <= digits <= _MANY or (_NOT_PHONE.search(before[-30:]) and not said):
            continue
        if international or said or _NATIONAL.fullmatch(number):
            yield Finding(*match.span(), "phone")


def _addresses(seen: View) -> Iterator[Finding]:
    if any(char in seen.text for char in "0123456789"):
        yield from (Finding(*match.span(), "address") for match in _ADDRESS.finditer(seen.text))


def _birth_dates(seen: View) -> Iterator[Finding]:
    done = 0
    for said in _BORN.finditer(seen.low):
        match = _DATE.search(seen.text, max(done, said.start()), said.end() + _BIRTH_REACH)
        if match:
            yield Finding(*match.span(), "birth_date")
            done = match.end()


_FINDERS: dict[str, Callable[[View], Iterator[Finding]]] = {
    "email": _emails,
    "phone": _phones,
    "address": _addresses,
    "birth_date": _birth_dates,
    "national_id": find_identity,
}
