"""Numbers as words, and calendars of languages that are added."""

from datetime import UTC, datetime

import pytest

from recollect.memory.language import use_folder
from recollect.memory.language.dates import (
    asks_when,
    number_words,
    periods,
    spelled_numbers,
    tells_time,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NOW = datetime(2023, 8, 16, 14, 30, tzinfo=UTC)

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
