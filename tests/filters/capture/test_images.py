"""Pictures that are worth describing."""

import pytest

from recollect.filters.capture.images import MAX_IMAGE_CHARS, MAX_IMAGES, kept_images

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def test_the_first_that_fit():
    """Bounded in number and characters; one that is too large does not keep others out."""
    urls = [f"{PICTURE}{n}" for n in range(10)]
    assert kept_images(urls) == tuple(urls[:MAX_IMAGES])
    large = "data:image/png;base64," + "A" * MAX_IMAGE_CHARS
    assert kept_images([large, PICTURE]) == (PICTURE,)
    half = "data:image/png;base64," + "A" * (MAX_IMAGE_CHARS // 2)
    assert kept_images([half, half, PICTURE]) == (half, PICTURE)


@pytest.mark.parametrize(
    "url",
    ["", "file:///etc/passwd", "javascript:1", "data:text/html,x", "ftp://a/b", "data:image/png,\ud800",
     "https://a/" + "x" * 5000, "http://\ud800"],
)  # fmt: skip
def test_what_is_no_picture(url):
    """Nobody fetches or shows it, so nobody keeps it."""
    assert kept_images([url]) == ()


def test_a_secret_in_an_address():
    """An address that opens something is not kept; pictures themselves are not read."""

    def hide(text):
        return text.replace("s3cret", "[removed]")

    def fail(text):
        raise ValueError

    assert kept_images(["https://a/b.png", "https://a/b.png?key=s3cret"], hide) == (
        "https://a/b.png",
    )
    assert kept_images(["https://a/b.png", PICTURE], fail) == (PICTURE,)
