/* Implements redis_cluster.h: computes the slot of a key (CRC-16 modulo 16384), and reads the reply to CLUSTER SLOTS
 * into a table from slots to servers. The table is updated when a server answers MOVED or ASK. */
#include "session/redis/redis_cluster.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/scan.h"

/* milliseconds between two requests for the map from slots to servers, while a server is down */
enum { PAUSE_MS = 100 };

/* --- computing the slots of keys --- */

/* Computes CRC-16/XMODEM (polynomial 0x1021, initial value 0), four bits at a time. */
static unsigned crc16(framemap_str text)
{
    static const uint16_t table[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
                                       0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};
    unsigned crc = 0;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned byte = (unsigned char)text.data[i];
        crc = (crc << 4 & 0xffff) ^ table[crc >> 12 ^ byte >> 4];
        crc = (crc << 4 & 0xffff) ^ table[crc >> 12 ^ (byte & 15)];
    }
    return crc;
}

unsigned fm_redis_slot(framemap_str key)
{
    const char *open = key.size ? memchr(key.data, '{', key.size) : NULL;
    const framemap_str rest = open ? fm_str_from(key, (size_t)(open - key.data) + 1) : (framemap_str){NULL, 0};
    const char *close = rest.size ? memchr(rest.data, '}', rest.size) : NULL;
    const bool has_tag = close && close > rest.data;
    return crc16(has_tag ? fm_str(rest.data, (size_t)(close - rest.data)) : key) % FM_REDIS_SLOTS;
}

size_t fm_redis_owner(struct framemap_redis *redis, unsigned slot)
{
    fm_mutex_lock(&redis->lock);
    const uint16_t owner = redis->slots ? redis->slots[slot] : 0;
    fm_mutex_unlock(&redis->lock);
    return owner == FM_REDIS_NO_OWNER ? 0 : owner;
}

void fm_redis_doubt_slots(struct framemap_redis *redis)
{
    fm_mutex_lock(&redis->lock);
    if (redis->kind == FM_REDIS_CLUSTER) redis->is_stale = true;
    fm_mutex_unlock(&redis->lock);
}

/* --- reading the map from slots to servers --- */

/* Adds a range of slots to the map, once all data about its server has arrived. */
static bool add_range(struct fm_redis_ranges *ranges, int64_t port)
{
    struct framemap_redis *redis = ranges->redis;
    framemap_str host = fm_str(ranges->host, ranges->host_size);
    if (port < 1 || port > 65535 || ranges->first < 0 || ranges->first > ranges->last ||
        ranges->last >= FM_REDIS_SLOTS || ranges->count >= FM_REDIS_SLOTS)
        return false;
    if (host.size == 0) host = framemap_str_of(fm_redis_node_at(redis, ranges->from)->host);
    const size_t node = fm_redis_node(redis, host, (uint16_t)port);
    if (node == FM_REDIS_NO_NODE || !FM_GROW(&redis->heap, ranges->ranges, ranges->capacity, ranges->count + 1))
        return false;
    ranges->ranges[ranges->count++] = (struct fm_redis_range){(uint16_t)ranges->first, (uint16_t)ranges->last, node};
    return true;
}

/* Receives the reply to CLUSTER SLOTS, which is a list of ranges: [first slot, last slot, [host, port, id, …],
 * replicas…]. The host is empty or nil if the server is older than Redis 7 or does not know its own name. */
static bool take_ranges(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct fm_redis_ranges *ranges = context;
    (void)reply;
    if (item->depth == 0) {
        ranges->is_single = item->type == FM_REPLY_ERROR;
        return ranges->is_single || item->type == FM_REPLY_ARRAY;
    }
    if (item->depth == 1) {
        ranges->first = ranges->last = -1;
        return item->type == FM_REPLY_ARRAY;
    }
    if (item->depth == 2) {
        ranges->host_size = 0;
        if (item->at[2] > 1) return item->type == FM_REPLY_ARRAY;
        *(item->at[2] == 0 ? &ranges->first : &ranges->last) = item->number;
        return item->type == FM_REPLY_NUMBER;
    }
    /* This item describes a replica, or is further data about a server. Neither is used. */
    if (item->depth > 3 || item->at[2] != 2) return true;
    if (item->at[3] == 0 && item->type == FM_REPLY_STRING) {
        if (item->text.size > FM_REDIS_HOST_MOST) return false;
        memcpy(ranges->host, item->text.data, item->text.size);
        ranges->host_size = item->text.size;
        return true;
    }
    if (item->at[3] == 0) return item->type == FM_REPLY_NIL;
    return item->at[3] > 1 || (item->type == FM_REPLY_NUMBER && add_range(ranges, item->number));
}

/* Replaces the store's map of slots by the map that was received. Returns false if out of memory. */
static bool apply(struct framemap_redis *redis, const struct fm_redis_ranges *ranges)
{
    bool good = true;
    fm_mutex_lock(&redis->lock);
    if (ranges->is_single && redis->kind != FM_REDIS_CLUSTER) {
        redis->kind = FM_REDIS_SINGLE;
    } else if (!ranges->is_single) {
        const size_t bytes = FM_REDIS_SLOTS * sizeof *redis->slots;
        if (redis->slots == NULL) redis->slots = fm_heap_resize(&redis->heap, NULL, 0, bytes);
        good = redis->slots != NULL;
        for (size_t i = 0; good && i < FM_REDIS_SLOTS; i++) redis->slots[i] = FM_REDIS_NO_OWNER;
        for (size_t r = 0; good && r < ranges->count; r++)
            for (unsigned i = ranges->ranges[r].first; i <= ranges->ranges[r].last; i++)
                redis->slots[i] = (uint16_t)ranges->ranges[r].node;
        if (good) redis->kind = FM_REDIS_CLUSTER;
    }
    redis->is_stale = redis->is_stale && !good;
    fm_mutex_unlock(&redis->lock);
    return good;
}

static framemap_status ask_node(struct framemap_redis *redis, size_t node, int64_t deadline, framemap_error *error)
{
    struct fm_redis_ranges ranges = {.redis = redis, .from = node};
    struct fm_redis_link *link = NULL;
    const struct fm_redis_patience patience = {deadline, 0, FM_LIMIT_STORE_MAP};
    framemap_status status = fm_redis_take(redis, node, deadline, &link, error);
    if (status != FRAMEMAP_OK) return status;
    fm_redis_link_word(link, FM_STR("CLUSTER"));
    fm_redis_link_word(link, FM_STR("SLOTS"));
    fm_redis_link_end(link);
    status = fm_redis_ask(redis, link, &patience, take_ranges, &ranges, error);
    fm_redis_give_back(redis, link);
    if (status == FRAMEMAP_OK && !apply(redis, &ranges)) status = fm_error_memory(error);
    fm_heap_free(&redis->heap, ranges.ranges, ranges.capacity * sizeof *ranges.ranges);
    return status;
}

framemap_status fm_redis_learn_slots(struct framemap_redis *redis, int64_t deadline, framemap_error *error)
{
    framemap_error first = {0};
    fm_mutex_lock(&redis->lock);
    const bool is_known = redis->kind != FM_REDIS_UNKNOWN;
    const bool is_good = is_known && (!redis->is_stale || fm_redis_now() < redis->learn_after);
    if (!is_good) redis->learn_after = fm_redis_now() + PAUSE_MS;
    fm_mutex_unlock(&redis->lock);
    if (is_good) return FRAMEMAP_OK;
    for (size_t i = 0; i < fm_redis_node_count(redis); i++) {
        framemap_error fault = {0};
        const framemap_status status = ask_node(redis, i, deadline, &fault);
        if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
        if (i == 0) first = fault;
        if (fm_redis_now() >= deadline) break;
    }
    if (is_known) return FRAMEMAP_OK;
    if (error) *error = first;
    return first.code;
}

/* --- following redirects to other servers --- */

bool fm_redis_redirected(struct framemap_redis *redis, size_t from, framemap_str text, struct fm_redis_redirect *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t slot, port;
    out->is_ask = fm_scan_text(&s, FM_STR("ASK "));
    if (!out->is_ask && !fm_scan_text(&s, FM_STR("MOVED "))) return false;
    if (!fm_scan_dec(&s, &slot, NULL) || slot >= FM_REDIS_SLOTS || !fm_scan_byte(&s, ' ')) return false;
    framemap_str host = fm_scan_rest(&s);
    size_t colon = host.size;
    /* The last colon precedes the port; an IPv6 address contains further colons. */
    while (colon > 0 && host.data[colon - 1] != ':') colon--;
    if (colon == 0) return false;
    struct fm_scan tail = fm_scan_of(fm_str_from(host, colon));
    if (!fm_scan_dec(&tail, &port, NULL) || !fm_scan_done(&tail) || port < 1 || port > 65535) return false;
    host.size = colon - 1;
    if (host.size == 0) host = framemap_str_of(fm_redis_node_at(redis, from)->host);
    out->node = fm_redis_node(redis, host, (uint16_t)port);
    if (out->node == FM_REDIS_NO_NODE) return false;
    if (out->is_ask) return true;
    fm_mutex_lock(&redis->lock);
    if (redis->slots) redis->slots[slot] = (uint16_t)out->node;
    redis->kind = FM_REDIS_CLUSTER;
    redis->is_stale = true;
    fm_mutex_unlock(&redis->lock);
    return true;
}
