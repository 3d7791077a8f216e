/* Implements redis_io.h: calls send() and recv(), again if a signal interrupted them, and maps errno to a result: done,
 * wait for the socket, closed by the server, or failed. */
#include "session/redis/redis_io.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>

#ifdef MSG_NOSIGNAL
enum { SEND_FLAGS = MSG_NOSIGNAL };
#else
/* this system has no MSG_NOSIGNAL; the option SO_NOSIGPIPE of the sockets has the same effect */
enum { SEND_FLAGS = 0 };
#endif

static bool would_block(int code)
{
#if EAGAIN != EWOULDBLOCK
    if (code == EWOULDBLOCK) return true;
#endif
    return code == EAGAIN;
}

enum fm_redis_io fm_redis_raw_send(int fd, const char *data, size_t size, size_t *sent)
{
    ssize_t moved;
    do moved = send(fd, data, size, SEND_FLAGS);
    while (moved < 0 && errno == EINTR);
    if (moved >= 0) {
        *sent = (size_t)moved;
        return FM_REDIS_IO_DONE;
    }
    if (would_block(errno)) return FM_REDIS_IO_WRITE;
    return errno == EPIPE || errno == ECONNRESET ? FM_REDIS_IO_CLOSED : FM_REDIS_IO_FAULT;
}

enum fm_redis_io fm_redis_raw_receive(int fd, char *room, size_t size, size_t *got)
{
    ssize_t moved;
    do moved = recv(fd, room, size, 0);
    while (moved < 0 && errno == EINTR);
    if (moved > 0) {
        *got = (size_t)moved;
        return FM_REDIS_IO_DONE;
    }
    if (moved < 0 && would_block(errno)) return FM_REDIS_IO_READ;
    return moved == 0 || errno == ECONNRESET ? FM_REDIS_IO_CLOSED : FM_REDIS_IO_FAULT;
}
