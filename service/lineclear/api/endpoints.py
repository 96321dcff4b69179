"""Who may call what: one table, and what isn't in it isn't served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.call import Role

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One row: method, path template (``{id}`` stands for a segment), and the roles; None is everybody, keyless."""

    method: str
    path: str
    roles: frozenset[Role] | None

    @property
    def changes_state(self) -> bool:
        """Whether a web page must be kept from it, and a JSON body is due."""
        return self.method not in {"GET", "HEAD"}


def _row(method: str, path: str, *roles: Role) -> Endpoint:
    return Endpoint(method, path, frozenset(roles) or None)


DECIDE = _row("POST", "/v1/decisions", Role.AGENT, Role.HOST)

ENDPOINTS: tuple[Endpoint, ...] = (
    DECIDE,
    _row("POST", "/v1/decisions/batch", Role.AGENT, Role.HOST),
    _row("GET", "/v1/decisions", Role.OPERATOR, Role.EDITOR),
    _row("GET", "/v1/decisions/{decision_id}", Role.AGENT, Role.HOST, Role.OPERATOR, Role.EDITOR),
    _row("POST", "/v1/hooks/{host}", Role.HOST),
    _row("POST", "/v1/decisions/{decision_id}/outcome", Role.AGENT, Role.HOST, Role.OPERATOR),
    _row("GET", "/v1/approvals", Role.OPERATOR),
    _row("GET", "/v1/sessions", Role.HOST, Role.OPERATOR),
    _row("GET", "/v1/sessions/{session_id}", Role.HOST, Role.OPERATOR),
    _row("POST", "/v1/sessions/{session_id}/messages", Role.HOST),
    _row("POST", "/v1/sessions/{session_id}/breaker/reset", Role.OPERATOR),
    _row("POST", "/v1/sessions/{session_id}/close", Role.HOST, Role.OPERATOR),
    _row("GET", "/v1/policy", Role.OPERATOR, Role.EDITOR),
    _row("GET", "/v1/policy/schema", Role.OPERATOR, Role.EDITOR),
    _row("POST", "/v1/policy/validate", Role.OPERATOR, Role.EDITOR),
    _row("POST", "/v1/policy/explain", Role.OPERATOR, Role.EDITOR),
    _row("GET", "/metrics", Role.METRICS),
    _row("GET", "/livez"),
    _row("GET", "/readyz"),
    _row("GET", "/openapi.json"),
    _row("GET", "/docs"),
)


class EndpointIndex:
    """Finds the row of a request without regard to how many rows there are."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        self._exact: dict[str, dict[str, Endpoint]] = {}
        self._templates: list[tuple[tuple[str, ...], dict[str, Endpoint]]] = []
        for endpoint in endpoints:
            self._methods(endpoint.path)[endpoint.method] = endpoint

    def at(self, path: str) -> dict[str, Endpoint]:
        """The rows at a path by method; none where nothing is served."""
        if found := self._exact.get(path):
            return found
        segments = tuple(path.split("/"))
        for template, methods in self._templates:
            if len(template) == len(segments) and all(
                (wanted[:1] == "{" and segment != "") or wanted == segment
                for wanted, segment in zip(template, segments, strict=True)
            ):
                return methods
        return {}

    def _methods(self, path: str) -> dict[str, Endpoint]:
        if "{" not in path:
            return self._exact.setdefault(path, {})
        segments = tuple(path.split("/"))
        for template, methods in self._templates:
            if template == segments:
                return methods
        self._templates.append((segments, {}))
        return self._templates[-1][1]
