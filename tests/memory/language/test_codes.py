"""Codes are compared exactly, however they are parted."""

from recollect.memory.language.codes import codes_in, holds_code

HELD = [
    ("TKT-100", "Ticket TKT-100 was resolved."),
    ("tkt-100", "Ticket ＴＫＴ－１００."),
    ("TKT-100", "(TKT 100)"),
    ("TKT-100", "TKT-100の件"),
    ("TKT-100", "番号TKT-100は発送済み"),
    ("TKT-100", "a TKT-100-ról"),
    ("TKT-100", "TKT-100's owner"),
    ("4111111111111234", "No. 4111 1111 1111 1234."),
    ("4111 1111 1111 1234", "4111-1111-1111-1234"),
    ("alice@beta.io", "alice@beta.io's plan"),
    ("/etc/app/conf", "The file /etc/app/conf is used."),
    ("12.05.2024", "on 12-05-2024"),
    ("5,000", "I owe 5000 euros"),
    ("5000", "5.000 Euro"),
    ("#INC-22184", "INC-22184 is open"),
    ("(650) 555-0177", "call 650-555-0177"),
    ("XK7L-9P3Q", "XK7L.9P3Q"),
    ("order_2024_001", "order_2024_001 was for 5"),
    ("٤٢٧٧٣", "the number 42773"),
]
OTHERS = [
    ("TKT-100", "Ticket TKT-1000 is open."),
    ("TKT-100", "TKT-100-2"),
    ("TKT-100", "XTKT-100"),
    ("emp-789-1234", "emp-789-5678"),
    ("emp-789", "emp-789-1234"),
    ("alice@acme.io", "alice.smith@acme.io"),
    ("bob@example.com", "bob@example.com.uk"),
    ("/etc/app/conf", "/etc/app/conf.bak"),
    ("mycompany.com", "mycompany.com.br"),
    ("project_2024", "project_2024_v2"),
    ("12345", "case 123456"),
    ("1234", "4111 1111 1111 1234"),
    ("1.2", "version 12"),
    ("1.2", "version 1.20"),
    ("A-1-12", "A-11-2"),
    ("3.5", "35 km"),
]


def test_a_code_is_found_whole_in_any_spelling():
    """Case, width, blanks and hyphens do not matter; one digit more does."""
    wrong = []
    for rows, right in ((HELD, True), (OTHERS, False)):
        for query, text in rows:
            [code] = codes_in(query)
            if holds_code(text, code) is not right:
                wrong.append((query, text, right))
    assert not wrong


def test_words_are_no_codes():
    """Nothing without a digit or the shape of an address."""
    assert codes_in("and/or e.g. my well-known ice-cream, U.S. style") == []
