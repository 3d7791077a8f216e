/* A connection to a host, with or without TLS, whose functions never block beyond a deadline. Called by
 * redis_link.c. */
#ifndef FM_SESSION_REDIS_REDIS_SOCKET_H
#define FM_SESSION_REDIS_REDIS_SOCKET_H

#include "session/redis/redis_tls.h"

struct fm_redis_socket {
    int fd;                          /* descriptor of the socket; -1: closed */
    struct fm_redis_tls_stream *tls; /* TLS of the connection; NULL: the connection has no TLS */
};

/* Returns the milliseconds of a clock that is never set back. */
int64_t fm_redis_now(void);

/* Connects, and performs the TLS handshake if tls is not NULL. host: NUL-terminated. The system looks up the name,
 * which may take longer than the deadline. Errors: IO (unknown host, connection refused, deadline passed, bad
 * certificate), MEMORY. */
framemap_status fm_redis_connect(struct fm_redis_socket *socket, const char *host, uint16_t port,
                                 struct fm_redis_tls *tls, int64_t deadline, framemap_error *error);
void fm_redis_disconnect(struct fm_redis_socket *socket);

enum fm_redis_io fm_redis_send(const struct fm_redis_socket *socket, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_receive(const struct fm_redis_socket *socket, char *room, size_t size, size_t *got);

/* Waits until one of the sockets is ready, or until the deadline. waits[i] is the event that socket i waits for: READ
 * (readable) or WRITE (readable or writable); any other value: the socket is not waited for. If socket i is ready,
 * waits[i] is set to DONE. fds has room for `count` elements. */
struct pollfd;
void fm_redis_wait(const struct fm_redis_socket *const *sockets, enum fm_redis_io *waits, size_t count,
                   struct pollfd *fds, int64_t deadline);

#endif
