"""Servers for tests and notebooks, and how they are guarded."""

import os
import subprocess
import sys
import time

import pytest
import trustme

import privgym


def test_it_ends_with_the_block():
    with privgym.serve() as server:
        assert privgym.Client(server.address).describe().version
    with pytest.raises(privgym.Unavailable):
        privgym.Client(server.address, retries=0).describe()
    server.close()


def test_it_ends_with_its_process():
    code = "import privgym; server = privgym.serve(); print(server.address)"
    address = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    with pytest.raises(privgym.Unavailable):
        privgym.Client(address, retries=0).describe()


# A process that starts a server and more, says where the server is, and waits.
HOLDER = """
import os, subprocess, sys, privgym
server = privgym.serve()
{more}
print(server.address, flush=True)
sys.stdin.read()
"""
MORE = {
    "nothing": "",
    "fork": "if os.fork() == 0: sys.stdin.read(); os._exit(0)",
    "program": "subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'], close_fds=False)",
    "program of a fork": "if os.fork() == 0: os.execv(sys.executable, ['', '-c', 'import sys; sys.stdin.read()'])",
}


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_it_ends_with_a_process_that_is_killed_whatever_that_has_started(more):
    command = [sys.executable, "-c", HOLDER.format(more=more)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        address = holder.stdout.readline().strip()
        assert privgym.Client(address, retries=0).describe().version
        holder.kill()
        deadline = time.monotonic() + 60
        with pytest.raises(privgym.Unavailable):
            while time.monotonic() < deadline:
                privgym.Client(address, retries=0).describe()
                time.sleep(0.05)


def test_no_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PRIVGYM_BIN", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError, match="PRIVGYM_BIN names"):
        privgym.serve()
    monkeypatch.delenv("PRIVGYM_BIN")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"go install github\.com/privgym/privgym/cmd/privgym@latest"):
        privgym.serve()


def test_the_path(monkeypatch, tmp_path):
    (tmp_path / "privgym").symlink_to(os.path.abspath(os.environ["PRIVGYM_BIN"]))
    monkeypatch.delenv("PRIVGYM_BIN")
    monkeypatch.setenv("PATH", str(tmp_path))
    with privgym.serve() as server:
        assert privgym.Client(server.address).describe().version


def test_a_server_that_does_not_come_up():
    with pytest.raises(RuntimeError, match="no-such-file"):
        privgym.serve("--scenarios", "/no-such-file")


def test_ctrl_c_while_it_comes_up_stays_ctrl_c(monkeypatch):
    started = []

    def interrupted(server, deadline):
        started.append(server._process)
        raise KeyboardInterrupt

    monkeypatch.setattr(privgym.Server, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        privgym.serve()
    assert started[0].poll() is not None, "the server goes on"


def test_with_http_routes_the_address_is_still_that_of_the_services():
    with privgym.serve("--http", "127.0.0.1:0") as server:
        assert privgym.Client(server.address, retries=0).describe().version


def test_token(tmp_path):
    file = tmp_path / "token"
    file.write_text("a-secret\n")
    with privgym.serve("--token-file", str(file)) as server:
        assert privgym.Client(server.address, token="a-secret").describe().version
        for token in ("wrong", ""):
            with pytest.raises(privgym.Unauthenticated, match="authorization"):
                privgym.Client(server.address, token=token).describe()


@pytest.fixture(scope="module")
def pki(tmp_path_factory):
    folder, ca = tmp_path_factory.mktemp("pki"), trustme.CA()
    ca.cert_pem.write_to_path(folder / "ca.pem")
    for who, cert in (("server", ca.issue_cert("train.example")), ("client", ca.issue_cert("trainer@example.org"))):
        cert.cert_chain_pems[0].write_to_path(folder / f"{who}.pem")
        cert.private_key_pem.write_to_path(folder / f"{who}.key")
    return folder


def test_mutual_tls(pki):
    ca = pki / "ca.pem"
    ours = privgym.TLS(ca=ca, certificate=pki / "client.pem", key=pki / "client.key", server_name="train.example")
    guard = ["--tls-cert", pki / "server.pem", "--tls-key", pki / "server.key", "--tls-client-ca", ca]
    with privgym.serve(*map(str, guard)) as server:
        assert privgym.Client(server.address, tls=ours).describe().version
        for wrong in (privgym.TLS(ca=ca, server_name="train.example"), str(ca), True, False):
            began = time.monotonic()
            with pytest.raises(privgym.Unavailable):
                privgym.Client(server.address, tls=wrong, retries=0).describe()
            assert time.monotonic() - began < 10
    with pytest.raises(ValueError, match="go together"):
        privgym.Client("a:1", tls=privgym.TLS(certificate=pki / "client.pem")).describe()
