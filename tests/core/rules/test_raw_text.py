from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from support.rulings import covered, denied, permissions, shell

MATCHING = {
    "no grammar": "git push origin main",
    "no grammar, capitals": "Git Push origin",
    "no grammar, path and suffix": r"& 'C:\Program Files\Git\git.exe' push",
    "no grammar, quotes": 'git "push"',
    "no grammar, escapes": "gi`t pu`sh",
    "no grammar, carets": "g^it p^ush",
    "no grammar, continued": "git `\npush",
    "no grammar, options between": "git -C x push",
}


@pytest.mark.parametrize("text", MATCHING.values(), ids=MATCHING.keys())
def test_words_in_order_within_a_line_match(text: str) -> None:
    assert denied("git push *", text, dialect=Dialect.POWERSHELL)


@pytest.mark.parametrize(
    "text", ["git status\nnpm push", "push git", "digit push", "git pushed", "git push-x", "gitk push", "legit push"]
)
def test_other_words_do_not(text: str) -> None:
    assert not denied("git push *", text, dialect=Dialect.POWERSHELL)


def test_text_that_does_not_parse_is_searched_and_never_covered() -> None:
    assert denied("rm *", "if rm -rf build; then")
    assert not covered("rm *", "if rm -rf build; then")


def test_the_part_is_the_line_as_written() -> None:
    policy = permissions(deny=["Bash(git push *)"])
    (match,) = policy.rules.denials(shell(policy, "dir\n  Git PUSH x", dialect=Dialect.POWERSHELL))
    assert match.part == "Git PUSH x"
