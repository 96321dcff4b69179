"""What a denial sees through: each row is a way that people have got past some shell matcher."""

from __future__ import annotations

import pytest

from support.rulings import denied

SEEN_THROUGH = {
    "options in another order": ("rm -rf /", "rm -fr /"),
    "options apart": ("rm -rf /", "rm -r -f /"),
    "long options": ("rm -rf /", "rm --recursive --force /"),
    "an option more": ("rm -rf /", "rm -rfv /"),
    "option behind the operand": ("git push --force *", "git push origin main --force"),
    "short for long": ("git push --force *", "git push -f origin"),
    "shortened option": ("git commit --no-verify *", "git commit --no-veri -m x"),
    "global option": ("git push *", "git -C /x push"),
    "global options": ("git push *", "git -c a.b=c --no-pager push origin"),
    "path of the program": ("curl *", "/opt/x/curl https://a.example"),
    "relative path of the program": ("curl *", "./curl https://a.example"),
    "backslash before the program": ("curl *", r"\curl https://a.example"),
    "suffix of Windows": ("curl *", "curl.exe https://a.example"),
    "quotes inside words": ("git push *", "g'i't pu\"s\"h"),
    "escaped letters": ("git push *", r"gi\t p\ush"),
    "other quoting": ("git push *", r"$'git' $'\x70ush'"),
    "continuation": ("git push *", "git \\\npush"),
    "wrapper": ("git push *", "sudo git push"),
    "wrappers": ("git push *", "nohup timeout 5 nice -n 3 env A=b git push"),
    "unlisted option of a known program": ("npm publish *", "npm --strange publish"),
    "shell in a shell": ("git push *", "sh -c 'bash -lc \"git push\"'"),
    "group": ("git push *", "{ git push; }"),
    "condition": ("git push *", "if true; then git push; fi"),
    "loop": ("git push *", "for x in a b; do git push $x; done"),
    "behind a failure": ("git push *", "false || git push"),
    "background": ("git push *", "git push & true"),
    "negation": ("git push *", "! git push"),
    "substitution in an assignment": ("git push *", "X=$(git push)"),
    "backticks": ("git push *", "echo `git push`"),
    "process substitution": ("git push *", "cat <(git push)"),
    "assignment before": ("git push *", "GIT_DIR=x git push"),
    "option of an unknown program, anywhere": ("mytool --force *", "mytool sync --force"),
    "option of an unknown program with a value": ("mytool delete *", "mytool --context prod delete x"),
    "redirect": ("cat *", "cat a > b"),
    "exact pattern, an option more": ("npm publish", "npm publish --dry-run"),
    "exact pattern, an option of the script": ("npm run deploy", "npm run deploy --silent"),
    "attached value": ("curl -X POST *", "curl -XPOST https://a.example"),
    "value behind an equals sign": ("curl -X POST *", "curl --request=POST https://a.example"),
    "appended by another program": ("rm -rf *", "find . | xargs rm -rf"),
    "option of another shape": ("find * -delete", "find . -name x -delete"),
    "operand with a name": ("dd * of=/dev/*", "dd if=a of=/dev/sda"),
    "star inside": ("git * main", "git checkout main"),
    "star at the end of a word": ("git push*", "git -C x push origin"),
    "plus operand": ("git push * +*", "git push origin +main"),
    "case of the program on systems that fold it": ("curl *", "CURL https://a.example"),
}


@pytest.mark.parametrize(("pattern", "command"), SEEN_THROUGH.values(), ids=SEEN_THROUGH.keys())
def test_a_denial_sees_through(pattern: str, command: str) -> None:
    assert denied(pattern, command)


NOT_MEANT = {
    "data of another command": ("git push *", "git commit -m 'git push'"),
    "text": ("git push *", "echo git push"),
    "search": ("git push *", "grep -rn 'git push' docs"),
    "another subcommand of the name's": ("git push *", "git stash push"),
    "longer word": ("make release", "make release-notes"),
    "longer option": ("git fetch --prune *", "git fetch --prune-tags origin"),
    "exact operands, one more": ("npm test", "npm test extra"),
    "exact operands, one less": ("rm -rf /", "rm -rf"),
    "option not there": ("git push --force *", "git push origin"),
    "similar option": ("git push --force *", "git push --force-with-lease"),
    "option behind the dashes": ("rm -f *", "rm -- -f"),
    "dashes wanted": ("git checkout -- *", "git checkout main"),
    "comment": ("git push *", "true # git push"),
    "quoted here-document": ("git push *", "cat <<'EOF'\ngit push\nEOF"),
    "literal star": (r"expr 2 \* 3", "expr 2 + 3"),
}


@pytest.mark.parametrize(("pattern", "command"), NOT_MEANT.values(), ids=NOT_MEANT.keys())
def test_a_denial_leaves_alone(pattern: str, command: str) -> None:
    assert not denied(pattern, command)
