"""What is wrong with a pack."""

from recollect.memory.language import PackError
from recollect.memory.model.errors import InvalidInputError


def test_the_file_and_the_line_come_first():
    """As compilers do, so that editors lead there; a whole file has no line."""
    assert str(PackError("xx.toml", 14, "too few")) == "xx.toml:14: too few"
    assert str(PackError("xx.toml", 0, "is empty")) == "xx.toml: is empty"


def test_it_is_an_invalid_input():
    """Whoever opens an engine catches no error of its own."""
    assert isinstance(PackError("xx.toml", 0, "is empty"), InvalidInputError)
