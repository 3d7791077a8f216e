/* Functions that the calls which change or list a store share: names of builds, and connections that are known to work.
 * Called by redis_push.c and redis_list.c. */
#ifndef FM_SESSION_REDIS_REDIS_BUILD_H
#define FM_SESSION_REDIS_REDIS_BUILD_H

#include "session/redis/redis_pool.h"

#define FM_REDIS_PREFIX "fm1:"        /* prefix of the keys of builds */
#define FM_REDIS_TEMPORARY "fm1-new:" /* prefix of builds that are being written */

/* Returns a number that no other process or call is likely to have. */
uint64_t fm_redis_number(const void *owner);

/* Reads the parts of a key; tenant and id are in the arena. Returns false if the key does not belong to a build, or if
 * out of memory. */
bool fm_redis_read_key(framemap_str key, struct fm_arena *arena, framemap_redis_build *out);

/* Returns a connection as fm_redis_take does, after a check that the server has not closed it while it was idle: the
 * server must answer PING. */
framemap_status fm_redis_take_fresh(struct framemap_redis *redis, size_t node, int64_t deadline,
                                    struct fm_redis_link **out, framemap_error *error);

#endif
