from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.core.pointers import values_at
from lineclear.core.redact import RedactionError, redact
from lineclear.core.secret_formats import CARRIERS, TOKENS

FORMATS = (*TOKENS, *CARRIERS)
GITHUB = "ghp_" + "a1B2" * 9


def shown(text):
    redacted, _ = redact(text)
    return redacted


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.kind)
def test_each_format_finds_its_own_example(row):
    _, marks = redact(f"first {row.example} last")
    assert row.kind in {mark.kind for mark in marks}


@pytest.mark.parametrize("row", TOKENS, ids=lambda row: row.kind)
@pytest.mark.parametrize("around", ["{}", "x={}", '"{}"', "a,{},b", "https://h/?q={}&r=1", "({})", "é{}é"])
def test_a_token_is_found_wherever_it_stands(row, around):
    text = shown(around.format(row.example))
    assert row.example not in text
    assert "[redacted:" in text


SECRET = "hunter2"


@pytest.mark.parametrize(
    "words",
    [
        ["tool", "--password", "hunter2"],
        ["tool", "--user", "me", "--api-key", "hunter2", "x"],
        ["curl", "-u", "me:hunter2", "https://a.example"],
        ["curl", "-H", "Authorization: Basic hunter2", "https://a.example"],
        ["mysql", "-u", "root", "-phunter2", "db"],
        ["sshpass", "-p", "hunter2", "ssh", "host"],
        ["docker", "login", "-u", "me", "-p", "hunter2"],
        ["redis-cli", "-h", "db", "-a", "hunter2", "ping"],
        ["bash", "-lc", "tool --password hunter2 && x"],
        ["sh", "-c", "x", "--token", "two hunter2"],
        ("--secret", "hunter2"),
        ["tool", "--password=hunter2", "--password", "hunter2"],
    ],
    ids=" ".join,
)
def test_a_secret_that_is_a_word_of_its_own_is_gone(words):
    for value in ({"command": words}, {"servers": [{"args": words}]}):
        redacted, marks = redact(value)
        assert "hunter2" not in str(redacted)
        for mark in marks:
            (text,) = values_at(redacted, mark.pointer)
            assert text[mark.start : mark.start + mark.length] == f"[redacted:{mark.kind}]"
        assert redact(redacted) == (redacted, ())


@pytest.mark.parametrize(
    "value",
    [
        {"headers": {"Authorization": "Basic hunter2"}},
        {"headers": {"proxy-authorization": "hunter2"}},
        {"headers": [{"name": "authorization", "value": "Odd hunter2"}]},
        {"headers": [["Authorization", "Basic hunter2"], ["Accept", "*/*"]]},
        {"env": [("DB_PASSWORD", "hunter2")]},
        {"variables": [{"Key": "DB_PASSWORD", "Value": "hunter2"}]},
        {"variables": [{"Name": "api_key", "Value": "two hunter2"}]},
    ],
    ids=str,
)
def test_what_stands_beside_the_name_of_a_secret_is_gone(value):
    redacted, marks = redact(value)
    assert "hunter2" not in str(redacted)
    assert len(marks) == 1
    assert redact(redacted) == (redacted, ())


@pytest.mark.parametrize(
    "value",
    [
        {"kinds": ["password", "secret"]},
        {"allowed_tools": ["get_token", "Read"]},
        {"pairs": [["name", "value"], ["token_url", "x"], ["token", "x", "y"]]},
        {"name": "title", "value": "x"},
        {"name": "token_url", "value": "https://a.example"},
        {"authorization": True, "authorized": "yes"},
        {"text": "the authorization of them"},
    ],
    ids=str,
)
def test_what_only_speaks_of_secrets_stays(value):
    assert redact(value) == (value, ())


@pytest.mark.parametrize(
    "words", [["--token", "abc"] * 20_000, ["--token", "abc", *["a"] * 200_000], ["-x", *["a"] * 200_000]]
)
def test_however_many_words_there_are_it_takes_no_long_time(words):
    begun = time.process_time()
    redacted, marks = redact({"command": words})
    assert time.process_time() - begun < 1.5
    assert "abc" not in redacted["command"]
    assert bool(marks) is (words[0] == "--token")


@pytest.mark.parametrize(
    "value",
    [
        ["git", "log", "--oneline", "-5"],
        ["-", "a", "-b"],
        ["tool", "--token-file", "t", "--password-stdin"],
        ["--password", "$PASSWORD"],
        ["-v", 1, None],
        ["- mend the password field", "- write docs"],
        ["--password"],
        ["", "-"],
    ],
    ids=str,
)
def test_words_without_a_secret_stay(value):
    assert redact({"args": value}) == ({"args": value}, ())


@pytest.mark.parametrize(
    "text",
    [
        "export DB_PASSWORD=hunter2",
        "DB_PASS=hunter2 ./run",
        "PGPASSWORD='hunter2' psql",
        'PASSWORD="two hunter2"',
        'PASSWORD=ab"cd hunter2"',
        "password: hunter2\nuser: me",
        "password = hunter2",
        '{"password":"hunter2","user":"me"}',
        '{"user":"me","apiKey":"hunter2"}',
        '{\\"client_secret\\": \\"hunter2\\"}',
        "{password:'hunter2',user:'me'}",
        "f(user=me, token='hunter2')",
        "https://host/?access_token=hunter2&x=1",
        "tool --password hunter2",
        "tool --api-key=hunter2",
        "tool --auth-token 'two hunter2'",
        "//registry.example/:_authToken=hunter2",
        "<password>hunter2</password>",
        "curl -H 'Authorization: Basic hunter2' https://a.example",
        'curl -H "authorization: Odd hunter2" https://a.example',
        "curl -H Authorization:hunter2 https://a.example",
        "curl -H 'X-Api-Key: hunter2'",
        "curl -H 'PRIVATE-TOKEN: hunter2'",
        "curl -H 'Cookie: a=b; sid=hunter2; c=d'",
        "curl -u me:hunter2 https://a.example",
        "git clone https://me:hunter2@git.example/a.git",
        "psql postgresql://me:hun@hunter2@db/app",
        "mysql -u root -phunter2 db",
        "sshpass -p hunter2 ssh host",
        "docker login -u me -p hunter2",
        "openssl rsa -passin pass:hunter2",
        "DB_PASSWORD=ab,cd;hunter=1 PASSWORD=hunter2",
        "passphrase: correct horse hunter2",
        "secret_key_base: hunter2",
        "AZURE_CLIENT_SECRET => 'hunter2'",
        "if token == 'hunter2':",
    ],
)
def test_what_is_assigned_to_a_name_of_secrets_is_gone(text):
    assert SECRET not in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "git push origin main",
        "TOKEN=$TOKEN ./run",
        "curl -H 'Authorization: Bearer $TOKEN' https://a.example",
        "password=${DB_PASSWORD}",
        "token = None",
        "token_url=https://a.example",
        "--password-file /run/secrets/db",
        "max_tokens: 100",
        "tokenizer=5",
        "bypass: 5",
        "PATH=/usr/bin",
        "docker run -u 1000:1000 -p 80:80 image",
        "rsync -u host:/a /b",
        "Bash(export TOKEN=*)",
        "grep -rn password src",
        "ssh-keygen -t ed25519",
        "sha256:" + "ab" * 32,
        "https://a.example:8080/path?x=1",
        "me@a.example:path",
    ],
)
def test_what_is_no_secret_stays(text):
    assert redact(text) == (text, ())


def test_the_rest_of_a_text_stays_and_the_mark_says_where_and_what():
    text = f"echo {GITHUB} | curl -u me:pw1 https://a.example"
    redacted, marks = redact({"command": text})
    shown_text = "echo [redacted:github-token] | curl -u me:[redacted:password] https://a.example"
    assert redacted == {"command": shown_text}
    assert [(m.pointer, m.kind, shown_text[m.start : m.start + m.length]) for m in marks] == [
        ("/command", "github-token", "[redacted:github-token]"),
        ("/command", "password", "[redacted:password]"),
    ]


@pytest.mark.parametrize(
    "name", ["password", "api_key", "API-KEY", "accessToken", "token", "client_secret", "PASSWD_2"]
)
def test_what_stands_under_a_name_of_secrets_is_gone_whole(name):
    redacted, marks = redact({"a": [{name: "plain words"}]})
    assert redacted == {"a": [{name: "[redacted:secret]"}]}
    [mark] = marks
    assert (mark.pointer, mark.kind, mark.start) == (f"/a/0/{name}", "secret", 0)


def test_lists_under_such_a_name_and_lists_of_variables_are_too():
    value = {"env": [{"name": "DB_PASSWORD", "value": "plain"}, {"name": "USER", "value": "me"}], "token": ["a1", "b2"]}
    redacted, _ = redact(value)
    assert redacted == {
        "env": [{"name": "DB_PASSWORD", "value": "[redacted:secret]"}, {"name": "USER", "value": "me"}],
        "token": ["[redacted:secret]", "[redacted:secret]"],
    }


def test_a_secret_in_the_name_of_a_key_is_gone_and_takes_no_other_key_with_it():
    redacted, marks = redact({"a/b": {GITHUB: 1, GITHUB.lower(): 2}})
    assert redacted == {"a/b": {"[redacted:github-token]": 1, "[redacted:github-token]'": 2}}
    assert [mark.pointer for mark in marks] == [
        "/a~1b/[redacted:github-token]#",
        "/a~1b/[redacted:github-token]'#",
    ]


def test_other_values_stay_as_they_are():
    value = {"n": [1, 2.5, -0.0, True, None, "", {"x": {}}], "token": 5, "pass": None}
    assert redact(value) == (value, ())


def test_a_placeholder_that_the_caller_wrote_hides_nothing_behind_it():
    text = f"[redacted:x]{GITHUB} password=[redacted:secret] token=a[redacted:x]b"
    assert GITHUB not in shown(text)
    assert "token=[redacted:secret]" in shown(text)


@pytest.mark.parametrize("value", ["\ud800 " + GITHUB, {"\udc00": "password=x1"}, {"a": object()}, {"token": {1, 2}}])
def test_what_can_not_be_redacted_is_an_error_that_says_nothing_of_it(value):
    with pytest.raises(RedactionError) as caught:
        redact(value)
    assert "ghp" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_value_that_is_nested_without_end_is_an_error():
    value = "password=x1"
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RedactionError):
        redact(value)


PIECES = st.sampled_from(
    [row.example for row in FORMATS]
    + [
        "password",
        "token",
        "=",
        ": ",
        "'",
        '"',
        "\\",
        " ",
        "\n",
        "&",
        ";",
        "[redacted:secret]",
        "x1",
        "$",
        "é",
        "\0",
        "://",
        "@",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)
VALUES = st.recursive(
    TEXTS.filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)) | st.none() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["password", "a", "name", "value"]), inner)
    ),
    max_leaves=6,
)


@given(VALUES)
def test_what_was_redacted_is_left_as_it_is(value):
    once, _ = redact(value)
    assert redact(once) == (once, ())


@given(VALUES)
def test_every_mark_points_at_a_placeholder_of_its_kind(value):
    redacted, marks = redact(value)
    for mark in marks:
        [text] = values_at(redacted, mark.pointer)
        assert text[mark.start : mark.start + mark.length] == f"[redacted:{mark.kind}]"


@given(
    st.text(max_size=20).filter(str.isprintable), st.sampled_from(TOKENS), st.text(max_size=20).filter(str.isprintable)
)
def test_a_token_between_any_words_is_gone(before, row, after):
    assert row.example not in shown(f"{before} {row.example} {after}")


@pytest.mark.parametrize(
    "piece",
    [
        "password=a ",
        "password",
        "ghp_",
        "curl -u ",
        'token="',
        "eyJ",
        "-----BEGIN PRIVATE KEY-----",
        "a:b@",
        "x://",
        '\\"',
    ],
)
def test_a_megabyte_of_anything_takes_no_second_of_a_decision(piece):
    text = piece * (1_000_000 // len(piece))
    begun = time.process_time()
    redact({"command": text, "parts": [text[:1000]] * 200})
    assert time.process_time() - begun < 3


def test_more_secrets_than_one_looks_for_are_gone_all_the_same():
    text = "".join(f"password=hunter{n} \n" for n in range(5_000))
    redacted, _ = redact([text, "harmless", text])
    assert "hunter" not in str(redacted)
    assert "harmless" in redacted
