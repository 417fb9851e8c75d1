"""What programs wrote is no fact, and what somebody says about it may be one."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.program_output import MAX_CHARS, MAX_LINE_CHARS, is_output, is_statement
from tests.support.folding import rows

OUTPUT = [
    "ECONNREFUSED 500",
    "Error: connect ECONNREFUSED 127.0.0.1:5432",
    "getaddrinfo ENOTFOUND api.example.com",
    "HTTP/1.1 502 Bad Gateway",
    "503 Service Unavailable",
    "Request failed with status code 500",
    "Error 500",
    "exit code 1",
    "GET /api/users 500 12ms",
    "timeout of 5000ms exceeded",
    "Read timed out",
    "KeyError: 'user_id'",
    "java.lang.NullPointerException",
    "ValueError: invalid literal for int() with base 10: 'abc'",
    "bash: foo.sh: Permission denied",
    "curl: (7) Failed to connect to localhost port 5432: Connection refused",
    "2024-05-01 12:00:00,123 ERROR db.pool Failed to get a connection",
    "[2024-05-01T12:00:00Z] WARN  retrying in 5s",
    "May  1 12:00:00 web1 sshd[123]: Failed password for root from 10.0.0.1",
    '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326',
    'level=error ts=1 msg="upstream is gone"',
    '{"level": "error", "msg": "upstream is gone"}',
    "npm ERR! code ELIFECYCLE",
    "ping",
    "PONG",
    (
        "Traceback (most recent call last):\n"
        '  File "/srv/a.py", line 3, in <module>\n    main()\nKeyError: 1'
    ),
    (
        "TypeError: Cannot read properties of undefined (reading 'id')\n"
        "    at getUser (/app/user.js:10:5)\n    at async main (/app/index.js:3:1)"
    ),
    (
        'Exception in thread "main" java.lang.IllegalStateException: no\n'
        "\tat com.acme.Main.run(Main.java:12)\nCaused by: java.io.IOException: Broken pipe\n"
        "\t... 12 more"
    ),
    (
        "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.main()\n"
        "\t/app/main.go:12 +0x1d"
    ),
]
SAID = [
    "My server's port is 5432",
    "I get error 500 every Monday when I deploy",
    "OK Go is my favourite band",
    "My timeout is 30s",
    "Exit code 3 means retry",
    "ECONNREFUSED means Redis is down",
    "Prod uses HTTP/2",
    "The payment API answers 503 Service Unavailable every night",
    "User's CI fails with exit code 137 on Fridays",
    "User named the cat KeyError",
    "Ich bekomme jeden Montag ECONNREFUSED",
    "我的服务器端口是5432",
    "每次部署都会出现500错误",
    "مهلة الخادم 30 ثانية",
    "Сервер отвечает 502 Bad Gateway по ночам",
    "毎週月曜日に500エラーが出ます",
    "What is this?\nKeyError: 'user_id'",
    "KeyError: 'user_id'\nI see this each morning",
    "Alarm at 07:00:00, the WARNING light stays off in my car",
    "42",
    "10.0.0.1:5432",
    "ok",
    "",
    " \n",
]


@rows("text", OUTPUT)
def test_the_output_of_programs(text):
    """Errors, status lines, logs, traces and pings, by their shapes and standard names."""
    assert is_output(text)


@rows("text", SAID)
def test_what_somebody_says(text):
    """A word about an error, an answer that is a number, and an "ok" may mean something."""
    assert not is_output(text)


@given(st.sampled_from(OUTPUT), st.sampled_from(SAID[:19]))
def test_one_line_that_somebody_says_is_enough(output, said):
    """Whatever is pasted around it."""
    assert not is_output(f"{output}\n{said}")
    assert not is_output(f"{said}\n{output}")


@rows("text", ["ok", "OK.", "pong", "да", "好的", "はい", "نعم", "👍", "500"])
def test_a_word_is_no_statement(text):
    """A fact needs a subject and something said about it."""
    assert not is_statement(text)


@rows("piece", ["a.", "$", "E", "/a", "at ", "Ab", '{"level":', "ERROR ", ": "])
def test_a_hostile_text_takes_no_time(piece):
    """Lines as long and as many as are judged, of what the patterns begin with; else it hangs."""
    line = (piece * MAX_LINE_CHARS)[:MAX_LINE_CHARS]
    text = "\n".join([line] * (MAX_CHARS // (MAX_LINE_CHARS + 1)))
    assert not is_output(f"{text}\nthe end of it")
