/* A connection to a server: sends commands and reads their replies. Several connections can exchange data at the same
 * time. Called by redis_pool.c and by the files that send commands. */
#ifndef FM_SESSION_REDIS_REDIS_LINK_H
#define FM_SESSION_REDIS_REDIS_LINK_H

#include "session/redis/redis_reply.h"
#include "session/redis/redis_socket.h"

struct fm_redis_link {
    struct fm_heap *heap;
    struct fm_redis_link *next; /* next link in the pool */
    size_t node;                /* number of the server in the pool */
    bool is_reused;             /* the connection was idle, so the server may have closed it meanwhile */
    struct fm_redis_socket socket;
    struct fm_reply_reader *reader;
    struct fm_redis_words words;
    struct fm_buf out; /* commands to be sent */
    size_t commands;   /* number of commands in `out` */
    /* The members below are the state of the current exchange. */
    bool busy;
    size_t sent;
    uint64_t received;      /* bytes received in the current exchange */
    framemap_status status; /* status of the link; if it is not OK, the link must be closed */
    bool broke;             /* status is IO because the connection was closed, not because a deadline passed */
    framemap_error error;
};

/* Returns a connection that is not open yet; the caller sets its socket. Returns NULL if out of memory. */
struct fm_redis_link *fm_redis_link_new(struct fm_heap *heap);
/* Connects to a server. Returns NULL on failure; *error then has the reason, as from fm_redis_connect. */
struct fm_redis_link *fm_redis_link_open(struct fm_heap *heap, const char *host, uint16_t port,
                                         struct fm_redis_tls *tls, int64_t deadline, framemap_error *error);
void fm_redis_link_close(struct fm_redis_link *link);

/* Adds a command to the next exchange: fm_redis_link_word is called for each word of the command, then
 * fm_redis_link_end. */
void fm_redis_link_word(struct fm_redis_link *link, framemap_str word);
void fm_redis_link_end(struct fm_redis_link *link);

/* Time and size limits of an exchange. */
struct fm_redis_patience {
    int64_t deadline;
    /* if not 0: whenever bytes are sent or received, the deadline is moved to this many milliseconds later */
    uint32_t quiet_ms;
    uint64_t answer_most; /* maximum number of bytes that one server may send */
};

/* Starts the exchange of a link's commands. The function `take` receives the replies. */
void fm_redis_link_start(struct fm_redis_link *link, fm_reply_take *take, void *context);
/* Performs the exchanges that were started on the links: sends to all of them, then reads from each as it answers. Sets
 * the status of each link. Errors: MEMORY; after that, none of the links may be used. */
framemap_status fm_redis_exchange(struct fm_redis_link *const *links, size_t count,
                                  const struct fm_redis_patience *patience, framemap_error *error);

#endif
