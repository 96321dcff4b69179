"""What nobody described is the worst that it could be: each path that an unknown word names may be written."""

from __future__ import annotations

import pytest

from support.judging import in_bypass

PERMISSIONS = 'permissions: {deny: ["Edit(locked/**)", "Read(hidden/**)"]}'
PROTECTED = [
    "mytool .git/config",
    "mytool .GIT/config",
    "mytool -- .git/hooks/x",
    "mytool --out=.git/config",
    "mytool --out .git/config",
    "mytool -o .git/config",
    "mytool -o.git/config",
    "mytool of=.git/config",
    "mytool type=bind,src=.git,dst=/x",
    "mytool a:.git/hooks/x",
    "mytool @.env",
    "mytool id_rsa",
    "mytool CLAUDE.md",
    "mytool 'a folder/.env'",
    'mytool "$x/.env"',
    "mytool file:///work/repo/.env",
    "mytool .gi*/config",
    "mytool .e*",
    "mytool ~/.bashrc",
    "./mytool .git/config",
    "python3 x.py --out .git/config",
    "make -f x .git/hooks/y",
    "npm run x -- --out .git/config",
    "docker cp c:/x .git/hooks/x",
    "sort --unheard-of .git/config",
    "terraform -chdir=x output -json .git/x",
    "git unheard-of .git/config",
    "git unheard-of --out=.git/config",
    "tar -xf x.tar .git/hooks/x",
    "tar -xf x.tar --one-top-level=.git",
    "7z x a.7z -o.git",
    "setfacl -m u:x:rwx .git/config",
    "rustc x.rs -o .git/hooks/x",
    "openssl rand -writerand .git/config 1",
]
DENIED = ["mytool locked/a", "mytool locked", "mytool --out=locked/a", "mytool hidden/a", "cd locked && mytool x/y"]
HARMLESS = [
    "pytest -q locked/test_a.py -k x",
    "npm test -- locked/a.test.js",
    "mytool a b",
    "mytool src/a.py",
    "mytool https://example.org/.env",
    "mytool --verbose -j4 a=b",
    "echo .git/config",
    "git commit -m .git/config",
    "grep --unheard-of .git/config x",
    "npm run build",
]


@pytest.mark.parametrize("command", PROTECTED)
def test_a_protected_path_is_a_question(command):
    assert in_bypass(command, PERMISSIONS) == "ask protected_path"


@pytest.mark.parametrize("command", DENIED)
def test_a_denied_path_is_denied(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"


@pytest.mark.parametrize("command", HARMLESS)
def test_other_words_ask_nothing(command):
    assert in_bypass(command, PERMISSIONS) == "allow bypass_mode"
