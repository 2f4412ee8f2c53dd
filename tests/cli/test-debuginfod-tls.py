#!/usr/bin/env python3
"""Debug files over HTTPS: elfutils' server behind one with encryption, whose certificate is from an
authority of the test, and certificates that are refused."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import functools
import http.server
import os
import re
import ssl
import sys
import tempfile
import threading
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from debug_servers import (Files, contexts, counting_server, elfutils_server,  # noqa: E402
                           new_cache, run)

KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
VALID = ("-days", "2")
EXPIRED = ("-not_before", "20200101000000Z", "-not_after", "20200102000000Z")
OWN_NAME = "IP:127.0.0.1,DNS:localhost"


class Authority:
    """Signs certificates of servers."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.certificate = self.make_path("authority.pem")
        run("openssl", "req", "-x509", *KEY, "-keyout", self.make_path("authority.key"),
            "-out", self.certificate, *VALID, "-subj", f"/CN={name}",
            "-addext", "basicConstraints=critical,CA:TRUE")

    def make_path(self, name):
        return os.path.join(self.folder, f"{self.name}-{name}")

    def make_context(self, name=OWN_NAME, validity=VALID):
        """Return the settings of a server with a new certificate for that name."""
        request, key, certificate, extensions = map(
            self.make_path, ("request.pem", "server.key", "server.pem", "extensions"))
        with open(extensions, "w", encoding="ascii") as file:
            file.write(f"subjectAltName={name}\n")
        run("openssl", "req", *KEY, "-keyout", key, "-out", request, "-subj", "/CN=server")
        run("openssl", "x509", "-req", "-in", request, "-CA", self.certificate,
            "-CAkey", self.make_path("authority.key"), "-CAcreateserial", "-out", certificate,
            "-extfile", extensions, *validity)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context


@functools.cache
def get_files():
    return Files(MAIN_FOLDER)


@functools.cache
def get_authority(name="ours"):
    return Authority(MAIN_FOLDER, name)


class Handler(http.server.BaseHTTPRequestHandler):
    """Passes requests on to a server without encryption, or redirects to it."""

    def do_GET(self):
        self.server.paths.append(self.path)
        target = self.server.target + self.path
        if self.server.is_redirecting:
            self.answer(302, b"", Location=target)
            return
        try:
            with urllib.request.urlopen(target, timeout=60) as answer:
                self.answer(200, answer.read())
        except urllib.error.HTTPError as error:
            self.answer(error.code, b"")

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        pass


@contextlib.contextmanager
def encrypted_server(target, context, is_redirecting=False):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.paths, server.target, server.is_redirecting = [], target, is_redirecting
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server, f"https://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def get_line(done):
    """The one line about the server."""
    lines = [line for line in done.stderr.splitlines() if "debuginfod server" in line]
    assert len(lines) == 1, done.stderr
    return lines[0]


def assert_refused(context, trusted, problem, remedy):
    """Assert that nothing was sent to a server with that certificate, or received from it."""
    files = get_files()
    with (counting_server() as (plain, target), new_cache() as cache,
          encrypted_server(target, context) as (server, url)):
        done = contexts(url, cache, files.by_frames, "--debuginfod", SSL_CERT_FILE=trusted)
        line = get_line(done)
        assert url in line and problem in line and remedy in line, line
        assert "hidden_burner" not in done.stdout
        assert server.paths == [] and plain.paths == [], (server.paths, plain.paths)
        assert os.listdir(cache) == []


def test_trusted_authority():
    """Names come over an encrypted connection from elfutils' server."""
    files, authority = get_files(), get_authority()
    with (elfutils_server(files.served) as target, new_cache() as cache,
          encrypted_server(target, authority.make_context()) as (server, url)):
        done = contexts(url, cache, files.by_frames, "--debuginfod",
                        SSL_CERT_FILE=authority.certificate)
        assert "hidden_burner" in done.stdout and "mix_inlined" in done.stdout, done.stderr
        assert f"/buildid/{files.build_id}/debuginfo" in server.paths, server.paths
        assert "debuginfod server" not in done.stderr, done.stderr


def test_unknown_authority():
    """The system does not trust the test's authority, nor does the file of another one."""
    for trusted in ("", get_authority("another").certificate):
        assert_refused(get_authority().make_context(), trusted,
                       "is not from an authority that is trusted here", "SSL_CERT_FILE")


def test_other_host():
    authority = get_authority()
    assert_refused(authority.make_context("DNS:other.example"), authority.certificate,
                   "its certificate is for another host", "use the host name")


def test_expired():
    authority = get_authority()
    assert_refused(authority.make_context(validity=EXPIRED), authority.certificate,
                   "its certificate has expired", "clock of this machine")


def test_unusable_list():
    """A wrong SSL_CERT_FILE must not mean that every certificate is trusted, or the system's."""
    garbage = os.path.join(MAIN_FOLDER, "garbage.pem")
    with open(garbage, "w", encoding="ascii") as file:
        file.write("-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n")
    for path in (garbage, os.path.join(MAIN_FOLDER, "none.pem")):
        assert_refused(get_authority().make_context(), path, path, "in PEM format")


def test_redirection_without_encryption():
    """Build IDs that are to be sent encrypted are not sent otherwise."""
    files, authority = get_files(), get_authority()
    with (counting_server() as (plain, target), new_cache() as cache,
          encrypted_server(target, authority.make_context(), True) as (server, url)):
        done = contexts(url, cache, files.by_frames, "--debuginfod",
                        SSL_CERT_FILE=authority.certificate)
        assert "without encryption" in get_line(done), done.stderr
        assert server.paths and plain.paths == [], (server.paths, plain.paths)
        assert os.listdir(cache) == []


def test_no_encryption_there():
    """A server without encryption at an address with https."""
    files = get_files()
    with counting_server() as (plain, target), new_cache() as cache:
        done = contexts(target.replace("http:", "https:"), cache, files.by_frames, "--debuginfod")
        assert re.search("check its address", get_line(done)), done.stderr
        assert plain.paths == [], plain.paths


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as MAIN_FOLDER:
        sys.exit(tap.main([
            test_trusted_authority, test_unknown_authority, test_other_host, test_expired,
            test_unusable_list, test_redirection_without_encryption, test_no_encryption_there,
        ]))
