/* What the calls that change or list a store share: names of builds, and connections that are known to work. Called by
 * redis_push.c and redis_list.c. */
#ifndef FM_SESSION_REDIS_REDIS_BUILD_H
#define FM_SESSION_REDIS_REDIS_BUILD_H

#include "session/redis/redis_pool.h"

#define FM_REDIS_PREFIX "fm1:"        /* prefix of the keys of builds */
#define FM_REDIS_TEMPORARY "fm1-new:" /* prefix of builds that are being written */

/* Returns a number that no other process or call is likely to have. */
uint64_t fm_redis_number(const void *owner);

/* Reads the parts of a key; tenant and id are in the arena. false: the key does not name a build, or memory is
 * short. */
bool fm_redis_read_key(framemap_str key, struct fm_arena *arena, framemap_redis_build *out);

/* Takes a connection as fm_redis_take does, and makes sure that the server did not close it while it was idle: it
 * answers PING. */
framemap_status fm_redis_take_fresh(struct framemap_redis *redis, size_t node, int64_t deadline,
                                    struct fm_redis_link **out, framemap_error *error);

#endif
