/* Implements framemap_redis_remove and framemap_redis_list. */
#include "api/option_structs.h"
#include "api/value_keys.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "session/redis/redis_build.h"
#include "session/redis/redis_cluster.h"

#include <stdio.h>

enum {
    REDIRECTS_MOST = 5,
    ID_MOST = 1024,
    KEY_MOST = 8192 /* maximum number of bytes of a key; each byte of tenant and id may be spelled as %XX */
};

static struct fm_redis_patience patience_of(const struct framemap_redis *redis)
{
    return (struct fm_redis_patience){fm_redis_now() + redis->timeout_ms, redis->timeout_ms, redis->answer_most};
}

/* --- removing a build from the store --- */

struct removal {
    struct framemap_redis *redis;
    size_t node;
    bool is_ask, redirected;
    int64_t removed;
    framemap_error error;
};

static bool take_removal(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct removal *removal = context;
    struct fm_redis_redirect redirect;
    if (item->depth > 0) return false;
    if (removal->is_ask && reply == 0) return item->type == FM_REPLY_STATUS || item->type == FM_REPLY_ERROR;
    if (item->type == FM_REPLY_NUMBER) removal->removed = item->number;
    if (item->type != FM_REPLY_ERROR) return item->type == FM_REPLY_NUMBER;
    removal->redirected = fm_redis_redirected(removal->redis, removal->node, item->text, &redirect);
    if (removal->redirected) {
        removal->node = redirect.node;
        removal->is_ask = redirect.is_ask;
    } else {
        fm_redis_refused(removal->redis, removal->node, "request", item->text, &removal->error);
    }
    return true;
}

static framemap_status remove_once(struct removal *removal, framemap_str key, framemap_error *error)
{
    struct framemap_redis *redis = removal->redis;
    struct fm_redis_link *link = NULL;
    const struct fm_redis_patience patience = patience_of(redis);
    framemap_status status = fm_redis_take_fresh(redis, removal->node, patience.deadline, &link, error);
    if (status != FRAMEMAP_OK) return status;
    if (removal->is_ask) {
        fm_redis_link_word(link, FM_STR("ASKING"));
        fm_redis_link_end(link);
    }
    fm_redis_link_word(link, FM_STR("DEL"));
    fm_redis_link_word(link, key);
    fm_redis_link_end(link);
    removal->redirected = false;
    status = fm_redis_ask(redis, link, &patience, take_removal, removal, error);
    fm_redis_give_back(redis, link);
    if (status == FRAMEMAP_OK && removal->error.code != FRAMEMAP_OK) {
        if (error) *error = removal->error;
        status = removal->error.code;
    }
    return status;
}

static framemap_status remove_key(struct framemap_redis *redis, framemap_str key, bool *removed, framemap_error *error)
{
    struct removal removal = {.redis = redis, .node = fm_redis_owner(redis, fm_redis_slot(key))};
    framemap_status status = FRAMEMAP_OK;
    for (int i = 0; i < REDIRECTS_MOST; i++) {
        status = remove_once(&removal, key, error);
        if (status != FRAMEMAP_OK || !removal.redirected) break;
    }
    if (status == FRAMEMAP_OK && removal.redirected)
        status = fm_error_set(error, FRAMEMAP_E_IO, "the servers of the store redirect to each other without an end");
    *removed = removal.removed > 0;
    return status;
}

framemap_status framemap_redis_remove(framemap_redis *redis, framemap_str tenant, framemap_str id,
                                      framemap_redis_visit visit, void *context, framemap_error *error)
{
    static const char *const families[] = {FM_KEY_NATIVE, FM_KEY_JAVA, FM_KEY_JAVASCRIPT, FM_KEY_DART};
    struct fm_buf key;
    if (redis == NULL || fm_str_is_bad(tenant) || fm_str_is_bad(id))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (id.size == 0 || id.size > ID_MOST || tenant.size > ID_MOST)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an id has 1 to %d bytes, and a tenant up to as many",
                            (int)ID_MOST);
    framemap_status status = fm_redis_learn_slots(redis, fm_redis_now() + redis->timeout_ms, error);
    fm_buf_init(&key, &redis->heap);
    for (size_t i = 0; status == FRAMEMAP_OK && i < sizeof families / sizeof *families; i++) {
        bool removed = false;
        fm_buf_clear(&key);
        fm_build_key(&key, tenant, families[i], id);
        status = key.failed ? fm_error_memory(error) : remove_key(redis, fm_buf_view(&key), &removed, error);
        const framemap_redis_build build = {fm_buf_view(&key), tenant, id, framemap_str_of(families[i]), 0, 0, -1};
        if (status == FRAMEMAP_OK && removed && visit) visit(context, &build);
    }
    fm_buf_free(&key);
    return status;
}

/* --- listing --- */

struct listing {
    struct framemap_redis *redis;
    const framemap_str *tenant;
    framemap_redis_visit visit;
    void *context;
    struct fm_arena arena; /* memory of all keys, which are kept because SCAN may return a key more than once */
    struct fm_table seen;
    framemap_str *keys;
    size_t count, capacity, shown; /* `shown`: number of keys, counted from the first, that were passed to the caller */
    size_t node;
    uint64_t cursor, pages;
    /* results of HLEN and TTL for the key whose replies are being received; -2: the key does not exist, or is not a
     * build */
    int64_t values, seconds;
    bool no_memory, too_many;
    framemap_error error;
};

static bool key_equal(const void *context, uint32_t number, const void *key)
{
    return fm_str_equal(((const struct listing *)context)->keys[number], *(const framemap_str *)key);
}

static void add_key(struct listing *list, framemap_str key)
{
    const uint64_t hash = fm_hash_text(key, fm_hash_key(list));
    if (!fm_str_starts(key, FM_STR(FM_REDIS_PREFIX)) || key.size > KEY_MOST ||
        fm_table_find(&list->seen, hash, key_equal, list, &key) != UINT32_MAX)
        return;
    if (list->count >= FM_LIMIT_STORE_BUILDS) {
        list->too_many = true;
        return;
    }
    if (!FM_GROW(&list->redis->heap, list->keys, list->capacity, list->count + 1) ||
        !fm_arena_str(&list->arena, key, &list->keys[list->count]) ||
        !fm_table_add(&list->seen, hash, (uint32_t)list->count))
        list->no_memory = true;
    else
        list->count++;
}

/* Receives the reply to SCAN: [cursor, [key, …]]. */
static bool take_scan(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct listing *list = context;
    struct fm_scan s = fm_scan_of(item->text);
    (void)reply;
    if (item->depth == 0 && item->type == FM_REPLY_ERROR) {
        fm_redis_refused(list->redis, list->node, "request", item->text, &list->error);
        return true;
    }
    if (item->depth == 0) return item->type == FM_REPLY_ARRAY && item->number == 2;
    if (item->depth == 1 && item->at[1] == 0)
        return item->type == FM_REPLY_STRING && fm_scan_dec(&s, &list->cursor, NULL) && fm_scan_done(&s);
    if (item->depth == 1) return item->type == FM_REPLY_ARRAY;
    if (item->depth > 2 || item->type != FM_REPLY_STRING) return false;
    add_key(list, item->text);
    return true;
}

static void show(struct listing *list, framemap_str key)
{
    struct fm_arena arena;
    framemap_redis_build build;
    fm_arena_init(&arena, &list->redis->heap);
    if (list->values > 0 && fm_redis_read_key(key, &arena, &build) &&
        (list->tenant == NULL || fm_str_equal(*list->tenant, build.tenant))) {
        build.values = (uint64_t)list->values;
        build.expires_seconds = list->seconds < 0 ? -1 : list->seconds;
        list->visit(list->context, &build);
    }
    fm_arena_free(&arena);
}

/* Receives the replies to HLEN and TTL of each key in turn. The server answers with an error if the key is not a hash,
 * or was moved to another server. */
static bool take_facts(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct listing *list = context;
    const int64_t number = item->type == FM_REPLY_NUMBER ? item->number : 0;
    if (item->depth > 0 || (item->type != FM_REPLY_NUMBER && item->type != FM_REPLY_ERROR)) return false;
    if (reply % 2 == 0) {
        list->values = number;
        return true;
    }
    list->seconds = number;
    show(list, list->keys[list->shown + reply / 2]);
    return true;
}

static framemap_status list_page(struct listing *list, struct fm_redis_link *link, framemap_error *error)
{
    struct fm_redis_patience patience = patience_of(list->redis);
    char cursor[24];
    snprintf(cursor, sizeof cursor, "%llu", (unsigned long long)list->cursor);
    const framemap_str words[] = {FM_STR("SCAN"),  framemap_str_of(cursor),
                                  FM_STR("MATCH"), FM_STR(FM_REDIS_PREFIX "*"),
                                  FM_STR("COUNT"), FM_STR("1000")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) fm_redis_link_word(link, words[i]);
    fm_redis_link_end(link);
    framemap_status status = fm_redis_ask(list->redis, link, &patience, take_scan, list, error);
    if (status == FRAMEMAP_OK && list->no_memory) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK && (list->too_many || ++list->pages > FM_LIMIT_STORE_BUILDS))
        status =
            fm_error_set(error, FRAMEMAP_E_LIMIT, "the store has more than %zu builds, or lists them without an end",
                         FM_LIMIT_STORE_BUILDS);
    if (status == FRAMEMAP_OK && list->error.code != FRAMEMAP_OK) {
        if (error) *error = list->error;
        status = list->error.code;
    }
    if (status != FRAMEMAP_OK || list->shown == list->count) return status;
    for (size_t i = list->shown; i < list->count; i++) {
        fm_redis_link_word(link, FM_STR("HLEN"));
        fm_redis_link_word(link, list->keys[i]);
        fm_redis_link_end(link);
        fm_redis_link_word(link, FM_STR("TTL"));
        fm_redis_link_word(link, list->keys[i]);
        fm_redis_link_end(link);
    }
    patience = patience_of(list->redis);
    status = fm_redis_ask(list->redis, link, &patience, take_facts, list, error);
    list->shown = list->count;
    return status;
}

static framemap_status list_node(struct listing *list, size_t node, framemap_error *error)
{
    struct fm_redis_link *link = NULL;
    framemap_status status =
        fm_redis_take_fresh(list->redis, node, fm_redis_now() + list->redis->timeout_ms, &link, error);
    list->node = node;
    list->cursor = 0;
    while (status == FRAMEMAP_OK) {
        status = list_page(list, link, error);
        if (list->cursor == 0) break;
    }
    if (link) fm_redis_give_back(list->redis, link);
    return status;
}

/* Whether a server has slots. In a store that is not a cluster, the only server counts as having them. */
static bool has_slots(struct framemap_redis *redis, size_t node)
{
    bool found = false;
    fm_mutex_lock(&redis->lock);
    for (size_t i = 0; redis->slots && !found && i < FM_REDIS_SLOTS; i++) found = redis->slots[i] == node;
    if (redis->slots == NULL) found = node == 0;
    fm_mutex_unlock(&redis->lock);
    return found;
}

framemap_status framemap_redis_list(framemap_redis *redis, const framemap_str *tenant, framemap_redis_visit visit,
                                    void *context, framemap_error *error)
{
    if (redis == NULL || visit == NULL || (tenant != NULL && fm_str_is_bad(*tenant)))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = fm_redis_learn_slots(redis, fm_redis_now() + redis->timeout_ms, error);
    struct listing list = {.redis = redis, .tenant = tenant, .visit = visit, .context = context};
    fm_arena_init(&list.arena, &redis->heap);
    fm_table_init(&list.seen, &redis->heap);
    for (size_t i = 0; status == FRAMEMAP_OK && i < fm_redis_node_count(redis); i++)
        if (has_slots(redis, i)) status = list_node(&list, i, error);
    fm_heap_free(&redis->heap, list.keys, list.capacity * sizeof *list.keys);
    fm_table_free(&list.seen);
    fm_arena_free(&list.arena);
    return status;
}
