"""One word in other spellings, and other words that look like it."""

from recollect.memory.language.spelled import is_same_compact, is_same_word

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
        for rows, right in ((SAME, True), (OTHER, False))
        for one, other, language in rows
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
