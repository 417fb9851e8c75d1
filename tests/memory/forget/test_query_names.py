"""What a query names, which texts hold that, and which hits of a search are meant."""

from __future__ import annotations

from types import SimpleNamespace

from recollect.memory.calibration import Calibration
from recollect.memory.forget.query_matches import clearest, closest, nearest_of
from recollect.memory.forget.query_names import read_query
from recollect.memory.forget.text import Text, tokens_of
from recollect.memory.recall.signals import Signal

HELD = [
    # query, texts, the numbers of those that hold it
    ("Ivan Petrov", ["Customer Иван Петров pays.", "Ivan Petrov is here.", "Ivan Pavlov"], [0, 1]),
    ("everything about Frank", ["Frank left.", "It was a frank talk.", "He met Frank."], [0, 2]),
    ("john smith", ["A Mr. John Smith called.", "A Mr. John Smithson called."], [0]),
    ("John Smith", ["Smith, John (patient)", "John met Smith"], [0]),
    ("Anne", ["My aunt Anne is here.", "My aunt Anne-Marie is here."], [0]),
    (
        "Kim Minji 김민지",
        ["김민지는 서울에 산다.", "A friend is Kim Minji.", "민호는 부산에 산다."],
        [0, 1],
    ),
    ("room 12", ["Room 12 is booked.", "Room 120 is free.", "We are 12 people."], [0]),
    ("TKT-1 and TKT-20", ["TKT-1 is open.", "TKT-20 is open.", "TKT-201 is open."], [0, 1]),
    ("commande cmd 2024 018", ["N° CMD-2024-018", "N° CMD-2024-0180"], [0]),
    ("关于张伟", ["张伟下了订单。", "Zhang Wei has plan A.", "王伟住在杭州。"], [0, 1]),
    ("Über Herrn Müller", ["Herr Müller zahlt.", "Herr Mueller zahlt.", "Herr Möller"], [0, 1]),
    ("l'adresse d'Alice", ["Alice habite à Lyon.", "Alix habite à Nice."], [0]),
]


def test_names_and_codes_are_held_whole():
    """In any script and spelling; what is written nearly so is another one."""
    wrong = []
    for query, stored, right in HELD:
        named, texts = read_query(query, stored)
        if (found := [at for at, text in enumerate(texts) if named.held_by(text)]) != right:
            wrong.append((query, found, right))
    assert not wrong


def test_who_is_said_to_be_somebody_else_is():
    """Sister Anna is not colleague Anna; of whom nothing is said, it may be she."""
    named, texts = read_query(
        "my sister Anna", ["My sister Anna", "My colleague Anna", "Yesterday I met Anna"]
    )
    assert [named.is_another(text) for text in texts] == [False, True, False]


def test_a_role_behind_the_name_is_one_too():
    """With words of grammar between; whose husband somebody is tells nothing about Karen."""
    stored = [
        "Karen is my boss.",
        "Karen's husband",
        "Karen, my landlady, called",
        "Karen has a van",
    ]
    named, texts = read_query("my boss Karen", stored)
    assert [named.is_another(text) for text in texts] == [False, False, True, False]


def test_a_capital_in_front_makes_another_name():
    """Unless it is a role, or nobody stands there without one."""
    named, texts = read_query("York", ["I lived in York.", "I saw New York.", "I saw Aunt York."])
    assert [named.stands_alone_in(text) for text in texts] == [True, False, True]


def test_another_number_or_name_in_its_place_denies():
    """Nothing stored is named, but what has no other one may be meant."""
    for query, text, denied in (
        ("room 12", "Room 14 is booked.", True),
        ("ticket TKT-100", "The ticket is open.", True),
        ("my trip to Rome", "The trip to Paris was nice.", True),
        ("my trip to Rome", "The trip was nice.", False),
        ("Nina Bergman", "Nina has a cello.", True),
        ("my 2 children", "User has two children.", False),
    ):
        named, [read] = read_query(query, [text])
        assert named.denied_by(read) is denied, query


def test_words_without_what_hangs_on_them():
    """Genitives, elided articles and endings behind an apostrophe; not an Irish name."""
    text = "Anna's flat, l'ami d'Alice, Mehmet'in evi, O'Brien, 张伟さん"
    words = [each.text for each in tokens_of(text)]
    assert words == [
        "Anna", "flat", "ami", "Alice", "Mehmet", "evi", "O'Brien", "张伟", "さん"
    ]  # fmt: skip


def test_a_small_letter_is_no_name_where_capitals_are_written():
    """Who writes none at all means the name all the same."""
    assert not Text("We had a frank talk.").holds(("Frank",))
    assert Text("we met frank yesterday").holds(("Frank",))


def clear(*cosines, **bounds):
    hits = [SimpleNamespace(item=cosine, cosine=cosine) for cosine in cosines]
    return clearest(nearest_of(hits), **bounds)


def test_the_nearest_is_meant_if_nothing_else_is_near():
    """By far, and near at all: of what is not stored something is the nearest too."""
    assert clear(0.2, 0.5, 0.3) == [0.5]
    assert clear(0.5) == [0.5]
    assert clear(0.5, 0.45) == clear(0.1, 0.0) == clear() == []


def test_what_stays_may_be_told_apart_less_clearly():
    """The bounds are the caller's."""
    assert clear(0.5, 0.45, apart=0.0) == [0.5]


MEASURED = Calibration(recall=0.2, update=0.9, same=0.95, floor=0.2, ceiling=0.5)


def hit(name, cosine, coverage=0.0, entity=0.0):
    signals = {Signal.ENTITY: entity}
    return SimpleNamespace(name=name, cosine=cosine, coverage=coverage, signals=signals)


def chosen(*hits):
    return [each.name for each in closest(list(hits), MEASURED)]


def test_one_thing_is_meant():
    """What shares a word with it by chance, or is of a like kind, is not."""
    assert chosen(hit("job", 0.7, 1.0), hit("gym", 0.2, 0.5), hit("home", 0.35)) == ["job"]


def test_all_about_one_person_is_meant():
    """Each line with the name that is about as near."""
    near = (hit("moved", 0.43, 0.4), hit("twins", 0.4, 0.4))
    assert chosen(*near, hit("peanuts", 0.2)) == ["moved", "twins"]


def test_other_words_for_the_same_are_meant():
    """Without a word in common it must be very near."""
    assert chosen(hit("meat", 0.6), hit("fish", 0.4)) == ["meat"]


def test_a_name_is_near_enough():
    """Whatever is told of somebody, the name is in it."""
    assert chosen(hit("anna", 0.2, 0.4, entity=0.2), hit("tea", 0.1)) == ["anna"]


def test_nothing_near_is_nothing():
    """What is merely the nearest is not meant."""
    assert chosen() == []
    assert chosen(hit("car", 0.34), hit("flat", 0.22)) == []


def test_all_words_are_enough():
    """What holds every word of the query is meant, however long it is besides."""
    assert chosen(hit("tea", 0.2, 1.0), hit("coffee", 0.5, 0.3)) == ["tea"]
