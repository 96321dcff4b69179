"""What holds for every path, not only for those that somebody thought of."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.call import Platform
from lineclear.core.effects import Deed
from lineclear.core.paths.critical import critical
from lineclear.core.paths.locate import inside
from lineclear.core.paths.matcher import PathIndex
from lineclear.core.paths.pattern import PathPattern
from lineclear.core.paths.protected import Protections
from support.grounds import LINUX, MACOS, NOWHERE, UNKNOWN, WINDOWS, at, protection, shipped, touch

ENVIRONMENTS = st.sampled_from([LINUX, MACOS, WINDOWS, UNKNOWN, NOWHERE])
DIRECTORIES = st.sampled_from(["/work/repo", "C:\\Work", "src", ".", "..", "~/x", None])
PIECES = st.sampled_from(
    [
        "a",
        "repo",
        "work",
        "Work",
        "..",
        ".",
        "",
        "~",
        "C:",
        "/",
        "\\",
        "//",
        ".git",
        "x~1",
        "a ",
        "b.",
        ":s",
        "é",
        "file:",
        "?",
    ]
)
SPELLINGS = st.one_of(
    st.text(max_size=30), st.lists(PIECES, max_size=9).map("/".join), st.lists(PIECES, max_size=9).map("".join)
)
SHIPPED = shipped()


@given(spelled=SPELLINGS, environment=ENVIRONMENTS, cwd=DIRECTORIES)
def test_everything_is_total(spelled, environment, cwd):
    for deed in Deed:
        for glob in (False, True):
            found = touch(spelled, deed, environment, cwd, recursive=True, glob=glob)
            SHIPPED.breached(found, environment)
            critical(found, environment)
            inside(found.place, environment, writing=True)


@given(spelled=SPELLINGS, environment=st.sampled_from([LINUX, MACOS, WINDOWS]), cwd=DIRECTORIES)
def test_locating_a_place_again_changes_nothing(spelled, environment, cwd):
    place = at(spelled, environment, cwd)
    if not (place.adrift or place.doubtful) and place.lexical[:1] != "~" and place.lexical[:5].lower() != "file:":
        again = at(place.lexical, environment, ".")
        assert again.lexical == place.lexical


@given(spelled=SPELLINGS, cwd=st.sampled_from(["/work/repo", "/srv"]))
def test_a_place_has_no_steps_to_take_back(spelled, cwd):
    place = at(spelled, LINUX, cwd)
    if place.lexical[:1] == "/":
        assert not {"", ".", ".."} & set(place.lexical.split("/")[1:]) or place.lexical == "/"


@given(spelled=SPELLINGS, real=SPELLINGS, environment=st.sampled_from([LINUX, MACOS]))
def test_what_is_inside_is_so_by_every_view(spelled, real, environment):
    environment = replace(environment, real_paths={spelled: "/" + real})
    place = at(spelled, environment)
    if inside(place, environment, writing=True):
        roots = [view.lower() for view in at(environment.roots[0], environment).views]
        assert all(any((view.lower() + "/").startswith(root + "/") for root in roots) for view in place.views)


@given(
    spelled=SPELLINGS,
    environment=ENVIRONMENTS,
    cwd=DIRECTORIES,
    pattern=st.sampled_from(["/a/**", "repo", "~/a", "//work"]),
)
def test_what_allows_never_matches_more_than_what_denies(spelled, environment, cwd, pattern):
    index = PathIndex((PathPattern.parse(pattern), strict) for strict in (False, True))
    matched = index.match(at(spelled, environment, cwd), environment)
    assert 1 not in matched or 0 in matched


def disguised(name):
    """Names that a file system, a font or a person takes for the same one."""
    letters = [
        st.sampled_from(
            sorted({letter, letter.upper(), wide(letter), letter + "\u200b", "\u00ad" + letter, letter + "\u2066"})
        )
        for letter in name
    ]
    return st.tuples(*letters).map("".join)


def wide(letter):
    return chr(ord(letter) + 0xFEE0) if "a" <= letter <= "z" else letter


@pytest.mark.parametrize("name", [".git", ".claude", ".vscode", ".ssh", ".env"])
@given(data=st.data())
def test_no_disguise_hides_a_protected_name(name, data):
    spelled = data.draw(disguised(name)) + "/x"
    environment = data.draw(ENVIRONMENTS)
    assert SHIPPED.breached(touch(spelled, Deed.WRITE, environment, environment.cwd or "."), environment)


@given(name=st.text("gith.x", min_size=1, max_size=5))
def test_no_other_name_is_taken_for_a_protected_one(name):
    protections = Protections([protection(".git/")])
    held = bool(protections.breached(touch(f"a/{name}/b", Deed.WRITE, LINUX), LINUX))
    assert held is (name == ".git")


@given(spelled=SPELLINGS, cwd=DIRECTORIES, deed=st.sampled_from(list(Deed)))
def test_not_knowing_the_platform_never_loosens(spelled, cwd, deed):
    for platform in (Platform.LINUX, Platform.MACOS):
        known = replace(LINUX, platform=platform)
        place, unknown = at(spelled, known, cwd), at(spelled, UNKNOWN, cwd)
        assert inside(place, known, writing=True) or not inside(unknown, UNKNOWN, writing=True)
        breaches = SHIPPED.breached(touch(spelled, deed, known, cwd), known)
        assert set(breaches) <= set(SHIPPED.breached(touch(spelled, deed, UNKNOWN, cwd), UNKNOWN))


def many(count):
    forms = ("src/mod{}/**", "//srv/d{}/*.csv", "secret{}*.json", "~/x{}", "*.ext{}", "/a*b{}/**/c")
    texts = (forms[at % len(forms)].format(at) for at in range(count))
    return PathIndex((PathPattern.parse(text), position % 2 == 0) for position, text in enumerate(texts))


def fastest(index, spelled):
    place = at(spelled)
    times = []
    for _ in range(200):
        start = time.perf_counter()
        index.match(place, LINUX)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize(
    "spelled",
    [
        pytest.param("src/mod7/a.py", id="ordinary"),
        pytest.param("a/" * 200 + "b", id="deep"),
        pytest.param("secret9" + "a" * 3000 + ".json", id="long name"),
        pytest.param("a" + "b" * 2000 + "/c" * 200, id="hostile to stars"),
    ],
)
def test_a_hundred_times_the_patterns_take_about_the_same_time(spelled):
    few, lots = fastest(many(100), spelled), fastest(many(10_000), spelled)
    assert lots < 3 * few + 20e-6
