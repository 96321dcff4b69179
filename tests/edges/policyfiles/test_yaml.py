from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.policyfiles.problems import Fault
from lineclear.policyfiles.yaml import MAX_BYTES, read, read_all

REFUSED = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", 3, "second time"),
    "duplicate key, deep": ("x:\n  - {a: 1, a: 2}\n", 2, "second time"),
    "merge key": ("x: &x {a: 1}\ny:\n  <<: *x\n", 3, "merge key"),
    "custom tag": ("a: !thing 3\n", 1, "!thing"),
    "tag of another type": ("a: !!binary aGk=\n", 1, "binary"),
    "python tag": ("a: !!python/object/apply:os.system [x]\n", 1, "python/object"),
    "second document": ("a: 1\n---\nb: 2\n", 3, "second document"),
    "tab": ("a:\n\tb: 1\n", 2, "not YAML"),
    "open quote": ('a: "x\n', 2, "not YAML"),
    "open bracket": ("a: [1, 2\n", 2, "not YAML"),
    "alias without anchor": ("a: *x\n", 1, "anchor"),
    "alias to what holds it": ("a: &x [*x]\n", 1, "anchor"),
    "list as a key": ("? [a]\n: b\n", 1, "key"),
    "too deep": ("[" * 60 + "]" * 60, 1, "deep"),
    "endless number": ("a: " + "9" * 30, 1, "too long"),
    "number that JSON has no word for": ("x: 1\na: [1, -1e400]\n", 2, "`-1e400` is too large; quote it"),
}


@pytest.mark.parametrize(("text", "line", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_at_its_place(text: str, line: int, said: str) -> None:
    with pytest.raises(Fault, match=said) as caught:
        read(text)
    assert caught.value.line == line


def test_more_than_a_hundred_aliases_are_refused() -> None:
    lists = "a: &a x\nb: [" + ", ".join(["*a"] * 101) + "]\n"
    with pytest.raises(Fault, match="100 aliases"):
        read(lists)


def test_few_aliases_that_repeat_each_other_are_refused() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 9)]
    with pytest.raises(Fault, match="aliases repeat"):
        read("\n".join(rows))


def test_a_large_file_is_refused() -> None:
    with pytest.raises(Fault, match=str(MAX_BYTES)):
        read("# " + "x" * MAX_BYTES)


def test_what_is_not_utf_8_is_refused() -> None:
    with pytest.raises(Fault, match="UTF-8") as caught:
        read(b"a: 1\nb: \xff\n")
    assert caught.value.line == 2


def test_scalars_are_those_of_yaml_1_2() -> None:
    node = read("a: yes\nb: on\nc: 012\nd: true\ne: ~\nf: 1.5\ng: 0x10\nh: '1'\ni: !!str 2\nj: 2026-12-31\nk: 1_000\n")
    assert node is not None
    assert node.plain() == {
        "a": "yes", "b": "on", "c": 12, "d": True, "e": None, "f": 1.5, "g": 16, "h": "1", "i": "2",
        "j": "2026-12-31", "k": "1_000",
    }  # fmt: skip


def test_places_are_those_of_the_values() -> None:
    node = read("permissions:\n  deny:\n    - Read(x)\n    - 'Bash(y)'\n")
    assert node is not None
    second = node.entries("")["permissions"].entries("")["deny"].items("")[1]
    assert (second.line, second.column) == (4, 7)
    assert node.entries("")["permissions"].keys == {"deny": (2, 3)}


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "~"])
def test_an_empty_file_has_no_document(text: str) -> None:
    assert read(text) is None


@given(st.text(max_size=200))
def test_no_text_raises_anything_but_a_fault(text: str) -> None:
    with suppress(Fault):
        read_all(text)
