/* Implements redis_socket.h: resolves the host, connects to its addresses in turn with a non-blocking socket, starts
 * TLS if wanted, and waits for several sockets with poll() up to a deadline. */
#include "session/redis/redis_socket.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int64_t fm_redis_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum fm_redis_io fm_redis_send(const struct fm_redis_socket *socket, const char *data, size_t size, size_t *sent)
{
    return socket->tls ? fm_redis_tls_send(socket->tls, data, size, sent)
                       : fm_redis_raw_send(socket->fd, data, size, sent);
}

enum fm_redis_io fm_redis_receive(const struct fm_redis_socket *socket, char *room, size_t size, size_t *got)
{
    return socket->tls ? fm_redis_tls_receive(socket->tls, room, size, got)
                       : fm_redis_raw_receive(socket->fd, room, size, got);
}

/* --- waiting --- */

static int wait_ms(int64_t deadline)
{
    const int64_t left = deadline - fm_redis_now();
    return left <= 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

void fm_redis_wait(const struct fm_redis_socket *const *sockets, enum fm_redis_io *waits, size_t count,
                   struct pollfd *fds, int64_t deadline)
{
    int ready;
    for (size_t i = 0; i < count; i++) {
        const bool is_waiting = waits[i] == FM_REDIS_IO_READ || waits[i] == FM_REDIS_IO_WRITE;
        /* poll ignores elements whose descriptor is -1 */
        fds[i] = (struct pollfd){.fd = is_waiting ? sockets[i]->fd : -1,
                                 .events = waits[i] == FM_REDIS_IO_WRITE ? POLLOUT | POLLIN : POLLIN};
    }
    do ready = poll(fds, (nfds_t)count, wait_ms(deadline));
    while (ready < 0 && errno == EINTR);
    for (size_t i = 0; i < count; i++)
        if (ready > 0 && fds[i].fd >= 0 && fds[i].revents) waits[i] = FM_REDIS_IO_DONE;
}

/* --- connecting to a server --- */

static bool wait_for(const struct fm_redis_socket *socket, enum fm_redis_io what, int64_t deadline)
{
    struct pollfd fd;
    fm_redis_wait(&socket, &what, 1, &fd, deadline);
    return what == FM_REDIS_IO_DONE;
}

static bool set_up(int fd)
{
    const int on = 1, flags = fcntl(fd, F_GETFL);
    /* A failure to set TCP_NODELAY is ignored: the connection is then only slower. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#if !defined(MSG_NOSIGNAL) && defined(SO_NOSIGPIPE)
    if (setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) != 0) return false;
#endif
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/* Connects to one address. Returns 0, or errno on failure. */
static int connect_to(struct fm_redis_socket *out, const struct addrinfo *address, int64_t deadline)
{
    int fault = 0;
    socklen_t size = sizeof fault;
    out->fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (out->fd < 0) return errno;
    if (!set_up(out->fd)) return errno;
    if (connect(out->fd, address->ai_addr, address->ai_addrlen) == 0) return 0;
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    if (!wait_for(out, FM_REDIS_IO_WRITE, deadline)) return ETIMEDOUT;
    if (getsockopt(out->fd, SOL_SOCKET, SO_ERROR, &fault, &size) != 0) return errno;
    return fault;
}

static const char *reason_of(int fault)
{
    switch (fault) {
    case ECONNREFUSED: return "the connection is refused";
    case ETIMEDOUT: return "it does not answer in time";
    case EHOSTUNREACH:
    case ENETUNREACH: return "there is no route to it";
    case EMFILE:
    case ENFILE: return "too many files are open";
    default: return "the connection fails";
    }
}

/* Tries the addresses of the host one after the other until a connection succeeds. */
static framemap_status connect_plain(struct fm_redis_socket *out, const char *host, uint16_t port, int64_t deadline,
                                     framemap_error *error)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *addresses = NULL;
    char service[8];
    int fault = ETIMEDOUT;
    snprintf(service, sizeof service, "%u", (unsigned)port);
    if (getaddrinfo(host, service, &hints, &addresses) != 0)
        return fm_error_set(error, FRAMEMAP_E_IO, "the host of the store is not known");
    for (const struct addrinfo *at = addresses; at; at = at->ai_next) {
        fault = connect_to(out, at, deadline);
        if (fault == 0 || fm_redis_now() >= deadline) break;
        fm_redis_disconnect(out);
    }
    freeaddrinfo(addresses);
    return fault == 0 ? FRAMEMAP_OK
                      : fm_error_set(error, FRAMEMAP_E_IO, "the store cannot be reached: %s", reason_of(fault));
}

static framemap_status greet(const struct fm_redis_socket *socket, int64_t deadline, framemap_error *error)
{
    const char *why = "the server ended the connection";
    for (;;) {
        const enum fm_redis_io result = fm_redis_tls_greet(socket->tls, &why);
        if (result == FM_REDIS_IO_DONE) return FRAMEMAP_OK;
        const bool waits = result == FM_REDIS_IO_READ || result == FM_REDIS_IO_WRITE;
        if (waits && wait_for(socket, result, deadline)) continue;
        return fm_error_set(error, FRAMEMAP_E_IO, "the store cannot be reached: %s",
                            waits ? "its TLS handshake does not end in time" : why);
    }
}

framemap_status fm_redis_connect(struct fm_redis_socket *socket, const char *host, uint16_t port,
                                 struct fm_redis_tls *tls, int64_t deadline, framemap_error *error)
{
    *socket = (struct fm_redis_socket){.fd = -1};
    framemap_status status = connect_plain(socket, host, port, deadline, error);
    if (status == FRAMEMAP_OK && tls) status = fm_redis_tls_stream_open(tls, socket->fd, host, &socket->tls, error);
    if (status == FRAMEMAP_OK && tls) status = greet(socket, deadline, error);
    if (status != FRAMEMAP_OK) fm_redis_disconnect(socket);
    return status;
}

void fm_redis_disconnect(struct fm_redis_socket *socket)
{
    fm_redis_tls_stream_close(socket->tls);
    if (socket->fd >= 0) close(socket->fd);
    *socket = (struct fm_redis_socket){.fd = -1};
}
