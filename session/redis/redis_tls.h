/* TLS over a connected socket, by OpenSSL, which no other file includes. Certificate and host name are verified. Called
 * by redis_socket.c. */
#ifndef FM_SESSION_REDIS_REDIS_TLS_H
#define FM_SESSION_REDIS_REDIS_TLS_H

#include "core/heap.h"

/* Result of a step on a socket that does not block. */
enum fm_redis_io {
    FM_REDIS_IO_DONE,   /* some bytes were moved */
    FM_REDIS_IO_READ,   /* nothing yet: the socket must become readable */
    FM_REDIS_IO_WRITE,  /* the same: writable */
    FM_REDIS_IO_CLOSED, /* by the other side */
    FM_REDIS_IO_FAULT
};

/* The system's calls without signals, repeated after EINTR. */
enum fm_redis_io fm_redis_raw_send(int fd, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_raw_receive(int fd, char *room, size_t size, size_t *got);

/* What all connections to one store share. Any thread. */
struct fm_redis_tls;
/* ca: a file with trusted certificates; empty: the system's. Errors: IO (the file), MEMORY, INTERNAL. */
framemap_status fm_redis_tls_open(struct fm_heap *heap, framemap_str ca, struct fm_redis_tls **out,
                                  framemap_error *error);
void fm_redis_tls_close(struct fm_redis_tls *tls); /* NULL is allowed */

/* One connection. One thread at a time. */
struct fm_redis_tls_stream;
/* host: NUL-terminated name or address that the certificate must have. Errors: MEMORY. */
framemap_status fm_redis_tls_stream_open(struct fm_redis_tls *tls, int fd, const char *host,
                                         struct fm_redis_tls_stream **out, framemap_error *error);
void fm_redis_tls_stream_close(struct fm_redis_tls_stream *stream); /* NULL is allowed; the socket stays open */
/* Goes on with the handshake. FAULT: *why says what is wrong, static. */
enum fm_redis_io fm_redis_tls_greet(struct fm_redis_tls_stream *stream, const char **why);
enum fm_redis_io fm_redis_tls_send(struct fm_redis_tls_stream *stream, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_tls_receive(struct fm_redis_tls_stream *stream, char *room, size_t size, size_t *got);

#endif
