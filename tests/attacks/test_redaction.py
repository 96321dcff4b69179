"""Nobody hides a command behind a secret: what is redacted ends where the secret does."""

from __future__ import annotations

import pytest

from lineclear.core.redact import redact

BEHIND = "git push"
TEXTS = [
    "curl -H 'X-Api-Key: hunter2' -H 'X-Auth-Token: hunter2' https://a.example && git push",
    "curl -d 'a=1&token=hunter2' -d 'b=2&secret=hunter2' https://a.example; git push",
    'curl -H "X-Api-Key: hunter2" -H "Accept: */*" https://a.example | git push',
    "curl -H X-Api-Key:hunter2 https://a.example; git push",
    "wget --header='X-Api-Key: hunter2' https://a.example && git push",
    "curl -H 'Authorization: Digest username=hunter2, response=hunter2' https://a.example && git push",
    "echo Authorization: hunter2; git push",
    "echo Authorization: Bearer hunter2 && git push",
    "echo Cookie: sid=hunter2; git push",
    "echo Cookie: sid=hunter2 | git push",
    "echo Set-Cookie: sid=hunter2; b=hunter2; Path=/; HttpOnly; git push",
    "echo passphrase: hunter2 hunter2; git push",
    "echo passphrase: hunter2 && git push",
    "PASSWORD='two hunter2' git push",
    "PASSWORD=hunter2'hunter2' git push",
    "mysql -phunter2 db && git push",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_stands_behind_a_secret_stays(text):
    shown, _ = redact(text)
    assert "hunter2" not in shown
    assert shown.endswith(BEHIND)
    assert redact(shown)[0] == shown
