/* The protocol of Redis (RESP 2): converts commands to bytes, and bytes to the parts of replies. The only file that
 * includes hiredis. No reply is kept as a whole: its parts are passed on as they arrive, so a server can neither use
 * up memory with a large array nor overflow the stack with a deep one. Called by redis_link.c and by the files that
 * send commands. */
#ifndef FM_SESSION_REDIS_REDIS_REPLY_H
#define FM_SESSION_REDIS_REDIS_REPLY_H

#include "core/text/buffer.h"

/* --- commands --- */

/* The words of one command. Zero-initialise it and set `heap`. Words are borrowed until the command is written. */
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
/* Appends the command to `out` and clears the words. false: out of memory, or the command has more than 1 GiB. */
bool fm_redis_command(struct fm_redis_words *words, struct fm_buf *out);

/* --- replies --- */

enum fm_reply_type {
    FM_REPLY_STRING,
    FM_REPLY_STATUS,
    FM_REPLY_ERROR,
    FM_REPLY_NUMBER,
    FM_REPLY_NIL,
    FM_REPLY_ARRAY /* an array itself, received before its elements */
};

enum { FM_REPLY_DEPTH = 4 }; /* deepest nesting of arrays: that of the reply to CLUSTER SLOTS */

struct fm_reply_item {
    enum fm_reply_type type;
    unsigned depth; /* number of arrays around the item; 0: the reply itself */
    /* For d from 1 to depth, at[d] is the index at depth d of the item, or of the array that contains it. */
    size_t at[FM_REPLY_DEPTH + 1];
    framemap_str text; /* text of a string, status or error; borrowed for the call */
    int64_t number;    /* value of a number; number of elements of an array */
};

/* Receives a part of reply number `reply`, from 0. false: the part is not an answer to the command. */
typedef bool fm_reply_take(void *context, size_t reply, const struct fm_reply_item *item);

struct fm_reply_reader;
struct fm_reply_reader *fm_reply_open(struct fm_heap *heap); /* returns NULL if out of memory */
void fm_reply_close(struct fm_reply_reader *reader);

/* Prepares for `count` replies. */
void fm_reply_begin(struct fm_reply_reader *reader, size_t count, fm_reply_take *take, void *context);
/* Reads bytes that a server sent. Errors: CORRUPT (not RESP, not an answer to the commands, or more replies than
 * commands). */
framemap_status fm_reply_feed(struct fm_reply_reader *reader, framemap_str bytes, framemap_error *error);
/* Whether all replies have arrived. */
bool fm_reply_done(const struct fm_reply_reader *reader);

#endif
