"""Redis servers for the tests: started on free loopback ports, with their files in a temporary folder, and stopped when
the test ends.

    with Server(folder) as server: server.url(), server.ask("DBSIZE"), server.restart()
    with Cluster(folder, 3) as cluster: cluster.servers

skip_without_redis() ends the program with 77 if redis-server is not installed.
"""

import os
import random
import shutil
import socket
import ssl
import subprocess
import sys
import time

START_SECONDS = 20


def skip_without_redis():
    if not shutil.which("redis-server"):
        print("skipped: no redis-server here")
        sys.exit(77)


def free_port(bus=False):
    """Returns an unused port. bus: the port 10,000 above it must be unused, too."""
    while True:
        port = random.randint(20000, 45000)
        for number in (port, port + 10000) if bus else (port,):
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", number))
                except OSError:
                    break
        else:
            return port


class Fault(Exception):
    """An error that a server replied."""


class Client:
    """One connection. Commands are passed as words, and replies are returned as bytes, int, None or lists."""

    def __init__(self, port, context=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS)
        if context:
            self.socket = context.wrap_socket(self.socket)
        self.file = self.socket.makefile("rb")

    def ask(self, *words):
        raw = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(raw) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in raw))
        return self.reply()

    def reply(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise OSError("the server ended the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise Fault(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return None if rest == b"-1" else [self.reply() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest

    def close(self):
        self.file.close()
        self.socket.close()


class Server:
    def __init__(self, folder, *options, tls=None, login="", cluster=False):
        self.folder = folder
        self.options = list(options)
        self.tls = tls  # folder with ca.crt, redis.crt and redis.key; None: no TLS
        self.login = login
        self.cluster = cluster
        self.process = None
        self.port = 0

    def __enter__(self):
        for _ in range(10):  # another process may take the port before the server does, so several ports are tried
            self.port = free_port(self.cluster)
            if self.start():
                return self
        raise OSError("redis-server does not start")

    def __exit__(self, *_):
        self.stop()

    def context(self):
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=os.path.join(self.tls, "ca.crt"))
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_STRICT  # Python before 3.13 does not set this flag by default
        return context

    def start(self):
        home = os.path.join(self.folder, "redis-%d" % self.port)
        os.makedirs(home, exist_ok=True)
        words = ["redis-server", "--bind", "127.0.0.1", "--dir", home, "--save", "", "--appendonly", "no"]
        if self.tls:
            words += ["--port", "0", "--tls-port", str(self.port), "--tls-auth-clients", "no"]
            for name in ("cert-file redis.crt", "key-file redis.key", "ca-cert-file ca.crt"):
                option, file = name.split()
                words += ["--tls-" + option, os.path.join(self.tls, file)]
            if self.cluster:
                words += ["--tls-cluster", "yes"]
        else:
            words += ["--port", str(self.port)]
        if self.cluster:
            words += ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"]
        with open(os.path.join(home, "log"), "ab") as log:
            self.process = subprocess.Popen(words + self.options, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            try:
                client = Client(self.port, self.context())
                try:
                    client.ask("PING")
                except Fault:
                    pass  # the server runs, and requires a password
                client.close()
                return True
            except ssl.SSLCertVerificationError:
                raise  # with a bad certificate, another attempt is useless
            except OSError:
                time.sleep(0.02)
        self.stop()
        return False

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self):
        self.stop()
        if not self.start():
            raise OSError("redis-server does not start again")

    def ask(self, *words, auth=None):
        client = Client(self.port, self.context())
        try:
            if auth:
                client.ask("AUTH", *auth)
            return client.ask(*words)
        finally:
            client.close()

    def url(self, options="", host="127.0.0.1"):
        scheme = "rediss" if self.tls else "redis"
        return "%s://%s%s:%d%s" % (scheme, self.login, host, self.port, options)

    def calls(self, command):
        """Returns how often a command was called since CONFIG RESETSTAT. Redis before 7 counts "cluster|slots" with
        the other commands of "cluster"."""
        names = tuple("cmdstat_%s:" % name for name in (command, command.split("|")[0]))
        for line in self.ask("INFO", "commandstats").decode().splitlines():
            if line.startswith(names):
                return int(line.split("calls=")[1].split(",")[0])
        return 0


class Cluster:
    def __init__(self, folder, count, tls=None):
        self.servers = [Server(folder, tls=tls, cluster=True) for _ in range(count)]

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        for number, server in enumerate(self.servers):
            server.__enter__()
            share = 16384 // len(self.servers)
            last = 16383 if number == len(self.servers) - 1 else (number + 1) * share - 1
            server.ask("CLUSTER", "ADDSLOTS", *range(number * share, last + 1))
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server in self.servers[1:]:
            server.ask("CLUSTER", "MEET", "127.0.0.1", self.servers[0].port)
        end = time.monotonic() + START_SECONDS
        while not all(self.is_ready(server) for server in self.servers):
            if time.monotonic() > end:
                raise OSError("the cluster does not become ready")
            time.sleep(0.05)

    def is_ready(self, server):
        return b"cluster_state:ok" in server.ask("CLUSTER", "INFO") and len(server.ask("CLUSTER", "SLOTS")) == len(
            self.servers
        )

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()

    def owner(self, server, key):
        """Returns the server that has a key, by the slot that a server computes."""
        number = server.ask("CLUSTER", "KEYSLOT", key) // (16384 // len(self.servers))
        return self.servers[min(number, len(self.servers) - 1)]

    def url(self, options=""):
        return self.servers[0].url(options)


def make_certificates(folder, names="DNS:localhost,IP:127.0.0.1"):
    """Makes ca.crt, redis.crt and redis.key with openssl. Returns the folder."""
    os.makedirs(folder, exist_ok=True)

    def run(*words):
        subprocess.run(["openssl", *words], check=True, cwd=folder, capture_output=True)

    with open(os.path.join(folder, "names"), "w", encoding="utf-8") as file:
        file.write(
            "subjectAltName=%s\nbasicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n"
            "extendedKeyUsage=serverAuth,clientAuth\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n" % names
        )
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    usage = "keyUsage=critical,keyCertSign,cRLSign"
    run("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=test authority", "-days", "2",
        "-addext", usage)  # fmt: skip
    run("req", *key, "-keyout", "redis.key", "-out", "redis.csr", "-subj", "/CN=test server")
    run("x509", "-req", "-in", "redis.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out", "redis.crt",
        "-days", "2", "-extfile", "names")  # fmt: skip
    return folder
