# ruff: noqa: E501 - word lists and patterns of many scripts
"""Finds numbers that a state issues to persons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import regex

from ..findings import Finding
from ..formats.checksums import cpf, dni, nir, resident_id, verhoeff
from ..formats.openings import Beginnings, around, matches, openings
from ..formats.view import View

_SSN = regex.compile(
    r"(?<![A-Za-z0-9_-])(?!000|666|9)\d{3}(?P<s>[- .]?)(?!00)\d{2}(?P=s)(?!0000)\d{4}(?![\w-]|[.,]\d)"
)
_SSN_SAID = regex.compile(
    r"\bssns?\b|social(?:\s|-)?(?:security|sec|insurance)|\bsocials?\b|\bitin\b|\btax\s?(?:payer)?\s?id|\bw-?[29]\b|\bsoc\b"
    r"|seguro social|sozialversicherung|securite sociale|社会安全|社保|社会保障|सोशल सिक्योरिटी|الضمان"
)
_OTHER_NUMBER = regex.compile(
    r"order|part|item|phone|tel|track|invoice|ticket|serial|model|sku|case|ref|booking|product|zip|isbn|call|fax|account|version|catalog|extension"
)
_CHECKED: list[tuple[regex.Pattern[str], Callable[[str], bool]]] = [
    (regex.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d{2}(?![A-Za-z0-9_])"), cpf),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![A-Za-z0-9_])"
        ),
        resident_id,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![A-Za-z0-9_])"
        ),
        nir,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_-])(?:\d{8}|[XYZxyz]-?\d{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z](?![A-Za-z0-9_])"
        ),
        dni,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_-])(?<!\d{4} )[2-9]\d{3}[ -]\d{4}[ -]\d{4}(?![\w-]|[ ]\d{4})"
        ),
        verhoeff,
    ),
]
_SHAPED = regex.compile(
    # unambiguous by their letters: Italy's tax code, Britain's insurance number, the Emirates' card
    r"(?<![A-Za-z0-9_])(?:[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|784-(?:19|20)\d{2}-\d{7}-\d|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D])(?![A-Za-z0-9_])"
)
_SAID_WORDS = (
    r"(?:passport|driv(?:er|ing)'?s?[ -]licen[cs]e|national (?:id|insurance)|\bnino\b|\bni number|identity card|\bid card|aadhaar|aadhar|pan card|\bpan (?:no|number)"
    r"|social insurance|\bsin (?:no|number)|medicare|green card|tax id|tax file number|\btfn\b|\bnhs (?:no|number)|resident id|residence permit|voter id"
    r"|reisepass\w{0,10}|personalausweis\w{0,10}|ausweisnummer|ausweisnr|steuer-?id\w{0,12}|steuernummer|steueridentifikationsnummer|sozialversicherungsnummer|rentenversicherungsnummer"
    r"|fuhrerschein\w{0,7}|krankenversichertennummer|\bahv\b|\bdni\b|\bnie\b|\bnif\b|pasaporte|cedula|\bcurp\b|\brfc\b|\bcuil\b|\brut\b|seguridad social|carnet de identidad|passeport"
    r"|carte d'identite|securite sociale|numero fiscal|\bnir\b|permis de conduire|\bcpf\b|\brg\b|carteira de (?:identidade|motorista)|passaporte|titulo de eleitor|cartao de cidadao|codice fiscale"
    r"|carta d'identita|passaporto|\bbsn\b|burgerservicenummer|paspoort\w{0,6}|rijbewijs|\bpesel\b|dowod\w{0,4} osobist\w{0,5}|паспорт\w{0,3}|снилс|\bинн\b|личный номер"
    r"|身份证\w{0,6}|身分證|护照|護照|驾照|社保号|マイナンバー|個人番号|パスポート|免許証|在留カード|基礎年金番号|주민등록번호|여권"
    r"|आधार|पैन (?:कार्ड|नंबर)|पासपोर्ट|मतदाता|ड्राइविंग लाइसेंस|رقم الهويه|الهويه الوطنيه|هويتي|جواز (?:ال)?سفر\w{0,4}|رقم الاقامه|الاقامه|الرقم القومي|رخصه القياده|t\.?c\.? kimlik)"
)
_SAID = regex.compile(_SAID_WORDS)
_SAID_GATE = Beginnings((), openings(_SAID_WORDS))
_VALUE = regex.compile(
    r"(?<![A-Za-z0-9_])(?=(?:[\w./ -]{0,4}\d){5})(?:[A-Za-z]{0,4}[ -]?)?\d[\dA-Za-z]*(?:[ ./-][\dA-Za-z]*\d[\dA-Za-z]*){0,6}(?![A-Za-z0-9_])"
)
_REACH = 50
_DATE = regex.compile(
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d"
)
_KIND = "national_id"
_DENSE = re.compile(r"[0-9](?:[\w./ -]{0,4}?[0-9]){4,}+")
"""Five digits close together, the least of any such number."""
_FAR, _NEAR = 120, 60
_SEPARATORS = regex.compile(r"[ .\-]")


def find_identity(view: View) -> Iterator[Finding]:
    """Social security, tax, identity and passport numbers: kind `national_id`."""
    text = view.text
    windows = list(around(_DENSE, text, _FAR, _NEAR))
    for start, end in windows:
        yield from _social_security(view, start, end)
        for pattern, check in _CHECKED:
            for match in pattern.finditer(text, start, end):
                if check(_SEPARATORS.sub("", match.group())):
                    yield Finding(*match.span(), _KIND)
        yield from (Finding(*match.span(), _KIND) for match in _SHAPED.finditer(text, start, end))
        yield from _named(view, start, end)


def _named(view: View, start: int, end: int) -> Iterator[Finding]:
    """Numbers that follow the name of a document."""
    text, done = view.text, start
    for said in matches(_SAID, _SAID_GATE, view.low, start, end):
        value = _VALUE.search(text, max(done, said.end()), said.end() + _REACH)
        if (
            value
            and not _DATE.fullmatch(value.group())
            and "\n\n" not in text[said.end() : value.start()]
        ):
            yield Finding(*value.span(), _KIND)
            done = value.end()


def _social_security(view: View, start: int, end: int) -> Iterator[Finding]:
    """Three, two and four digits, if named, or with dashes unless another number is named."""
    for match in _SSN.finditer(view.text, start, end):
        before = view.low[max(0, match.start() - 200) : match.start()]
        near = view.low[max(0, match.start() - 40) : match.end() + 40]
        said = _SSN_SAID.search(before) or _SSN_SAID.search(near)
        if match["s"] == "":
            said = _SSN_SAID.search(near)
        if said or (match["s"] == "-" and not _OTHER_NUMBER.search(before[-60:])):
            yield Finding(*match.span(), _KIND)
