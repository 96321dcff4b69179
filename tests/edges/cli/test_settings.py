"""Settings: command line over environment over file over defaults, and a message that names what is wrong."""

from __future__ import annotations

import os

import pytest

from lineclear.settings import SettingsError, load, origins


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """An environment of the test's own."""
    for name in list(os.environ):
        if name.startswith(("LINECLEAR_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def a_file(monkeypatch, tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        monkeypatch.setenv("LINECLEAR_SETTINGS", str(path))
        return path

    return write


def test_the_order_of_sources(monkeypatch, a_file):
    assert load().port == 8642
    file = a_file("s.toml", 'port = 1\n[classifier.fast]\nmodel = "a"\n')
    assert (load().port, origins()["port"]) == (1, str(file))
    monkeypatch.setenv("LINECLEAR_PORT", "2")
    assert (load().port, origins()["port"]) == (2, "environment")
    assert load(port=3).port == 3
    assert load(port=None).classifier.fast.model == "a"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.toml", 'host = "h"\n[classifier]\nbase_url = "u"\n'),
        ("s.yaml", "host: h\nclassifier: {base_url: u}\n"),
        ("s.yml", "host: h\nclassifier: {base_url: u}\n"),
    ],
)
def test_a_file_may_be_toml_or_yaml(a_file, name, text):
    a_file(name, text)
    assert (load().host, load().classifier.base_url) == ("h", "u")


@pytest.mark.parametrize("name", ["settings.toml", "settings.yaml"])
def test_the_configuration_folder_is_looked_into(tmp_path, name):
    folder = tmp_path / "config" / "lineclear"
    folder.mkdir(parents=True)
    (folder / name).write_text("port = 7" if name.endswith("toml") else "port: 7")
    assert load().port == 7


def test_the_working_directory_configures_nothing(tmp_path):
    for name in (".env", "settings.toml", "lineclear.toml"):
        (tmp_path / name).write_text("port = 7\nLINECLEAR_PORT=7\n")
    assert load().port == 8642


def test_other_clients_names_stand_beneath_everything(monkeypatch, a_file):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "shared")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://shared")
    assert load().classifier.api_key.get_secret_value() == "shared"
    a_file("s.toml", '[classifier]\nbase_url = "http://ours"\n')
    monkeypatch.setenv("LINECLEAR_CLASSIFIER__API_KEY", "ours")
    assert load().classifier.api_key.get_secret_value() == "ours"
    assert load().classifier.base_url == "http://ours"


def test_what_kubernetes_injects_is_no_port(monkeypatch):
    monkeypatch.setenv("LINECLEAR_PORT", "tcp://10.0.0.1:8642")
    assert load().port == 8642


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("LINECLEAR_PORT", "many", "`port`"),
        ("LINECLEAR_PORT", "65536", "`port`"),
        ("LINECLEAR_ENV", "prod", "`env`"),
        ("LINECLEAR_SECRET", "short-hunter2", "`secret`: it is too short; it takes at least 16 characters"),
        ("LINECLEAR_METRICS_LISTEN", "9464", "`metrics_listen`"),
        ("LINECLEAR_CLASSIFIER__MODELS", "x", "`classifier.models`"),
        ("LINECLEAR_DATABSE_URL", "postgresql://x", "`LINECLEAR_DATABASE_URL`"),
        ("LINECLEAR_DATABASE_ULR", "postgresql://x", "`LINECLEAR_DATABASE_URL`"),
    ],
)
def test_what_is_wrong_is_named_and_never_quoted(monkeypatch, variable, value, says):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        load()
    assert says in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.toml", "port = ", "s.toml"),
        ("s.yaml", "port: [1", "s.yaml"),
        ("s.yaml", "- 1", "mapping"),
        ("s.yaml", "!!python/object/apply:os.system [ls]", "s.yaml"),
        ("s.toml", "prot = 1", "`prot`"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(a_file, name, text, says):
    a_file(name, text)
    with pytest.raises(SettingsError, match=says):
        load()


def test_a_file_that_is_named_must_be_there(monkeypatch):
    monkeypatch.setenv("LINECLEAR_SETTINGS", "/nowhere/s.toml")
    with pytest.raises(SettingsError, match=r"/nowhere/s\.toml"):
        load()


def test_the_test_settings_of_the_repository_are_no_mistakes(monkeypatch):
    monkeypatch.setenv("LINECLEAR_CASES", "x")
    monkeypatch.setenv("LINECLEAR_CORPORA", "x")
    monkeypatch.setenv("LINECLEAR_SERVICE_HOST", "10.0.0.1")
    load()


def test_hosts_are_a_list_of_names(monkeypatch):
    monkeypatch.setenv("LINECLEAR_ALLOWED_HOSTS", "Lineclear.internal, localhost,")
    assert load().allowed_hosts == {"lineclear.internal", "localhost"}
