"""What secrets look like, one row a format, each with an example that it must find. Patterns are RE2's: linear time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """A format: group 1 of ``pattern`` is the secret, else the whole match. ``kind`` replaces it."""

    kind: str
    pattern: str
    example: str


_X = "x1Y2z3W4v5U6t7S8r9Q0"
"""Filler for examples: letters and digits, no secret of anybody's."""

_HEX = "0a1b2c3d4e5f6789" * 4

TOKENS: tuple[Format, ...] = (
    Format(
        "private-key",
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
        "-----BEGIN " + f"PRIVATE KEY-----\n{_X}\n-----END PRIVATE KEY-----",
    ),
    Format("private-key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{20,}", "AGE-SECRET-KEY-1" + _X.upper() * 2),
    Format("lineclear-key", r"\blck_[A-Za-z0-9_-]{16,}", "lck_" + _X * 2),
    Format("aws-access-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", "AKIA" + _X.upper()[:16]),
    Format("github-token", r"\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}", "ghp_" + _X * 2),
    Format(
        "gitlab-token", r"\bgl(?:pat|dt|ptt|ft|soat|rt|rtr|cbt|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,}", "glpat-" + _X
    ),
    Format("slack-token", r"\bx(?:ox[a-z]|app)(?:[.-][A-Za-z0-9]+){2,}", "xoxb-1234567890-" + _X),
    Format(
        "slack-webhook", r"hooks\.slack\.com/\w+/([A-Za-z0-9/_+-]{16,})", f"https://hooks.slack.com/services/T1/B2/{_X}"
    ),
    Format(
        "discord-webhook",
        r"discord(?:app)?\.com/api/webhooks/([0-9]+/[A-Za-z0-9_-]{16,})",
        f"discord.com/api/webhooks/12/{_X}",
    ),
    Format("stripe-key", r"\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{10,}", "sk_live_" + _X),
    Format("google-key", r"\bAIza[A-Za-z0-9_-]{30,}", "AIza" + _X * 2),
    Format("google-token", r"\b(?:ya29\.|GOCSPX-|1//0)[A-Za-z0-9_-]{16,}", "ya29." + _X),
    Format("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{10,}", "sk-ant-api03-" + _X),
    Format(
        "openai-key", r"\bsk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,})", "sk-proj-" + _X
    ),
    Format("npm-token", r"\bnpm_[A-Za-z0-9]{20,}", "npm_" + _X * 2),
    Format("pypi-token", r"\bpypi-[A-Za-z0-9_-]{20,}", "pypi-" + _X * 4),
    Format("rubygems-key", r"\brubygems_[0-9a-f]{20,}", "rubygems_" + _HEX),
    Format("docker-token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}", "dckr_pat_" + _X),
    Format("huggingface-token", r"\bhf_[A-Za-z0-9]{20,}", "hf_" + _X * 2),
    Format("digitalocean-token", r"\bdo[oprs]_v1_[0-9a-f]{20,}", "dop_v1_" + _HEX),
    Format("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", f"SG.{_X}.{_X}"),
    Format("twilio-key", r"\bSK[0-9a-f]{32}\b", "SK" + _HEX[:32]),
    Format("shopify-token", r"\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{20,}", "shpat_" + _HEX),
    Format("telegram-token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}", f"123456789:AA{_X}{_X}"),
    Format("databricks-token", r"\bdapi[0-9a-f]{32}", "dapi" + _HEX[:32]),
    Format("grafana-token", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{20,}", "glsa_" + _X * 2),
    Format("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}", "hvs." + _X * 2),
    Format("terraform-token", r"\b[A-Za-z0-9]{10,}\.atlasv1\.[A-Za-z0-9_=-]{20,}", f"{_X[:14]}.atlasv1.{_X * 3}"),
    Format("atlassian-token", r"\bAT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{20,}", "ATATT3" + _X * 3),
    Format("sentry-token", r"\bsntry[su]_[A-Za-z0-9+/=_-]{20,}", "sntrys_" + _X * 2),
    Format(
        "service-token",
        r"\b(?:lin_api|figd|PMAK|NRAK|HRKU|sbp|sb_secret|pscale_tkn|dp\.[a-z]+)[_.-][A-Za-z0-9_-]{16,}",
        "lin_api_" + _X * 2,
    ),
    Format(
        "azure-signature", r"[?&]sig=([A-Za-z0-9%+/=_-]{20,})", f"https://a.blob.core.windows.net/c?sv=1&sig={_X}%3D"
    ),
    Format("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)+", f"eyJ{_X}.eyJ{_X}.{_X}"),
)
"""Secrets that are known by their own looks, wherever they stand."""

_SCHEME = r"(?:(?:basic|bearer|token|apikey|api-key|negotiate|key)[ \t]+)?"

_WORD = r"[^\s\"'\\;|&,]+"
_COOKIE = r"(?:[^\s\"'\\;|&=]+=[^\s\"'\\;|]*|Secure|HttpOnly|Partitioned)"
"""What stands between the semicolons of a cookie."""

CARRIERS: tuple[Format, ...] = (
    Format(
        "authorization",
        # With a blank behind the colon, a header stands in quotes or fills its line; without one, it is one word.
        rf"(?i)\bauthorization\\?[\"']?[ \t]*[:=][ \t]*\\?[\"']?{_SCHEME}([^\s\"'\\]+)",
        "curl -H Authorization:x1Y2z3 https://a.example",
    ),
    Format(
        "authorization",
        rf"(?i)[\"']authorization[ \t]*[:=][ \t]+{_SCHEME}([^\"'\r\n\\]+)",
        'curl -H "Authorization: Digest username=a, response=b"',
    ),
    Format(
        "authorization",
        # Outside of quotes a scheme, one word and what commas join to it: what follows is no part of the header.
        rf"(?i)\bauthorization[ \t]*[:=][ \t]+{_SCHEME}({_WORD}(?:[ \t]+{_WORD})?(?:,[ \t]*{_WORD})*)",
        "Authorization: Digest username=a, response=b",
    ),
    Format("authorization", r"(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})", "Bearer " + _X),
    Format("cookie", r"(?i)[\"'](?:set-)?cookie[ \t]*:[ \t]*([^\"'\r\n\\]+)", "curl -H 'Cookie: sid=x1Y2; b=c'"),
    Format(
        "cookie",
        rf"(?i)\b(?:set-)?cookie[ \t]*:[ \t]*({_WORD}(?:;[ \t]*{_COOKIE})*)",
        "Cookie: sid=x1Y2; b=c; Path=/",
    ),
    Format(
        "url-password", r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'?#]*:([^\s/\"'?#]+)@", "postgresql://me:x1Y2z3@db/app"
    ),
    Format("url-token", r"[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@\"'?#]{20,})@", f"https://{_X}@git.example/a.git"),
    Format(
        "password",
        r"\b(?:curl|wget|https?|xh)\b[^\n|;&]*?[ \t](?:-u|-U|--user|--proxy-user)[ \t=]*[\"']?[^\s:\"']+:([^\s\"']+)",
        "curl -s -u me:x1Y2z3 https://a.example",
    ),
    Format(
        "password",
        r"\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]*?[ \t]-p([^\s]+)",
        "mysql -u me -px1Y2",
    ),
    Format("password", r"\bsshpass[ \t]+(?:-v[ \t]+)?-p[ \t]*([^\s]+)", "sshpass -p x1Y2 ssh host"),
    Format("password", r"\bredis-cli\b[^\n|;&]*?[ \t]-a[ \t]+([^\s]+)", "redis-cli -h db -a x1Y2 ping"),
    Format(
        "password",
        r"\b(?:docker|podman|nerdctl|helm|az|oc|skopeo)\b[^\n|;&]*?\blogin\b[^\n|;&]*?[ \t]-p[ \t]*([^\s-][^\s]*)",
        "docker login -u me -p x1Y2 registry.example",
    ),
    Format(
        "password",
        r"\bldap(?:search|add|modify|delete|whoami|passwd)\b[^\n|;&]*?[ \t]-w[ \t]+([^\s]+)",
        "ldapsearch -x -w x1Y2",
    ),
    Format("password", r"\b(?:zip|unzip)\b[^\n|;&]*?[ \t]-P[ \t]*([^\s]+)", "zip -P x1Y2 a.zip a"),
    Format("password", r"\b7z[a-z]?\b[^\n|;&]*?[ \t]-p([^\s]+)", "7z a -px1Y2 a.7z a"),
    Format("password", r"(?i)\b(?:password|identified[ \t]+by)[ \t]+'([^']+)'", "ALTER USER me PASSWORD 'x1Y2'"),
    Format("passphrase", r"(?i)\bpassphrase[ \t]*[:=][ \t]*([^\r\n\"';|&]+)", "passphrase: correct horse battery"),
    Format("password", r"\bpass:([^\s\"']+)", "openssl enc -aes-256-cbc -pass pass:x1Y2"),
)
"""Secrets that are known by what carries them: a header, a URL, a program's option."""
