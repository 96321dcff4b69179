"""Paths that the caller resolved: the real path is a view beside the lexical one, and links hold for what is below."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from support.grounds import LINUX, MACOS, WINDOWS, at


def linked(links, environment=LINUX):
    return replace(environment, real_paths=links)


@pytest.mark.parametrize(
    ("links", "spelled", "real", "vouched"),
    [
        pytest.param({"docs/link": "/etc/passwd"}, "docs/link", "/etc/passwd", True, id="spelled relative"),
        pytest.param({"docs/link": "/etc/passwd"}, "/work/repo/docs/link", "/etc/passwd", True, id="spelled otherwise"),
        pytest.param({"/work/repo/a": "/srv/a"}, "./b/../a", "/srv/a", False, id="normalised, behind a step up"),
        pytest.param({"/work/repo/l/../f": "/srv/f"}, "l/../f", "/srv/f", True, id="step up behind a link"),
        pytest.param({"/work/repo/l": "/srv/d"}, "l/../f", "/srv/f", False, id="step up from a linked folder"),
        pytest.param({"/work/repo/l": "/srv/d"}, "l/new", "/srv/d/new", False, id="new file in a linked folder"),
        pytest.param({"/home/dev": "/data/dev"}, "~/x", "/data/dev/x", False, id="home that is a link"),
        pytest.param({"/work/repo/x": "relative"}, "x", None, False, id="a target that isn't absolute is not believed"),
        pytest.param({"/work/repo/link": "/etc"}, "linked", None, False, id="a name that only begins like the link"),
        pytest.param({"/work/repo/Link": "/etc"}, "link", None, False, id="other case on Linux"),
        pytest.param({}, "x", None, False, id="nothing resolved"),
    ],
)
def test_real_path(links, spelled, real, vouched):
    place = at(spelled, linked(links))
    assert (place.real, place.vouched) == (real, vouched)


def test_a_normalised_key_does_not_answer_for_a_spelling_that_climbs():
    """``l/..`` leads elsewhere if ``l`` is a link, so the entry of the normalised path proves nothing."""
    assert not at("l/../f", linked({"/work/repo/f": "/work/repo/f"})).vouched


def test_an_entry_that_climbs_does_not_answer_for_the_normalised_path():
    assert at("f", linked({"/work/repo/l/../f": "/work/repo/f"})).real is None


@pytest.mark.parametrize(
    ("environment", "key", "spelled"),
    [
        pytest.param(WINDOWS, "C:\\Work\\repo\\Link", "link", id="Windows"),
        pytest.param(MACOS, "/Users/dev/repo/Link", "link", id="macOS"),
    ],
)
def test_case_does_not_matter_where_the_platform_folds_it(environment, key, spelled):
    target = "C:\\Secrets" if environment is WINDOWS else "/private/etc"
    assert at(spelled, linked({key: target}, environment)).vouched


def test_views_are_different_paths():
    assert at("a", linked({"/work/repo/a": "/work/repo/a"})).views == ("/work/repo/a",)


def test_a_long_path_beside_a_long_entry_is_no_burden():
    deep = "a/" * 2000
    environment = linked({deep + "b": "/srv/b", "a": "/data"})
    start = time.perf_counter()
    assert at(deep + "c", environment).real == "/data/" + "a/" * 1999 + "c"
    assert time.perf_counter() - start < 0.1
