"""What a query names, and which texts hold that."""

from recollect.memory.forget.named import read_query

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
