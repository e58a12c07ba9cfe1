"""A name server for tests: it knows what it was told, and answers on a free loopback port."""

import socketserver
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Zone = Mapping[tuple[str, str], list[str]]
"""(name, type) -> values as a zone file has them: ("judge.test", "TXT"): ['"v=spf1 mx -all"']."""


class NameServer:
    """Answers for a zone; use it as a context manager. A name without records does not exist.

    >>> with NameServer({("judge.test", "MX"): ["10 mx.judge.test."]}) as server:
    ...     server.address.startswith("127.0.0.1:")
    True
    """

    def __init__(self, zone: Zone) -> None:
        self._zone = {(name.lower().rstrip("."), kind): values for (name, kind), values in zone.items()}

    @property
    def address(self) -> str:
        """HOST:PORT."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        answer = self._answer

        class Asked(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                packet, wire = self.request
                wire.sendto(answer(packet), self.client_address)

        self._server = socketserver.ThreadingUDPServer(("127.0.0.1", 0), Asked)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, packet: bytes) -> bytes:
        query = dns.message.from_wire(packet)
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.AA | dns.flags.RA
        asked = query.question[0]
        name, kind = asked.name.to_text().lower().rstrip("."), dns.rdatatype.to_text(asked.rdtype)
        if (name, kind) in self._zone:
            reply.answer.append(dns.rrset.from_text(asked.name, 300, "IN", kind, *self._zone[name, kind]))
        elif all(known != name for known, _ in self._zone):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply.to_wire()
