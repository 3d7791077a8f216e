/* A server of Redis with prepared answers, for test_redis_parts.c and fuzz/session/fuzz_redis.c. The store is connected
 * to one end of a pair of sockets; the packets are sent from the other end. Each call of recv() returns one packet. */
#ifndef FM_TESTS_SESSION_REDIS_SCRIPTED_SERVER_H
#define FM_TESTS_SESSION_REDIS_SCRIPTED_SERVER_H

#include "session/redis/redis_pool.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Makes a connection of a store, on which `count` packets arrive before it is closed. Returns the other end of the
 * connection, to be closed after the store; -1: out of memory or of file descriptors. */
static inline int scripted_server(struct framemap_redis *redis, const framemap_str *packets, size_t count)
{
    int ends[2];
    struct fm_redis_link *link = fm_redis_link_new(&redis->heap);
    if (link == NULL) return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
        fm_redis_link_close(link);
        return -1;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    for (size_t i = 0; i < count; i++)
        if (packets[i].size > 0) (void)!send(ends[1], packets[i].data, packets[i].size, MSG_NOSIGNAL);
    shutdown(ends[1], SHUT_WR);
    link->socket.fd = ends[0];
    redis->nodes[0]->idle = link;
    redis->nodes[0]->open = 1;
    redis->max_connections = 0; /* the store may not connect to any other server, not even if it is redirected */
    return ends[1];
}

#endif
