/* Servers of a store and the connections to each server. The number of connections is limited, threads share them, and
 * a server that is down is not tried again for some time. Called by redis_cluster.c and by the public calls. */
#ifndef FM_SESSION_REDIS_REDIS_POOL_H
#define FM_SESSION_REDIS_REDIS_POOL_H

#include "core/thread.h"
#include "session/redis/redis_link.h"
#include "session/redis/redis_url.h"
#include <framemap/redis.h>

#define FM_REDIS_NO_NODE SIZE_MAX

/* A server. Host and port do not change; the lock guards the other members. Servers are never removed. */
struct fm_redis_node {
    char host[FM_REDIS_HOST_MOST + 1];
    uint16_t port;
    struct fm_redis_link *idle;
    size_t open;          /* number of connections to the server, including idle ones */
    unsigned failures;    /* number of failures since the last answer of the server */
    int64_t down_until;   /* time (fm_redis_now) before which the server is not used */
    framemap_error fault; /* why the last attempt to reach it failed */
};

enum { FM_REDIS_SLOTS = 16384 };
enum fm_redis_kind { FM_REDIS_UNKNOWN = 0, FM_REDIS_SINGLE, FM_REDIS_CLUSTER };

struct framemap_redis {
    struct fm_heap heap;
    struct fm_arena arena; /* memory of `url` */
    struct fm_redis_url url;
    struct fm_redis_tls *tls;
    uint32_t timeout_ms, connect_timeout_ms;
    size_t max_connections;
    uint64_t answer_most;
    fm_mutex lock; /* guards the members below; never held while the network is used */
    fm_condition freed;
    struct fm_redis_node **nodes; /* the servers; the first one is the server in the URL */
    size_t node_count, node_capacity;
    enum fm_redis_kind kind;
    int64_t learn_after; /* time (fm_redis_now) before which an outdated map of slots is not requested again */
    bool is_stale;       /* the map of slots must be requested again: slots were moved, or a server is down */
    uint16_t *slots;     /* the server of each slot; FM_REDIS_NO_OWNER: not known. NULL: the store is not a cluster */
};
#define FM_REDIS_NO_OWNER UINT16_MAX

/* Returns the number of a server, and adds the server if it is new. FM_REDIS_NO_NODE: out of memory, or there are too
 * many servers. */
size_t fm_redis_node(struct framemap_redis *redis, framemap_str host, uint16_t port);
/* Returns the server with a number; valid as long as the store is open. */
struct fm_redis_node *fm_redis_node_at(struct framemap_redis *redis, size_t number);
size_t fm_redis_node_count(struct framemap_redis *redis);

/* Returns a connection to a server; connects and logs in if necessary. The caller must give the connection back with
 * fm_redis_give_back. Errors: IO (also if the server was down a short time ago, or all connections are in use until the
 * deadline), MEMORY. */
framemap_status fm_redis_take(struct framemap_redis *redis, size_t node, int64_t deadline, struct fm_redis_link **out,
                              framemap_error *error);
/* Gives a connection back to the pool after an exchange. If its status is not OK, the link is closed. */
void fm_redis_give_back(struct framemap_redis *redis, struct fm_redis_link *link);
/* Sends the commands that were written to a connection, and waits for the replies. Errors: those of the exchange, with
 * the server's name. */
framemap_status fm_redis_ask(struct framemap_redis *redis, struct fm_redis_link *link,
                             const struct fm_redis_patience *patience, fm_reply_take *take, void *context,
                             framemap_error *error);

/* Returns the part of a server's error message that may be printed: the start of the message, or nothing if the message
 * contains the password. */
framemap_str fm_redis_said(const struct framemap_redis *redis, framemap_str text);
/* Sets the error to "the store refuses the WHAT: …", completed with the printable part (fm_redis_said) of the reply
 * `text`; returns IO. */
framemap_status fm_redis_refused(struct framemap_redis *redis, size_t node, const char *what, framemap_str text,
                                 framemap_error *error);
/* Sets error->where to the name of a server, "HOST:PORT". */
void fm_redis_name_node(struct framemap_redis *redis, size_t node, framemap_error *error);
/* Closes all connections. */
void fm_redis_pool_free(struct framemap_redis *redis);

#endif
