/* Implements the functions of redis.h for a build without Redis. */
#include "core/error.h"
#include <framemap/redis.h>

static framemap_status refuse(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                        "this build of framemap has no Redis (FRAMEMAP_WITH_REDIS is off)");
}

framemap_status framemap_redis_open(const char *url, const framemap_redis_options *options, framemap_redis **out,
                                    framemap_error *error)
{
    (void)url, (void)options, (void)out;
    return refuse(error);
}

void framemap_redis_close(framemap_redis *redis) { (void)redis; }

framemap_status framemap_redis_fetch(void *redis, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                     framemap_error *error)
{
    (void)redis, (void)keys, (void)count, (void)out;
    return refuse(error);
}

framemap_status framemap_redis_push(framemap_redis *redis, const framemap_index *index,
                                    const framemap_redis_push_options *options, framemap_redis_visit visit,
                                    void *context, framemap_error *error)
{
    (void)redis, (void)index, (void)options, (void)visit, (void)context;
    return refuse(error);
}

framemap_status framemap_redis_remove(framemap_redis *redis, framemap_str tenant, framemap_str id,
                                      framemap_redis_visit visit, void *context, framemap_error *error)
{
    (void)redis, (void)tenant, (void)id, (void)visit, (void)context;
    return refuse(error);
}

framemap_status framemap_redis_list(framemap_redis *redis, const framemap_str *tenant, framemap_redis_visit visit,
                                    void *context, framemap_error *error)
{
    (void)redis, (void)tenant, (void)visit, (void)context;
    return refuse(error);
}
