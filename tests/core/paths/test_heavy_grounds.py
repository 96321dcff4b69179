"""What a caller resolved is remembered where it is little; very much of it comes with its call and goes with it."""

from __future__ import annotations

from dataclasses import replace

from lineclear.core.paths import ground, locate
from lineclear.core.paths.ground import MOST_KEPT_CHARS, ground_of
from lineclear.core.paths.names import protected
from lineclear.core.paths.pattern import PathPattern
from lineclear.core.paths.readings import Loose
from support.grounds import LINUX

LINK = {"/work/repo/link": "/vault"}
MANY = {f"/work/repo/{n:04}": f"/work/repo/{n:04}" for n in range(MOST_KEPT_CHARS // 16)}
LIGHT, HEAVY = replace(LINUX, real_paths=LINK), replace(LINUX, real_paths=LINK | MANY)


def kept():
    return ground._ground.cache_info().currsize, locate._kept_base.cache_info().currsize


def test_a_call_s_own_environment_is_read_once():
    for environment in (LIGHT, HEAVY):
        assert ground_of(environment) is ground_of(environment)
    assert (ground_of(LIGHT).heavy, ground_of(HEAVY).heavy) == (False, True)


def test_nothing_is_kept_of_a_heavy_one():
    index = Loose(protected)
    index.add(PathPattern.parse("//vault/**"), 0)
    before = kept()
    place = locate.locate("link/a", HEAVY, "/work/repo")
    assert index.match(place, ground_of(HEAVY), glob=False) == {0}
    assert (kept(), index._kept.cache_info().currsize) == (before, 0)


def test_links_lead_to_the_same_place_in_both():
    heavy, light = (locate.locate("link/a", environment, "/work/repo") for environment in (HEAVY, LIGHT))
    assert heavy == light
    assert heavy.real == "/vault/a"


def test_the_environment_asked_for_last_speaks_for_no_other():
    assert ground_of(HEAVY) is not ground_of(replace(HEAVY))
    assert locate.locate("link/a", replace(LIGHT, real_paths={}), "/work/repo").real is None


def test_roots_count_too():
    roots = tuple(f"/work/{'a' * 250}{n}" for n in range(MOST_KEPT_CHARS // 250))
    assert ground_of(replace(LINUX, roots=roots)).heavy


def test_what_was_matched_is_forgotten_when_a_pattern_is_added():
    index, place = Loose(protected), locate.locate("/vault/a", LINUX, None)
    index.add(PathPattern.parse("//other/**"), 0)
    assert index.match(place, ground_of(LINUX), glob=False) == set()
    index.add(PathPattern.parse("//vault/**"), 1)
    assert index.match(place, ground_of(LINUX), glob=False) == {1}
