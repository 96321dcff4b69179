from __future__ import annotations

import pytest

from lineclear.core.rules.domains import DomainPattern, address
from lineclear.core.rules.faults import RuleFault


def denies(pattern: str, url: str) -> bool:
    where = address(url)
    return where is not None and DomainPattern.parse(pattern, strict=False).matches(where)


def allows(pattern: str, url: str) -> bool:
    where = address(url)
    return where is not None and DomainPattern.parse(pattern, strict=True).covers(where)


SAME = [
    ("github.com", "https://github.com/x"),
    ("github.com", "https://GitHub.COM./x"),
    ("github.com", "https://\uff47ithub.com/"),
    ("bücher.example", "https://xn--bcher-kva.example/"),
    ("BÜCHER.example", "https://bücher.example/"),
    ("*.example.com", "https://a.b.example.com/"),
    ("docs.*.org", "https://docs.python.org/3/"),
    ("docs.rs", "https://docs.rs:443/x"),
    ("docs.rs:8443", "https://docs.rs:8443/x"),
    ("docs.rs", "http://docs.rs/"),
    ("*", "https://docs.rs/"),
]


@pytest.mark.parametrize(("pattern", "url"), SAME)
def test_one_host_in_many_spellings(pattern: str, url: str) -> None:
    assert denies(pattern, url)
    assert allows(pattern, url)


OTHER = [
    ("*.example.com", "https://example.com/"),
    ("docs.rs", "https://evildocs.rs/"),
    ("docs.rs", "https://docs.rs.evil.example/"),
    ("docs.rs", "https://evil.example/docs.rs"),
    ("docs.rs", "https://docs.rs@evil.example/"),
    ("docs.rs", "https://evil.example#@docs.rs/"),
    ("docs.rs", r"https://evil.example\@docs.rs/"),
    ("docs.*.org", "https://docs.a.b.org/"),
    ("docs.rs:8443", "https://docs.rs/"),
]


@pytest.mark.parametrize(("pattern", "url"), OTHER)
def test_hosts_that_only_look_alike(pattern: str, url: str) -> None:
    assert not denies(pattern, url)
    assert not allows(pattern, url)


DENIED_ONLY = [
    ("docs.rs", "https://docs.rs:8443/"),
    ("docs.rs", "https://user:pw@docs.rs/"),
    ("docs.rs", "https://user@docs.rs/"),
    ("docs.rs", "ftp://docs.rs/"),
    ("docs.rs", "ssh://git@docs.rs/x"),
    ("docs.rs", "git@docs.rs:x/y"),
    ("docs.rs", "docs.rs:80"),
    ("docs.rs", "docs.rs"),
    ("docs.rs", "custom://DOCS.rs/x"),
    ("docs.rs", "http:/docs.rs/"),
    ("docs.rs", "http:docs.rs"),
    ("docs.rs", "https:\\\\docs.rs/"),
    ("docs.rs", "ht\ntps://docs.rs/"),
    ("docs.rs", "  https://docs.rs/"),
    ("docs.rs", "https://docs.rs\\@evil.example/"),
    ("docs.rs", "//docs.rs/x"),
    ("docs.rs", "https://docs.rs:99999/x"),
    ("docs.rs", "https://user@docs.rs:port/x"),
]


@pytest.mark.parametrize(("pattern", "url"), DENIED_ONLY)
def test_what_only_a_denial_takes(pattern: str, url: str) -> None:
    assert denies(pattern, url)
    assert not allows(pattern, url)


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/",
     "http://169.254.43518/", "169.254.169.254:80"],
)  # fmt: skip
def test_an_address_is_denied_in_any_form(url: str) -> None:
    assert denies("169.254.169.254", url)


def test_an_ipv6_address_is_denied_in_any_form() -> None:
    assert denies("[fd00:ec2::254]", "http://[fd00:0ec2:0:0::254]/")


@pytest.mark.parametrize("text", ["1.2.3.4", "[::1]", "0x7f.1"])
def test_an_allowance_names_no_address(text: str) -> None:
    with pytest.raises(RuleFault, match="an address"):
        DomainPattern.parse(text, strict=True)


@pytest.mark.parametrize(
    "text", ["https://docs.rs/", "docs.rs/x", "user@docs.rs", "docs.rs:http", "", "a b", "::1", "x:99999"]
)
def test_what_is_no_domain_is_refused_by_name(text: str) -> None:
    with pytest.raises(RuleFault) as caught:
        DomainPattern.parse(text, strict=False)
    assert f"`{text}`" in str(caught.value)


@pytest.mark.parametrize("text", ["", "https://", "http:// b/", "http://[::1", "::"])
def test_what_names_no_host_has_none(text: str) -> None:
    assert address(text) is None
