"""Detects questions that ask for a time."""

from __future__ import annotations

import re

_LONGEST = 2000
_ENGLISH = (
    r"\bwhen (?:exactly )?(?:did|do|does|was|were|is|are|will|would|has|have|had|am|can|should)\b"
    r"|\bwhen['\u2019]?s\b|\b(?:since|until|by) when\b|^(?:and |so )?when\W*$"
    r"|\bhow (?:long|much time|many (?:hours|days|weeks|months|years)) "
    r"(?:ago|since|after|before|until|has|have|had|did|was|were|is|will)\b"
    r"|\bhow (?:long|recently)\b"
    r"|\b(?:what|which) (?:\w+ )?(?:date|day|weekday|week|weekend|month|year|season|decade)\b"
    r"|\b(?:what|which) time\b"
    r"|\bwhat(?:['\u2019]?s| is| was| were) the (?:exact )?(?:date|day|month|year|time)s?\b"
)
_GERMAN = (
    r"\bwann\b|\b(?:an )?(?:welche[mnrs]?|was für (?:ein|einem)) "
    r"(?:datum|tag|woche|wochenende|monat|jahr|jahreszeit)\b|\bwie lange\b|\bwie viele? "
    r"(?:tage|wochen|monate|jahre)\b|\b(?:der|den) wievielte[nr]?\b"
)
_SPANISH = (
    r"\bcuándo\b|(?:^|¿)\s*(?:y )?cuando\b(?=[^,]*\?)|\b(?:qué|en que|que) "
    r"(?:día|dia|fecha|mes|año|semana)\b|\bcu[aá]nto tiempo\b|\bcu[aá]ntos (?:días|meses|años)\b"
)
_FRENCH = (
    r"\bquand (?:est-ce|ai|as|a|avons|avez|ont|es|est|était|suis|sommes)\b"
    r"|\bc['\u2019]était quand\b|\bquand\W*$|\bdepuis (?:quand|combien)\b"
    r"|\b(?:quel|quelle|quels|quelles) "
    r"(?:date|jour|mois|année|semaine|saison)s?\b|\bcombien de temps\b"
)
_PORTUGUESE = (
    r"(?:^|\be )quando\b(?=[^,]*\?)|\bquando (?:foi|é que)\b|\b(?:que|qual|em que) "
    r"(?:é a |foi a )?(?:dia|data|mês|ano|semana)\b|\bh?á? ?quanto tempo\b|\bdesde quando\b"
)
_OTHERS = (
    r"什么时候|什麼時候|何时|何時|哪一?[天年月日]|哪个月|哪個月|几月|幾月|几号|幾號|多久|哪年"
    r"|いつ(?!も|か|の間|まで?も)|何[年月日]|何曜日|どのくらい前|どれくらい前"
    r"|कब|किस (?:दिन|तारीख|महीने|साल|वर्ष)|कितने (?:दिन|हफ्ते|महीने|साल)"
    r"|متى|(?:في )?[أا]ي (?:يوم|تاريخ|شهر|سنة|عام)|منذ كم|كم (?:من الوقت|مضى)"
)
_ASKS = re.compile(f"{_ENGLISH}|{_GERMAN}|{_SPANISH}|{_FRENCH}|{_PORTUGUESE}|{_OTHERS}")


def asks_when(text: str) -> bool:
    """Whether `text` asks for a time: "when did", "what date", "how long ago"; in nine languages.

    The first 2,000 characters are read. A conjunction ("when I was there, who ...") does not count.
    """
    return _ASKS.search(text[:_LONGEST].strip().lower()) is not None
