"""What a text says about time becomes periods, in every language, and nothing else does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.language import packs
from recollect.memory.language.dates import (
    Period,
    asks_when,
    closeness_of,
    date_modifiers,
    number_words,
    periods,
    spelled_numbers,
    tells_time,
)
from recollect.memory.language.dates.date_finder import MOST, _known, mentions, readings_of
from recollect.memory.language.dates.date_modifiers import CHANGES
from recollect.memory.language.dates.rules import EXAMPLES_AT, RULES
from recollect.memory.language.registry import use_folder
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NOW = datetime(2023, 8, 16, 14, 30, tzinfo=UTC)
"""A Wednesday."""


def written(text, now=NOW):
    """Periods as text: days where they begin and end at midnight, else with the hour."""
    return [f"{_short(p.start)}/{_short(p.end)}" for p in periods(text, now)]


def _short(moment):
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%dT%H:%M}"


@rows("text, expected", ROWS["absolute times"])
def test_absolute_times(text, expected):
    """Dates, months, years, seasons and holidays are the calendar's; without a year, the latest."""
    assert written(text) == [expected]


@rows("text, expected", ROWS["relative times"])
def test_relative_times(text, expected):
    """Counted from now; weeks begin on Monday, "last" is over, "ago" is as wide as its unit."""
    assert written(text) == [expected]


@rows("text, expected", ROWS["times beside times"])
def test_times_beside_times(text, expected):
    """Open ends, ranges, parts and neighbours of a time are one period each."""
    assert written(text) == [expected]


def test_a_plain_number_is_read_only_beside_what_makes_it_a_time():
    """Most numbers count things; whatever else may be a time beside them is found as before."""
    assert list(readings_of("I bought 3 lamps and 250 tiles, for 12.")) == []
    for text in ("3 lamps in May", "3 lamps on 5/7", "3 lamps in 2021", "3 lamps in Q2", "3 年"):
        assert list(readings_of(text)) != []
    assert written("the 3 of us met on the fifth") == ["2023-08-05/2023-08-06"]


@rows("text, expected", ROWS["several times"])
def test_several_times(text, expected):
    """Each is a period, each reading of an ambiguous one too, and none is there twice."""
    assert written(text) == expected


@rows(
    "text",
    """may I ask you something|march on, soldiers|I second that|route 66|a 2023-piece puzzle
    the Sun is shining|Will you come|version 2.3.5|it costs $2023 or 2000 dollars|2023€ for that
    call 555-2019 or +1 202 555 0175|boil the pasta in 5 minutes|what does April say|page 1999
    this may be wrong|spring roll recipe|winter jacket|I paid 2000|windows 2000
    she runs 10 miles|in my 30s|half past three|fall in love|I sat on the sofa|mar the surface
    the 3 may come|24/7 service, 1/2 cup|room 2020|CVE-2023-1234|what is the second thing|2023x
    the last time we met|this one last thing|how long ago did we meet|31 June 2023|99999 years ago
    in the past|the next step|2023-13-45|her last day|one may 5 times|march 10 miles|12345|1234
    what did Caroline say about the adoption agency|mon ami|the fall of Rome|I sat next to her|May this work|he sat last|the story of June|the end may come|summer dress""".replace(
        "\n", "|"
    ).split("|"),
)
def test_what_is_no_time(text):
    """Words that only look like a date, counts, names and impossible dates are not periods."""
    assert written(text.strip()) == []


def test_a_period_keeps_the_zone_of_now_and_the_words_that_said_it():
    """Days begin at midnight where the user is; an explanation can quote the query."""
    now = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    [period] = periods("what did we do the day before yesterday?", now)
    assert period.start.isoformat() == "2023-08-14T00:00:00+09:00"
    assert period.end - period.start == timedelta(days=1)
    assert period.text == "day before yesterday"


def test_what_is_beyond_the_cut_is_not_read():
    """A query of a megabyte costs what its first 2,000 characters cost."""
    assert written("x " * 999 + "in 2022") == []
    assert written("in 2022" + " x" * 500_000) == ["2022-01-01/2023-01-01"]


def test_no_more_periods_than_promised():
    """A list of dates ends at the bound, first come."""
    text = ", ".join(f"{day} May 2023" for day in range(1, 20))
    assert len(periods(text, NOW)) == MOST


_VOCABULARY = sorted({word for known in _known().spaced.values() for word in known.phrases})
_NUMERALS = [
    "7",
    "31",
    "2023",
    "1900",
    "9999",
    "05/07/2023",
    "7th",
    "90s",
    "99999999",
    "0",
    "-",
    ",",
]
_CJK = list("年月日周週前后後去今明先来上下个ヶ末初春夏一二三十从到から以0123456789")
_WORDS = st.sampled_from(_VOCABULARY) | st.sampled_from(_NUMERALS)
_TEXTS = (
    st.text()
    | st.lists(_WORDS, max_size=12).map(" ".join)
    | st.lists(st.sampled_from(_CJK), max_size=15).map("".join)
)
_ZONES = st.sampled_from(
    [UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12)), ZoneInfo("Europe/Berlin")]
)
_NOWS = st.datetimes(timezones=_ZONES) | st.sampled_from(
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)


@given(text=_TEXTS, now=_NOWS)
@settings(max_examples=examples(600), deadline=None)
def test_any_text_at_any_time_gives_sound_periods(text, now):
    """Never an error; few, aware, in order, and within what any zone can express."""
    found = periods(text, now)
    assert len(found) <= MOST
    for period in found:
        assert period.start.tzinfo is period.end.tzinfo is now.tzinfo
        assert period.start.astimezone(UTC) < period.end.astimezone(UTC)
        assert period.text
        assert period.start.timestamp() < period.end.timestamp()


@rows("text", ROWS["words of time tell"])
def test_words_of_time_tell(text):
    """In every language that has a table, in capitals too, and years as numbers."""
    assert tells_time(text)
    assert tells_time(text.upper())


@rows("text", ["", "User likes green tea", "版本很好", "id 120231", "costs 19.99"])
def test_other_words_do_not(text):
    """No word of time and no year: it names none."""
    assert not tells_time(text)


ASKING = """When did Anna go?|when's the party|and when?|what date was it|Which month did she move in?|how long ago was that
    How many years ago did we meet|since when|what was the date of the trip|what year|How long have I lived here
    Wann war das|an welchem Tag kam er|seit wann|wie lange ist das her|¿Cuándo fui?|¿en qué mes nací?|hace cuánto tiempo
    quand es-tu venu|depuis quand|quel jour|en quelle année|quando foi a festa?|em que ano|há quanto tempo
    我什么时候去的|哪一年|多久|いつ行きましたか|何月に|मैं कब गया|किस साल|متى ذهبت|في أي يوم"""
NAMING = """When I was there, who came?|Call me when you can|what did we do last time|what did I do yesterday|7 May 2023
    was habe ich gestern gemacht|cuando fui, comí|いつも何を食べる|何を食べた|what happened in 2022|how do I cook rice|"""


def _lines(texts):
    return [text.strip() for text in texts.replace("\n", "|").split("|")]


@rows("text", _lines(ASKING))
def test_what_asks_for_a_time(text):
    """In nine languages, with or without the question's other words."""
    assert asks_when(text)


@rows("text", _lines(NAMING))
def test_what_does_not(text):
    """A "when" that joins clauses, a time that is given, or neither."""
    assert not asks_when(text)


def test_a_text_that_is_asked_again_is_resolved_against_the_new_time():
    """What is kept of a text are its words, not the times that they meant when it was read."""
    first, later = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 5, 20, tzinfo=UTC)
    [before] = periods("Where was I yesterday?", first)
    [after] = periods("Where was I yesterday?", later)
    assert (before.start.date(), after.start.date()) == (date(2026, 3, 1), date(2026, 5, 19))
    assert periods("Where was I yesterday?", first) == [before]


DAY = Period(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), "7 May 2023")
MONTH = Period(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC), "May 2023")
PAST = Period(datetime(1900, 1, 1, tzinfo=UTC), datetime(2023, 3, 1, tzinfo=UTC), "before March")

_MOMENTS = st.integers(-5_000_000_000, 10_000_000_000).map(
    lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
_PERIODS = st.tuples(_MOMENTS, st.timedeltas(timedelta(seconds=1), timedelta(days=9000))).map(
    lambda pair: Period(pair[0], pair[0] + pair[1], "then")
)


def closeness(period, moment):
    """Of one time."""
    [near] = closeness_of(period, np.array([moment.timestamp()])).tolist()
    return near


@rows(
    "period, half",
    [(DAY, timedelta(days=1)), (MONTH, timedelta(days=15.5)), (PAST, timedelta(days=183))],
)
def test_half_is_where_it_is_promised(period, half):
    """Half the length away, but at least a day and at most half a year; both sides alike."""
    assert closeness(period, period.start) == closeness(period, period.end) == 1
    assert closeness(period, period.end + half) == pytest.approx(0.5)
    assert closeness(period, period.start - half) == pytest.approx(0.5)
    assert closeness(period, period.end + 100 * half) < 0.001


@given(period=_PERIODS, moment=_MOMENTS, further=st.timedeltas(timedelta(0), timedelta(days=9999)))
def test_it_is_bounded_and_falls_with_distance(period, moment, further):
    """Within [0, 1], 1 inside, never more when one goes further away."""
    near = closeness(period, moment)
    assert 0 <= near <= 1
    if period.start <= moment < period.end:
        assert near == 1
    elif moment >= period.end:
        assert closeness(period, moment + further) <= near
    else:
        assert closeness(period, moment - further) <= near


@given(period=_PERIODS, moments=st.lists(_MOMENTS, max_size=20))
def test_many_at_once_are_as_one_by_one(period, moments):
    """No time changes what another one gets, and the numbers are in single precision."""
    result = closeness_of(period, np.array([moment.timestamp() for moment in moments]))
    assert result.dtype == np.float32
    assert result.tolist() == [closeness(period, moment) for moment in moments]


def test_what_is_no_time_is_not_close():
    """A memory without a usable time gets nothing, and the caller's array stays as it was."""
    starts = np.array([np.nan, np.inf, -np.inf, 1e300, DAY.start.timestamp()])
    before = starts.copy()
    assert closeness_of(DAY, starts).tolist() == [0, 0, 0, 0, 1]
    assert np.array_equal(starts, before, equal_nan=True)


def as_in_the_table(period):
    """A period as the table writes it: days, with the hour where it is not midnight."""
    return "/".join(
        moment.strftime("%Y-%m-%d" if moment.hour == moment.minute == 0 else "%Y-%m-%dT%H:%M")
        for moment in (period.start, period.end)
    )


@rows("rule", RULES)
def test_a_rule_gives_the_period_of_its_example(rule):
    """Nothing, for a rule that is there for what only looks like a time."""
    found = periods(rule.example, EXAMPLES_AT.replace(tzinfo=UTC))
    assert [as_in_the_table(period) for period in found] == ([rule.period] if rule.period else [])


@rows("rule", [rule for rule in RULES if rule.period])
def test_a_rule_reads_its_example_itself(rule):
    """No rule before it does: an example that another rule reads shows nothing."""
    reading = next(readings_of(rule.example))
    assert [mention.rule for mention in mentions(reading, EXAMPLES_AT)] == [rule.name]


EXAMPLES_NOW = EXAMPLES_AT.replace(tzinfo=UTC)


@rows("change", CHANGES)
def test_a_change_gives_the_period_of_its_example(change):
    """Before or behind the time."""
    assert [as_in_the_table(period) for period in periods(change.example, EXAMPLES_NOW)] == [
        change.period
    ]


@rows("change", CHANGES)
def test_the_example_needs_the_change(change):
    """Without it the time is another one."""
    kept = date_modifiers._COMPILED
    date_modifiers._COMPILED = tuple(row for row in kept if row[2] is not change.change)
    try:
        assert [as_in_the_table(period) for period in periods(change.example, EXAMPLES_NOW)] != [
            change.period
        ]
    finally:
        date_modifiers._COMPILED = kept


MORE = {
    "2023-05-07/2023-05-08": "il 7 maggio 2023|op 7 mei 2023|7 мая 2023 года|7 maja 2023|7 Mayıs 2023|2023년 5월 7일",
    "2023-08-07/2023-08-14": "la settimana scorsa|vorige week|на прошлой неделе|w zeszłym tygodniu|geçen hafta|지난주에",
    "2023-07-30/2023-08-06": "due settimane fa|twee weken geleden|две недели назад|przed dwoma tygodniami|iki hafta önce|2주 전에",
    "2022-01-01/2023-01-01": "nel 2022|in 2022|в прошлом году|w 2022|2022'de|2022년에|작년에",
    "2023-08-15/2023-08-16": "ieri|gisteren|вчера|wczoraj|dün|어제",
}  # fmt: skip
TIMES = {
    "2023-05-07/2023-05-08": """Was habe ich am 7. Mai 2023 gemacht?|07.05.2023|¿Qué hice el 7 de mayo de 2023?
        le 7 mai 2023|7 de maio de 2023|2023年5月7日|二〇二三年五月七日|2023/5/7|今年五月七日|5月7日に|7 मई 2023|7 مايو 2023""",
    "2023-05-01/2023-05-02": "le 1er mai|am 1. Mai|el primero de mayo|1º de maio",
    "2023-05-01/2023-06-01": """im Mai|en mayo|mayo de 2023|le mois de mai|em maio|2023年5月|2023年の5月|मई 2023 में
        في مايو 2023|五月""",
    "2022-01-01/2023-01-01": """letztes Jahr|im Jahr 2022|el año pasado|l'année dernière|l'an dernier|ano passado
        去年|昨年|2022年|पिछले साल|2022 में|العام الماضي|في عام 2022""",
    "2023-01-01/2024-01-01": "dieses Jahr|este año|cette année|este ano|今年|इस साल|هذا العام",
    "2024-01-01/2025-01-01": "nächstes Jahr|el próximo año|l'année prochaine|ano que vem|明年|来年|अगले साल|السنة القادمة",
    "2023-07-01/2023-08-01": """letzten Monat|el mes pasado|le mois dernier|mês passado|上个月|先月|पिछले महीने|الشهر الماضي""",
    "2023-08-01/2023-09-01": "diesen Monat|este mes|ce mois-ci|este mês|这个月|今月|इस महीने|هذا الشهر",
    "2023-09-01/2023-10-01": """nächsten Monat|el próximo mes|le mois prochain|mês que vem|下个月|来月|अगले महीने|الشهر القادم""",
    "2023-08-07/2023-08-14": """letzte Woche|la semana pasada|la semaine dernière|o que fiz na semana passada|上周|上個星期
        先週|पिछले हफ्ते|الأسبوع الماضي""",
    "2023-08-14/2023-08-21": "diese Woche|esta semana|cette semaine|这周|今週|इस हफ्ते|هذا الأسبوع",
    "2023-08-21/2023-08-28": """nächste Woche|la próxima semana|la semaine prochaine|próxima semana|下周|来週|अगले हफ्ते|الأسبوع المقبل""",
    "2023-08-12/2023-08-14": """am Wochenende|letztes Wochenende|el fin de semana pasado|le week-end dernier
        no fim de semana passado|上周末|周末我做了什么|先週末|週末に""",
    "2023-08-15/2023-08-16": "gestern|ayer|hier|ontem|anoche|昨夜|कल रात|昨天|昨日|きのう|أمس|البارحة",
    "2023-08-16/2023-08-17": "heute|hoy|heute Morgen|esta mañana|今早|今朝|aujourd'hui|hoje|今天|今日|आज|اليوم",
    "2023-08-17/2023-08-18": "morgen|mañana|demain|amanhã|明天|明日|غدا",
    "2023-08-14/2023-08-15": """vorgestern|anteayer|avant-hier|anteontem|前天|一昨日|أول أمس|letzten Montag|el lunes pasado
        lundi dernier|segunda-feira passada|月曜日に|पिछले सोमवार|يوم الاثنين الماضي|周一""",
    "2023-08-08/2023-08-09": "Dienstag letzte Woche|上周二|先週の火曜日",
    "2023-08-15T18:00/2023-08-16T06:00": "letzte Nacht|昨日の夜|الليلة الماضية|la nuit dernière",
    "2023-08-15T17:00/2023-08-16": "gestern Abend|hier soir|昨天晚上",
    "2023-08-16T05:00/2023-08-16T12:00": "ce matin|hoje de manhã|आज सुबह",
    "2023-08-15T12:00/2023-08-15T18:00": "ayer por la tarde|gestern Nachmittag|昨天下午|ontem de tarde",
    "2023-07-30/2023-08-06": """vor zwei Wochen|hace dos semanas|il y a deux semaines|há duas semanas|duas semanas atrás|两周前
        2週間前|दो हफ्ते पहले|قبل أسبوعين""",
    "2023-08-13/2023-08-14": """vor drei Tagen|hace 3 días|il y a trois jours|há três dias|三天前|3日前|तीन दिन पहले|قبل ثلاثة أيام""",
    "2023-07-01/2023-07-31": "vor einem Monat|hace un mes|il y a un mois|há um mês|一个月前|1ヶ月前|एक महीने पहले",
    "2023-05-16/2023-08-17": """in den letzten drei Monaten|los últimos tres meses|ces trois derniers mois|últimos três meses
        过去三个月|過去3ヶ月|पिछले तीन महीनों में""",
    "2023-06-01/2023-08-17": "seit Juni|desde junio|depuis juin|desde junho|6月以来|जून से|منذ يونيو|从六月开始",
    "1900-01-01/2023-03-01": """vor März 2023|antes de marzo de 2023|avant mars 2023|antes de março de 2023|2023年3月之前
        2023年3月まで|मार्च 2023 से पहले|قبل مارس 2023""",
    "2021-01-01/2100-01-01": "nach 2020|después de 2020|après 2020|depois de 2020|2020年以后|2020年以降|بعد 2020",
    "2023-05-01/2023-08-01": """zwischen Mai und Juli|entre mayo y julio|entre mai et juillet|entre maio e julho|从五月到七月
        5月から7月まで|بين مايو ويوليو""",
    "2023-05-05/2023-05-10": "vom 5. bis 9. Mai 2023|entre el 5 y el 9 de mayo",
    "2023-08-05/2023-08-06": "der erste Samstag im August|el primer sábado de agosto|le premier samedi d'août",
    "2023-06-02/2023-06-09": "die Woche vor dem 9. Juni 2023|la semana antes del 9 de junio",
    "1990-01-01/2000-01-01": "die 90er|los años 90|les années 90|os anos 90",
}  # fmt: skip

CASES = [
    (text.strip(), expected)
    for expected, texts in (*TIMES.items(), *MORE.items())
    for text in texts.replace("\n", "|").split("|")
]


@rows("text, expected", CASES)
def test_the_same_time_in_other_words(text, expected):
    """Each phrase names exactly the one period."""
    assert [f"{_short(p.start)}/{_short(p.end)}" for p in periods(text, NOW)] == [expected]


@rows("text, count", [("कल", 2), ("परसों", 2), ("05/07/2023 estaba con ella", 1)])
def test_a_language_decides_what_is_ambiguous(text, count):
    """Hindi has one word for yesterday and tomorrow; Spanish writes the day first."""
    assert len(periods(text, NOW)) == count


@rows(
    "text",
    """ich bin hier|ich habe zwei Hunde|il a été malade|mes amis sont là|sobre 2000 personas
    我有3个苹果|一起去吧|我以前喜欢什么|私は2つのりんごを食べた|मेरे पास 3 सेब हैं|عندي 3 تفاحات|目前怎么样
    tengo dos perros|tenho sete gatos|j'ai neuf chats|何を食べた""".replace("\n", "|").split("|"),
)
def test_what_is_no_time_in_other_languages(text):
    """Counts and words that mean something else elsewhere name no time."""
    assert periods(text.strip(), NOW) == []


_WITH_CALENDAR = [pack for pack in packs().values() if pack.calendar.units]


@rows("pack", _WITH_CALENDAR)
def test_every_calendar_is_whole(pack):
    """Twelve months or figures for them, seven weekdays, and the units that "last" needs."""
    calendar = pack.calendar
    weak = calendar.weak_months or [()] * 12
    assert all(map(any, zip(calendar.months, weak, strict=bool(calendar.months))))
    assert calendar.months or calendar.signs
    assert all(calendar.weekdays)
    assert set(calendar.units) >= {"day", "week", "month", "year"}
    assert all((calendar.weekdays, calendar.days, calendar.parts, calendar.this))
    assert any((calendar.ago, calendar.ago_first, calendar.ago_or_before))
    assert any((calendar.last, calendar.spans))


SLOVAK = """
code = "sk"
name = "Slovak"
script = "latin"
[words]
stop = "v, som, bol, bola, to, na, sa, čo, do, si"
[calendar]
months = '''január, januára, januári; február, februára, februári; marec, marca, marci; apríl, apríla;
máj, mája, máji; jún, júna, júni; júl, júla, júli; august, augusta, auguste; september, septembra;
október, októbra, októbri; november, novembra, novembri; december, decembra, decembri'''
weekdays = "pondelok; utorok; streda, stredu; štvrtok; piatok; sobota, sobotu; nedeľa, nedeľu"
numbers = '''
dva, dve, dvoma
tri, troma
'''
ago_first = "pred"
last = "minulý, minulú, minulom"
in_ = "v, vo"
asks = "kedy"
[calendar.units]
day = "deň, dni, dňami"
week = "týždeň, týždne, týždňami"
month = "mesiac, mesiaca, mesiacmi"
year = "rok, roka, roku, rokmi"
[calendar.days]
-1 = "včera"
"""


@pytest.fixture
def slovak(tmp_path):
    """A language that comes with no file, in a folder of one's own."""
    (tmp_path / "sk.toml").write_text(SLOVAK, encoding="utf-8")
    use_folder(tmp_path)
    yield
    use_folder(None)


@rows("text, expected", ROWS["a file is all that a calendar needs"])
@pytest.mark.usefixtures("slovak")
def test_a_file_is_all_that_a_calendar_needs(text, expected):
    """Declined months, counts and weekdays of a language that no code knows."""
    assert [f"{period.start:%Y-%m-%d}" for period in periods(text, NOW)] == [expected]


@pytest.mark.usefixtures("slovak")
def test_a_file_asks_and_tells():
    """Its question words, days and numbers are known everywhere."""
    assert asks_when("Kedy si bola v Košiciach?")
    assert tells_time("Bola som tam včera")
    assert number_words("sk") == {"dva": 2, "dve": 2, "dvoma": 2, "tri": 3, "troma": 3}
    assert spelled_numbers()["dvoma"] == 2


@rows("text, expected", ROWS["a language without a file has dates in digits"])
def test_a_language_without_a_file_has_dates_in_digits(text, expected):
    """Both readings, where nobody knows whether the month comes first."""
    assert [f"{period.start:%Y-%m-%d}" for period in periods(text, NOW)] == expected
