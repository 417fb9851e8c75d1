"""Secrets that a sentence tells, in every language with a pack."""

from recollect.memory.language import packs
from recollect.memory.trust.redact import RedactOptions, Redactor
from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.named_secrets import find_named
from recollect.memory.trust.redact.prose.personal import find_documents
from recollect.memory.trust.redact.prose.terms import prose_of
from recollect.memory.trust.redact.prose.unnamed_secrets import find_unnamed
from recollect.memory.trust.redact.redactor import secrets_of
from tests.support.findings import find_secrets
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def found(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_named(prose_of(view(text)))]


@rows("text, values", ROWS["a value is taken and nothing else"])
def test_a_value_is_taken_and_nothing_else(text, values):
    """Behind a sign, a word such as "is" or nothing; the words around it stay."""
    assert found(text) == values


@rows("text", ROWS["what is no value stays"])
def test_what_is_no_value_stays(text):
    """Plain words behind "is", counts, years, other sentences, function words, stories."""
    assert found(text) == []


@rows("count", [3, 12])
def test_a_list_is_taken_to_its_end(count):
    """As backup codes, which are often ten."""
    codes = [f"1f{number}k-9xq{number}" for number in range(count)]
    assert found("backup codes: " + ", ".join(codes)) == codes


def documents_in(text):
    """The numbers in a text, in order."""
    return [text[one.start : one.end] for one in find_documents(prose_of(view(text)))]


@rows("text, number", ROWS["the number is taken and nothing else"])
def test_the_number_is_taken_and_nothing_else(text, number):
    """Neither the words before it nor a date beside it."""
    assert documents_in(text) == [number]


def test_a_number_is_never_cut():
    """Whatever its distance from the name is: all of it goes, or nothing."""
    for gap in range(60):
        text = f"passport {'x' * gap} 533401987"
        assert documents_in(text) in ([], ["533401987"])


@rows("text", ROWS["dates and other numbers stay"])
def test_dates_and_other_numbers_stay(text):
    """When a document ends is a fact about the user; amounts and orders are no part of it."""
    assert documents_in(text) == []


def secrets_in(text):
    return [text[f.start : f.end] for f in find_secrets(text)]


@rows("language, told, code, counted", ROWS["a password a code and a count by language"])
def test_a_value_after_its_name(language, told, code, counted):
    """A password is taken, a code beside its lock too, a count is not."""
    assert packs()[language].secrets.password
    assert secrets_in(told) == ["Kestrel-81x"]
    assert secrets_in(code) == ["4821"]
    assert secrets_in(counted) == []


@rows("text, secret", ROWS["a value before its name"])
def test_a_value_before_its_name(text, secret):
    """The words between say whose it is."""
    assert secrets_in(text) == secret


@rows("text, secret", ROWS["what a value may be"])
def test_what_a_value_may_be(text, secret):
    """Words for digits, phrases, lists, pairs of user and password, quotes."""
    assert secret in secrets_in(text)


@rows("text", ROWS["what is said about secrets stays"])
def test_what_is_said_about_secrets_stays(text):
    """Rules, states, years, counts, other numbers and longer names of other things."""
    assert secrets_in(text) == []


def redacted(text):
    """The text without its secrets."""
    return Redactor(RedactOptions()).redact(text).text


def unnamed_in(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_unnamed(prose_of(view(text)))]


@rows("text, value", ROWS["what opens something is found"])
def test_what_opens_something_is_found(text, value):
    """Values by their look and the purpose beside them, in every order of words."""
    assert value in unnamed_in(text)


@rows("text", ROWS["counts and other numbers stay"])
def test_counts_and_other_numbers_stay(text):
    """Units, years, versions, things' own numbers, models, names of networks, plain numerals."""
    assert unnamed_in(text) == []


def test_a_corrected_code_takes_both():
    """The old one may still open something."""
    assert unnamed_in("The alarm is 4409, no wait, it's 7716 now") == ["4409", "7716"]


def test_the_purpose_may_stand_in_the_sentence_before():
    """One sentence says what is opened, the next one with what."""
    assert unnamed_in("You can log in to the library as me. It's Mallow#77pond.") == [
        "Mallow#77pond"
    ]


@rows(
    "words",
    [
        "lantern obey mango drift pistol acorn velvet siren umbrella quote famine tilt",
        "taivas kivi joki metsä lumi karhu kettu susi lintu kala meri saari",
    ],
)
def test_twelve_words_that_say_nothing_are_a_phrase(words):
    """A recovery phrase needs no name but a colon; eleven words, or a sentence, are none."""
    assert unnamed_in(f"I copied it off the plate: {words}. Should I frame it?") == [words]
    assert unnamed_in(f"I copied it off the plate: {words.partition(' ')[2]}. Should I?") == []
    assert unnamed_in(f"{words}. Should I frame it?") == []


@rows("text, value", ROWS["some values need no sentence that tells of them"])
def test_some_values_need_no_sentence_that_tells_of_them(text, value):
    """Digits apart, six in words, beside a key, and words with signs in a text of another script."""
    assert value in unnamed_in(text)


@rows(
    "text",
    ["Well, one two", "One well-known trick is jelly.fish_9", "Одно слово: это Dubu_3310-x7"],
)
def test_other_values_need_one(text):
    """A few words for digits, and joined words, say nothing alone."""
    assert unnamed_in(text) == []


@rows("text, named", ROWS["what things and users are called stays"])
def test_what_things_and_users_are_called_stays(text, named):
    """Models, references, versions and user names beside what has passwords, in any script."""
    assert unnamed_in(text.format(named)) == []


@rows("text", ["我家wifi密码是{}。", "is {} a strong password? I use it", "รหัสผ่านอีเมลของฉันคือ {}"])
@rows("named", ["ThinkPadX1", "doc-2024-001"])
def test_what_a_thing_is_called_is_a_password_if_it_is_named_one(text, named):
    """The form of a name does not protect what is told as a secret."""
    read = prose_of(view(text.format(named)))
    assert named in {read.view.text[one.start : one.end] for one in secrets_of(read.view)}


@rows("text", ROWS["names and versions of things are no secrets"])
def test_names_and_versions_of_things_are_no_secrets(text):
    """A value that nothing calls a secret, and no lock takes, stays: things have such names."""
    assert redacted(text) == text


@rows("text, secret", ROWS["what is told in another script is still found"])
def test_what_is_told_in_another_script_is_still_found(text, secret):
    """A secret in Latin letters is found where it is named, and in languages that nobody reads."""
    assert secret not in redacted(text)
