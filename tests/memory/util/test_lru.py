"""A dictionary that stays small."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.util.lru import Lru

KEYS = st.sampled_from("abcdef")
STEPS = st.lists(st.tuples(st.sampled_from(["put", "get"]), KEYS, st.integers(0, 12)), max_size=60)


@given(STEPS, st.integers(0, 4), st.integers(0, 20))
def test_both_bounds_hold_after_every_step(steps, most, max_size):
    """Never more entries and never more size than allowed, and what is found is what was put."""
    kept, put = Lru(most, max_size=max_size, size=len), {}
    for what, key, size in steps:
        if what == "put":
            put[key] = "x" * size + key
            kept.put(key, put[key])
        elif (found := kept.get(key)) is not None:
            assert found == put[key]
        values = [value for key in "abcdef" if (value := kept.get(key)) is not None]
        assert len(values) == len(kept) <= most
        assert sum(map(len, values)) == kept.size <= max_size


def test_what_was_used_last_stays():
    """A look counts as a use, and so does putting it again."""
    kept = Lru(3)
    for key in "abc":
        kept.put(key, key)
    kept.get("a")
    kept.put("b", "B")
    kept.put("d", "d")
    assert [kept.get(key) for key in "abcd"] == ["a", "B", None, "d"]


def test_what_is_too_large_alone_pushes_out_nothing():
    """It is not kept, and neither is what it replaces; the others stay."""
    kept = Lru(10, max_size=6, size=len)
    kept.put("a", "12")
    kept.put("b", "34")
    kept.put("b", "1234567")
    assert (kept.get("a"), kept.get("b"), len(kept), kept.size) == ("12", None, 1, 2)


def test_looking_through_everything_is_no_use():
    """All entries, longest unused first, and the order stays."""
    kept = Lru(2)
    for key in "abc":
        kept.put(key, key.upper())
    kept.get("b")
    assert list(kept.items()) == list(kept.items()) == [("c", "C"), ("b", "B")]
    kept.put("d", "D")
    assert [kept.get(key) for key in "bcd"] == ["B", None, "D"]


@given(STEPS, KEYS, st.integers(1, 4))
def test_a_tag_finds_every_entry_that_has_it(steps, tag, most):
    """Also after entries were replaced or pushed out; and nothing of what is gone is held."""
    kept = Lru(most, tags=lambda value: value)
    for _, key, size in steps:
        kept.put(key, (key, "abcdef"[size % 6], "abcdef"[size % 5]))
    before = {key: value for key in "abcdef" if (value := kept.get(key))}
    assert set(kept._tagged) == {tag for value in before.values() for tag in value}
    kept.drop(lambda key: key != "b", tag=tag)
    for key, value in before.items():
        assert (kept.get(key) is None) == (tag in value and key != "b")
    kept.drop(lambda _: True)
    assert not kept._tagged
    assert not len(kept)
