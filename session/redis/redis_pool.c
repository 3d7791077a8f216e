/* Implements redis_pool.h: keeps for each server a list of idle connections, opens and logs in new ones up to the
 * limit, and waits on a condition variable if all are in use. After a failure the server is avoided, for a time that
 * doubles with each failure. */
#include "session/redis/redis_pool.h"

#include "core/error.h"
#include "core/limits.h"

#include <inttypes.h>
#include <stdio.h>

enum { BACK_OFF_LEAST_MS = 100, BACK_OFF_MOST_MS = 5000, BACK_OFF_DOUBLINGS = 6 };

/* --- servers --- */

static size_t node_under_lock(struct framemap_redis *redis, framemap_str host, uint16_t port)
{
    for (size_t i = 0; i < redis->node_count; i++)
        if (redis->nodes[i]->port == port && fm_str_equal(framemap_str_of(redis->nodes[i]->host), host)) return i;
    if (redis->node_count >= FM_LIMIT_STORE_NODES || host.size == 0 || host.size > FM_REDIS_HOST_MOST ||
        !FM_GROW(&redis->heap, redis->nodes, redis->node_capacity, redis->node_count + 1))
        return FM_REDIS_NO_NODE;
    struct fm_redis_node *node = fm_heap_zalloc(&redis->heap, 1, sizeof *node);
    if (node == NULL) return FM_REDIS_NO_NODE;
    memcpy(node->host, host.data, host.size);
    node->port = port;
    redis->nodes[redis->node_count] = node;
    return redis->node_count++;
}

size_t fm_redis_node(struct framemap_redis *redis, framemap_str host, uint16_t port)
{
    fm_mutex_lock(&redis->lock);
    const size_t number = node_under_lock(redis, host, port);
    fm_mutex_unlock(&redis->lock);
    return number;
}

struct fm_redis_node *fm_redis_node_at(struct framemap_redis *redis, size_t number)
{
    fm_mutex_lock(&redis->lock);
    struct fm_redis_node *node = redis->nodes[number];
    fm_mutex_unlock(&redis->lock);
    return node;
}

size_t fm_redis_node_count(struct framemap_redis *redis)
{
    fm_mutex_lock(&redis->lock);
    const size_t count = redis->node_count;
    fm_mutex_unlock(&redis->lock);
    return count;
}

void fm_redis_name_node(struct framemap_redis *redis, size_t number, framemap_error *error)
{
    char name[FM_REDIS_HOST_MOST + sizeof "[]:65535"];
    const struct fm_redis_node *node = fm_redis_node_at(redis, number);
    const bool is_ipv6 = strchr(node->host, ':') != NULL;
    snprintf(name, sizeof name, "%s%s%s:%u", is_ipv6 ? "[" : "", node->host, is_ipv6 ? "]" : "", (unsigned)node->port);
    fm_error_where(error, framemap_str_of(name));
}

framemap_str fm_redis_said(const struct framemap_redis *redis, framemap_str text)
{
    enum { SHOWN = 150 };
    const framemap_str password = redis->url.password;
    if (password.size > 0 && fm_str_find(text, password) != FM_NOT_FOUND) return FM_STR("(it repeats the password)");
    return fm_str_slice(text, 0, SHOWN);
}

framemap_status fm_redis_refused(struct framemap_redis *redis, size_t node, const char *what, framemap_str text,
                                 framemap_error *error)
{
    const framemap_str said = fm_redis_said(redis, text);
    fm_error_set(error, FRAMEMAP_E_IO, "the store refuses the %s: %.*s", what, (int)said.size, said.data);
    fm_redis_name_node(redis, node, error);
    return FRAMEMAP_E_IO;
}

/* --- logging in --- */

struct login {
    struct framemap_redis *redis;
    size_t node;
    framemap_error *error;
};

static bool take_login(void *context, size_t reply, const struct fm_reply_item *item)
{
    struct login *login = context;
    const bool is_auth = login->redis->url.has_password && reply == 0;
    if (item->depth > 0) return false;
    if (item->type == FM_REPLY_STATUS) return true;
    if (item->type != FM_REPLY_ERROR) return false;
    if (login->error->code == FRAMEMAP_OK)
        fm_redis_refused(login->redis, login->node, is_auth ? "login" : "database", item->text, login->error);
    return true;
}

static void write_login(const struct framemap_redis *redis, struct fm_redis_link *link)
{
    if (redis->url.has_password) {
        fm_redis_link_word(link, FM_STR("AUTH"));
        if (redis->url.user.size) fm_redis_link_word(link, redis->url.user);
        fm_redis_link_word(link, redis->url.password);
        fm_redis_link_end(link);
    }
    if (redis->url.database > 0) {
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, redis->url.database);
        fm_redis_link_word(link, FM_STR("SELECT"));
        fm_redis_link_word(link, framemap_str_of(number));
        fm_redis_link_end(link);
    }
}

framemap_status fm_redis_ask(struct framemap_redis *redis, struct fm_redis_link *link,
                             const struct fm_redis_patience *patience, fm_reply_take *take, void *context,
                             framemap_error *error)
{
    fm_redis_link_start(link, take, context);
    framemap_status status = fm_redis_exchange(&link, 1, patience, error);
    if (status != FRAMEMAP_OK) {
        link->status = status;
    } else if ((status = link->status) != FRAMEMAP_OK && error) {
        *error = link->error;
        fm_redis_name_node(redis, link->node, error);
    }
    return status;
}

static framemap_status log_in(struct framemap_redis *redis, struct fm_redis_link *link, int64_t deadline,
                              framemap_error *error)
{
    framemap_error refusal = {.code = FRAMEMAP_OK};
    struct login login = {redis, link->node, &refusal};
    const struct fm_redis_patience patience = {deadline, 0, FM_LIMIT_STORE_MAP};
    write_login(redis, link);
    if (link->commands == 0) return FRAMEMAP_OK;
    framemap_status status = fm_redis_ask(redis, link, &patience, take_login, &login, error);
    if (status == FRAMEMAP_OK && (status = refusal.code) != FRAMEMAP_OK && error) *error = refusal;
    return status;
}

/* --- opening connections and returning them --- */

/* Records a failure of a server. The server is then not used for a time that doubles with each failure. The caller
 * holds the lock. */
static void note_failure(struct fm_redis_node *node, const framemap_error *fault)
{
    const unsigned doublings = node->failures < BACK_OFF_DOUBLINGS ? node->failures : BACK_OFF_DOUBLINGS;
    const int64_t pause = (int64_t)BACK_OFF_LEAST_MS << doublings;
    node->failures++;
    node->down_until = fm_redis_now() + (pause < BACK_OFF_MOST_MS ? pause : BACK_OFF_MOST_MS);
    node->fault = *fault;
}

static framemap_status open_link(struct framemap_redis *redis, size_t number, int64_t deadline,
                                 struct fm_redis_link **out, framemap_error *error)
{
    const struct fm_redis_node *node = fm_redis_node_at(redis, number);
    const int64_t latest = fm_redis_now() + redis->connect_timeout_ms;
    if (deadline > latest) deadline = latest;
    struct fm_redis_link *link = fm_redis_link_open(&redis->heap, node->host, node->port, redis->tls, deadline, error);
    if (link == NULL) return error->code;
    link->node = number;
    const framemap_status status = log_in(redis, link, deadline, error);
    if (status == FRAMEMAP_OK)
        *out = link;
    else
        fm_redis_link_close(link);
    return status;
}

/* Waits until a connection can be used. If there is an idle one, *out is set to it; otherwise the caller may open a new
 * one. */
static framemap_status admit(struct framemap_redis *redis, struct fm_redis_node *node, int64_t deadline,
                             struct fm_redis_link **out, framemap_error *error)
{
    for (;;) {
        const int64_t now = fm_redis_now();
        if (node->idle) {
            *out = node->idle;
            node->idle = (*out)->next;
            (*out)->is_reused = true;
            return FRAMEMAP_OK;
        }
        if (node->down_until > now) {
            *error = node->fault;
            return error->code;
        }
        if (node->open < redis->max_connections) {
            node->open++;
            return FRAMEMAP_OK;
        }
        if (now >= deadline)
            return fm_error_set(error, FRAMEMAP_E_IO, "all connections to the store were in use until the timeout");
        fm_condition_wait_ms(&redis->freed, &redis->lock, (uint32_t)(deadline - now));
    }
}

framemap_status fm_redis_take(struct framemap_redis *redis, size_t number, int64_t deadline, struct fm_redis_link **out,
                              framemap_error *error)
{
    framemap_error fault = {0};
    struct fm_redis_link *link = NULL;
    struct fm_redis_node *node = fm_redis_node_at(redis, number);
    fm_mutex_lock(&redis->lock);
    framemap_status status = admit(redis, node, deadline, &link, &fault);
    fm_mutex_unlock(&redis->lock);
    if (status == FRAMEMAP_OK && link == NULL) {
        status = open_link(redis, number, deadline, &link, &fault);
        fm_mutex_lock(&redis->lock);
        if (status != FRAMEMAP_OK) {
            node->open--;
            if (status != FRAMEMAP_E_MEMORY) note_failure(node, &fault);
            fm_condition_wake_all(&redis->freed);
        }
        fm_mutex_unlock(&redis->lock);
    }
    if (status == FRAMEMAP_OK) {
        *out = link;
        return status;
    }
    fm_redis_name_node(redis, number, &fault);
    if (error) *error = fault;
    return status;
}

static void close_links(struct fm_redis_link *links)
{
    while (links) {
        struct fm_redis_link *link = links;
        links = link->next;
        fm_redis_link_close(link);
    }
}

/* Gives a connection back to the pool. If a connection that was idle turns out to be closed, the server was restarted
 * or closes idle connections; so its other idle connections are closed too, but the server is still used. */
void fm_redis_give_back(struct framemap_redis *redis, struct fm_redis_link *link)
{
    struct fm_redis_link *dropped = NULL;
    struct fm_redis_node *node = fm_redis_node_at(redis, link->node);
    fm_mutex_lock(&redis->lock);
    if (link->status == FRAMEMAP_OK) {
        node->failures = 0;
        node->down_until = 0;
        link->next = node->idle;
        node->idle = link;
    } else {
        if (link->status == FRAMEMAP_E_IO) {
            for (struct fm_redis_link *at = node->idle; at; at = at->next) node->open--;
            dropped = node->idle;
            node->idle = NULL;
            if (!(link->broke && link->is_reused)) note_failure(node, &link->error);
        }
        node->open--;
        link->next = dropped;
        dropped = link;
    }
    fm_condition_wake_all(&redis->freed);
    fm_mutex_unlock(&redis->lock);
    close_links(dropped);
}

void fm_redis_pool_free(struct framemap_redis *redis)
{
    for (size_t i = 0; i < redis->node_count; i++) {
        close_links(redis->nodes[i]->idle);
        fm_heap_free(&redis->heap, redis->nodes[i], sizeof *redis->nodes[i]);
    }
    fm_heap_free(&redis->heap, redis->nodes, redis->node_capacity * sizeof *redis->nodes);
}
