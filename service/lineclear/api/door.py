"""Nobody gets in unseen: what isn't in the endpoint table is not served, and each row's roles are asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.api import visit
from lineclear.api.endpoints import ENDPOINTS, EndpointIndex
from lineclear.api.problems import Problem, ProblemCode
from lineclear.engine.keys import digest

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from lineclear.api.endpoints import Endpoint
    from lineclear.api.shares import Shares
    from lineclear.core.call import Key
    from lineclear.engine.keys import KeyStore
    from lineclear.telemetry.metrics import Metrics

_SCHEME = b"bearer "
_LONGEST_SECRET = 256


class Door:
    """Finds the endpoint, refuses web pages and foreign host names, and checks the key. Raises ``Problem``."""

    def __init__(
        self, app: ASGIApp, keys: KeyStore, allowed_hosts: frozenset[str], shares: Shares, metrics: Metrics
    ) -> None:
        self._app = app
        self._keys = keys
        self._hosts = allowed_hosts
        self._shares = shares
        self._metrics = metrics
        self._index = EndpointIndex(ENDPOINTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request in, or raise."""
        endpoint = self._endpoint(scope["path"], scope["method"])
        headers = _single(scope["headers"])
        if endpoint.changes_state:
            self._refuse_web_pages(headers)
        visited = visit.of(scope)
        visited.endpoint = endpoint
        if endpoint.roles is None:
            await self._app(scope, receive, send)
            return
        visited.key = await self._key(endpoint.roles, headers)
        principal = visited.key.principal.id
        self._shares.take(principal)
        try:
            await self._app(scope, receive, send)
        finally:
            self._shares.give_back(principal)

    def _endpoint(self, path: str, method: str) -> Endpoint:
        methods = self._index.at(path)
        if not methods:
            raise Problem(ProblemCode.NOT_FOUND, "nothing is served at this path")
        endpoint = methods.get(method)
        if endpoint is None:
            allowed = ", ".join(sorted(methods))
            raise Problem(ProblemCode.METHOD_NOT_ALLOWED, f"this path takes {allowed}", headers={"allow": allowed})
        return endpoint

    def _refuse_web_pages(self, headers: dict[bytes, bytes | None]) -> None:
        if b"origin" in headers:
            raise Problem(
                ProblemCode.ORIGIN_REFUSED, "a request with an `Origin` header comes from a web page and is refused"
            )
        host = headers.get(b"host")
        if host is None or _without_port(host) not in self._hosts:
            raise Problem(
                ProblemCode.HOST_REFUSED,
                "the name in `Host` is not one of this service's; add it to the setting `allowed_hosts`",
            )
        content_type = headers.get(b"content-type")
        if content_type is None or not _is_json(content_type):
            raise Problem(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "send the body as `application/json` in UTF-8")
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise Problem(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "send the body without a content encoding")

    async def _key(self, roles: frozenset[object], headers: dict[bytes, bytes | None]) -> Key:
        authorization = headers.get(b"authorization")
        if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
            raise self._unauthenticated("missing", "send the key as `Authorization: Bearer lck_…`")
        secret = authorization[len(_SCHEME) :].strip()
        key = None
        if 0 < len(secret) <= _LONGEST_SECRET:
            key = await self._keys.find(digest(secret.decode("latin-1")))
        if key is None:
            raise self._unauthenticated("unknown", "this key is not known or was revoked")
        if key.role not in roles:
            self._metrics.auth_failed("role")
            raise Problem(
                ProblemCode.FORBIDDEN, f"a key of the role `{key.role}` may not do this; it takes {_either(roles)}"
            )
        return key

    def _unauthenticated(self, cause: str, detail: str) -> Problem:
        self._metrics.auth_failed(cause)
        return Problem(ProblemCode.UNAUTHENTICATED, detail, headers={"www-authenticate": 'Bearer realm="lineclear"'})


def _single(headers: list[tuple[bytes, bytes]]) -> dict[bytes, bytes | None]:
    """Headers by name; None where one is given twice, so that no two readers of it can differ."""
    found: dict[bytes, bytes | None] = {}
    for name, value in headers:
        found[name] = None if name in found else value
    return found


@lru_cache(maxsize=64)
def _without_port(host: bytes) -> str:
    name = host.decode("latin-1").strip().lower()
    head, separator, tail = name.rpartition(":")
    return (head if separator and tail.isascii() and tail.isdigit() else name).removesuffix(".")


@lru_cache(maxsize=64)
def _is_json(content_type: bytes) -> bool:
    media, *parameters = content_type.decode("latin-1").lower().split(";")
    charsets = [
        value.strip(" \"'") for name, _, value in (p.partition("=") for p in parameters) if name.strip() == "charset"
    ]
    return media.strip() == "application/json" and all(charset == "utf-8" for charset in charsets)


def _either(roles: frozenset[object]) -> str:
    return " or ".join(f"`{role}`" for role in sorted(map(str, roles)))
