"""Cuts pieces and sentences out of a text and keeps the rest unchanged. Pure."""

from recollect.memory.learn.firewall.spans import first_person, negated


def test_moods():
    """Who speaks and who denies, in several languages; looking for it never fails."""
    for text in ("I like tea", "meine Katze", "j'aime", "我喜欢茶", "mi gato", "minha casa"):
        assert first_person(text)
    assert not first_person("The build uses pnpm.")
    for text in ("No!", "I don't", "nicht mehr", "不是", "ya no", "住んでいません"):
        assert negated(text)
    assert not negated("You live in Oslo.")
    assert not first_person("\ud800\u0000")
