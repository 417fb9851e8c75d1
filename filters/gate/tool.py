"""Detects complete requests that a tool or a transformation answers."""

from __future__ import annotations

import regex

from recollect.memory.language import ANY, Hit, is_acronym, packs
from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

_ARITHMETIC = regex.compile(r"(?<![\d.,])\d[\d.,]*+\s?[-+*/\u00d7÷^%x]\s?[\d(]|\d\s?%")
_DATED = regex.compile(
    r"(?<!\d)(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|(?:19|20)\d\d\s?[-/]\s?(?:(?:19|20)\d\d|\d\d))(?!\d)"
)
"""A date in digits or a span of years, which looks like a difference."""
_PATH = regex.compile(
    r"(?:https?|ftp|file)://\S"
    r"|(?:^|[\s(])(?:~|\.{1,2}+)?/[\w.*-]+"
    r"|(?<![\w*.-])[\w*.-]++/[\w*.-]*+(?=[\s,;:.?!)]|$)"
    r"|(?:^|[\s(*])[\w-]*+\.[A-Za-z]{1,5}+(?![A-Za-z0-9.])"
    r"|\s--?[A-Za-z][\w-]*+"
)
_MAX_WORDS = 60
_MAX_CONVERSION_WORDS = 14
_MAX_REPEAT_WORDS = 5
_WITH_CAPITALS = frozenset({"latin", "cyrillic", "greek", "any"})
"""Scripts whose names have capitals."""


def is_transformation(reading: Reading) -> bool:
    """A deterministic change of supplied text ("translate", "extract", "sort")."""
    verbs = reading.requests(Cue.TRANSFORM)
    return bool(verbs) and reading.material.supplied and not reading.open_requests(verbs)


def is_calculation(reading: Reading) -> bool:
    """Arithmetic, conversion, date arithmetic or a timer, with its numbers stated."""
    if is_conversion(reading):
        return True
    if not reading.digits or _depends(reading) or reading.has(Cue.ANAPHORA):
        return False
    if _is_arithmetic(reading.material.asked) or reading.has(Cue.TIMER) or _computes(reading):
        return len(reading.scan.words) <= _MAX_WORDS
    return False


def _is_arithmetic(text: str) -> bool:
    """Whether a sum is written in signs."""
    return _ARITHMETIC.search(_DATED.sub(" ", text)) is not None


def _computes(reading: Reading) -> bool:
    """Whether numbers are computed with; a count alone ("how many") needs one that is no label."""
    terms = reading.scan.found(Cue.CALC)
    counting = reading.scan.covered(Cue.OPENER)
    if any(hit.start not in counting for hit in terms):
        return True
    numbers = {i for i, word in enumerate(reading.scan.raw) if word[0].isdigit()}
    return bool(terms) and not numbers <= reading.labels and not _somebody(reading)


def is_conversion(reading: Reading) -> bool:
    """Two different units in a short question ("how many teaspoons are in a cup")."""
    units = {reading.scan.words[hit.start] for hit in reading.scan.found(Cue.UNIT)}
    if len(units) < 2 or len(reading.scan.words) > _MAX_CONVERSION_WORDS:  # noqa: PLR2004 - from, to
        return False
    asks = reading.digits or reading.has(Cue.CALC, Cue.TRANSFORM, Cue.OPENER, Cue.HOWTO)
    return asks and not _depends(reading)


def is_live_data(reading: Reading) -> bool:
    """Prices, scores, traffic or weather of something that the message names."""
    if not (_current(reading) or reading.has(Cue.WEATHER)) or reading.has(Cue.TIMER):
        return False
    if len(reading.scan.words) > _MAX_WORDS or _depends(reading) or _somebody(reading):
        return False
    about = _topic(reading)
    if any(_is_definite(reading, i) for i in about):
        return False
    if reading.has(Cue.WEATHER):
        return any(_is_place(reading, i) for i in about)
    named = any(hit.language == ANY for hit in reading.scan.found(Cue.LIVE, Cue.UNIT))
    return named or reading.has(Cue.UNIT) or bool(about)


def _current(reading: Reading) -> bool:
    """Whether live data are named; "when did .. win" is about a day in the past."""
    starts = reading.scan.clause_starts
    return any(not hit.skipped or hit.start in starts for hit in reading.scan.found(Cue.LIVE))


def _somebody(reading: Reading) -> bool:
    """Whether a named person may be asked about: a name that does or owns something.

    Not a name before the live data ("Tesla's share price"), nor after the first word ("Is Oslo").
    """
    scan = reading.scan
    openers = scan.covered(Cue.OPENER) - scan.clause_starts
    data = scan.covered(Cue.LIVE, Cue.WEATHER)
    for i, word in enumerate(scan.raw):
        owns = i not in scan.clause_starts and scan.words[i + 1 : i + 2] == ["'s"]
        if word.istitle() and (owns or i - 1 in openers) and i + 1 + owns not in data:
            return True
    return False


def _topic(reading: Reading) -> list[int]:
    named = {
        i
        for hit in reading.scan.found(Cue.LIVE)  # "has ... won": what stands in the gap
        for i in range(hit.start + 1, hit.end - 1)
        if reading.scan.raw[i][0].isupper()
    }
    return sorted(named) + reading.residue(
        Cue.LIVE, Cue.WEATHER, Cue.OPENER, Cue.FRAME, Cue.UNIT, Cue.GREET,
        Cue.PRAISE, Cue.COMMAND, Cue.WEB, Cue.ARTICLE,
    )  # fmt: skip


def _is_definite(reading: Reading, index: int) -> bool:
    """Whether a word has a definite article and is no name: only the user knows which one."""
    if index == 0 or index - 1 not in reading.scan.covered(Cue.ARTICLE):
        return False
    word = reading.scan.raw[index]
    if reading.nouns_have_capitals:
        return not is_acronym(word)
    return not word[0].isupper()


def _is_place(reading: Reading, index: int) -> bool:
    if any(packs()[code].script not in _WITH_CAPITALS for code in reading.scan.languages):
        return True
    capital = reading.scan.raw[index][0].isupper() and index not in reading.scan.clause_starts
    return capital or any(hit.end == index for hit in reading.scan.found(Cue.PLACE))


def is_command(reading: Reading) -> bool:
    """An order to a machine about a named thing."""
    verbs = [hit for hit in reading.requests(Cue.COMMAND) if hit.start not in reading.scan.stop]
    if not verbs or len(reading.scan.words) > _MAX_WORDS:
        return False
    exact = reading.material.inline_code or bool(_PATH.search(reading.material.asked))
    if reading.open_requests(verbs if exact else ()) or _strangers(reading, exact=exact):
        return False
    return exact or (reading.has(Cue.ARTEFACT, Cue.TECH) and not _points(reading))


def _points(reading: Reading) -> bool:
    """Whether a bare pronoun stands for the object ("the last 3 commits" states it)."""
    return any(hit.end - hit.start == 1 for hit in reading.scan.found(Cue.ANAPHORA))


def _strangers(reading: Reading, *, exact: bool) -> bool:
    """Whether it mentions private things that are not objects of commands."""
    things = reading.scan.covered(Cue.ARTEFACT, Cue.COMMAND)
    private = (hit.end - 1 if exact else hit.start for hit in reading.scan.found(Cue.PRIVATE))
    return bool(reading.lone_names) or any(at not in things for at in private)


def is_repeat(reading: Reading) -> bool:
    """A command that refers to the previous object."""
    verbs = reading.requests(Cue.COMMAND)
    words = reading.scan.words
    if not verbs or len(words) > _MAX_REPEAT_WORDS:
        return False
    known = reading.scan.covered(Cue.COMMAND, Cue.ANAPHORA, Cue.ELLIPSIS, Cue.GREET)
    return all(i in known or i in reading.scan.stop for i in range(len(words)))


def is_device_action(reading: Reading) -> bool:
    """A device action: lights, volume, "add salt to the shopping list"."""
    actions = reading.scan.found(Cue.DEVICE)
    return bool(actions) and not reading.open_requests([*actions, *_around(reading, actions)])


def _around(reading: Reading, actions: list[Hit]) -> list[Hit]:
    """The verbs in the clauses of these actions ("add ... to the list")."""
    return [hit for hit in reading.requests(Cue.TASK) if hit.start <= actions[0].end]


def is_web_lookup(reading: Reading) -> bool:
    """An explicit search of the web for something named."""
    hits = reading.scan.found(Cue.WEB)
    return bool(hits) and not _depends(reading, hits) and bool(_topic(reading))


def _depends(reading: Reading, beside: list[Hit] | None = None) -> bool:
    return reading.acquainted or reading.open_requests(beside or ())


_RULES = (
    is_transformation, is_command, is_device_action, is_web_lookup, is_calculation, is_live_data,
)  # fmt: skip


def needs_tool(reading: Reading) -> bool:
    """Whether a tool or a transformation answers the message."""
    return any(rule(reading) for rule in _RULES)
