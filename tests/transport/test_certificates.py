"""The certificates that our tests of TLS stand on: a real TLS stack takes them, for the right host only."""

import socket
import ssl
import threading

import pytest

from tests.support.certificates import make_key, self_signed
from tests.transport.conftest import PATIENCE, Certificate


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> str:
    """The protocol that both agree on. Raises ssl.SSLError."""
    here, there = socket.socketpair()

    def serve() -> None:
        try:
            with server.wrap_socket(there, server_side=True) as line:
                line.recv(1)
        except (ssl.SSLError, ConnectionError):
            there.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with client.wrap_socket(here, server_hostname=host) as line:
            return line.version() or ""
    finally:
        here.close()
        thread.join(PATIENCE)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_client_that_trusts_it_comes_in(certificate: Certificate, host: str) -> None:
    client = certificate.client()
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    assert shake_hands(certificate.server(), client, host).startswith("TLS")


def test_another_name_is_not_covered(certificate: Certificate) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        shake_hands(certificate.server(), certificate.client(), "judge.test")


def test_a_client_that_does_not_know_it_stays_out(certificate: Certificate) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="self"):
        shake_hands(certificate.server(), ssl.create_default_context(), "localhost")


def test_a_certificate_is_new_each_time_and_its_key_is_not() -> None:
    assert make_key() is make_key()
    assert self_signed(make_key(), "localhost") != self_signed(make_key(), "localhost")
