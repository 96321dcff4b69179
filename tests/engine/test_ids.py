from __future__ import annotations

import time
from uuid import RFC_4122, UUID

from hypothesis import given
from hypothesis import strategies as st

from lineclear.engine.ids import uuid7, uuid7_of

MOMENTS = st.integers(0, (1 << 48) - 1)
BITS = st.integers(0, (1 << 74) - 1)


def test_the_example_of_the_rfc():
    # RFC 9562, appendix A.6.
    assert uuid7_of(0x017F22E279B0, 0xCC3 << 62 | 0x18C4DC0C0C07398F) == UUID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")


@given(MOMENTS, BITS)
def test_version_variant_and_time_are_where_they_belong(moment, bits):
    made = uuid7_of(moment, bits)
    assert (made.version, made.variant, made.int >> 80) == (7, RFC_4122, moment)


@given(MOMENTS, BITS, MOMENTS, BITS)
def test_ids_sort_by_time_and_differ_with_their_bits(moment, bits, other_moment, other_bits):
    one, other = uuid7_of(moment, bits), uuid7_of(other_moment, other_bits)
    assert (one == other) == ((moment, bits) == (other_moment, other_bits))
    if moment != other_moment:
        assert (str(one) < str(other)) == (moment < other_moment)


def test_fresh_ids_are_of_now_and_differ():
    before = time.time_ns() // 1_000_000
    made = [uuid7() for _ in range(1000)]
    assert len(set(made)) == 1000
    assert all(before <= one.int >> 80 <= before + 10_000 for one in made)
