from recollect.memory.learn.pictures import (
    MAX_DESCRIPTION_CHARS,
    MAX_IMAGE_CHARS,
    MAX_IMAGES,
    MAX_TOKENS,
    describe,
)
from tests.memory.learn.doubles import Says
from tests.support.folding import rows

CAT = "data:image/png;base64,iVBORw0KGgo="
DOG = "https://pictures.example/dog.jpg"


async def test_each_picture_in_a_call_of_its_own():
    """Every picture is shown once and described, in order."""
    model = Says("A cat.", " A\n dog. ")
    assert await describe(model, [CAT, DOG]) == ["A cat.", "A dog."]
    assert [request.messages[0].images for request in model.requests] == [(CAT,), (DOG,)]
    assert {request.max_tokens for request in model.requests} == {MAX_TOKENS}


async def test_bounds():
    """Only so many pictures are looked at, none that is huge, and descriptions are short."""
    model = Says("word " * 1000)
    described = await describe(model, [CAT] * (MAX_IMAGES + 2))
    assert len(model.requests) == MAX_IMAGES
    assert described[MAX_IMAGES:] == ["[image]"] * 2
    assert len(described[0]) <= MAX_DESCRIPTION_CHARS
    assert await describe(model, [CAT + "x" * MAX_IMAGE_CHARS]) == ["[image]"]
    assert await describe(model, []) == []


@rows(
    "url",
    ["file:///etc/passwd", "http://169.254.169.254/latest", "ftp://x", "data:text/html;base64,eA==", "", "x"],
)  # fmt: skip
async def test_addresses_that_are_not_passed_on(url):
    """The model's server is never made to fetch from our network or its own disk."""
    model = Says("secret")
    assert await describe(model, [url]) == ["[image]"]
    assert model.requests == []
