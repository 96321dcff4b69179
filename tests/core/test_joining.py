from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.joining import Said, unheard

MESSAGES = st.lists(st.builds(Said, st.none() | st.sampled_from("xyz"), st.sampled_from("abc")), max_size=8)


def said(text):
    """``a b2`` is a message ``a`` without an id, and ``b`` with the id 2."""
    return [Said(word[1:] or None, word[0]) for word in text.split()]


@pytest.mark.parametrize(
    ("recorded", "sent", "new"),
    [
        ("", "a b", "a b"),
        ("a b", "a b", ""),
        ("a b", "a b c", "c"),
        ("a b c", "b c d", "d"),
        ("a b c", "c a", "a"),
        ("a", "a a", "a"),
        ("a a", "a", ""),
        ("a1", "a1 a2", "a2"),
        ("a1", "b1", ""),
        ("a1", "a", ""),
        ("a", "a1", ""),
        ("a1 b2", "b2 a1", ""),
        ("a1 b2", "b2 a", "a"),
        ("", "a1 b1", "a1"),
        ("a b c d", "a x d", "x"),
    ],
)
def test_what_is_new(recorded, sent, new):
    positions = unheard(said(recorded), said(sent))
    assert [said(sent)[n] for n in positions] == said(new)


def joined(recorded, sent):
    return [*recorded, *(sent[n] for n in unheard(recorded, sent))]


@given(st.lists(st.sampled_from("abc").map(lambda text: Said(None, text)), max_size=12), st.data())
def test_a_conversation_that_grows_is_heard_as_it_is_whatever_part_is_sent(conversation, data):
    recorded = []
    for length in sorted(data.draw(st.lists(st.integers(0, len(conversation)), max_size=4))):
        recorded = joined(recorded, conversation[:length])
        assert recorded == conversation[: max(length, len(recorded))]


@given(MESSAGES, MESSAGES)
def test_what_contradicts_the_recorded_order_is_heard_again_until_it_stands_in_its_own(recorded, sent):
    for _ in range(len(sent) + 1):
        recorded = joined(recorded, sent)
    assert unheard(recorded, sent) == ()
    later = [Said(None, said.digest) for said in sent]
    assert unheard([*recorded, *later], sent) == (), "whatever came later"


@given(MESSAGES)
def test_the_end_of_what_is_recorded_is_known(messages):
    recorded = [messages[n] for n in unheard([], messages)]
    for start in range(len(recorded)):
        assert unheard(recorded, recorded[start:]) == ()
