"""Words, names, scripts and codes in one form of writing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import (
    index_terms,
    names_in,
    names_like_pronouns,
    query_terms,
    speaker_of,
)
from recollect.memory.language.codes import codes_in, holds_code
from recollect.memory.language.fold import MAX_CHARS, clean, fold
from recollect.memory.language.names import is_spelled_alike, sounds_of
from recollect.memory.language.spelling import is_same_compact, is_same_word
from recollect.memory.language.words import (
    _ASCII_TOKEN,
    _TOKEN,
    folded_words,
    is_question,
    sentences,
    words_of,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, folded", ROWS["words are folded in every script"])
def test_words_are_folded_in_every_script(text, folded):
    """Case, accents, width and invisible characters make no difference between words."""
    assert folded_words(text) == folded
    assert words_of(text).folded == folded


def test_punctuation_parts_clauses_and_sentences():
    """A comma parts clauses, a full stop before a blank and a line end part sentences."""
    words = words_of("It costs 3.50 euros, I think. Ask Bob\nThanks. 好。再见")
    assert sorted(words.clause_starts) == [0, 3, 5, 7, 9, 10, 11]
    assert [" ".join(words.folded[a:b]) for a, b in words.sentences] == [
        "it costs 3 50 euros i think", "ask bob", "thanks", "好", "再 见",
    ]  # fmt: skip


@given(st.text() | st.text(alphabet=".!?…。 \n\"')a「」"))
def test_joined_they_are_the_text(text):
    """Nothing is lost between them, and none is empty."""
    parts = sentences(text)
    assert "".join(parts) == text
    assert all(parts)


def test_where_sentences_end():
    """At their mark or the line's end; not in a number, an abbreviation or a name."""
    assert sentences("Hi there! It costs 4.50 now. See St. Olav, e.g. today.\n\nBye") == [
        "Hi there! ", "It costs 4.50 now. ", "See St. Olav, e.g. today.\n\n", "Bye",
    ]  # fmt: skip
    assert sentences("我住在奥斯陆。我喜欢茶。") == ["我住在奥斯陆。", "我喜欢茶。"]


def test_questions():
    """By their last mark, in every script."""
    for text in ("Really? ", "好吗？", '"Why?"', "هل؟"):
        assert is_question(text)
    assert not is_question("Yes.")


@given(st.text(st.sampled_from("abcdlmnsTUXq019_'\".,;:!?()- \n\r\t#@"), max_size=60))
def test_ascii_has_the_same_words_by_the_quicker_way(text):
    """Texts of ASCII alone are read by a pattern of their own, which finds what the other finds."""
    every, quick = (
        [(token.span(), bool(token.lastgroup)) for token in pattern.finditer(text)]
        for pattern in (_TOKEN, _ASCII_TOKEN)
    )
    assert quick == every


@given(st.text())
def test_folding_twice_changes_nothing(text):
    """Terms of terms are the same terms."""
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(codec=None)))
def test_cleaning_leaves_what_can_be_encoded(text):
    """Lone surrogates are gone."""
    if not text.isascii():
        clean(text).encode()


def test_the_length_is_bounded():
    """Even where NFKC lengthens a text."""
    assert len(clean("\ufdfa" * MAX_CHARS)) <= MAX_CHARS


@rows("one, other", ROWS["two ways of writing are one"])
def test_two_ways_of_writing_are_one(one, other):
    """What a keyboard lacks keeps nobody from finding."""
    assert fold(clean(one)) == fold(clean(other))


@rows("question, document", ROWS["accents may be left out"])
def test_accents_may_be_left_out(question, document):
    """On either side, beside the stem of the word as it should be written."""
    made = index_terms(document)
    assert set(query_terms(question, {made.language})) & set(made.terms)


SAME = [
    ("José", "JOSE", "es"),
    ("Müller", "Mueller", "de"),
    ("Großmann", "Grossmann", "de"),
    ("Anna", "Annas", "de"),
    ("Иван", "Ivan", "en"),
    ("Νίκος", "Nikos", "en"),
    ("Παπαδόπουλος", "Papadopoulos", "en"),
    ("محمد", "Mohammed", "en"),
    ("דוד", "David", "en"),
    ("शर्मा", "Sharma", "en"),
    ("Иван", "Ивана", "ru"),
    ("Анна", "Анну", "ru"),
    ("Анне", "Анну", "ru"),
    ("Marek", "Markowi", "pl"),
    ("Nowak", "Nowaka", "pl"),
    ("Anna", "Annának", "hu"),
    ("김민지는", "김민지에", "ko"),
    ("محمد", "ومحمد", "ar"),
]
OTHER = [
    ("Smith", "Smithson", "en"),
    ("Catherine", "Katherine", "en"),
    ("Maria", "Mario", "es"),
    ("Muller", "Mueller", "de"),
    ("Karl", "Karla", "de"),
    ("Иван", "Иванов", "ru"),
    ("Novák", "Nováková", "cs"),
    ("Nowak", "Nowakowski", "pl"),
    ("Павлов", "Павлюк", "ru"),
    ("Ивона", "Ivan", "en"),
    ("محمود", "Mohammed", "en"),
    ("김민지", "김민정", "ko"),
    ("Anna", "Annas", "en"),
]


def test_what_is_one_word():
    """Case, accents, umlauts, endings where a language has them, and scripts; no other name."""
    wrong = [
        (one, other, language)
        for table, right in ((SAME, True), (OTHER, False))
        for one, other, language in table
        if is_same_word(one, other, frozenset({language})) is not right
        or is_same_word(other, one, frozenset({language})) is not right
    ]
    assert not wrong


def test_scripts_without_blanks():
    """A name of two or more characters, in either order."""
    assert is_same_compact(["Zhang", "Wei"], "张伟")
    assert is_same_compact(["Wei", "Zhang"], "给张伟的书")
    assert is_same_compact(["Kim", "Minji"], "김민지는")
    assert is_same_compact(["Taro"], "タロウ")
    assert not is_same_compact(["Zhang", "Wei"], "王伟")
    assert not is_same_compact(["Li"], "李家")


HELD = [
    ("TKT-100", "Ticket TKT-100 was resolved."),
    ("tkt-100", "Ticket ＴＫＴ－１００."),
    ("TKT-100", "(TKT 100)"),
    ("TKT-100", "TKT-100の件"),
    ("TKT-100", "番号TKT-100は発送済み"),
    ("TKT-100", "a TKT-100-ról"),
    ("TKT-100", "TKT-100's owner"),
    ("4111111111111234", "No. 4111 1111 1111 1234."),
    ("4111 1111 1111 1234", "4111-1111-1111-1234"),
    ("alice@beta.io", "alice@beta.io's plan"),
    ("/etc/app/conf", "The file /etc/app/conf is used."),
    ("12.05.2024", "on 12-05-2024"),
    ("5,000", "I owe 5000 euros"),
    ("5000", "5.000 Euro"),
    ("#INC-22184", "INC-22184 is open"),
    ("(650) 555-0177", "call 650-555-0177"),
    ("XK7L-9P3Q", "XK7L.9P3Q"),
    ("order_2024_001", "order_2024_001 was for 5"),
    ("٤٢٧٧٣", "the number 42773"),
]
OTHERS = [
    ("TKT-100", "Ticket TKT-1000 is open."),
    ("TKT-100", "TKT-100-2"),
    ("TKT-100", "XTKT-100"),
    ("emp-789-1234", "emp-789-5678"),
    ("emp-789", "emp-789-1234"),
    ("alice@acme.io", "alice.smith@acme.io"),
    ("bob@example.com", "bob@example.com.uk"),
    ("/etc/app/conf", "/etc/app/conf.bak"),
    ("mycompany.com", "mycompany.com.br"),
    ("project_2024", "project_2024_v2"),
    ("12345", "case 123456"),
    ("1234", "4111 1111 1111 1234"),
    ("1.2", "version 12"),
    ("1.2", "version 1.20"),
    ("A-1-12", "A-11-2"),
    ("3.5", "35 km"),
]


def test_a_code_is_found_whole_in_any_spelling():
    """Case, width, blanks and hyphens do not matter; one digit more does."""
    wrong = []
    for table, right in ((HELD, True), (OTHERS, False)):
        for query, text in table:
            [code] = codes_in(query)
            if holds_code(text, code) is not right:
                wrong.append((query, text, right))
    assert not wrong


@rows("text, name", ROWS["speaker of"])
def test_speaker_of(text, name):
    """At most three words before a colon that can be a name."""
    assert speaker_of(text) == name


@rows(
    "text, names",
    [
        ("When did Melanie's son visit Paris?", {"melanie", "paris"}),
        ("Caroline: Hey Mel! We went to New York.", {"caroline", "mel", "new", "york"}),
        ("Then I'm off. The end", set()),
        ("Caroline's hobby? What's that", {"caroline"}),
        ("nothing here", set()),
        ("Где живёт Иван?", {"иван"}),
        ("我喜欢北京", set()),
    ],
)
def test_names_in(text, names):
    """Capitals at a sentence's start say nothing, and function words name nobody."""
    assert names_in(text) == names


@rows("one, other", ROWS["spellings of one name"])
def test_spellings_of_one_name(one, other):
    """In one script and across two, in both directions."""
    assert is_spelled_alike(one, other)
    assert is_spelled_alike(other, one)


@rows("one, other", ROWS["two names"])
def test_two_names(one, other):
    """Other consonants, another first vowel, or too little to tell."""
    assert not is_spelled_alike(one, other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(one, other):
    """Never fails, and is the same both ways round."""
    assert isinstance(sounds_of(one), str)
    assert is_spelled_alike(one, other) == is_spelled_alike(other, one)


@rows(
    "text, names",
    [
        ("How many states does the US have?", {"US"}),
        ("Who was Henry I?", {"I"}),
        ("When did World War I end?", {"World", "War", "I"}),
        ("Was Queen Elizabeth I married?", {"Queen", "Elizabeth", "I"}),
        ("Ieri ho visto Mia al mercato", {"Mia"}),
        ("Wo wohnt Mia jetzt?", {"Mia"}),
    ],
)
def test_an_acronym_a_numeral_and_a_name(text, names):
    """By capitals where a pronoun has none."""
    words = words_of(text)
    found = {words.raw[i] for i in names_like_pronouns(words)}
    assert found & {"US", "I", "Mia"} == names & {"US", "I", "Mia"}


@rows("text", ROWS["pronouns stay pronouns"])
def test_pronouns_stay_pronouns(text):
    """At the start of a clause, alone, or where everything is in capitals."""
    words = words_of(text)
    found = {words.raw[i] for i in names_like_pronouns(words)}
    assert found.isdisjoint({"I", "Mia", "ME", "MY", "us"})
