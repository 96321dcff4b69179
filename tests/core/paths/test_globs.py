"""Globs that a shell expands: what they could reach, and that a star accuses nobody of reading a dotfile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.paths.steps import Wild, glob_of
from support.grounds import allowed, denied


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [
        pytest.param(".env*", ".e*", id="glob with a dot"),
        pytest.param(".env*", ".*", id="all dotfiles"),
        pytest.param(".env*", "[.]env", id="dot in a bracket"),
        pytest.param(".env*", "@(.env|x)", id="alternatives"),
        pytest.param(".env*", "(.env)", id="group"),
        pytest.param("./private/**", "pri*/a.txt", id="folder"),
        pytest.param("./private/**", "*/a.txt", id="any folder"),
        pytest.param("./private/**", "**/a.txt", id="any depth"),
        pytest.param("secret.txt", "*", id="star for a name"),
        pytest.param("secret.txt", "s[a-z]cret.tx?", id="bracket and question mark"),
        pytest.param("*.pem", "server.p*", id="part of an extension"),
        pytest.param("/a/**/z", "a/*/z", id="depth against star"),
    ],
)
def test_could_reach(pattern, spelled):
    assert denied(pattern, spelled, glob=True)


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [
        pytest.param(".env*", "src/*.py", id="files of another kind"),
        pytest.param(".env*", "*", id="star passes dotfiles over"),
        pytest.param(".env*", "*.env", id="extension"),
        pytest.param(".env*", "?env", id="question mark is no dot"),
        pytest.param("./private/**", "public*/a", id="other folder"),
        pytest.param("secret.txt", "*.md", id="other extension"),
    ],
)
def test_could_not_reach(pattern, spelled):
    assert not denied(pattern, spelled, glob=True)


@pytest.mark.parametrize(
    ("pattern", "spelled", "covered"),
    [
        pytest.param("/src/**", "src/*.py", True, id="below the folder"),
        pytest.param("/src/*.py", "src/a*.py", True, id="narrower glob"),
        pytest.param("/src/*.py", "src/*", False, id="wider glob"),
        pytest.param("/src/a.py", "src/?.py", False, id="a name and a glob"),
        pytest.param("/src/?.py", "src/*.py", False, id="one character and any number"),
        pytest.param("/src/**", "s*/a.py", False, id="folder by a glob"),
        pytest.param("/src/a*a", "src/a*", False, id="other end"),
        pytest.param("/src/*.py", "src/+(a).py", False, id="alternatives"),
    ],
)
def test_allowed_only_where_every_expansion_is(pattern, spelled, covered):
    assert allowed(pattern, spelled, glob=True) is covered


def test_without_expansion_a_star_is_a_letter():
    assert not denied("secret.txt", "s*", glob=False)


LETTERS = st.text("ab.", max_size=6)
GLOBS = st.text("ab.*?", min_size=1, max_size=6)


@given(glob=GLOBS, name=LETTERS)
def test_a_glob_meets_each_name_to_which_it_expands(glob, name):
    step = glob_of(glob)
    if step is not None and Wild(step.text).fits(name) and (step.dotted or not name.startswith(".")):
        assert step.meets(name)


@given(wild=GLOBS, glob=GLOBS, name=LETTERS)
def test_what_contains_a_glob_stands_for_each_of_its_names(wild, glob, name):
    step = glob_of(glob)
    if step is not None and Wild(wild).contains(step) and Wild(step.text).fits(name):
        assert Wild(wild).fits(name)


@given(wild=GLOBS, glob=GLOBS, name=LETTERS)
def test_globs_meet_where_a_name_is_common_to_both(wild, glob, name):
    step = glob_of(glob)
    common = step is not None and Wild(step.text).fits(name) and Wild(wild).fits(name)
    if common and (step.dotted or not name.startswith(".")):
        assert step.meets(wild)
