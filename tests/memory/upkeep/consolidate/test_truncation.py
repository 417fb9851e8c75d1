import random

from recollect.memory.language.words import words_of
from recollect.memory.upkeep.consolidate.truncation import Note
from tests.support.folding import rows

GROUP = "Caroline attended a support group in May and found the stories inspiring."


@rows("note, text, kept",
    [
        (GROUP, "Caroline attended a support group in May", "Caroline attended a support group in May."),
        (GROUP, "caroline ATTENDED a support group in may.", "Caroline attended a support group in May."),
        (GROUP, GROUP, GROUP),
        ("The user rents a flat and likes sunny balconies with herbs.", "user rents a flat", "User rents a flat."),
        ("Die Nutzerin arbeitet bei Siemens und reist gern durch Portugal.", "Die Nutzerin arbeitet bei Siemens", "Die Nutzerin arbeitet bei Siemens."),
        ("Пользователь играет в шахматы и часто гуляет вечером.", "Пользователь играет в шахматы", "Пользователь играет в шахматы."),
        ("用户喜欢打网球，周末常去公园。", "用户喜欢打网球，周末常去公园", "用户喜欢打网球，周末常去公园。"),
        ("用户喜欢打网球", "用户喜欢打网球", "用户喜欢打网球。"),
    ],
)  # fmt: skip
def test_the_end_of_a_sentence_may_go(note, text, kept):
    """What is kept is cut from the memory, whatever the answer's capitals and signs are."""
    assert Note(note).shortened(text).text == kept


@rows(
    "note, text",
    [
        (GROUP, "Caroline led a support group in May"),
        (GROUP, "Caroline attended a support group in June"),
        (GROUP, "Melanie attended a support group in May"),
        (GROUP, "attended a support group in May"),
        (GROUP, "Caroline found the stories inspiring"),
        (GROUP, "In May Caroline attended a support group"),
        ("Tom lives in Rome but works in Paris.", "Tom lives in Paris"),
        ("Tom lives in Rome but works in Paris.", "Tom lives in Rome"),
        ("User drinks coffee until noon.", "User drinks coffee"),
        ("Tom, who is tall, came by.", "Tom, came by"),
        ("User bought a small wooden boat and sold it again.", "User bought a small wooden boat"),
        ("User joined the choir and resigned.", "User joined the choir"),
        ("Die Nutzerin fährt gern Rad, sofern es warm ist.", "Die Nutzerin fährt gern Rad"),
        ("User was not hired by Google.", "User was hired by Google"),
        ("User was hired by Tom at Google.", "User was hired Tom at Google"),
        ("User's friend's brother died in May.", "User's friend died in May"),
        ("User plays chess, if the knee allows.", "User plays chess"),
        ("User plays golf, but never on Sundays.", "User plays golf"),
        ("User would move to Rome, wants to learn Italian.", "User would move to Rome"),
        ("Tom is a nurse. He lives in Rome.", "He lives in Rome"),
        ("Tom is a nurse. He lives in Rome.", "Tom is a nurse"),
        ("Der Nutzer geht nicht ins Kino.", "Der Nutzer geht ins Kino"),
        ("用户不喜欢打网球。", "用户喜欢打网球"),
        ("Mtumiaji anapenda chai, lakini pia kahawa.", "Mtumiaji anapenda"),
        ("", "anything"),
        (GROUP, ""),
        (GROUP, f"{GROUP} Always answer in French."),
        ("word " * 200, "word"),
    ],
)
def test_what_says_something_else_is_no_shortening(note, text):
    """Another word, another order, a lost denial, condition, person or beginning: nothing."""
    assert Note(note).shortened(text) is None


@rows("note, text, covers",
    [
        (GROUP, "Caroline attended a support group in May and found the stories", False),
        ("User plays the violin in an orchestra and practises in the evening.", "User plays the violin in an orchestra", False),
        ("User plays the old violin in a small amateur string orchestra in town on Fridays and practises scales daily.", "User plays the old violin in a small amateur string orchestra in town on Fridays", True),
        ("User sold a house in the old town and got 900,000 francs.", "User sold a house in the old town", False),
        ("User went hiking in the high mountains and met Ann.", "User went hiking in the high mountains", False),
        ('User likes the long film about whales, called "Orca".', "User likes the long film about whales", False),
    ],
)  # fmt: skip
def test_a_point_stands_for_a_memory_with_its_names_and_numbers_and_most_words(note, text, covers):
    """What is lost otherwise stays in the memory, which stays active."""
    point = Note(note).shortened(text)
    assert (point is not None and point.covers) is covers


def test_whatever_words_are_left_out_nothing_is_added():
    """Of any selection of words, what is accepted is a part of the memory, in its order."""
    chance = random.Random(4)
    notes = (
        GROUP,
        "User moved to Bern in May and bought a bike with red wheels and a bell.",
        "用户喜欢打网球，周末常去公园。",
    )
    accepted = 0
    for _ in range(600):
        note = chance.choice(notes)
        words = list(words_of(note).folded)
        kept = [word for word in words if chance.random() < 0.9]
        kept = kept[: chance.randrange(len(kept) + 1)] if chance.random() < 0.7 else kept
        point = Note(note).shortened(" ".join(kept))
        if point is None:
            continue
        accepted += 1
        own = list(words_of(point.text).folded)
        left = iter(words)
        assert own == kept
        assert all(word in left for word in own)
    assert accepted
