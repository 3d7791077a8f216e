/* Sends bytes to a socket and receives bytes from it, without blocking. Called by redis_tls.c and redis_socket.c. */
#ifndef FM_SESSION_REDIS_REDIS_IO_H
#define FM_SESSION_REDIS_REDIS_IO_H

#include <stddef.h>

/* Result of a step on a socket that does not block. */
enum fm_redis_io {
    FM_REDIS_IO_DONE,   /* some bytes were sent or received */
    FM_REDIS_IO_READ,   /* no bytes have arrived; wait until the socket is readable */
    FM_REDIS_IO_WRITE,  /* no bytes can be sent now; wait until the socket is writable */
    FM_REDIS_IO_CLOSED, /* the other side closed the connection */
    FM_REDIS_IO_FAULT
};

/* These functions call the system's send and recv. A closed connection raises no SIGPIPE, and a call that a signal
 * interrupted is repeated. */
enum fm_redis_io fm_redis_raw_send(int fd, const char *data, size_t size, size_t *sent);
enum fm_redis_io fm_redis_raw_receive(int fd, char *room, size_t size, size_t *got);

#endif
