"""What a section's fields know of themselves."""

from dataclasses import dataclass, fields

from recollect.memory.language.fields import Kind, Named, Rows, Terms, flag, named, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A section of one field of each kind."""

    one: Terms = terms("Terms.")
    two: Rows = rows("Rows.", 2)
    three: Named = named("By name.", frozenset({"a"}))
    four: bool = flag("True or not.")


def test_nothing_is_the_default():
    """A language without a value reads nothing by it."""
    empty = Example()
    assert (empty.one, empty.two, empty.three, empty.four) == ((), (), {}, False)


def test_a_field_says_how_it_is_written_and_what_it_means():
    """The reader, the skeleton and the reference all start from this."""
    about = [field.metadata for field in fields(Example)]
    assert [each["kind"] for each in about] == [Kind.TERMS, Kind.ROWS, Kind.NAMED, Kind.FLAG]
    assert [each["doc"] for each in about] == ["Terms.", "Rows.", "By name.", "True or not."]
    assert about[1]["size"] == 2
    assert about[2]["names"] == {"a"}
