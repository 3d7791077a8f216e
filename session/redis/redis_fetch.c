/* Implements framemap_redis_fetch: requests the values of each build with one HMGET, and sends the requests for all
 * builds in one round trip. If a server redirects a build, or if a connection was closed while it was idle, the builds
 * concerned are requested again. */
#include "core/error.h"
#include "session/redis/redis_cluster.h"

enum { ROUNDS_MOST = 6 }; /* most rounds of one fetch; each redirect and each new connection needs a further round */

/* The keys of one build, which are adjacent in the array of all keys. */
struct build {
    size_t first, count; /* range of the build's keys in the array of all keys */
    unsigned slot;
    size_t node;       /* server to which the request is sent; FM_REDIS_NO_NODE: the owner of the slot */
    bool is_ask, done; /* is_ask: `node` is not the owner of the slot, but answers a request that follows ASKING */
    bool failed;       /* the build's values were not received */
    size_t reply;      /* number of the build's reply in the current round */
    bool again;        /* the request was redirected in the current round */
};

/* The requests to one server in a round. */
struct batch {
    struct fetch *fetch;
    size_t node;
    struct fm_redis_link *link;
    struct build **builds; /* builds in the order of their replies */
    size_t count, at;      /* at: index of the build whose reply is being received */
};

struct fetch {
    struct framemap_redis *redis;
    struct fm_arena arena;
    const framemap_value_key *keys;
    framemap_fetched *out;
    struct build *builds;
    size_t count;
    struct build **sorted; /* the builds of the round, sorted by server */
    struct batch *batches;
    struct fm_redis_link **links;
    size_t batch_count, link_count;
    int64_t deadline;
    framemap_error fault; /* the first fault of a server */
};

static void note_fault(struct fetch *fetch, size_t node, const framemap_error *fault)
{
    if (fetch->fault.code != FRAMEMAP_OK) return;
    fetch->fault = *fault;
    if (node != FM_REDIS_NO_NODE) fm_redis_name_node(fetch->redis, node, &fetch->fault);
}

/* --- replies --- */

static void take_refusal(struct fetch *fetch, struct build *build, size_t from, framemap_str text)
{
    struct fm_redis_redirect redirect;
    framemap_error fault = {0};
    if (fm_redis_redirected(fetch->redis, from, text, &redirect)) {
        build->node = redirect.node;
        build->is_ask = redirect.is_ask;
        build->again = true;
        return;
    }
    fm_redis_refused(fetch->redis, from, "request", text, &fault);
    build->failed = true;
    note_fault(fetch, from, &fault);
}

static bool take_values(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct batch *batch = context;
    struct fetch *fetch = batch->fetch;
    /* the loop ends, because `reply` is at most the number of the last build's reply */
    while (batch->builds[batch->at]->reply < reply) batch->at++;
    struct build *build = batch->builds[batch->at];
    if (build->reply > reply) /* this is the reply to ASKING; the reply for the build itself follows */
        return item->depth == 0 && (item->type == FM_REPLY_STATUS || item->type == FM_REPLY_ERROR);
    if (item->depth == 0 && item->type == FM_REPLY_ERROR) {
        take_refusal(fetch, build, batch->node, item->text);
        return true;
    }
    if (item->depth == 0) return item->type == FM_REPLY_ARRAY && (uint64_t)item->number == build->count;
    if (item->depth > 1 || item->at[1] >= build->count) return false;
    if (item->type == FM_REPLY_STRING) framemap_fetched_put(fetch->out, build->first + item->at[1], item->text);
    return item->type == FM_REPLY_STRING || item->type == FM_REPLY_NIL;
}

/* --- sending one round of requests --- */

static void write_build(const struct fetch *fetch, struct build *build, struct fm_redis_link *link)
{
    const framemap_value_key *keys = fetch->keys + build->first;
    if (build->is_ask) {
        fm_redis_link_word(link, FM_STR("ASKING"));
        fm_redis_link_end(link);
    }
    fm_redis_link_word(link, FM_STR("HMGET"));
    fm_redis_link_word(link, keys[0].build);
    for (size_t i = 0; i < build->count; i++) fm_redis_link_word(link, keys[i].field);
    build->reply = link->commands;
    build->again = false;
    fm_redis_link_end(link);
}

/* Returns the lowest server number above `last` that has builds in this round. */
static size_t next_node(const struct fetch *fetch, size_t last)
{
    size_t next = FM_REDIS_NO_NODE;
    for (size_t i = 0; i < fetch->count; i++) {
        const struct build *build = &fetch->builds[i];
        const bool is_after = last == FM_REDIS_NO_NODE || build->node > last;
        if (!build->done && is_after && (next == FM_REDIS_NO_NODE || build->node < next)) next = build->node;
    }
    return next;
}

/* Lists the builds that are not done yet, sorted by their server. */
static void plan(struct fetch *fetch)
{
    size_t sorted = 0;
    fetch->batch_count = 0;
    for (size_t i = 0; i < fetch->count; i++)
        if (fetch->builds[i].node == FM_REDIS_NO_NODE)
            fetch->builds[i].node = fm_redis_owner(fetch->redis, fetch->builds[i].slot);
    for (size_t node = next_node(fetch, FM_REDIS_NO_NODE); node != FM_REDIS_NO_NODE; node = next_node(fetch, node)) {
        struct batch *batch = &fetch->batches[fetch->batch_count++];
        *batch = (struct batch){.fetch = fetch, .node = node, .builds = fetch->sorted + sorted};
        for (size_t i = 0; i < fetch->count; i++)
            if (!fetch->builds[i].done && fetch->builds[i].node == node) fetch->sorted[sorted++] = &fetch->builds[i];
        batch->count = (size_t)(fetch->sorted + sorted - batch->builds);
    }
}

/* Takes a connection to each server, and writes the requests for that server. Connections are taken in the order of the
 * servers' numbers, so that two threads cannot each wait for a connection of the other. If a server cannot be reached,
 * requests to the others are sent nevertheless. */
static void start(struct fetch *fetch)
{
    fetch->link_count = 0;
    for (size_t b = 0; b < fetch->batch_count; b++) {
        struct batch *batch = &fetch->batches[b];
        framemap_error fault = {0};
        if (fm_redis_take(fetch->redis, batch->node, fetch->deadline, &batch->link, &fault) != FRAMEMAP_OK) {
            note_fault(fetch, FM_REDIS_NO_NODE, &fault);
            fm_redis_doubt_slots(fetch->redis);
            for (size_t i = 0; i < batch->count; i++) batch->builds[i]->done = batch->builds[i]->failed = true;
            continue;
        }
        for (size_t i = 0; i < batch->count; i++) write_build(fetch, batch->builds[i], batch->link);
        fm_redis_link_start(batch->link, take_values, batch);
        fetch->links[fetch->link_count++] = batch->link;
    }
}

/* Marks each build of a server as done, as failed, or as one to be requested again, and returns the connection to the
 * pool. */
static void finish(struct fetch *fetch, struct batch *batch, bool *dropped)
{
    struct fm_redis_link *link = batch->link;
    const bool is_stale = link->status == FRAMEMAP_E_IO && link->broke && link->is_reused;
    for (size_t i = 0; i < batch->count; i++)
        batch->builds[i]->done = link->status == FRAMEMAP_OK ? !batch->builds[i]->again : !is_stale;
    if (link->status != FRAMEMAP_OK && !is_stale) {
        for (size_t i = 0; i < batch->count; i++) batch->builds[i]->failed = true;
        note_fault(fetch, batch->node, &link->error);
        fm_redis_doubt_slots(fetch->redis);
    }
    if (is_stale) *dropped = true;
    fm_redis_give_back(fetch->redis, link);
}

/* Requests the builds that are not done. *more: whether some builds still have to be requested. */
static framemap_status run_round(struct fetch *fetch, bool *more, framemap_error *error)
{
    const struct fm_redis_patience patience = {fetch->deadline, 0, fetch->redis->answer_most};
    bool dropped = false;
    plan(fetch);
    start(fetch);
    const framemap_status status =
        fetch->link_count ? fm_redis_exchange(fetch->links, fetch->link_count, &patience, error) : FRAMEMAP_OK;
    for (size_t b = 0; b < fetch->batch_count; b++) {
        if (fetch->batches[b].link == NULL) continue;
        if (status != FRAMEMAP_OK) fetch->batches[b].link->status = status;
        finish(fetch, &fetch->batches[b], &dropped);
    }
    *more = false;
    for (size_t i = 0; i < fetch->count; i++)
        if (!fetch->builds[i].done) *more = true;
    return status;
}

/* --- running a whole fetch --- */

static bool prepare(struct fetch *fetch, size_t key_count)
{
    const framemap_value_key *keys = fetch->keys;
    fetch->builds = FM_ARENA_ARRAY(&fetch->arena, struct build, key_count);
    if (fetch->builds == NULL) return false;
    for (size_t i = 0; i < key_count; i++) {
        struct build *last = fetch->count ? &fetch->builds[fetch->count - 1] : NULL;
        if (last && fm_str_equal(keys[last->first].build, keys[i].build))
            last->count++;
        else
            fetch->builds[fetch->count++] =
                (struct build){.first = i, .count = 1, .slot = fm_redis_slot(keys[i].build), .node = FM_REDIS_NO_NODE};
    }
    fetch->sorted = FM_ARENA_ARRAY(&fetch->arena, struct build *, fetch->count);
    fetch->batches = FM_ARENA_ARRAY(&fetch->arena, struct batch, fetch->count);
    fetch->links = FM_ARENA_ARRAY(&fetch->arena, struct fm_redis_link *, fetch->count);
    return fetch->sorted && fetch->batches && fetch->links;
}

/* Reports the builds that failed, one by one. Returns false if all builds failed. */
static bool report_failed(const struct fetch *fetch)
{
    bool all = true;
    for (size_t i = 0; i < fetch->count; i++) all = all && fetch->builds[i].failed;
    for (size_t i = 0; i < fetch->count && !all; i++) {
        const struct build *build = &fetch->builds[i];
        for (size_t k = 0; k < build->count && build->failed; k++)
            framemap_fetched_fail(fetch->out, build->first + k, &fetch->fault);
    }
    return !all;
}

static framemap_status run_fetch(struct fetch *fetch, framemap_error *error)
{
    bool more = true;
    framemap_status status = fm_redis_learn_slots(fetch->redis, fetch->deadline, error);
    for (int round = 0; status == FRAMEMAP_OK && more && round < ROUNDS_MOST; round++)
        status = run_round(fetch, &more, error);
    if (status != FRAMEMAP_OK) return status;
    if (fetch->fault.code != FRAMEMAP_OK && !more && report_failed(fetch)) return FRAMEMAP_OK;
    if (fetch->fault.code != FRAMEMAP_OK && error) *error = fetch->fault;
    if (fetch->fault.code != FRAMEMAP_OK) return fetch->fault.code;
    return more ? fm_error_set(error, FRAMEMAP_E_IO, "the servers of the store redirect to each other without an end")
                : FRAMEMAP_OK;
}

framemap_status framemap_redis_fetch(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                     framemap_error *error)
{
    framemap_redis *redis = context;
    if (redis == NULL || keys == NULL || out == NULL || count == 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fetch fetch = {.redis = redis, .keys = keys, .out = out, .deadline = fm_redis_now() + redis->timeout_ms};
    fm_arena_init(&fetch.arena, &redis->heap);
    const framemap_status status = prepare(&fetch, count) ? run_fetch(&fetch, error) : fm_error_memory(error);
    fm_arena_free(&fetch.arena);
    return status;
}
