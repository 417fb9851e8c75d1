"""How findings are shown."""

from recollect.proxy.commands.findings import CheckResult, render


def test_the_rendering():
    """A line for each part, the mark first, the mending under it."""
    text = render(
        [
            CheckResult("a", ok=True, seen="fine"),
            CheckResult("long", ok=False, seen="no", mend="do it"),
        ]
    )
    assert text.splitlines() == ["ok    a     fine", "FAIL  long  no", "            -> do it"]
