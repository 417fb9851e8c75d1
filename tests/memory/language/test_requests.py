"""The words of a request and what they say about it, in the languages it may be in."""

from recollect.memory.language import packs, using_folder
from recollect.memory.language.requests import Cue, cues_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, code", ROWS["the language is told by script and function words"])
def test_the_language_is_told_by_script_and_function_words(text, code):
    """The right language is always among those that are considered."""
    assert code in cues_of(text).languages


@rows("text, personal", ROWS["first persons are told from what looks like them"])
def test_first_persons_are_told_from_what_looks_like_them(text, personal):
    """Numerals, acronyms, titles and identifiers are no pronouns."""
    assert cues_of(text).has(Cue.SELF) is personal


def test_a_wrapper_hides_its_pronoun():
    """The words "tell me" are a request, not the user speaking of themselves."""
    assert not cues_of("Can you tell me what tin is?").has(Cue.SELF)
    assert cues_of("Can you tell me what my name is?").has(Cue.SELF)


def test_a_long_message_is_read_at_its_ends():
    """A paste of a megabyte costs no more than a page."""
    found = cues_of("thanks " + "x " * 500_000 + "show me")
    assert found.has(Cue.GREET)
    assert found.has(Cue.FRAME)
    assert len(found.words) < 5_000


def test_a_language_without_a_pack_has_no_cues():
    """Swahili and Georgian are of no known language, and nothing is read into them."""
    for text in ("სად არის ჩემი გასაღები", "Mji mkuu wa Ufaransa uko wapi hasa"):
        assert not cues_of(text).has(*set(Cue))


@rows("code", sorted(code for code, pack in packs().items() if pack.requests.greet))
def test_every_language_can_tell_every_important_cue(code):
    """A pack that lacks one of these would skip or recall everything."""
    given = packs()[code].requests
    assert given.self
    assert given.greet
    assert given.opener
    assert given.strong
    assert given.task
    assert given.transform


def test_other_packs_read_a_message_anew(tmp_path):
    """What was read by the packs before is not what these ones say."""
    text = "zzqzzq"
    assert not cues_of(text).has(Cue.GREET)
    own = 'code = "xx"\nname = "X"\nscript = "latin"\n[words]\nstop = "zzr"\n[requests]\ngreet = "zzqzzq"\n'
    (tmp_path / "xx.toml").write_text(own, "utf-8")
    with using_folder(tmp_path):
        assert cues_of(text).has(Cue.GREET)
    with using_folder(None):
        assert not cues_of(text).has(Cue.GREET)
