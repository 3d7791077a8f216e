/* Implements redis_build.h: splits the key of a build into tenant, family and id, with their escapes decoded. Takes a
 * connection that still answers PING, since a command that changes data must not be sent twice. */
#include "session/redis/redis_build.h"

#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/scan.h"

#include <time.h>
#include <unistd.h>

uint64_t fm_redis_number(const void *owner)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid()};
    return fm_hash_text(fm_str(parts, sizeof parts), fm_hash_key(owner));
}

/* --- keys --- */

static bool unescape(framemap_str text, struct fm_arena *arena, framemap_str *out)
{
    char *decoded = fm_arena_alloc(arena, text.size + 1);
    size_t size = 0;
    if (decoded == NULL) return false;
    for (size_t i = 0; i < text.size; i++) {
        unsigned byte = (unsigned char)text.data[i];
        if (byte == '%') {
            if (text.size - i < 3 || !fm_is_hex(text.data[i + 1]) || !fm_is_hex(text.data[i + 2])) return false;
            byte = fm_hex_value(text.data[i + 1]) << 4 | fm_hex_value(text.data[i + 2]);
            i += 2;
        }
        decoded[size++] = (char)(unsigned char)byte;
    }
    decoded[size] = '\0';
    *out = fm_str(decoded, size);
    return true;
}

bool fm_redis_read_key(framemap_str key, struct fm_arena *arena, framemap_redis_build *out)
{
    struct fm_scan s = fm_scan_of(key);
    framemap_str tenant;
    *out = (framemap_redis_build){.key = key, .expires_seconds = -1};
    return fm_scan_text(&s, FM_STR(FM_REDIS_PREFIX)) && fm_scan_until(&s, ':', &tenant) && fm_scan_byte(&s, ':') &&
           fm_scan_until(&s, ':', &out->family) && fm_scan_byte(&s, ':') && unescape(tenant, arena, &out->tenant) &&
           unescape(fm_scan_rest(&s), arena, &out->id);
}

/* --- getting a connection for the commands of one build --- */

static bool take_pong(void *context, size_t reply, const struct fm_reply_item *item)
{
    (void)context, (void)reply;
    return item->depth == 0 && (item->type == FM_REPLY_STATUS || item->type == FM_REPLY_ERROR);
}

framemap_status fm_redis_take_fresh(struct framemap_redis *redis, size_t node, int64_t deadline,
                                    struct fm_redis_link **out, framemap_error *error)
{
    const struct fm_redis_patience patience = {deadline, 0, FM_LIMIT_STORE_MAP};
    for (;;) {
        struct fm_redis_link *link = NULL;
        framemap_status status = fm_redis_take(redis, node, deadline, &link, error);
        if (status == FRAMEMAP_OK && link->is_reused) {
            fm_redis_link_word(link, FM_STR("PING"));
            fm_redis_link_end(link);
            status = fm_redis_ask(redis, link, &patience, take_pong, NULL, error);
            if (status != FRAMEMAP_OK) {
                const bool is_stale = link->broke;
                fm_redis_give_back(redis, link);
                if (is_stale)
                    /* the failed command has closed all idle connections, so the next attempt opens a new one */
                    continue;
            }
        }
        if (status == FRAMEMAP_OK) *out = link;
        return status;
    }
}
