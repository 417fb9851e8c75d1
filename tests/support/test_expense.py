"""What `make quick` leaves out."""

from tests.support.expense import KEPT_SECONDS, LONG_SECONDS, long_ones

DEAR, CHEAP = LONG_SECONDS * 2, LONG_SECONDS / 4


def test_a_room_whose_tests_are_all_long_keeps_its_cheapest():
    kept = {
        "tests/a/test_one.py::test_dear": (DEAR, 0),
        "tests/a/test_two.py::test_dearer": (DEAR * 2, 0),
        "tests/b/test_one.py::test_cheap": (CHEAP, 0),
        "tests/b/test_one.py::test_dear": (DEAR, 0),
        "tests/c/test_one.py::test_far_too_dear": (KEPT_SECONDS * 2, 0),
    }
    assert long_ones(kept) == [
        "tests/a/test_two.py::test_dearer",
        "tests/b/test_one.py::test_dear",
        "tests/c/test_one.py::test_far_too_dear",
    ]


def test_rows_of_a_function_count_together():
    rows = {f"tests/a/test_one.py::test_rows[{n}]": (LONG_SECONDS / 3, 0) for n in range(4)}
    assert long_ones({**rows, "tests/a/test_one.py::test_cheap": (CHEAP, 0)}) == [
        "tests/a/test_one.py::test_rows"
    ]
