"""Values that open something although nothing names them."""

import pytest

from recollect.memory.trust.redact import RedactOptions, Redactor
from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose import unnamed
from recollect.memory.trust.redact.prose.terms import prose_of
from recollect.memory.trust.redact.prose.unnamed import find_unnamed
from recollect.memory.trust.redact.redactor import secrets_of
from tests.support import budget
from tests.support.folding import rows


def redacted(text):
    """The text without its secrets."""
    return Redactor(RedactOptions()).redact(text).text


def found(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_unnamed(prose_of(view(text)))]


@rows(
    "text, value",
    [
        ("The spare laptop opens with copper-heron-15.", "copper-heron-15"),
        ("For the back gate you press 4471 and the little star", "4471"),
        ("Zum Tresor: drücke 7 3 9 1 und dann die Raute", "7 3 9 1"),
        ("Entro al portal con Girasol_88 desde el móvil", "Girasol_88"),
        ("Le wifi de la maison, c'est lavande2031", "lavande2031"),
        ("Na alarme aperta nove dois quatro um", "nove dois quatro um"),
        ("Il cancello si apre con 8830#", "8830#"),
        ("De kluis gaat open met 52 71 90", "52 71 90"),
        ("На домофоне набери 38 ключ 4152", "38 ключ 4152"),
        ("보험 사이트는 Dubu_3310 으로 로그인해", "Dubu_3310"),
        ("wifi: jelly.fish_9 works in the kitchen too", "jelly.fish_9"),
    ],
)
def test_what_opens_something_is_found(text, value):
    """Values by their look and the purpose beside them, in every order of words."""
    assert value in found(text)


@rows(
    "text",
    [
        "We take the 4471 to the station and the 7716 back",
        "The door is 2040 mm high and the lock weighs 1400 g",
        "I press the grapes in 2019 barrels at home",
        "Open the app and read about covid-19 and Catch-22",
        "Our office is on floor 12, suite 4410, and opens at 0900",
        "My phone runs version 17.4 and the laptop has 32 GB",
        "The network is called Starling_5G",
        "I enter the race with number 4471 and run ten kilometres",
        "My locker number is 4512 and the locker is on the second floor",
        "Spind 4711 im Keller, Schließfach 2231 im Bahnhof",
        "我的储物柜号码是4512",
        "The office is in building 4410, press the lift button",
        "Enter hall 4, house number 1408",
        "My laptop is a ThinkPad-X1, the network printer an HP-4155e",
        "The alarm rang two times, then three times, then it stopped",
    ],
)
def test_counts_and_other_numbers_stay(text):
    """Units, years, versions, things' own numbers, models, names of networks, plain numerals."""
    assert found(text) == []


def test_a_corrected_code_takes_both():
    """The old one may still open something."""
    assert found("The alarm is 4409, no wait, it's 7716 now") == ["4409", "7716"]


def test_the_purpose_may_stand_in_the_sentence_before():
    """One sentence says what is opened, the next one with what."""
    assert found("You can log in to the library as me. It's Mallow#77pond.") == ["Mallow#77pond"]


@pytest.mark.parametrize(
    "words",
    [
        "lantern obey mango drift pistol acorn velvet siren umbrella quote famine tilt",
        "taivas kivi joki metsä lumi karhu kettu susi lintu kala meri saari",
    ],
)
def test_twelve_words_that_say_nothing_are_a_phrase(words):
    """A recovery phrase needs no name but a colon; eleven words, or a sentence, are none."""
    assert found(f"I copied it off the plate: {words}. Should I frame it?") == [words]
    assert found(f"I copied it off the plate: {words.partition(' ')[2]}. Should I?") == []
    assert found(f"{words}. Should I frame it?") == []


@rows(
    "piece",
    ["log in open the door Girasol_88 with 7x83 and ", "wifi a-b-c1. ", "one two zero zero . ", "Safe 12 then 34 then 56. ",
     "open 4471 ", "* ", "wifi a_1 ", "one ", "#9", "a-b.", "press "],
)  # fmt: skip
def test_long_texts_of_what_invites_work_are_read(piece):
    """A hundred thousand characters of cues and values do not hold the redactor."""
    assert isinstance(found(piece * (budget.examples(100_000) // len(piece))), list)


@rows(
    "text, value",
    [
        ("so it is 7 3 9 1, as ever", "7 3 9 1"),
        ("Well, nine one four zero two seven", "nine one four zero two seven"),
        ("Одно слово: это Dubu#3310-x7", "Dubu#3310-x7"),
        ("ერთი სიტყვა: Dubu_3310-x7", "Dubu_3310-x7"),
        ("the star: press one, it is 4471 star", "4471 star"),
    ],
)
def test_some_values_need_no_sentence_that_tells_of_them(text, value):
    """Digits apart, six in words, beside a key, and words with signs in a text of another script."""
    assert value in found(text)


@rows(
    "text",
    ["Well, one two", "One well-known trick is jelly.fish_9", "Одно слово: это Dubu_3310-x7"],
)
def test_other_values_need_one(text):
    """A few words for digits, and joined words, say nothing alone."""
    assert found(text) == []


@rows(
    "text, named",
    [
        ("Document reference {} is classified.", "doc-2024-001"),
        ("我用的电脑是联想{}。", "ThinkPadX1"),
        ("私のスマホは{}です。", "Pixel8a"),
        ("ฉันใช้โน้ตบุ๊ก {} กับเน็ตที่บ้าน", "ThinkPadX1"),
        ("집 컴퓨터는 {}예요.", "ryzen5600x"),
        ("We use {} for the website.", "gpt-4o-mini"),
        ("Der Fernseher ist ein {} mit WLAN.", "SamsungQ80T"),
        ("На сайте мы перешли на {}.", "ubuntu-24.04"),
        ("My username on the forum is {}.", "sunny_trails42"),
        ("我的账号是{}。", "xiaoming_2020"),
    ],
)
def test_what_things_and_users_are_called_stays(text, named):
    """Models, references, versions and user names beside what has passwords, in any script."""
    assert found(text.format(named)) == []


@rows("text", ["我家wifi密码是{}。", "is {} a strong password? I use it", "รหัสผ่านอีเมลของฉันคือ {}"])
@pytest.mark.parametrize("named", ["ThinkPadX1", "doc-2024-001"])
def test_what_a_thing_is_called_is_a_password_if_it_is_named_one(text, named):
    """The form of a name does not protect what is told as a secret."""
    read = prose_of(view(text.format(named)))
    assert named in {read.view.text[one.start : one.end] for one in secrets_of(read.view)}


def test_sentences_without_a_value_are_not_judged(monkeypatch):
    """As most of an answer: they cost a search for digits and signs."""
    judged = []
    monkeypatch.setattr(unnamed, "_scored", lambda *given: judged.append(given[1:3]) or ())
    found("The laptop opens. One more thing: it is grey. It opens with copper-heron-15.")
    assert judged == [(9, 15)]


@rows(
    "text",
    [
        "我用的电脑是联想ThinkPadX1。",
        "我的相机是SonyA7M4",
        "我们把分支改名为feature-v2了。",
        "Document reference doc-2024-001 is classified.",
        "Mi portátil es un LenovoIdeaPad5 y va lento.",
        "Our build server runs ubuntu-22.04-lts and python3-venv.",
        "新しい自転車はGiantTCR2を買いました。",
    ],
)
def test_names_and_versions_of_things_are_no_secrets(text):
    """A value that nothing calls a secret, and no lock takes, stays: things have such names."""
    assert redacted(text) == text


@rows(
    "text, secret",
    [
        ("家里的WiFi密码是xiaoyu7788lan。", "xiaoyu7788lan"),
        ("ログインはhidamari1203でできます。", "hidamari1203"),
        ("ანსამბლის პლანშეტზე Panduri-gatexili4 უნდა აკრიფო.", "Panduri-gatexili4"),
    ],
)
def test_what_is_told_in_another_script_is_still_found(text, secret):
    """A secret in Latin letters is found where it is named, and in languages that nobody reads."""
    assert secret not in redacted(text)
