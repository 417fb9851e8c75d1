"""The texts of a turn on their way into the store."""

from recollect.filters.capture.redacting import Once, Redacting
from recollect.filters.capture.texts import Texts, prepare, tokens_of, work
from recollect.memory.model.types import ToolStep

RAW = Texts("my key", "your key", [ToolStep("key", '{"key": 1}', "the key")])


def test_every_text_is_prepared():
    """Of both sides and of each step; how much that is to look at is known before."""
    once = Once(Redacting(lambda text: text.replace("key", "[gone]")), {})
    assert work(RAW, once, 1000) == len("my keyyour key") + len('{"key": 1}the key')
    kept = prepare(RAW, once, 1000)
    assert list(kept.all()) == ["my [gone]", "your [gone]", "[gone]", '{"[gone]": 1}', "the [gone]"]
    assert work(RAW, Once(Redacting(), once.kept), 1000) == 0


def test_every_text_is_bounded():
    """A name too."""
    kept = prepare(
        Texts("u" * 5000, "a" * 5000, [ToolStep("n" * 5000, "x" * 5000, "r" * 9000)]),
        Once(Redacting(), {}),
        1000,
    )
    assert all(len(text) < 4100 for text in kept.all())
    assert len(kept.user) < 1100
    assert len(kept.steps[0].name) < 300


def test_tokens():
    """About four bytes each, and none for what is empty."""
    assert tokens_of(Texts("", "", [])) == 0
    assert tokens_of(Texts("x" * 400, "", [])) == 101
    assert tokens_of(RAW) == sum(len(text) // 4 + 1 for text in RAW.all())
