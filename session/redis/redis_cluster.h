/* Finds the server that has a key: computes slots of a cluster, keeps the map from slots to servers, and reads
 * redirects. Called by the public calls. */
#ifndef FM_SESSION_REDIS_REDIS_CLUSTER_H
#define FM_SESSION_REDIS_REDIS_CLUSTER_H

#include "session/redis/redis_pool.h"

/* Returns the slot of a key: CRC16 of it, or of what is between its first '{' and the next '}'. */
unsigned fm_redis_slot(framemap_str key);

/* Requests the map of slots from the servers, unless it is known and not stale. Errors: IO, CORRUPT, LIMIT, MEMORY;
 * none if there is an older map. */
framemap_status fm_redis_learn_slots(struct framemap_redis *redis, int64_t deadline, framemap_error *error);
/* Returns the server of a slot. The first one if the store is not a cluster, or the slot is not known. */
size_t fm_redis_owner(struct framemap_redis *redis, unsigned slot);
/* Makes the next call of fm_redis_learn_slots request the map again. */
void fm_redis_doubt_slots(struct framemap_redis *redis);

struct fm_redis_redirect {
    bool is_ask; /* the redirect is for one command, sent after ASKING; false: the slot was moved for good */
    size_t node;
};
/* Follows an error "MOVED SLOT HOST:PORT" or "ASK …" of the server `from`. false: it is another error, or invalid. */
bool fm_redis_redirected(struct framemap_redis *redis, size_t from, framemap_str text, struct fm_redis_redirect *out);

/* A range of slots, filled in from the reply to CLUSTER SLOTS. */
struct fm_redis_range {
    uint16_t first, last;
    size_t node;
};
struct fm_redis_ranges {
    struct framemap_redis *redis;
    size_t from; /* the server that sent the reply: a range without a host is on this server's host */
    bool is_single, failed;
    int64_t first, last; /* slots of the current range */
    char host[FM_REDIS_HOST_MOST + 1];
    size_t host_size;
    struct fm_redis_range *ranges;
    size_t count, capacity;
};

#endif
