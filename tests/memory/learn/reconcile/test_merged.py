import pytest

from recollect.memory.learn.reconcile.merged import MAX_CHARS, stands_in

OLD, NEW = "User works at Acme as a data scientist", "User moved to BigTech on 2026-03-01"


@pytest.mark.parametrize(
    ("merged", "stands"),
    [
        ("User works at BigTech as a data scientist since 2026-03-01", True),
        ("User, once at Acme, is a data scientist at BigTech", True),
        ("User works at BigTech in Berlin", False),
        ("User works at BigTech since 2025", False),
        ("", False),
        ("x" * (MAX_CHARS + 1), False),
    ],
)
def test_names_and_numbers_must_have_been_said(merged, stands):
    """Other words may be new; a name or a number is in one of the sources."""
    assert stands_in(merged, (OLD, NEW)) is stands


def test_scripts_without_capitals():
    """There every character must be in a source: nothing else tells a name."""
    old, new = "\u7528\u6237\u4f4f\u5728\u5317\u4eac", "\u7528\u6237\u5728\u4e0a\u6d77\u5de5\u4f5c"
    assert stands_in(
        "\u7528\u6237\u4f4f\u5728\u5317\u4eac\uff0c\u5728\u4e0a\u6d77\u5de5\u4f5c", (old, new)
    )
    assert not stands_in("\u7528\u6237\u4f4f\u5728\u5e7f\u5dde", (old, new))
