"""Every language says the same times in its own words."""

from datetime import UTC, datetime

import pytest

from recollect.memory.language import packs, use_folder
from recollect.memory.language.dates import (
    asks_when,
    number_words,
    periods,
    spelled_numbers,
    tells_time,
)
from tests.support.folding import rows
from tests.support.tables import tables

NOW = datetime(2023, 8, 16, 14, 30, tzinfo=UTC)

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


def _short(moment):
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%dT%H:%M}"


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


ROWS = tables(__file__)


SLOVAK = """
code = "sk"
name = "Slovak"
script = "latin"
[words]
stop = "v, som, bol, bola, to, na, sa, čo, do, si"
[calendar]
months = '''
január, januára, januári
február, februára, februári
marec, marca, marci
apríl, apríla, apríli
máj, mája, máji
jún, júna, júni
júl, júla, júli
august, augusta, auguste
september, septembra, septembri
október, októbra, októbri
november, novembra, novembri
december, decembra, decembri
'''
weekdays = '''
pondelok
utorok
streda, stredu
štvrtok
piatok
sobota, sobotu
nedeľa, nedeľu
'''
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
