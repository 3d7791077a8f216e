/* The protocol of Redis (RESP 2): converts commands to bytes, and bytes to the parts of replies. The only file that
 * includes hiredis. A reply is not stored as a whole: its parts are passed on as they arrive. So a server can neither
 * exhaust memory with a large array nor overflow the stack with a deeply nested one. Called by redis_link.c and by the
 * files that send commands. */
#ifndef FM_SESSION_REDIS_REDIS_REPLY_H
#define FM_SESSION_REDIS_REDIS_REPLY_H

#include "core/text/buffer.h"

/* --- writing commands in Redis' protocol --- */

/* The words of one command. Initialise it with zeros and set `heap`. Words are borrowed until the command is
 * written. */
struct fm_redis_words {
    struct fm_heap *heap;
    const char **texts;
    size_t *sizes;
    size_t count, text_capacity, size_capacity;
    uint64_t bytes;
    bool failed; /* out of memory */
};
void fm_redis_words_free(struct fm_redis_words *words);
void fm_redis_word(struct fm_redis_words *words, framemap_str word);
/* Appends the command to `out` and clears the words. Returns false if out of memory, or if the command has more than 1
 * GiB. */
bool fm_redis_command(struct fm_redis_words *words, struct fm_buf *out);

/* --- replies --- */

enum fm_reply_type {
    FM_REPLY_STRING,
    FM_REPLY_STATUS,
    FM_REPLY_ERROR,
    FM_REPLY_NUMBER,
    FM_REPLY_NIL,
    FM_REPLY_ARRAY /* the array itself, which is received before its elements */
};

enum { FM_REPLY_DEPTH = 4 }; /* most arrays that may be nested in each other, as in the reply to CLUSTER SLOTS */

struct fm_reply_item {
    enum fm_reply_type type;
    unsigned depth; /* number of arrays around the item; 0: the reply itself */
    /* For d from 1 to depth, at[d] is the index at depth d of the item, or of the array that contains it. */
    size_t at[FM_REPLY_DEPTH + 1];
    framemap_str text; /* text of a string, status or error; borrowed for the call */
    int64_t number;    /* value of a number; number of elements of an array */
};

/* Receives a part of reply number `reply`, counted from 0. Returns false if the part cannot belong to an answer to the
 * command. */
typedef bool fm_reply_take(void *context, size_t reply, const struct fm_reply_item *item);

struct fm_reply_reader;
struct fm_reply_reader *fm_reply_open(struct fm_heap *heap); /* Makes a reader; returns NULL if out of memory. */
void fm_reply_close(struct fm_reply_reader *reader);

/* Prepares for `count` replies. */
void fm_reply_begin(struct fm_reply_reader *reader, size_t count, fm_reply_take *take, void *context);
/* Reads bytes that a server sent. Errors: CORRUPT (the bytes are not RESP, or do not answer the commands, or there are
 * more replies than commands). */
framemap_status fm_reply_feed(struct fm_reply_reader *reader, framemap_str bytes, framemap_error *error);
/* Whether all replies have arrived. */
bool fm_reply_done(const struct fm_reply_reader *reader);

#endif
