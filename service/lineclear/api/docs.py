"""The contract for machines and for people, out of this process alone: no script, no font, no other server."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Response

if TYPE_CHECKING:
    from collections.abc import Iterator

_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;"
    "background:#fff}code,pre{font:.9rem/1.4 ui-monospace,monospace}pre{overflow:auto;padding:1rem;background:#f4f4f4}"
    "h2{margin-top:2.5rem}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem 1rem .2rem 0;"
    "vertical-align:top}"
)
_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}


def router(document: dict[str, Any]) -> APIRouter:
    """The routes of the contract."""
    routes = APIRouter(include_in_schema=False)
    as_json = json.dumps(document, ensure_ascii=False).encode()
    as_page = "".join(_page(document)).encode()

    @routes.get("/openapi.json")
    async def openapi() -> Response:
        return Response(as_json, media_type="application/json")

    @routes.get("/docs")
    async def docs() -> Response:
        return Response(as_page, headers=_HEADERS, media_type="text/html; charset=utf-8")

    return routes


def _page(document: dict[str, Any]) -> Iterator[str]:
    title = escape(f"{document['info']['title']} {document['info']['version']}")
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    yield f"<h1>{title}</h1><p>{escape(document['info']['description'])}</p>"
    yield '<p>The same for machines: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>'
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield from _operation(f"{method.upper()} {path}", operation)
    yield "<h1>Schemas</h1>"
    for name, schema in document["components"]["schemas"].items():
        yield f'<h2 id="{escape(name)}">{escape(name)}</h2><p>{escape(schema.get("description", ""))}</p>'
        yield f"<pre>{escape(json.dumps(schema, indent=2, ensure_ascii=False))}</pre>"
    yield "</html>"


def _operation(name: str, operation: dict[str, Any]) -> Iterator[str]:
    roles = ", ".join(operation.get("x-roles", [])) or "none: no key is needed"
    yield f"<h2><code>{escape(name)}</code></h2><p>{escape(operation['summary'])}. "
    yield f"{escape(operation.get('description', ''))}</p><p>Roles: {escape(roles)}</p>"
    for parameter in operation.get("parameters", []):
        text = parameter.get("description", "")
        yield f"<p>Parameter <code>{escape(parameter['name'])}</code> ({escape(parameter['in'])}): {escape(text)}</p>"
    if "requestBody" in operation:
        yield f"<p>Body: {_link(operation['requestBody'])}</p>"
    yield "<table><tr><th>status</th><th>meaning</th><th>body</th></tr>"
    for status, response in operation["responses"].items():
        yield f"<tr><td>{escape(status)}</td><td>{escape(response['description'])}</td><td>{_link(response)}</td></tr>"
    yield "</table>"


def _link(holder: dict[str, Any]) -> str:
    for content in holder.get("content", {}).values():
        reference = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
        if reference:
            return f'<a href="#{escape(reference)}">{escape(reference)}</a>'
    return ""
