"""Scripts without blanks, and Korean."""

from recollect.memory.language import index_terms, query_terms
from recollect.memory.language.analysis.unspaced import hangul_terms, unspaced_terms
from tests.support.folding import rows


@rows("query", ["猫", "小白", "咖啡"])
def test_one_word_finds_a_sentence(query):
    """A single character is a word, too."""
    document = index_terms("我养了一只猫叫小白，它喜欢咖啡馆")
    assert set(query_terms(query, {document.language})) & set(document.terms)


def test_loan_words_are_whole_and_found_in_compounds():
    """Katakana is written in words; a final long vowel may be left out."""
    assert list(unspaced_terms("ハワイ")) == ["ハワイ"]
    assert set(unspaced_terms("コンピューター")) == set(unspaced_terms("コンピュータ"))
    assert "ハワイ" in unspaced_terms("ハワイアン")


def test_particles_say_nothing():
    """Pairs of function characters and endings are left out, pairs with content stay."""
    assert list(unspaced_terms("です")) == []
    assert "的了" not in unspaced_terms("我的了")
    assert "食べ" in unspaced_terms("食べました")


def test_marks_stay_with_their_letter():
    """A Thai vowel sign above is no unit of its own."""
    assert list(unspaced_terms("กินข้าว")) == ["กิน", "นข้", "ข้า", "าว"]


@rows("query, document", [("집", "집에"), ("고양이", "고양이는"), ("학교", "학교에서")])
def test_korean_particles_are_no_obstacle(query, document):
    """A noun meets itself with a particle."""
    assert set(hangul_terms(query)) & set(hangul_terms(document))
