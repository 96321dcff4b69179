"""What no argument of a tool speaks for is found, wherever it hides."""

from typing import Any

import pytest

from lineclear.core.tools import Argument, Use
from lineclear.core.unlisted import unlisted

LISTED = tuple(
    Argument(pointer, Use.DATA) for pointer in ("/content", "/files/*/path", "/tags/*", "/tags/*/name", "/a~1b/c")
)


@pytest.mark.parametrize(
    ("document", "found"),
    [
        pytest.param({"content": "x", "files": [{"path": "a"}], "tags": ["t"]}, [], id="all of it is listed"),
        pytest.param({"content": {"deep": ["x"]}}, [], id="a pointer speaks for what is below it"),
        pytest.param({"new": "x"}, [("new", "x")], id="an argument of a newer version"),
        pytest.param({"files": [".env", {"path": "a"}]}, [("files", ".env")], id="a text where a mapping is expected"),
        pytest.param({"files": {"path": "x"}}, [("path", "x")], id="a mapping where a list is expected"),
        pytest.param({"files": [{"path": "a", "mode": "w"}]}, [("mode", "w")], id="beside a listed one"),
        pytest.param({"tags": [{"name": "a", "other": "b"}]}, [], id="the wider of two pointers counts"),
        pytest.param({"a/b": {"c": "x", "d": "y"}}, [("d", "y")], id="escaped pointer"),
        pytest.param({"list": [["x"], {"k": "y"}]}, [("list", "x"), ("k", "y")], id="nested"),
        pytest.param({"n": 1, "b": True, "z": None}, [], id="only texts count"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_strings_that_nobody_vouches_for(document: Any, found: list[tuple[str, str]]) -> None:
    assert list(unlisted(document, LISTED)) == found


def test_without_arguments_every_string_is_unlisted() -> None:
    assert list(unlisted({"a": "x", "b": {"c": "y"}}, ())) == [("a", "x"), ("c", "y")]
