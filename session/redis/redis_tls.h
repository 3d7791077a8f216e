/* TLS over a connected socket, by OpenSSL (openssl.h). Certificate and host name are verified. Called by
 * redis_socket.c. */
#ifndef FM_SESSION_REDIS_REDIS_TLS_H
#define FM_SESSION_REDIS_REDIS_TLS_H

#include "core/heap.h"
#include "session/redis/redis_io.h"

/* The state that all connections to one store share. Any thread may use it. */
struct fm_redis_tls;
/* Opens the state that connections share. ca: a file with trusted certificates; empty: those of the system are trusted.
 * Errors: UNSUPPORTED (OpenSSL is not installed), IO (the file cannot be read), MEMORY, INTERNAL. */
framemap_status fm_redis_tls_open(struct fm_heap *heap, framemap_str ca, struct fm_redis_tls **out,
                                  framemap_error *error);
void fm_redis_tls_close(struct fm_redis_tls *tls); /* closes the state; `tls` may be NULL */

/* The TLS state of one connection. Only one thread at a time may use it. */
struct fm_redis_tls_stream;
/* Opens TLS on a connected socket. host: NUL-terminated name or address that the certificate must have. Errors:
 * MEMORY. */
framemap_status fm_redis_tls_stream_open(struct fm_redis_tls *tls, int fd, const char *host,
                                         struct fm_redis_tls_stream **out, framemap_error *error);
/* closes the TLS state but not the socket; `stream` may be NULL */
void fm_redis_tls_stream_close(struct fm_redis_tls_stream *stream);
/* Continues the handshake. If the result is FAULT, *why is a static string that states the reason. */
enum fm_redis_io fm_redis_tls_greet(struct fm_redis_tls_stream *stream, const char **why);
enum fm_redis_io fm_redis_tls_send(struct fm_redis_tls_stream *stream, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_tls_receive(struct fm_redis_tls_stream *stream, char *room, size_t size, size_t *got);

#endif
