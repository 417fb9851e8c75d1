"""Rules: the runs of symbols (see `symbols`) that name a time, and their resolvers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from . import counted, resolve
from .spans import Span
from .symbols import CUES, DatePiece, SymbolText

Resolver = Callable[[DatePiece, datetime], list[Span]]

_YEAR = "(?:[yY]|[LXT]f*j|j[LXT])"
_RELATIVE_YEAR = "(?:[LXT]f*j|j[LXT]|Y)"
_OF_YEAR = f"(?:[f,]*{_YEAR})?"
_MONTH = r"(?:[mM]|l(?!\.))"
_WEEKDAY = "(?:[de]f*,?f*)?"
_COUNT = "[nayq]f*"
_RULES: tuple[tuple[str, str, Resolver], ...] = (
    ("date", f"{_WEEKDAY}D", resolve.numeric),
    ("numbered", "Gf*[yno]", resolve.nothing),
    ("which_of", f"[oLp]f*[ude][fi]+(?:[mMl]{_OF_YEAR}|{_YEAR}|[LXT]f*u|u[LXT])", resolve.which_of),
    (
        "days_of_month",
        f"[no]f*[&~b][ft]*[no]f*{_MONTH}{_OF_YEAR}|{_MONTH}f*[no]f*[&~b]f*[no]{_OF_YEAR}",
        resolve.days_of_month,
    ),
    ("day_of_month", f"{_WEEKDAY}[no]f*{_MONTH}{_OF_YEAR}", resolve.day_of_month),
    (
        "month_and_day",
        rf"{_WEEKDAY}(?:{_RELATIVE_YEAR}f*)?(?:[mM]f*[no]|lf*[no](?!\.))(?!f*[uj]){_OF_YEAR}",
        resolve.day_of_month,
    ),
    (
        "months",
        f"(?:wf*[mMl]{_OF_YEAR}[&~b]|[mM]{_OF_YEAR}~)f*[mMl]{_OF_YEAR}",
        resolve.months_between,
    ),
    ("month_of_year", f"[mMl][f,]*{_YEAR}|(?:{_RELATIVE_YEAR},?|y)[fi]*[mM]", resolve.yearly),
    ("time_of_year", f"[SsHQ][f,]*{_YEAR}|{_YEAR}[fit]*[SsHQ]", resolve.yearly),
    ("day_of_week", "[de]f*(?:[LXT]f*u|u[LXT])|[LXT]uf*d", resolve.day_of_week),
    ("which", "[LXT]f*[mMdeSsHQ]|[mdeSsHQ]f*[LXT]|[LX]f*l", resolve.which),
    ("before_last", "[uj](?:bL|cX)", counted.before_last),
    ("ago", f"{_COUNT}[uj]A|(?<!#)[uj]A|WA|[PB]f*(?:{_COUNT}[uj]|W)|P[uj]", counted.ago),
    ("ahead", f"{_COUNT}[uj]N|WN", counted.ahead),
    ("rolling", f"[LpXkV]f*(?:{_COUNT}[uj]|W)|p[uj]|[nq]f*[Lp]f*[uj]", counted.rolling),
    ("unit", "[LXT]f*[uj]|[uj][LXT]|Ef[uj](?![fi]*[mMlyYLXT])", counted.unit),
    ("days", "R", counted.day),
    ("part", "[LXT]f*z|z[LXT]", counted.part_of_day),
    ("known_part", "O", counted.known_part),
    ("recently", "V", counted.recently),
    ("decade", "C|[fE]K|jf*n(?![uj])", resolve.decade),
    ("year", "Y|jf*y", resolve.year),
    ("cued_year", "[iwbckEPB]f*y(?!f*[uj])", resolve.year),
    ("lone_year", r"[&~]f*y(?!f*[.uj])|f+y|^f*y(?=$|;)|y(?=$|[,;iw&~tbck])", resolve.lone_year),
    ("weekday", r"d|te(?!\.)", resolve.latest),
    (
        "month",
        r"m|[iwbckEvPB]f*M|if*l|[wbckEvPB]f*l(?!\.)|[&~]f*M|M(?=[&~]f*[mM])|^f*[Ml]$",
        resolve.latest,
    ),
    ("the_month", r"fM(?=\.)", resolve.the_month),
    ("season", r"[iwbckEvPB]f*[Ss]|S(?!\.)", resolve.latest),
    ("holiday", "[HQ]", resolve.latest),
    ("weekend", "[tiv]f*u", resolve.weekend),
    ("day_number", r"tf+o(?=$|[;,?i])", resolve.day_number),
)
_RESOLVERS = {name: resolver for name, _, resolver in _RULES}
_CUE = f"[{CUES}]?f*"
_GRAMMAR = re.compile(
    r"(?![.;,#])(?:"
    + "|".join(f"(?P<{name}>(?:{_CUE})?(?:{rule}))" for name, rule, _ in _RULES)
    + ")"
)
_KEEPS_CUE = frozenset(("ago",))


@dataclass(slots=True)
class Mention:
    """Symbols `start` to `end` (exclusive) name one of `spans` (several when it is ambiguous)."""

    start: int
    end: int
    spans: list[Span]


def find(reading: SymbolText, now: datetime) -> Iterator[Mention]:
    """The times in a text, in order; `now` is local."""
    for match in _GRAMMAR.finditer(reading.symbols):
        name = match.lastgroup or ""
        start, end = match.span()
        piece = DatePiece(match[0], reading.values[start:end])
        if name == "cued_year" and _is_count(reading, end):
            continue
        if spans := _RESOLVERS[name](piece, now):
            if name not in _KEEPS_CUE:
                start += len(piece.symbols) - len(piece.symbols.lstrip(CUES + "f"))
            yield Mention(start, end, spans)


def _is_count(reading: SymbolText, place: int) -> bool:
    """Whether a plural noun seems to follow: "in 2000 words"."""
    if reading.symbols[place : place + 1] != ".":
        return False
    word = reading.text[reading.starts[place] : reading.ends[place]]
    return len(word) > 3 and word.endswith("s") and word.islower()  # noqa: PLR2004
