"""Values that stand behind the name of a secret."""

from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.named import find_named
from recollect.memory.trust.redact.prose.terms import prose_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def found(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_named(prose_of(view(text)))]


@rows("text, values", ROWS["a value is taken and nothing else"])
def test_a_value_is_taken_and_nothing_else(text, values):
    """Behind a sign, a word such as "is" or nothing; the words around it stay."""
    assert found(text) == values


@rows("text", ROWS["what is no value stays"])
def test_what_is_no_value_stays(text):
    """Plain words behind "is", counts, years, other sentences, function words, stories."""
    assert found(text) == []


@rows("count", [3, 12])
def test_a_list_is_taken_to_its_end(count):
    """As backup codes, which are often ten."""
    codes = [f"1f{number}k-9xq{number}" for number in range(count)]
    assert found("backup codes: " + ", ".join(codes)) == codes
