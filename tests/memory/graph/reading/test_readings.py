"""Who and what a text speaks of, in nine languages and more."""

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.memory.graph.reading import description_in, key_of_kind, kind_told, read
from recollect.memory.graph.reading.draft import MOST_MENTIONS
from recollect.memory.graph.reading.readings import MOST_KEYS
from recollect.memory.model.claims import EntityClaim, EntityKind, GraphClaims, RelationClaim
from tests.support.folding import rows


def called(text, **more):
    """The surfaces of each mention that something new may be made of, without the user."""
    found = read(text, **more).mentions
    return [
        tuple(one.text for one in mention.surfaces)
        for mention in found
        if not (mention.only_known or mention.is_user)
    ]


def kinds(text, **more):
    return {one.name: one.kind.value for one in read(text, **more).mentions if not one.only_known}


def related(text, **more):
    found = read(text, **more)
    names = [one.name for one in found.mentions]
    return [(names[one.source], one.relation, names[one.target]) for one in found.relations]


@rows(
    "text, expected",
    [
        ("I had lunch with Anna on Friday", [("Anna",)]),
        ("Hester Quill painted the mural", [("Hester Quill",)]),
        ("Met Giorgi in Tbilisi", [("Giorgi",), ("Tbilisi",)]),
        ("Skein & Able mend zips", [("Skein & Able",)]),
        ("Villa de Leyva es bonita", [("Villa de Leyva",)]),
        ("Priya R. grows leeks", [("Priya R",)]),
        ("Wiebke zieht nach Kiel.", [("Wiebke",), ("Kiel",)]),
        ("Глеб сказал брать омуля", [("Глеб",)]),
        ("Mon buffet vient de l'atelier d'Octave Roumieux", [("Octave Roumieux",)]),
        ("We met on Monday in May", []),
        ("I SHOUT AT EVERYBODY", []),
        ("Something's wrong with it", []),
        ("龚阿姨说想看茶园", [("龚阿姨",)]),
        ("田中さんと話した", [("田中",)]),
        ("昨日鈴木さんと会った", [("鈴木",)]),
        ("我爱看《三体》", [("三体",)]),
        ("我在Costco买的电视", [("Costco",)]),
    ],
)
def test_names_are_told_by_capitals_and_by_what_stands_around_them(text, expected):
    """Days, pronouns and the first words of sentences are none."""
    assert called(text) == expected


@rows(
    "text, expected",
    [
        ("My sister Anna is a vet", ("Anna", "My sister")),
        ("User's friend Alice works", ("Alice", "User's friend")),
        ("Anna is my sister", ("Anna", "my sister")),
        ("My sister is called Anna", ("Anna", "My sister")),
        ("My landlord is Mr Szabo", ("Mr Szabo", "My landlord")),
        ("My running partner, Dev, is ill", ("Dev", "My running partner")),
        ("Meine ältere Schwester Clara singt", ("Clara", "Meine ältere Schwester")),
        ("Meine Schwester heißt Clara", ("Clara", "Meine Schwester")),
        ("Mi hermana se llama Lucía", ("Lucía", "Mi hermana")),
        ("Ma sœur Capucine a deux chats", ("Capucine", "Ma sœur")),
        ("A minha irmã Beatriz mora em Braga", ("Beatriz", "minha irmã")),
        ("我姐姐李娜住在柏林", ("李娜", "我姐姐")),
        ("姉の美咲は大阪に住んでいる", ("美咲", "姉")),
        ("मेरी बहन अनीता दिल्ली में रहती है", ("अनीता", "मेरी बहन")),
        ("أختي سارة تعيش في برلين", ("سارة", "أختي")),
        ("Моя сестра Мария живёт в Твери", ("Мария", "Моя сестра")),
    ],
)
def test_a_relative_and_its_name_are_one(text, expected):
    """In the languages whose terms for relatives are known."""
    assert called(text)[0] == expected


@rows(
    "text, expected",
    [
        ("My sister's husband Tom cooks", ("Tom", "husband_of", "My sister")),
        ("Philomena's son Declan has a shop", ("Declan", "son_of", "Philomena")),
        ("Camilo, el hijo de don Evaristo, guía", ("Camilo", "hijo_of", "Evaristo")),
        ("Le mari de ma sœur s'appelle Luc", ("Luc", "mari_of", "ma sœur")),
        ("Petras Bruder Uwe wohnt in Ulm", ("Uwe", "bruder_of", "Petra")),
        ("Der Sohn von Philomena heißt Declan", ("Declan", "sohn_of", "Philomena")),
        ("阿楠的女朋友小蝶在诊所上班", ("小蝶", "女朋友_of", "阿楠")),
        ("My sister Anna is a vet", ("Anna", "sister_of", "User")),
        ("User's friend Alice works at Google", ("Alice", "works_at", "Google")),
        ("Ned Fenwick leaves his spares with Mrs Pascoe", None),
    ],
)
def test_what_somebody_is_to_somebody_is_a_relation(text, expected):
    """And so is a verb between two names; too many words are none."""
    assert expected in related(text) if expected else related(text) == []


@rows(
    "text",
    [
        "One of my sisters is ill",
        "A friend of mine lives here",
        "My brother is American",
        "We got another cat, Tom hates it",
        "Mein Vater ist Lehrer",
        "Meine Tochter hat um 17 Uhr Minihandball",
        "Mein Bruder hat einen Hund",
        "我姐姐喜欢喝茶",
        "我妈推荐我多喝热水",
        "मेरी बहन चाय पीती है",
        "أختي تعيش في برلين",
    ],
)
def test_nothing_else_names_a_relative(text):
    """One of several, what somebody is, and what somebody does."""
    found = [one for one in read(text).mentions if any(s.key[:1] == "@" for s in one.surfaces)]
    assert not [one for one in found if one.named]


def test_the_kind_is_told_by_what_stands_around_a_name():
    """A relative and a title tell a person, "lives in" a place; else it is a guess."""
    assert kinds("My sister Anna lives in Berlin") == {
        "Anna": "person", "Berlin": "place", "User": "person"
    }  # fmt: skip
    assert kinds("User's friend Alice works at Google")["Google"] == "organization"
    assert kinds("Mr Szabo uses Skein & Able") == {
        "Mr Szabo": "person", "Skein & Able": "organization"
    }  # fmt: skip
    assert kinds("Mein Freund arbeitet bei Siemens", trait="work")["Siemens"] == "organization"
    sure = {one.name: one.sure for one in read("Anna lives in Berlin").mentions}
    assert sure == {"Anna": False, "Berlin": True}


def test_claims_of_a_model_are_put_beside_what_is_read():
    """A kind that was told counts more, a description is a further name, the user is the user."""
    claims = GraphClaims(
        entities=(
            EntityClaim(name="Siemens", kind=EntityKind.ORGANIZATION),
            EntityClaim(name="Anna", kind=EntityKind.PERSON, aliases=("my sister", "Anni")),
        ),
        relations=(
            RelationClaim(source="Anna", relation="Works at", target="Siemens"),
            RelationClaim(source="user", relation="admires", target="Anna"),
            RelationClaim(source="Nobody", relation="knows", target="Anna"),
        ),
    )
    found = read("Anna, my sister, works at Siemens", claims=claims)
    by_name = {one.name: one for one in found.mentions if not one.only_known}
    assert by_name["Siemens"].kind is EntityKind.ORGANIZATION
    assert by_name["Siemens"].sure
    assert {"anna", "@sister", "anni"} <= by_name["Anna"].keys
    told = related("Anna, my sister, works at Siemens", claims=claims)
    assert ("Anna", "works_at", "Siemens") in told
    assert ("User", "admires", "Anna") in told
    assert not [one for one in told if "knows" in one]


def test_kinds_of_things_and_descriptions_come_from_claims_alone():
    """They tell of an entity, and never that two of a name are not one."""
    rust = EntityClaim(name="Rust", kind=EntityKind.TECHNOLOGY, description="a systems language")
    [told] = [
        one
        for one in read(RUST, claims=GraphClaims(entities=(rust,))).mentions
        if one.name == "Rust"
    ]
    assert (kind_told(told.keys), description_in(told.keys)) == (
        EntityKind.TECHNOLOGY, "a systems language"
    )  # fmt: skip
    assert not told.sure
    [plain] = [one for one in read(RUST).mentions if one.name == "Rust"]
    assert (kind_told(plain.keys), description_in(plain.keys)) == (None, None)
    other = told.keys | {key_of_kind(EntityKind.PRODUCT)}
    assert kind_told(other) is None
    assert kind_told(other | {key_of_kind(EntityKind.ORGANIZATION)}) is EntityKind.ORGANIZATION


RUST = "User learns Rust, a systems language"


def test_claims_part_what_was_read_as_one_name():
    """Two names beside each other look like one, in every script with capitals."""
    text = "Kullanıcının kuzeni Deniz Ankara'da çalışıyor"
    claims = GraphClaims(
        entities=(EntityClaim(name="Deniz"), EntityClaim(name="Ankara", kind=EntityKind.PLACE))
    )
    assert set(kinds(text, claims=claims)) >= {"Deniz", "Ankara"}
    assert called("Ankara'da yaşıyorum, çok güzel bir şehir") == []  # the first word of it
    assert called("Ben Ankara'da yaşıyorum ve çok güzel") == [("Ankara",)]


def test_a_triple_is_a_relation_if_both_ends_are_mentions():
    """Of a subject and an object that is no name nothing is made."""
    assert ("User", "adores", "Anna") in related("I met Anna", triple=("User", "adores", "Anna"))
    assert related("I like tea", triple=("User", "likes", "tea")) == []


WORDS = st.sampled_from(
    [
        "Anna",
        "my",
        "sister's",
        "husband",
        "Tom,",
        "meine",
        "Schwester",
        "我姐姐",
        "李娜",
        "的",
        "女朋友",
        "さん",
        "の",
        "姉",
        "मेरी",
        "बहन",
        "अनीता",
        "में",
        "أختي",
        "سارة",
        "في",
        "Mr",
        "Szabo",
        "&",
        "is",
        ".",
        ",",
        "'",
        "’s",
        "J'",
        "\n",
        "-",
        "O'Neill",
        "d'Yvonne",
        "é",
        "о",
        "Мария",
    ]
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=14).map(" ".join))


@given(TEXTS)
@example("'s")
@example("Anna's")
@example("A.")
@example("my")
@example("hUSBAND&B%HUSBAND&A0")
@example("\ud800 Anna")
def test_any_text_is_read(text):
    """Without an error, the same each time; mentions stand in the text, relations in mentions."""
    found = read(text)
    assert found == read(text)
    assert len(found.mentions) <= MOST_MENTIONS
    assert len(found.lookup()) <= MOST_KEYS
    for mention in found.mentions:
        assert all(one.text in text and one.key for one in mention.surfaces)
    for one in found.relations:
        assert one.source != one.target
        assert one.relation
        assert one.quote in text
        assert max(one.source, one.target) < len(found.mentions)
    sure = [one for mention in found.mentions for one in mention.surfaces]
    assert len({one.key for one in sure}) == len(sure)
