"""Which requests will have no memory: what the start says, for each setting that decides it."""

from recollect.config import load_settings
from recollect.proxy.access.no_memory_notices import without_memory
from tests.support.folding import rows

ROUTES = ("/v1/chat/completions", "/v1/responses")
PUBLIC = {"listen.host": "0.0.0.0", "api.token": "t"}
GATEWAY = PUBLIC | {"identity.mode": "gateway", "identity.hash_key": "k"}


def told(tmp_path, **flags):
    flags = {"data_dir": str(tmp_path), **flags}
    return without_memory(load_settings(environ={}, flags=flags), ROUTES)


def texts(notices):
    return " | ".join(notice.text for notice in notices)


def test_the_defaults(tmp_path):
    """A few lines, none of them a warning: the routes, the size, the hosts, the pages, the model."""
    notices = told(tmp_path)
    said = texts(notices)
    assert len(notices) <= 4
    assert not any(notice.serious for notice in notices)
    for word in (*ROUTES, "4,194,304", "listen.allowed_hosts", "listen.allowed_origins"):
        assert word in said
    assert "learn.llm" in said
    assert "also without /v1 and with a slash at the end" in said
    assert "user" not in said.replace("allowed_", "")


def test_where_no_chat_has_memory_nothing_else_is_said(tmp_path):
    """The other reasons do not matter then."""
    assert len(told(tmp_path, **PUBLIC)) == 1
    assert len(told(tmp_path, **{"recall.enabled": False, "learn.enabled": False})) == 1


@rows(
    "flags, words, absent",
    [
        (GATEWAY, "chats without a credential have no memory", ""),
        (GATEWAY, "x-recollect-user or in the body's `user`, have no memory", ""),
        (GATEWAY, "identity.default_user_in_gateway would allow it", ""),
        (GATEWAY | {"identity.default_user_in_gateway": True}, "credential", "name no user"),
        (GATEWAY | {"identity.trust_body": False}, "name no user", "body's"),
        (GATEWAY | {"identity.user_headers": ["x-who"]}, "x-recollect-user, x-who", ""),
        (PUBLIC | {"identity.trust_callers": True}, "name no user", "default_user_in_gateway"),
        (PUBLIC | {"identity.trust_callers": True}, "private names", "credential have"),
        ({"listen.allowed_hosts": ["a.test"]}, "than localhost, a.test have", ""),
        ({"listen.allowed_origins": ["http://b.test"]}, "origins than http://b.test", ""),
        ({"upstream.max_parsed_bytes": 2048}, "2,048 bytes", ""),
        ({"learn.llm.base_url": "http://x/v1", "learn.llm.model": "m"}, "only POST", "learn.llm"),
        (
            {"learn.in_process": False, "database.url": "postgresql://h/d"},
            "recollect worker",
            "needs",
        ),
    ],
)
def test_what_applies_is_said(tmp_path, flags, words, absent):
    """Each with the setting that changes it; what does not apply is not."""
    said = texts(told(tmp_path, **flags))
    assert words in said
    assert not absent or absent not in said
