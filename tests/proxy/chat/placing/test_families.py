"""What is known of model servers without asking them."""

from recollect.filters import Place, Position
from recollect.proxy.chat.placing.families import known_place, order
from tests.support.folding import rows

OPENAI = "https://api.openai.com/v1"
LOCAL = "http://127.0.0.1:11434/v1"


@rows(
    "base_url, model, place",
    [
        (OPENAI, "gpt-4o-mini", Place.TAIL),
        ("https://API.OpenAI.com/v1", "anything", Place.TAIL),
        (OPENAI, "o1-mini", Place.USER),
        (OPENAI, "o1-mini-2024-09-12", Place.USER),
        (OPENAI, "o1", Place.TAIL),
        ("https://acme.openai.azure.com/openai/v1", "prod", Place.TAIL),
        ("https://openai.azure.com.example.org/v1", "gpt-4o", Place.USER),
        ("https://notapi.openai.com/v1", "gpt-4o", Place.USER),
        ("https://openrouter.ai/api/v1", "openai/gpt-4o", Place.USER),
        (LOCAL, "gpt-4o-mini", Place.USER),
        (LOCAL, "", Place.USER),
    ],
)
def test_only_named_servers_get_a_system_message(base_url, model, place):
    """The name of a model says little: any server may use it for any template."""
    assert known_place(base_url, model) is place


@rows("position", Position)
@rows("base_url", [OPENAI, LOCAL])
def test_the_wanted_place_is_first_and_the_safe_one_is_always_among_them(position, base_url):
    """A position is a wish: what a server refuses is left for a place that it takes."""
    places = order(position, base_url, "m")
    wanted = {
        Position.USER: Place.USER,
        Position.TAIL: Place.TAIL,
        Position.START: Place.START,
    }.get(position, known_place(base_url, "m"))
    assert places[0] is wanted
    assert Place.USER in places
    assert len(set(places)) == len(places)
