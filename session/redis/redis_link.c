/* Implements redis_link.h: buffers commands, and drives any number of connections in one loop over poll(): each sends
 * and receives what it can without waiting. Links that are not done at the deadline fail. */
#include "session/redis/redis_link.h"

#include "core/error.h"

#include <poll.h>

enum { ROOM = 64 << 10, OUT_KEPT = 64 << 10 };

struct fm_redis_link *fm_redis_link_new(struct fm_heap *heap)
{
    struct fm_redis_link *link = fm_heap_zalloc(heap, 1, sizeof *link);
    if (link == NULL) return NULL;
    link->heap = heap;
    link->socket.fd = -1;
    link->words.heap = heap;
    fm_buf_init(&link->out, heap);
    link->reader = fm_reply_open(heap);
    if (link->reader) return link;
    fm_redis_link_close(link);
    return NULL;
}

struct fm_redis_link *fm_redis_link_open(struct fm_heap *heap, const char *host, uint16_t port,
                                         struct fm_redis_tls *tls, int64_t deadline, framemap_error *error)
{
    struct fm_redis_link *link = fm_redis_link_new(heap);
    if (link == NULL) fm_error_memory(error);
    if (link == NULL || fm_redis_connect(&link->socket, host, port, tls, deadline, error) == FRAMEMAP_OK) return link;
    fm_redis_link_close(link);
    return NULL;
}

void fm_redis_link_close(struct fm_redis_link *link)
{
    if (link == NULL) return;
    fm_redis_disconnect(&link->socket);
    fm_reply_close(link->reader);
    fm_redis_words_free(&link->words);
    fm_buf_free(&link->out);
    fm_heap_free(link->heap, link, sizeof *link);
}

void fm_redis_link_word(struct fm_redis_link *link, framemap_str word) { fm_redis_word(&link->words, word); }

void fm_redis_link_end(struct fm_redis_link *link)
{
    if (!fm_redis_command(&link->words, &link->out)) link->out.failed = true;
    link->commands++;
}

void fm_redis_link_start(struct fm_redis_link *link, fm_reply_take *take, void *context)
{
    link->status = link->out.failed ? fm_error_memory(&link->error) : FRAMEMAP_OK;
    link->busy = link->status == FRAMEMAP_OK && link->commands > 0;
    link->sent = 0;
    link->received = 0;
    link->broke = false;
    fm_reply_begin(link->reader, link->commands, take, context);
}

/* --- exchanging commands and replies with servers --- */

static void end_link(struct fm_redis_link *link, framemap_status status)
{
    link->status = status;
    link->busy = false;
    link->commands = 0;
    if (link->out.capacity > OUT_KEPT)
        fm_buf_free(&link->out);
    else
        fm_buf_clear(&link->out);
}

static void break_link(struct fm_redis_link *link)
{
    link->broke = true;
    end_link(link, fm_error_set(&link->error, FRAMEMAP_E_IO, "the store ended the connection"));
}

/* Sends the rest of the commands. Returns the event to wait for; DONE: everything was sent. */
static enum fm_redis_io send_rest(struct fm_redis_link *link)
{
    while (link->sent < link->out.size) {
        size_t sent = 0;
        const enum fm_redis_io result =
            fm_redis_send(&link->socket, link->out.data + link->sent, link->out.size - link->sent, &sent);
        if (result != FM_REDIS_IO_DONE) return result;
        link->sent += sent;
    }
    return FM_REDIS_IO_DONE;
}

/* Reads the bytes that have arrived, until the replies are complete. */
static enum fm_redis_io receive_some(struct fm_redis_link *link, char *room, uint64_t most)
{
    for (;;) {
        size_t got = 0;
        const enum fm_redis_io result = fm_redis_receive(&link->socket, room, ROOM, &got);
        if (result != FM_REDIS_IO_DONE) return result;
        link->received += got;
        framemap_status status =
            link->received > most
                ? fm_error_set(&link->error, FRAMEMAP_E_LIMIT, "the store's answer has more than %llu bytes",
                               (unsigned long long)most)
                : fm_reply_feed(link->reader, (framemap_str){room, got}, &link->error);
        if (status != FRAMEMAP_OK || fm_reply_done(link->reader)) {
            end_link(link, status);
            return FM_REDIS_IO_DONE;
        }
        /* Without TLS, a read that did not fill the room has read all that arrived. With TLS, OpenSSL may hold more
         * bytes. */
        if (got < ROOM && link->socket.tls == NULL) return FM_REDIS_IO_READ;
    }
}

/* Sends and reads as much as possible without waiting. Returns the event to wait for, if the link is still busy.
 * Replies are read even before all commands are sent, because a server stops reading commands if its replies are not
 * read. */
static enum fm_redis_io step(struct fm_redis_link *link, char *room, uint64_t most)
{
    const enum fm_redis_io sending = send_rest(link);
    if (sending == FM_REDIS_IO_CLOSED || sending == FM_REDIS_IO_FAULT) break_link(link);
    if (!link->busy) return FM_REDIS_IO_DONE;
    const enum fm_redis_io receiving = receive_some(link, room, most);
    if (receiving == FM_REDIS_IO_CLOSED || receiving == FM_REDIS_IO_FAULT) break_link(link);
    return sending == FM_REDIS_IO_DONE ? receiving : sending;
}

static void stop_late(struct fm_redis_link *const *links, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (links[i]->busy)
            end_link(links[i], fm_error_set(&links[i]->error, FRAMEMAP_E_IO, "the store does not answer in time"));
}

struct exchange {
    struct fm_redis_link *const *links;
    size_t count;
    const struct fm_redis_socket **sockets;
    enum fm_redis_io *waits; /* event that each link waits for; DONE: the link can continue */
    struct pollfd *fds;
    char *room;
};

/* Continues the exchanges of the links that are ready. Returns the number of links that are still busy. */
static size_t step_all(struct exchange *all, uint64_t most, bool *moved)
{
    size_t busy = 0;
    for (size_t i = 0; i < all->count; i++) {
        struct fm_redis_link *link = all->links[i];
        if (link->busy && all->waits[i] == FM_REDIS_IO_DONE) {
            const size_t sent = link->sent;
            const uint64_t received = link->received;
            all->waits[i] = step(link, all->room, most);
            if (link->sent != sent || link->received != received) *moved = true;
        }
        if (!link->busy) all->waits[i] = FM_REDIS_IO_CLOSED; /* a link whose exchange is complete is not polled */
        busy += link->busy;
    }
    return busy;
}

static void run_exchange(struct exchange *all, const struct fm_redis_patience *patience)
{
    int64_t deadline = patience->deadline;
    for (size_t i = 0; i < all->count; i++) {
        all->sockets[i] = &all->links[i]->socket;
        all->waits[i] = FM_REDIS_IO_DONE;
    }
    for (;;) {
        bool moved = false;
        if (step_all(all, patience->answer_most, &moved) == 0) return;
        const int64_t now = fm_redis_now();
        if (moved && patience->quiet_ms > 0) deadline = now + patience->quiet_ms;
        if (now >= deadline) break;
        fm_redis_wait(all->sockets, all->waits, all->count, all->fds, deadline);
    }
    stop_late(all->links, all->count);
}

framemap_status fm_redis_exchange(struct fm_redis_link *const *links, size_t count,
                                  const struct fm_redis_patience *patience, framemap_error *error)
{
    struct fm_arena arena;
    fm_arena_init(&arena, links[0]->heap);
    struct exchange all = {links,
                           count,
                           FM_ARENA_ARRAY(&arena, const struct fm_redis_socket *, count),
                           FM_ARENA_ARRAY(&arena, enum fm_redis_io, count),
                           FM_ARENA_ARRAY(&arena, struct pollfd, count),
                           fm_arena_alloc(&arena, ROOM)};
    const bool good = all.sockets && all.waits && all.fds && all.room;
    if (good) run_exchange(&all, patience);
    fm_arena_free(&arena);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}
