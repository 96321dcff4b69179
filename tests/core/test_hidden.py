"""Characters that a person can't see, and the visible ones that must not be taken for such."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.hidden import hidden, visible


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a\u200bb", "U+200B zero width space"),
        ("a\u200cb", "U+200C zero width non-joiner"),
        ("a\u200db", "U+200D zero width joiner"),
        ("a\u2060b", "U+2060 word joiner"),
        ("\ufeffa", "U+FEFF zero width no-break space"),
        ("a\u00adb", "U+00AD soft hyphen"),
        ("a\u202eb", "U+202E right-to-left override"),
        ("a\u2066b", "U+2066 left-to-right isolate"),
        ("a\u200fb", "U+200F right-to-left mark"),
        ("a\U000e0041b", "U+E0041 tag latin capital letter a"),
        ("a\U000e0100b", "U+E0100 variation selector-17"),
        ("a\ufe0fb", "U+FE0F variation selector-16"),
        ("a\u3164b", "U+3164 hangul filler"),
        ("a\u2800b", "U+2800 braille pattern blank"),
        ("a\u034fb", "U+034F combining grapheme joiner"),
        ("a\u2028b", "U+2028 line separator"),
        ("a\x00b", "U+0000 null"),
        ("a\x08b", "U+0008 backspace"),
        ("a\x1b[2Kb", "U+001B escape"),
        ("a\x7fb", "U+007F delete"),
        ("a\x85b", "U+0085 next line"),
        ("a\x9bb", "U+009B control character"),
        ("ls\rrm x", "U+000D carriage return"),
        ("ls\r", "U+000D carriage return"),
        ("ls\r\r\n", "U+000D carriage return"),
        ("a\ufdd0b", "U+FDD0 character without a name"),
        ("a\ue000b", "U+E000 character without a name"),
        ("\U0001f600\u200d", "U+200D zero width joiner"),
        ("\u200d\U0001f600", "U+200D zero width joiner"),
        (".\ufe0fgit", "U+FE0F variation selector-16"),
    ],
)
def test_hidden(text, named):
    assert hidden(text) == named


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("grep -n\tfoo", id="tab"),
        pytest.param("a\nb\n", id="line feeds"),
        pytest.param("a\r\nb\r\n", id="line ends of Windows"),
        pytest.param("echo 'привет'", id="Cyrillic"),
        pytest.param("docs/说明.md", id="Chinese"),
        pytest.param("résumé.md", id="accents"),
        pytest.param("re\u0301sume\u0301.md", id="combining accents"),
        pytest.param("שלום", id="right to left letters"),
        pytest.param("\U0001f600", id="picture"),
        pytest.param("\U0001f468\u200d\U0001f469\u200d\U0001f467", id="family"),
        pytest.param("\U0001f469\U0001f3fd\u200d\U0001f4bb", id="picture with a skin tone"),
        pytest.param("\U0001f3f3\ufe0f\u200d\U0001f308", id="flag"),
        pytest.param("\u2764\ufe0f", id="picture by a variation selector"),
        pytest.param("1\ufe0f\u20e3", id="keycap"),
        pytest.param("\U0001fae8", id="picture of a later Unicode"),
        pytest.param("a\u00a0b\u202fc", id="blanks"),
        pytest.param("→ ✓ ─ €", id="signs"),
        pytest.param("", id="nothing"),
    ],
)
def test_not_hidden(text):
    assert hidden(text) is None
    assert visible(text) == text


def test_visible_leaves_out_what_is_hidden():
    assert visible(".g\u200bi\u00adt\u202e/\x00config\ta\n") == ".git/config\ta\n"


@given(st.text())
def test_what_is_visible_holds_nothing_hidden(text):
    assert hidden(visible(text)) is None or visible(visible(text)) != visible(text)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_printable_ascii_is_visible(text):
    assert hidden(text) is None
