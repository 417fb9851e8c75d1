"""The same text in turn after turn."""

from recollect.memory.learn.firewall.repeated import cut_repeated

ONE = "The retrieved passages follow, sorted by their score. "
FACT = "I write everything in Python 3.11 and test it with pytest. "
FILE = "".join(f"Line number {n} of the file that is sent along each time.\n" for n in "abc")


def texts(*parts, **options):
    return [cut.text for cut in cut_repeated(parts, **options)]


def test_a_sentence_stays_where_it_comes_first():
    """It might be a fact; of an assistant's phrases none is needed."""
    assert texts(f"{ONE}a?", f"{ONE}b?", f"{ONE}c?") == [f"{ONE}a?", "b?", "c?"]
    assert texts(f"{ONE}a?", f"{ONE}b?", f"{ONE}c?", keep_first=False) == ["a?", "b?", "c?"]


def test_a_template_goes_altogether():
    """Many lines in a row are a file; what somebody says of themselves in it stays once."""
    assert texts(f"{FILE}a?", f"{FILE}b?", f"{FILE}c?") == ["a?", "b?", "c?"]
    both = FILE + FACT
    assert texts(f"{both}a?", f"{both}b?", f"{both}c?") == [f"{FACT}a?", "b?", "c?"]


def test_people_repeat_themselves():
    """Twice, in a few words, or the whole message again: theirs."""
    for rows in (
        [f"{ONE}a?", f"{ONE}b?"],
        ["Yes, please. a", "Yes, please. b", "Yes, please. c"],
        [FACT, FACT, FACT, f"{FACT}a?"],
        [],
        ["", "", ""],
    ):
        assert texts(*rows) == rows
        assert all(cut.pieces == 0 for cut in cut_repeated(rows))


def test_scripts_with_more_to_a_character():
    """A Chinese sentence of fourteen characters is one."""
    line = "以下是检索到的文档，请引用它们。"
    assert texts(f"{line}甲？", f"{line}乙？", f"{line}丙？") == [f"{line}甲？", "乙？", "丙？"]
