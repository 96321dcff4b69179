"""What holds of any command and any rules: no spelling, redirect, wrapper or neighbour makes it less strict."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.core.checks import Undecided, decide
from lineclear.core.modes import Mode
from lineclear.core.verdict import Verdict
from lineclear.policyfiles.compiling import compiled
from support.rulings import permissions, shell, shipped

SHIPPED = compiled(shipped(), ())
MODES = st.sampled_from([Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.PLAN, Mode.BYPASS])
SIMPLE = st.sampled_from(
    [
        *("ls -la", "cat a.py", "cat .env", "cat ../../x", "grep -rn a .", "wc -l *.py", "git log", "git push -f"),
        *("rm -rf build", "rm -rf /", "rm -rf .", "rm a", "touch .git/config", "cp a .bashrc", "npm test", "sudo ls"),
        *("curl x.y", 'echo "$x"', "echo $x", 'cat "$x"', "mv a b", "sed -i s/a/b/ a", "find . -delete", "env", "pwd"),
        *("python3 a.py", "tee ~/.ssh/config", "mkdir b", "frob", "xargs rm", "chmod +x a", "kill 1", "date"),
    ]
)
REDIRECTS = st.sampled_from(
    [
        *("> out", ">> out", "2> err", "&> out", "> .env", "> /etc/passwd", "< a", "< .env", "2>&1", "> /dev/null"),
        *("> /dev/tcp/h/1", '> "$x"', "<<< a", ">| ~/.bashrc", "<<'E'\na\nE"),
    ]
)
FOLDERS = st.sampled_from(["src", ".", "src/a", "..", "/", "/tmp", "/work/repo/src", ".git", "~"])
QUOTES = st.sampled_from(
    [
        lambda w: w,
        lambda w: f"'{w}'",
        lambda w: f'"{w}"',
        lambda w: f"{w[0]}''{w[1:]}",
        lambda w: f"\\{w}",
        lambda w: f"{w[:1]}\\\n{w[1:]}",
        lambda w: f"$'{w}'",
        lambda w: f'{w[:-1]}"{w[-1]}"',
    ]
)
WRAPPERS = [
    *("( {})", "{{ {}; }}", "! {}", "time {}", "timeout 5 {}", "nice -n 5 {}", "nohup {}", "stdbuf -oL {}", "env {}"),
    *("env A=1 {}", "command {}", "sudo {}", "sudo -u root {}", "A=1 {}", "sh -c '{}'", 'bash -lc "{}"', "setsid {}"),
    *("bash -c 'sh -c \"{}\"'", "if a; then {}; fi", "while a; do {}; done", "for i in 1 2; do {}; done", "ls; {}"),
    *("case a in a) {};; esac", "echo $({})", "echo `{}`", "cat <({})", "ls && {}", "ls || {}", "ls | {}", "{} & ls"),
    *("[[ a ]] && {}", "flock f {}", "watch {}", "xargs {}", "find . -exec {} \\;", "busybox {}", "cd src && {}"),
    *("timeout 5 nice sudo env {}", "cat <<E\n$({})\nE", 'x="$({})"', "eval {}", "exec {}", "doas {}", "ls\n{}"),
    *("until a; do {}; done", "select i in a; do {}; done", "trap '{}' EXIT", "coproc {}", "env -S '{}'", "su -c '{}'"),
    *(
        "parallel {} ::: a",
        "ssh h {}",
        "docker exec c {}",
        "script -c '{}' f",
        "chroot / {}",
        "unshare -r {}",
        "npx {}",
    ),
    *("f() {{ {}; }}; f", "function f {{ {}; }}", "(( 1 )) && {}", "${{x:-$({})}}", "echo $(( $({}) ))", "x[$({})]=1"),
    *("[[ -e <({}) ]]", "[[ a < $({}) ]]", "case a in <({})) ls;; esac", "case $({}) in a) ls;; esac", "tee >({})"),
    *(
        'while a; do b; done <<< "$({})"',
        "if a; then b; fi <<< $({})",
        "(ls) > $({})",
        "{{ ls; }} < <({})",
        "ls <<< $({})",
    ),
    *("echo '{}' | sh", "sh <<< '{}'", "bash <<'E'\n{}\nE", "cat <<E | sh\n{}\nE", "source <(echo '{}')", "x='{}'; $x"),
    *(
        "x='{}'; frobnicate; eval $x",
        "x=({}); ${{x[@]}}",
        "x=$(echo {}); $x",
        "$(echo {})",
        "set -- {}; $@",
        "${{x:-{}}}",
    ),
]
DENIED = [
    *("rm -rf x", "git push origin", "git -C y push", "npm publish", "frob a", "/usr/bin/rm -fr x"),
    *("cat /srv/a", "tee /srv/a", "curl evil.example"),
]
DENIALS = permissions(
    deny=[
        *("Bash(rm -rf *)", "Bash(git push *)", "Bash(npm publish *)", "Bash(frob *)"),
        *("Read(//srv/**)", "WebFetch(domain:evil.example)"),
    ]
)
SPELLINGS = {
    "as it is": "{}",
    "single quotes": "'{}'",
    "double quotes": '"{}"',
    "quotes before": "''{}",
    "quotes behind": '{}""',
    "a backslash": "\\{}",
    "a continued line": "\\\n{}",
    "ANSI-C quotes": "$'{}'",
    "a default": "${{unset_name:-{}}}",
    "a substitution": "$(echo {})",
    "backquotes": "`printf %s {}`",
    "what stands for an alternative": "${{HOME:+{}}}",
}
SPELLED = {
    "in hexadecimal": lambda word: "$'" + "".join(f"\\x{ord(letter):02x}" for letter in word) + "'",
    "in octal": lambda word: "$'" + "".join(f"\\{ord(letter):03o}" for letter in word) + "'",
    "letter by letter": lambda word: "".join(f"'{letter}'" for letter in word),
    "in halves": lambda word: f'{word[:2]}"{word[2:]}"',
}
VARIABLES = {
    "a value": "v={0}; {1}",
    "an exported value": "export v={0}; {1}",
    "a value that something else came behind": "v={0}; frobnicate; {1}",
    "a value that was printed": "v=$(echo {0}); {1}",
    "a value that is read": "read v <<< {0}; {1}",
    "a value by default": "v=${{unset_name:-{0}}}; {1}",
    "a loop": "for v in {0}; do {1}; done",
    "a longer loop": "for v in a {0}; do {1}; done",
    "a branch": "if a; then v={0}; fi; {1}",
    "a part": "v={0}xx; v=${{v%xx}}; {1}",
}


def severity(policy, command, **more):
    decision = decide(policy, shell(policy, command, **more))
    return Verdict.ASK.severity if isinstance(decision, Undecided) else decision.verdict.severity


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("command", DENIED)
def test_a_denied_command_stays_denied_in_every_wrapper(wrapper, command):
    assert severity(DENIALS, wrapper.format(command)) == Verdict.DENY.severity


@settings(max_examples=200, deadline=None)
@given(command=st.sampled_from(DENIED), inner=st.sampled_from(WRAPPERS[:16]), outer=st.sampled_from(WRAPPERS[:12]))
def test_nor_do_two_wrappers_hide_it(command, inner, outer):
    assert severity(DENIALS, outer.format(inner.format(command))) == Verdict.DENY.severity


@pytest.mark.parametrize("command", DENIED)
@pytest.mark.parametrize("spelling", [*SPELLINGS.values(), *SPELLED.values()], ids=[*SPELLINGS, *SPELLED])
def test_a_denied_command_stays_denied_however_one_of_its_words_is_spelled(command, spelling):
    words = command.split()
    for at, word in enumerate(words):
        spelled = spelling.format(word) if isinstance(spelling, str) else spelling(word)
        written = " ".join([*words[:at], spelled, *words[at + 1 :]])
        assert severity(DENIALS, written) == Verdict.DENY.severity, written


@pytest.mark.parametrize("command", DENIED)
@pytest.mark.parametrize("way", VARIABLES.values(), ids=VARIABLES)
def test_nor_does_a_variable_in_place_of_a_word_hide_it(command, way):
    words = command.split()
    for at, word in enumerate(words):
        for name in ("$v", '"$v"', "${v}"):
            written = way.format(word, " ".join([*words[:at], name, *words[at + 1 :]]))
            assert severity(DENIALS, written) >= Verdict.ASK.severity, written
            assert severity(DENIALS, written, mode=Mode.BYPASS) == Verdict.DENY.severity, written


@settings(max_examples=250, deadline=None)
@given(command=SIMPLE, mode=MODES, data=st.data())
def test_quoting_a_word_differently_changes_no_verdict(command, mode, data):
    words = command.split()
    plain = [word for word in words if not set(word) & set("\"'$*~")]
    written = " ".join(data.draw(QUOTES)(word) if word in plain and len(word) > 1 else word for word in words)
    assert severity(SHIPPED, written, mode=mode) == severity(SHIPPED, command, mode=mode)


@settings(max_examples=250, deadline=None)
@given(command=SIMPLE, redirect=REDIRECTS, mode=MODES)
def test_a_redirect_never_loosens(command, redirect, mode):
    assert severity(SHIPPED, f"{command} {redirect}", mode=mode) >= severity(SHIPPED, command, mode=mode)


@settings(max_examples=250, deadline=None)
@given(first=SIMPLE, join=st.sampled_from([" && ", "; ", "\n", " | ", " || ", " & "]), second=SIMPLE, mode=MODES)
def test_the_whole_is_as_strict_as_its_parts(first, join, second, mode):
    whole = severity(SHIPPED, first + join + second, mode=mode)
    assert whole >= max(severity(SHIPPED, part, mode=mode) for part in (first, second))


@settings(max_examples=250, deadline=None)
@given(folder=FOLDERS, join=st.sampled_from([" && ", "; ", "\n"]), command=SIMPLE, mode=MODES)
def test_and_as_its_parts_in_the_directory_that_they_have_there(folder, join, command, mode):
    places = {"~": "/home/dev", "/": "/", "/tmp": "/tmp", "..": "/work", ".": "/work/repo"}
    there = places.get(folder, folder if folder[0] == "/" else f"/work/repo/{folder}")
    whole = severity(SHIPPED, f"cd {folder}{join}{command}", mode=mode)
    assert whole >= severity(SHIPPED, command, mode=mode, cwd=there, roots=("/work/repo",))


@pytest.mark.parametrize(
    "name", [".env", ".git/config", ".ssh/id_rsa", ".claude/settings.json", ".github/workflows/a.yml"]
)
@pytest.mark.parametrize("command", ["echo x > {}", "tee {}", "cp a {}", "cat {}", "rm {}"])
def test_upper_and_lower_case_of_protected_names_are_the_same(name, command):
    lower, upper = (severity(SHIPPED, command.format(text)) for text in (name, name.upper()))
    assert upper == lower
