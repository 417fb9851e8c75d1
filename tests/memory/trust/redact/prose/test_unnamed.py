"""Values that open something although nothing names them."""

from recollect.memory.trust.redact import RedactOptions, Redactor
from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.terms import prose_of
from recollect.memory.trust.redact.prose.unnamed import find_unnamed
from recollect.memory.trust.redact.redactor import secrets_of
from tests.support import budget
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def redacted(text):
    """The text without its secrets."""
    return Redactor(RedactOptions()).redact(text).text


def found(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_unnamed(prose_of(view(text)))]


@rows("text, value", ROWS["what opens something is found"])
def test_what_opens_something_is_found(text, value):
    """Values by their look and the purpose beside them, in every order of words."""
    assert value in found(text)


@rows("text", ROWS["counts and other numbers stay"])
def test_counts_and_other_numbers_stay(text):
    """Units, years, versions, things' own numbers, models, names of networks, plain numerals."""
    assert found(text) == []


def test_a_corrected_code_takes_both():
    """The old one may still open something."""
    assert found("The alarm is 4409, no wait, it's 7716 now") == ["4409", "7716"]


def test_the_purpose_may_stand_in_the_sentence_before():
    """One sentence says what is opened, the next one with what."""
    assert found("You can log in to the library as me. It's Mallow#77pond.") == ["Mallow#77pond"]


@rows(
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
    """Long texts of cues and values do not hold the redactor."""
    assert isinstance(found(piece * (budget.examples(20_000) // len(piece))), list)


@rows("text, value", ROWS["some values need no sentence that tells of them"])
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


@rows("text, named", ROWS["what things and users are called stays"])
def test_what_things_and_users_are_called_stays(text, named):
    """Models, references, versions and user names beside what has passwords, in any script."""
    assert found(text.format(named)) == []


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
