from __future__ import annotations

import pytest

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import STAR
from lineclear.core.rules.splitting import split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git push *", ["git", "push", STAR]),
        ("git   push", ["git", "push"]),
        ('notify-send "build done"', ["notify-send", "build done"]),
        ("notify-send 'build done'", ["notify-send", "build done"]),
        (r"expr 2 \* 3", ["expr", "2", "*", "3"]),
        ("check? [x] {y} ~ $HOME", ["check?", "[x]", "{y}", "~", "$HOME"]),
        (r"echo a\;b", ["echo", "a;b"]),
        ("echo ''", ["echo", ""]),
        ("ls*", ["ls" + STAR]),
        ("git:* push", ["git:*", "push"]),
        (r"docker run -v a\:* x", ["docker", "run", "-v", "a:" + STAR, "x"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_are_those_of_a_shell(text: str, words: list[str]) -> None:
    assert split(text, quoted_star=False) == words


@pytest.mark.parametrize(
    "text",
    ["a && b", "a | b", "a; b", "a & b", "a > f", "a < f", "(a)", "echo `date`", "echo $(date)", 'echo "$(date)"',
     "echo 'a", 'echo "a', "a\nb", "a \\"],
)  # fmt: skip
def test_more_than_one_simple_command_is_refused_by_name(text: str) -> None:
    with pytest.raises(RuleFault) as caught:
        split(text, quoted_star=False)
    assert f"`{text}`" in str(caught.value)


def test_a_quoted_star_is_a_wildcard_only_where_that_is_the_stricter_reading() -> None:
    assert split("echo 'a*'", quoted_star=False) == ["echo", "a*"]
    assert split("echo 'a*'", quoted_star=True) == ["echo", "a" + STAR]
    assert split("echo 'a:*' \"b:*\"", quoted_star=True) == ["echo", "a:*", "b:*"]
