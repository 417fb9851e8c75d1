"""Filters, terms and metadata in Milvus' language: they say what they mean, whatever is in the values."""

from __future__ import annotations

import json
import re

from hypothesis import example, given
from hypothesis import strategies as st
from milvus_lite.analyzer.standard import StandardAnalyzer
from milvus_lite.search.filter.tokens import TokenKind, tokenize

from recollect.memory.model.sight import Sight
from recollect.memory.model.types import MemoryItem, MemoryStatus, MemoryType, Provenance, Scope
from recollect.memory.query import parse, predicate
from recollect.memory.stores.milvus import expr, tokens
from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.facets import MOST_BYTES, MOST_DEPTH, facets_of
from recollect.memory.stores.milvus.keywords import document, encoded, query, relevance
from recollect.memory.stores.milvus.where import Tells, narrowed
from recollect.memory.stores.shared.rows import to_row
from tests.memory.stores.contract import DIM, memory, vector
from tests.memory.stores.memories import NOON
from tests.support.folding import rows


@rows(
    "version, embedded, upserts, keywords",
    [
        ("milvus_lite-3.2.2", True, False, True),
        ("milvus_lite-2.5.1", True, False, False),
        ("v2.3.5-lite", False, False, False),
        ("v2.3.21", False, False, False),
        ("2.4.0", False, True, False),
        ("v2.6.1-dev", False, True, True),
        ("v3.0.0", False, True, True),
        ("Zilliz Cloud (Compatible with Milvus 2.5)", False, True, True),
        ("", False, False, False),
        ("unknown", False, False, False),
    ],
)
def test_version_decides(version, embedded, upserts, keywords):
    """Upsert is trusted from 2.4 on, BM25 is there from 2.5 on; 2.3.5 is no Milvus Lite."""
    dialect = dialect_of(version)
    assert (dialect.embedded, dialect.upserts) == (embedded, upserts)
    assert dialect.keywords == keywords


ACTIVE = {MemoryStatus.ACTIVE}


def test_scope_with_a_user_names_its_partition():
    """The partition comes first, so that a server can prune by it; the tenant always."""
    scope = Scope(tenant="t", user_id="u", agent_id="a", run_id="r")
    assert expr.in_scope(scope, ACTIVE) == (
        'tenant == "t" and partition == "t/u" and user_id == "u" and agent_id == "a" '
        'and run_id == "r" and status in ["active"]'
    )


def test_a_sight_names_the_partition_and_both_kinds_of_rows():
    """Those of the agent, and those without one, which are kept with an empty text."""
    sight = Sight.of(Scope(tenant="t", user_id="u", agent_id='a"'))
    assert expr.in_scope(sight, ACTIVE) == (
        'tenant == "t" and partition == "t/u" and user_id == "u" and agent_id in ["a\\"", ""] '
        'and status in ["active"]'
    )


def test_scope_without_a_user_is_not_pruned():
    """Records of an agent lie in the partitions of all users."""
    assert expr.in_scope(Scope(tenant="t", agent_id="a"), ACTIVE) == (
        'tenant == "t" and agent_id == "a" and status in ["active"]'
    )


def test_statuses_are_in_order():
    """The same set is the same expression, which Milvus Lite caches."""
    every = set(MemoryStatus)
    condition = expr.in_scope(Scope(tenant="t", user_id="u"), every, after="x")
    assert 'status in ["active", "archived", "quarantined", "superseded"] and id > "x"' in condition


def test_ids_are_bound_to_the_tenant():
    """An id is looked up within its tenant only."""
    assert expr.by_ids("t", ["a", "b"]) == 'tenant == "t" and id in ["a", "b"]'
    assert expr.of_tenant("t") == 'tenant == "t"'


def test_upkeep_sees_every_tenant():
    """The one read without a tenant goes by id only, from the first one or from where it was."""
    assert expr.any_tenant(None) == 'id > ""'
    assert expr.any_tenant('a"') == r'id > "a\""'


@rows(
    "value, literal",
    [
        ('x" || user_id != "y', r'"x\" || user_id != \"y"'),
        ("\\", r'"\\"'),
        ('\\"', r'"\\\""'),
        ("a\nb\r\t", r'"a\nb\r\t"'),
        ("%_{x}$meta'", '"%_{x}$meta\'"'),
        ("日😀\u2028", '"日😀\u2028"'),
    ],
)
def test_values_are_escaped(value, literal):
    """Quotes, backslashes and line breaks are escaped; nothing else has a meaning."""
    assert expr.quoted(value) == literal


@given(st.text())
def test_any_text_is_one_literal_with_its_value(value):
    """Milvus Lite's own tokenizer reads exactly one string out of it: the value."""
    tokens = tokenize(expr.quoted(value))
    assert [token.kind for token in tokens] == [TokenKind.STRING, TokenKind.EOF]
    assert tokens[0].value == value


NUMBERS = st.one_of(
    st.integers(),
    st.integers(-(10**40), 10**40),
    st.integers(-3, 3).map(lambda n: 2**53 + n),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-3, 3).map(lambda n: float(2**60) * (1 + n * 2**-52)),
    st.sampled_from((0, 0.0, -0.0, 1, 1.0, 0.1, 5e-324, 1e308, -1e-7, 10**23, 1e23)),
)


@example(0.1, 0.2)
@example(10**23, 1e23)
@given(NUMBERS, NUMBERS)
def test_numbers_are_ordered_exactly(a, b):
    """Also integers beside floats, beyond what a float can tell apart."""
    one, other = tokens.stored(a), tokens.stored(b)
    assert (one < other, one == other) == (a < b, a == b)


@given(st.text(), st.text(max_size=tokens.MOST_TEXT - 1))
def test_texts_are_ordered_by_their_characters(a, b):
    """As bytes too, which is how a server compares them."""
    wanted = tokens.asked(b)
    if wanted is not None:
        one, other = tokens.stored(a).encode("utf-8"), wanted.encode("utf-8")
        assert (one < other, one == other) == (a < b, a == b)


def test_long_texts_are_cut_where_no_question_looks():
    """One that is as long as the cut is not asked for, because several would equal it."""
    long = "x" * tokens.MOST_TEXT
    assert tokens.stored(long + "y") == tokens.stored(long + "z")
    assert tokens.asked(long) is None
    assert tokens.asked(long[1:]) < tokens.stored(long + "y")


@rows("value", [None, "a\0", float("inf"), float("nan"), 10**400])
def test_what_cannot_be_compared_so_is_not_asked(value):
    """It is left to the predicate."""
    assert tokens.asked(value) is None


def test_types_do_not_meet():
    """Nothing of one type equals, or is between, values of another."""
    kinds = [tokens.asked(True), tokens.asked(1), tokens.asked("1"), tokens.asked("")]
    assert len(set(kinds)) == len(kinds)
    for kind in (tokens.TEXT, tokens.NUMBER, tokens.BOOLEAN):
        within = [one for one in kinds if kind <= one < tokens.after(kind)]
        assert all(one.startswith(kind) for one in within)
    assert tokens.LIST != tokens.LONG_LIST


NEVER = 'id == ""'


def item(metadata, session=None):
    return MemoryItem(
        id="m", text="x", type=MemoryType.SEMANTIC, scope=Scope(tenant="t", user_id="u"), created_at=NOON, updated_at=NOON,
        embedder_id="test", metadata=metadata, provenance=Provenance(conversation_id=session),
    )  # fmt: skip


def test_what_is_too_much_is_not_told():
    """Such a row is of another version, so every condition admits it; it still fits the column."""
    many = {f"key {n}": "x" * 20 for n in range(2_500)}
    assert facets_of(item(many)) == {"v": "0"}
    nearly = {f"key {n}": "x" * 20 for n in range(1_500)}
    assert facets_of(item(nearly))["v"] == "1"
    assert len(json.dumps(facets_of(item(nearly))).encode()) <= MOST_BYTES


def test_long_lists_and_deep_objects_are_bounded():
    """A list says that it is long; below the greatest depth nothing is told, and nothing asked."""
    made = facets_of(item({"many": [*range(1000)]}))
    assert (made["is"], "in" in made) == ({"many": "ll"}, False)
    deep: dict = {"end": 1}
    for _ in range(200):
        deep = {"d": deep}
    assert len(json.dumps(facets_of(item(deep)))) < 1000
    asked = parse({".".join(["d"] * (MOST_DEPTH + 1)): 1})
    assert narrowed(asked, Tells.FACETS) == (None, False)


ALICE = Scope(tenant="t", user_id="alice")


VALUES = st.one_of(
    st.text(max_size=4).filter(lambda text: "\0" not in text),
    st.booleans(), st.integers(-9, 9), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from((1e15, 1e16, 10**15, -0.0, 1e-7, "%", "_", "\\", '"', "\n")),
)  # fmt: skip


def like(pattern):
    """What Arrow makes of a pattern without escapes."""
    parts = (".*" if one == "%" else "." if one == "_" else re.escape(one) for one in pattern)
    return re.compile("".join(parts), re.DOTALL)


@given(VALUES, VALUES, st.sampled_from(("eq", "contains", "gte")), st.sampled_from(("t", 'a"_\\')))
def test_what_passes_is_admitted(stored, asked, operator, key):
    """Whatever the value is, and also in a list or an object."""
    where = parse({"field": f"metadata.{key}", "operator": operator, "value": asked})
    for metadata in ({key: stored}, {key: asked}, {key: [stored, asked]}, {"n": 1, key: asked}):
        kept = memory(ALICE, "x", vector(1.0), metadata=metadata)
        if predicate(where)(kept.item):
            found = narrowed(where, Tells.TEXT).said
            texts = re.findall(r'like ("(?:\\.|[^"\\])*")', found)
            text = to_row(kept, DIM)["metadata"]
            # The literal is the expression's; Milvus Lite reads the same escapes as JSON.
            assert any(like(json.loads(one)).fullmatch(text) for one in texts)


TERMS = st.text(min_size=1, max_size=12)


@given(TERMS)
def test_a_term_is_one_token(term):
    """Milvus Lite's analyzer, and any that knows ASCII, reads back one unchanged token."""
    token = encoded(term)
    assert StandardAnalyzer().tokenize(token) == [token]
    assert re.fullmatch("[a-z0-9]+", token)
    if re.fullmatch("[a-wyz0-9]+", term) and re.search("[a-z]", term):
        assert token == term  # most terms stay readable


@given(TERMS, TERMS)
def test_different_terms_are_different_tokens(one, other):
    """Nothing is found by another term, however alike they look."""
    assert (encoded(one) == encoded(other)) == (one == other)


def test_terms_that_do_not_fit_are_left_out():
    """Whole terms from the beginning, as many as the column holds."""
    terms = [f"term{n}" for n in range(20_000)]
    kept = document(terms).split()
    assert kept == terms[: len(kept)]
    assert 65_535 - 10 < len(document(terms)) <= 65_535
    assert document(["x" * 70_000]) == ""
    assert document([]) == ""


def test_query_is_bounded():
    """Each term once, and no more than a search should take."""
    assert query(["b", "a", "b"]) == "b a"
    assert len(query(map(str, range(10_000))).split()) == 256


def test_larger_is_better():
    """Milvus Lite tells BM25 with a minus, a server does not."""
    assert relevance(dialect_of("milvus_lite-3.2.2"), -2.5) == 2.5
    assert relevance(dialect_of("v2.5.4"), 2.5) == 2.5
