"""Patterns as people write them, and the advice for what is none."""

from __future__ import annotations

import pytest

from lineclear.core.paths.pattern import Anchor, PathPattern, PatternError


@pytest.mark.parametrize(
    ("text", "anchor", "steps"),
    [
        pytest.param("//etc/shadow", Anchor.FILE_SYSTEM, ("etc", "shadow"), id="file system"),
        pytest.param("//**/a*.json", Anchor.FILE_SYSTEM, ("**", "a*.json"), id="file system, any depth"),
        pytest.param("C:/Secrets/**", Anchor.FILE_SYSTEM, ("c", "Secrets", "**"), id="drive"),
        pytest.param("//c/Secrets", Anchor.FILE_SYSTEM, ("c", "Secrets"), id="drive with slashes"),
        pytest.param("//", Anchor.FILE_SYSTEM, (), id="the root"),
        pytest.param("~/docs/**", Anchor.HOME, ("docs", "**"), id="home"),
        pytest.param("~", Anchor.HOME, (), id="home itself"),
        pytest.param("/src/**", Anchor.ROOT, ("src", "**"), id="workspace root"),
        pytest.param("./src/", Anchor.START, ("src",), id="root or directory"),
        pytest.param(".", Anchor.START, (), id="root or directory itself"),
        pytest.param("src/**", Anchor.FREE, ("src", "**"), id="folder"),
        pytest.param(".git/", Anchor.FREE, (".git",), id="name of a folder"),
        pytest.param("a//./b", Anchor.FREE, ("a", "b"), id="doubled separators and dots"),
        pytest.param("a***b", Anchor.FREE, ("a*b",), id="several stars within a name are one"),
    ],
)
def test_parse(text, anchor, steps):
    pattern = PathPattern.parse(text)
    assert (pattern.anchor, pattern.steps) == (anchor, steps)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param("src/{a,b}", "one pattern for each", id="brace"),
        pytest.param("src/[ab]", "write `?`", id="bracket"),
        pytest.param("!src", "exception", id="negation"),
        pytest.param("src\\a", "write `/`", id="backslash"),
        pytest.param("src/../a", "the path that it leads to", id="step up"),
        pytest.param("..", "the path that it leads to", id="step up alone"),
        pytest.param("~eve/x", "from `//`", id="another's home"),
        pytest.param("", "empty", id="nothing"),
        pytest.param("a\nb", "control character", id="control character"),
    ],
)
def test_refused_with_advice(text, advice):
    with pytest.raises(PatternError) as refusal:
        PathPattern.parse(text)
    assert advice in str(refusal.value)
    assert f"`{text}`" in str(refusal.value)


@pytest.mark.parametrize(("text", "bare"), [("a", True), ("*.md", True), ("a/b", False), ("**", False), ("/a", False)])
def test_bare(text, bare):
    assert PathPattern.parse(text).bare is bare
