"""What a command finds and hands to one that writes is written: a denial and a protected path see it."""

from __future__ import annotations

import pytest

from support.judging import in_bypass

PERMISSIONS = 'permissions: {deny: ["Edit(locked/**)"]}'
DENIED = [
    "find locked -name a | xargs sed -i s/a/b/",
    "find locked -type f | xargs touch",
    "find locked -print0 | xargs -0 rm",
    "find ./locked -type f | xargs -I{} mv {} x",
    "ls locked/* | xargs rm",
    "grep -rl foo locked | xargs sed -i s/a/b/",
    "rg -l foo locked | xargs sed -i s/a/b/",
    "rm $(find locked -name a)",
    'rm "$(find locked -name a)"',
    "for f in $(find locked -type f); do sed -i s/a/b/ $f; done",
    'find locked | while read f; do rm "$f"; done',
    "for f in locked/*; do sed -i s/a/b/ $f; done",
    "for f in locked/*; do echo x > $f; done",
    "for f in locked/*; do echo x > ${f}; done",
    "gcc -olocked/a x.c",
    "7z x a.7z -olocked/x",
]
PROTECTED = [
    "find .git -name config | xargs sed -i s/a/b/",
    "find . -name .env | xargs rm",
    "find . -path './.git/hooks/*' | xargs sed -i s/a/b/",
    "git ls-files .github/workflows | xargs sed -i s/a/b/",
    "ls .git/hooks | xargs rm",
    "for f in $(find .git/hooks -type f); do sed -i s/a/b/ $f; done",
    "for f in .git/hooks/*; do echo x > $f; done",
]
NO_QUESTION = [
    "find . -name '*.pyc' | xargs rm",
    "find build -name '*.o' -print0 | xargs -0 rm -f",
    "grep -rl foo . | xargs sed -i s/foo/bar/",
    "find . -type f | xargs touch",
    "git ls-files | xargs sed -i s/a/b/",
    "grep -rl foo src | xargs sed -i s/foo/bar/",
    "for f in src/*.js; do sed -i s/a/b/ $f; done",
]


@pytest.mark.parametrize("command", DENIED)
def test_a_denial_sees_it(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"


@pytest.mark.parametrize("command", PROTECTED)
def test_a_protected_path_is_a_question(command):
    assert in_bypass(command) == "ask protected_path"


@pytest.mark.parametrize("command", NO_QUESTION)
def test_other_files_ask_nothing(command):
    assert in_bypass(command, PERMISSIONS) == "allow bypass_mode"
