/* Implements framemap_redis_push: writes a build under another name in the same slot of a cluster, and renames it when
 * it is complete, so that readers see either the whole build or nothing. */
#include "api/option_structs.h"
#include "core/error.h"
#include "session/redis/redis_build.h"
#include "session/redis/redis_cluster.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHUNK_BYTES = 1 << 20, CHUNK_VALUES = 512, LEFT_OVER_SECONDS = 3600, MOVES_MOST = 5 };

struct push {
    struct framemap_redis *redis;
    const framemap_redis_push_options *options;
    struct fm_redis_link *link; /* connection to the server; NULL: not connected */
    struct fm_buf key, temporary;
    bool wrote;         /* something was written under the temporary name */
    struct fm_buf rows; /* fields and values of the next HSET */
    struct row {
        size_t at, field_size, value_size;
    } *sizes;
    size_t count, capacity;
    uint64_t values, bytes;
    framemap_status status;
    framemap_error error;
    /* Values from the replies of the server so far. */
    size_t moved_to; /* the server that has the slot; FM_REDIS_NO_NODE: not redirected */
    bool is_migrating;
    int64_t length; /* number of the build's fields: the server's reply to HLEN */
    bool renamed;
};

/* Receives a reply. Any error ends the push. If the error states that another server has the slot, that server is
 * recorded. */
static bool take_reply(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct push *push = context;
    struct fm_redis_redirect redirect;
    (void)reply;
    if (item->type == FM_REPLY_NUMBER && item->depth == 0) push->length = item->number;
    if (item->type == FM_REPLY_STATUS && item->depth == 1 && fm_str_equal(item->text, FM_STR("OK")))
        push->renamed = true;
    if (item->type != FM_REPLY_ERROR || push->status != FRAMEMAP_OK) return item->depth <= 1;
    push->status = fm_redis_refused(push->redis, push->link->node, "build", item->text, &push->error);
    if (!fm_redis_redirected(push->redis, push->link->node, item->text, &redirect)) return true;
    if (redirect.is_ask)
        push->is_migrating = true;
    else
        push->moved_to = redirect.node;
    return true;
}

/* Sends the commands that were added, and waits for the replies. */
static bool ask(struct push *push)
{
    const uint32_t quiet_ms = push->redis->timeout_ms;
    const struct fm_redis_patience patience = {fm_redis_now() + quiet_ms, quiet_ms, push->redis->answer_most};
    const framemap_status status = fm_redis_ask(push->redis, push->link, &patience, take_reply, push, &push->error);
    if (status != FRAMEMAP_OK) push->status = status;
    return push->status == FRAMEMAP_OK;
}

static void command(struct push *push, const framemap_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) fm_redis_link_word(push->link, words[i]);
    fm_redis_link_end(push->link);
}
#define COMMAND(push, ...)                                       \
    do {                                                         \
        const framemap_str words_[] = {__VA_ARGS__};             \
        command((push), words_, sizeof words_ / sizeof *words_); \
    } while (0)

/* --- writing under the temporary name --- */

/* Makes the name of a temporary key, "fm1-new:{KEY}:NUMBER". The text in braces determines the slot. No key contains
 * braces. */
static bool name_temporary(struct push *push)
{
    fm_buf_clear(&push->temporary);
    fm_buf_str(&push->temporary, FM_STR(FM_REDIS_TEMPORARY "{"));
    fm_buf_str(&push->temporary, fm_buf_view(&push->key));
    fm_buf_str(&push->temporary, FM_STR("}:"));
    fm_buf_hex(&push->temporary, fm_redis_number(push), 16);
    return !push->temporary.failed;
}

/* Opens a working connection to the server. An idle connection is first tested with a command, since the server may
 * have closed it. */
static bool reach(struct push *push)
{
    const int64_t deadline = fm_redis_now() + push->redis->connect_timeout_ms;
    const size_t node = push->moved_to != FM_REDIS_NO_NODE
                            ? push->moved_to
                            : fm_redis_owner(push->redis, fm_redis_slot(fm_buf_view(&push->key)));
    push->status = fm_redis_take_fresh(push->redis, node, deadline, &push->link, &push->error);
    push->moved_to = FM_REDIS_NO_NODE;
    return push->status == FRAMEMAP_OK;
}

/* Writes the values that were gathered. If the push fails, the server removes the temporary name after an hour. */
static bool flush(struct push *push)
{
    char seconds[16];
    if (push->count == 0) return true;
    if (push->link == NULL && !reach(push)) return false;
    fm_redis_link_word(push->link, FM_STR("HSET"));
    fm_redis_link_word(push->link, fm_buf_view(&push->temporary));
    for (size_t i = 0; i < push->count; i++) {
        const struct row *row = &push->sizes[i];
        fm_redis_link_word(push->link, fm_str(push->rows.data + row->at, row->field_size));
        fm_redis_link_word(push->link, fm_str(push->rows.data + row->at + row->field_size, row->value_size));
    }
    fm_redis_link_end(push->link);
    snprintf(seconds, sizeof seconds, "%d", (int)LEFT_OVER_SECONDS);
    COMMAND(push, FM_STR("EXPIRE"), fm_buf_view(&push->temporary), framemap_str_of(seconds));
    push->wrote = true;
    push->count = 0;
    const bool sent = ask(push);
    fm_buf_clear(&push->rows);
    return sent;
}

/* Adds a copy of a value to the values that the next HSET command sends. */
static bool gather(struct push *push, const framemap_value_key *key, framemap_str value)
{
    if (push->key.size == 0 && (!fm_buf_str(&push->key, key->build) || !name_temporary(push))) return false;
    if (!FM_GROW(&push->redis->heap, push->sizes, push->capacity, push->count + 1)) return false;
    push->sizes[push->count++] = (struct row){push->rows.size, key->field.size, value.size};
    return fm_buf_str(&push->rows, key->field) && fm_buf_str(&push->rows, value);
}

static bool put_value(void *context, const framemap_value_key *key, framemap_str value)
{
    struct push *push = context;
    if (!gather(push, key, value)) {
        push->status = fm_error_memory(&push->error);
        return false;
    }
    push->values++;
    push->bytes += value.size;
    return (push->rows.size < CHUNK_BYTES && push->count < CHUNK_VALUES) || flush(push);
}

/* --- renaming the temporary key of a build --- */

/* Renames the build if it is complete. The server may have evicted the temporary name between two writes; then only the
 * values written later are under that name. So the number of values is checked before RENAME. If the name is evicted
 * after this check, RENAME fails. */
static bool publish(struct push *push)
{
    char seconds[16];
    const framemap_str temporary = fm_buf_view(&push->temporary);
    if (!flush(push)) return false;
    COMMAND(push, FM_STR("HLEN"), temporary);
    if (!ask(push)) return false;
    if (push->length < 0 || (uint64_t)push->length != push->values) {
        push->status = fm_error_set(&push->error, FRAMEMAP_E_IO,
                                    "the store lost a part of the build while it was written: is its memory full?");
        return false;
    }
    COMMAND(push, FM_STR("MULTI"));
    snprintf(seconds, sizeof seconds, "%" PRIu32, push->options->expire_seconds);
    if (push->options->expire_seconds > 0)
        COMMAND(push, FM_STR("EXPIRE"), temporary, framemap_str_of(seconds));
    else
        COMMAND(push, FM_STR("PERSIST"), temporary);
    COMMAND(push, FM_STR("RENAME"), temporary, fm_buf_view(&push->key));
    COMMAND(push, FM_STR("EXEC"));
    if (ask(push) && !push->renamed)
        push->status = fm_error_set(&push->error, FRAMEMAP_E_IO, "the store did not accept the build");
    return push->status == FRAMEMAP_OK;
}

/* Removes the values that were written, if the server still answers. The first fault is kept. */
static void clean_up(struct push *push)
{
    const framemap_status status = push->status;
    const framemap_error error = push->error;
    if (push->link == NULL || push->link->status != FRAMEMAP_OK || !push->wrote) return;
    COMMAND(push, FM_STR("DEL"), fm_buf_view(&push->temporary));
    ask(push);
    push->status = status;
    push->error = error;
}

/* --- implementing the public call --- */

static void reset(struct push *push)
{
    fm_buf_clear(&push->key);
    fm_buf_clear(&push->rows);
    push->count = 0;
    push->values = push->bytes = 0;
    push->status = FRAMEMAP_OK;
    push->wrote = push->renamed = push->is_migrating = false;
    push->length = -1;
}

static framemap_status push_once(struct push *push, const framemap_index *index, framemap_error *error)
{
    const framemap_split_options split = {
        .size = sizeof split, .tenant = push->options->tenant, .id = push->options->id};
    reset(push);
    framemap_status status = framemap_index_split(index, &split, put_value, push, error);
    if (status == FRAMEMAP_OK && !publish(push)) status = push->status;
    if (push->status != FRAMEMAP_OK) {
        status = push->status;
        if (error) *error = push->error;
    }
    if (status != FRAMEMAP_OK) clean_up(push);
    if (push->link) fm_redis_give_back(push->redis, push->link);
    push->link = NULL;
    return status;
}

static void report(const struct push *push, framemap_redis_visit visit, void *context)
{
    struct fm_arena arena;
    framemap_redis_build build;
    fm_arena_init(&arena, &push->redis->heap);
    if (visit && fm_redis_read_key(fm_buf_view(&push->key), &arena, &build)) {
        build.values = push->values;
        build.bytes = push->bytes;
        build.expires_seconds = push->options->expire_seconds ? (int64_t)push->options->expire_seconds : -1;
        visit(context, &build);
    }
    fm_arena_free(&arena);
}

framemap_status framemap_redis_push(framemap_redis *redis, const framemap_index *index,
                                    const framemap_redis_push_options *options, framemap_redis_visit visit,
                                    void *context, framemap_error *error)
{
    framemap_redis_push_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (redis == NULL || index == NULL || fm_str_is_bad(given.tenant) || fm_str_is_bad(given.id))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_redis_learn_slots(redis, fm_redis_now() + redis->timeout_ms, error);
    if (status != FRAMEMAP_OK) return status;
    struct push push = {.redis = redis, .options = &given, .moved_to = FM_REDIS_NO_NODE};
    fm_buf_init(&push.key, &redis->heap);
    fm_buf_init(&push.temporary, &redis->heap);
    fm_buf_init(&push.rows, &redis->heap);
    for (int i = 0; i < MOVES_MOST; i++) {
        status = push_once(&push, index, error);
        if (status == FRAMEMAP_OK || push.moved_to == FM_REDIS_NO_NODE) break;
    }
    if (status == FRAMEMAP_OK) report(&push, visit, context);
    if (push.is_migrating)
        fm_error_set(error, FRAMEMAP_E_IO, "the slot of the build is moved to another server just now: push it again");
    fm_heap_free(&redis->heap, push.sizes, push.capacity * sizeof *push.sizes);
    fm_buf_free(&push.rows);
    fm_buf_free(&push.temporary);
    fm_buf_free(&push.key);
    return status;
}
