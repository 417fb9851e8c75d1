"""Which paths the dashboard's files have."""

import hashlib
import json
import re

from recollect.proxy.dashboard.files import PAGE, ROOT, STATIC, digest_of, load

LOCK = STATIC.parent / "vendor.json"
IMPORT = re.compile(rb'(?:from|import)\s*"([^"]+)"')


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_file_of_the_folder_is_served():
    """A file of an unknown kind would be missing in the browser only."""
    served = {path.split("/", 3)[3] for path in load() if path.count("/") > 2}
    assert served | {PAGE} >= names(STATIC)


def test_the_page_names_its_files():
    """With the digest of this version, and every module: a browser asks for all of them at once."""
    files = load()
    linked = re.findall(rb'(?:src|href)="(/[^"]+)"', files[ROOT].body)
    assert {path.decode() for path in linked} <= set(files)
    modules = {path for path, file in files.items() if file.kind == "text/javascript"}
    named = re.findall(rb'rel="modulepreload" href="([^"]+)"', files[ROOT].body)
    assert {path.decode() for path in named} == modules
    assert {path for path, file in files.items() if not file.lasting} == {ROOT, f"{ROOT}/"}


def test_every_import_leads_to_a_file():
    """Relative names only: no package name, which a browser would not find, and no other host."""
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.mjs")]:
        for name in IMPORT.findall(path.read_bytes()):
            assert name.startswith((b"./", b"../")), (path, name)
            assert (path.parent / name.decode()).resolve().is_file(), (path, name)


def test_one_changed_byte_changes_every_path(tmp_path):
    """A browser that kept the old files asks for none of them; names are part of the digest."""
    assert digest_of({"a": b"1", "b": b"2"}) != digest_of({"a": b"2", "b": b"1"})
    (tmp_path / PAGE).write_text("{digest}")
    (tmp_path / "a.js").write_text("1")
    before = load(tmp_path)
    (tmp_path / "a.js").write_text("2")
    assert set(before) & set(load(tmp_path)) == {ROOT, f"{ROOT}/"}


def test_the_vendored_files_are_those_of_the_lock():
    """Nobody changed them by hand, and none is there without a version and a licence."""
    locked = {}
    for package in json.loads(LOCK.read_text()):
        assert package["version"]
        assert package["licence"]
        assert package["integrity"].startswith("sha512-")
        locked |= package["sha256"]
    assert set(locked) == {f"vendor/{name}" for name in names(STATIC / "vendor")}
    for name, digest in locked.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest


def test_no_script_of_ours_writes_html():
    """Foreign text is set as text; whatever else could make elements of it is not used."""
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\("
    )
    ours = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    assert ours
    assert not [path for path in ours if forbidden.search(path.read_text())]
