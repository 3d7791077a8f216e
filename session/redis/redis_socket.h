/* A connection to a host, with TLS or without, that never blocks longer than until a deadline. Called by
 * redis_link.c. */
#ifndef FM_SESSION_REDIS_REDIS_SOCKET_H
#define FM_SESSION_REDIS_REDIS_SOCKET_H

#include "session/redis/redis_tls.h"

struct fm_redis_socket {
    int fd;                          /* descriptor of the socket; -1: closed */
    struct fm_redis_tls_stream *tls; /* TLS of the connection; NULL: none */
};

/* Returns the milliseconds of a clock that is never set back. */
int64_t fm_redis_now(void);

/* Connects, with the TLS handshake if tls is not NULL. host: NUL-terminated. The system looks the name up, and that
 * may take longer than the deadline. Errors: IO (unknown host, refused, too late, certificate), MEMORY. */
framemap_status fm_redis_connect(struct fm_redis_socket *socket, const char *host, uint16_t port,
                                 struct fm_redis_tls *tls, int64_t deadline, framemap_error *error);
void fm_redis_disconnect(struct fm_redis_socket *socket);

enum fm_redis_io fm_redis_send(const struct fm_redis_socket *socket, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_receive(const struct fm_redis_socket *socket, char *room, size_t size, size_t *got);

/* Waits until one of the sockets is ready for what it waits for, or until the deadline. waits[i]: READ, or WRITE,
 * which is also ready once there is something to read; any other value means that the socket is not waited for.
 * waits[i] is set to DONE where the socket is ready. fds has room for `count`. */
struct pollfd;
void fm_redis_wait(const struct fm_redis_socket *const *sockets, enum fm_redis_io *waits, size_t count,
                   struct pollfd *fds, int64_t deadline);

#endif
