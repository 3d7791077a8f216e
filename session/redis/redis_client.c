/* Implements framemap_redis_open and framemap_redis_close. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "session/redis/redis_pool.h"

enum { TIMEOUT_MS = 2000, CONNECT_TIMEOUT_MS = 1000, CONNECTIONS = 8 };

static uint32_t first_of(uint32_t given, uint32_t in_url, uint32_t usual)
{
    return given ? given : in_url ? in_url : usual;
}

static framemap_status set_up(struct framemap_redis *redis, const char *url, const framemap_redis_options *options,
                              framemap_error *error)
{
    const framemap_status status = fm_redis_url_parse(framemap_str_of(url), &redis->arena, &redis->url, error);
    if (status != FRAMEMAP_OK) return status;
    redis->timeout_ms = first_of(options->timeout_ms, redis->url.timeout_ms, TIMEOUT_MS);
    redis->connect_timeout_ms =
        first_of(options->connect_timeout_ms, redis->url.connect_timeout_ms, CONNECT_TIMEOUT_MS);
    redis->max_connections = options->max_connections ? options->max_connections : CONNECTIONS;
    redis->answer_most = options->max_answer_bytes ? options->max_answer_bytes : FM_LIMIT_STORE_ANSWER;
    if (!redis->url.has_password && options->password.size > 0) {
        if (!fm_arena_str(&redis->arena, options->password, &redis->url.password)) return fm_error_memory(error);
        redis->url.has_password = true;
    }
    if (redis->url.user.size > 0 && !redis->url.has_password)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "the URL of the store has a user, but no password; a password alone is ':PASSWORD@'");
    if (fm_redis_node(redis, redis->url.host, redis->url.port) == FM_REDIS_NO_NODE) return fm_error_memory(error);
    return redis->url.tls ? fm_redis_tls_open(&redis->heap, redis->url.ca, &redis->tls, error) : FRAMEMAP_OK;
}

framemap_status framemap_redis_open(const char *url, const framemap_redis_options *options, framemap_redis **out,
                                    framemap_error *error)
{
    framemap_redis_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (url == NULL || out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_str_check(given.password, "password", error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, 0);
    framemap_redis *redis = fm_heap_zalloc(&heap, 1, sizeof *redis);
    if (redis == NULL) return fm_error_memory(error);
    fm_heap_init(&redis->heap, given.allocator, 0);
    fm_arena_init(&redis->arena, &redis->heap);
    fm_mutex_init(&redis->lock);
    fm_condition_init(&redis->freed);
    status = set_up(redis, url, &given, error);
    if (status == FRAMEMAP_OK)
        *out = redis;
    else
        framemap_redis_close(redis);
    return status;
}

void framemap_redis_close(framemap_redis *redis)
{
    struct fm_heap heap;
    if (redis == NULL) return;
    fm_redis_pool_free(redis);
    fm_redis_tls_close(redis->tls);
    fm_heap_free(&redis->heap, redis->slots, redis->slots ? FM_REDIS_SLOTS * sizeof *redis->slots : 0);
    fm_arena_free(&redis->arena);
    fm_condition_destroy(&redis->freed);
    fm_mutex_destroy(&redis->lock);
    fm_heap_init(&heap, &redis->heap.hook, 0);
    fm_heap_free(&heap, redis, sizeof *redis);
}
