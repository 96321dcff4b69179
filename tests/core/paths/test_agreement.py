"""Whether two globs can stand for one name, tried on every short name there is; and whether both spell it out."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.paths.agreement import agreement

_LETTERS = "ab."
_NAMES = ["".join(letters) for length in range(7) for letters in product(_LETTERS, repeat=length)]
_GLOBS = st.text(f"{_LETTERS}*?", max_size=3)


@given(_GLOBS, _GLOBS)
def test_there_is_a_name_for_both_or_there_is_none(glob, step):
    either = [re.compile(text.replace(".", r"\.").replace("*", ".*").replace("?", ".")) for text in (glob, step)]
    common = any(all(pattern.fullmatch(name) for pattern in either) for name in _NAMES)
    assert (agreement(glob, step, len(step)) is not None) is common


@pytest.mark.parametrize(
    ("glob", "step", "counted", "both"),
    [
        pytest.param(".e*", ".env*", 5, True, id="a letter of both"),
        pytest.param("a*", "*.pem", 5, False, id="each its own"),
        pytest.param("*.p*", "*.pem", 5, True, id="a letter of the extension"),
        pytest.param("*.json", "a.json", 1, False, id="only what doesn't count"),
        pytest.param("*a.*", "a.json", 1, True, id="what counts"),
        pytest.param("*.*", ".env", 4, False, id="a dot is no letter"),
        pytest.param("?nv", "env", 3, True, id="behind a question mark"),
        pytest.param("x", "y", 1, None, id="no name for both"),
        pytest.param("*", "", 0, False, id="the empty name"),
        pytest.param("*a" * 300, "*b" * 300, 600, True, id="too long to be told"),
    ],
)
def test_whether_both_spell_out_a_letter_that_counts(glob, step, counted, both):
    assert agreement(glob, step, counted) is both
