"""The policy in force is shown with its sources and with what the other replicas decide by."""

from __future__ import annotations

from lineclear.core.call import Role


async def test_the_policy_is_shown_with_all_replicas(world):
    async with world.client(Role.EDITOR) as client:
        document = (await client.get("/v1/policy")).json()
    assert document["version"] == "sha256:1"
    assert document["files"] == ["organisation/a.yaml"]
    assert document["enforcement"] == "enforce"
    assert document["modes"]["default"] == "default"
    assert "bypassPermissions" not in document["modes"]["allowed"]
    assert [replica["policy_version"] for replica in document["replicas"]] == ["sha256:1", "sha256:2"]
    assert document["agree"] is False
    assert document["versions"] == [
        {"version": "sha256:1", "first_seen_at": "2026-06-01T00:00:00Z", "commit": "a" * 40, "modified": False}
    ]
    assert document["warnings"] == ["last reload refused"]
