/* Finds the server that has a key: computes slots of a cluster, stores the map from slots to servers, and parses
 * redirects. Called by the public calls. */
#ifndef FM_SESSION_REDIS_REDIS_CLUSTER_H
#define FM_SESSION_REDIS_REDIS_CLUSTER_H

#include "session/redis/redis_pool.h"

/* Returns the slot of a key: the CRC-16 of the key, or, if the key has braces, of the text between its first '{' and
 * the next '}'. */
unsigned fm_redis_slot(framemap_str key);

/* Requests the map from slots to servers, unless it is known and not outdated. Errors: IO, CORRUPT, LIMIT, MEMORY. If
 * there is an older map, a failure is not an error. */
framemap_status fm_redis_learn_slots(struct framemap_redis *redis, int64_t deadline, framemap_error *error);
/* Returns the server of a slot. Returns the first server if the store is not a cluster, or if the server of the slot is
 * not known. */
size_t fm_redis_owner(struct framemap_redis *redis, unsigned slot);
/* Causes the next call of fm_redis_learn_slots to request the map again. */
void fm_redis_doubt_slots(struct framemap_redis *redis);

struct fm_redis_redirect {
    /* the redirect is for one command, which must be sent after ASKING; false: the slot was moved permanently */
    bool is_ask;
    size_t node;
};
/* Parses an error "MOVED SLOT HOST:PORT" or "ASK …" from the server `from`, and finds the server that it names. Returns
 * false if the error is another one, or is invalid. */
bool fm_redis_redirected(struct framemap_redis *redis, size_t from, framemap_str text, struct fm_redis_redirect *out);

/* A range of slots that is being filled from the reply to CLUSTER SLOTS. */
struct fm_redis_range {
    uint16_t first, last;
    size_t node;
};
struct fm_redis_ranges {
    struct framemap_redis *redis;
    size_t from; /* the server that sent the reply; a range without a host has the host of this server */
    bool is_single, failed;
    int64_t first, last; /* slots of the current range */
    char host[FM_REDIS_HOST_MOST + 1];
    size_t host_size;
    struct fm_redis_range *ranges;
    size_t count, capacity;
};

#endif
