/* Implements redis_reply.h: builds commands, and runs hiredis' parser. Callbacks hand each part of a reply to the
 * caller, with its depth and position; no tree is built. */
#include "session/redis/redis_reply.h"

#include "core/error.h"

#include <hiredis/hiredis.h>
#include <limits.h>

/* --- writing commands in Redis' protocol --- */

/* Size limit of a command. hiredis counts the bytes of its words, plus about 20 bytes for each word, in an int. */
#define COMMAND_MOST ((uint64_t)1 << 30)
enum { WORDS_MOST = 1 << 24 };

void fm_redis_words_free(struct fm_redis_words *words)
{
    fm_heap_free(words->heap, words->texts, words->text_capacity * sizeof *words->texts);
    fm_heap_free(words->heap, words->sizes, words->size_capacity * sizeof *words->sizes);
    *words = (struct fm_redis_words){.heap = words->heap};
}

void fm_redis_word(struct fm_redis_words *words, framemap_str word)
{
    if (words->failed || !FM_GROW(words->heap, words->texts, words->text_capacity, words->count + 1) ||
        !FM_GROW(words->heap, words->sizes, words->size_capacity, words->count + 1)) {
        words->failed = true;
        return;
    }
    words->texts[words->count] = word.size ? word.data : "";
    words->sizes[words->count++] = word.size;
    words->bytes += word.size;
}

bool fm_redis_command(struct fm_redis_words *words, struct fm_buf *out)
{
    char *command = NULL;
    bool good = !words->failed && words->count <= WORDS_MOST && words->bytes <= COMMAND_MOST;
    /* redisFormatCommandArgv returns an int in older versions of hiredis, and a long long in newer ones. */
    const long long size = good ? redisFormatCommandArgv(&command, (int)words->count, words->texts, words->sizes) : -1;
    good = size > 0 && fm_buf_add(out, command, (size_t)size);
    if (size > 0) redisFreeCommand(command);
    words->count = 0;
    words->bytes = 0;
    words->failed = false;
    return good;
}

/* --- replies --- */

struct fm_reply_reader {
    struct fm_heap *heap;
    redisReader *inner;
    redisReplyObjectFunctions functions;
    size_t wanted, replies;
    fm_reply_take *take;
    void *context;
    bool refused; /* a part of the reply cannot be a part of an answer to the command */
};

/* Finds the indexes of a part of a reply in the arrays around it, through the links that hiredis keeps between its
 * tasks. Returns false if the part is nested too deep. */
static bool locate(const redisReadTask *task, struct fm_reply_item *item)
{
    unsigned depth = 0;
    for (const redisReadTask *at = task; at->parent; at = at->parent) depth++;
    if (depth > FM_REPLY_DEPTH) return false;
    item->depth = depth;
    for (const redisReadTask *at = task; at->parent; at = at->parent) {
        if (at->idx < 0) return false;
        item->at[depth--] = (size_t)at->idx;
    }
    return true;
}

/* Passes an element of a reply to the caller. hiredis treats NULL as lack of memory and stops; with any other pointer
 * it continues. */
static void *take_item(const redisReadTask *task, struct fm_reply_item *item)
{
    struct fm_reply_reader *reader = task->privdata;
    if (!reader->refused && reader->replies < reader->wanted && locate(task, item) &&
        reader->take(reader->context, reader->replies, item))
        return reader;
    reader->refused = true;
    return NULL;
}

/* Whether a string is within the bytes that arrived. hiredis adds sizes without a check, so that on 32-bit systems a
 * reply can state a size that is too large. */
static bool is_within(const struct fm_reply_reader *reader, const char *text, size_t size)
{
    const redisReader *inner = reader->inner;
    return text >= inner->buf && text <= inner->buf + inner->len && size <= (size_t)(inner->buf + inner->len - text);
}

static void *take_string(const redisReadTask *task, char *text, size_t size)
{
    struct fm_reply_reader *reader = task->privdata;
    struct fm_reply_item item = {.text = {text, size}};
    if (!is_within(reader, text, size)) {
        reader->refused = true;
        return NULL;
    }
    switch (task->type) {
    case REDIS_REPLY_STRING: item.type = FM_REPLY_STRING; break;
    case REDIS_REPLY_STATUS: item.type = FM_REPLY_STATUS; break;
    case REDIS_REPLY_ERROR: item.type = FM_REPLY_ERROR; break;
    /* this is a type of RESP 3, a protocol that the client does not request */
    default: reader->refused = true; return NULL;
    }
    return take_item(task, &item);
}

/* Newer versions of hiredis use another type for the number of elements of an array. */
#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

static void *take_array(const redisReadTask *task, element_count count)
{
    struct fm_reply_reader *reader = task->privdata;
    struct fm_reply_item item = {.type = FM_REPLY_ARRAY, .number = (int64_t)count};
    if (task->type != REDIS_REPLY_ARRAY || item.number < 0 || item.number > INT_MAX) {
        reader->refused = true;
        return NULL;
    }
    return take_item(task, &item);
}

static void *take_number(const redisReadTask *task, long long value)
{
    struct fm_reply_item item = {.type = FM_REPLY_NUMBER, .number = value};
    return take_item(task, &item);
}

static void *take_nil(const redisReadTask *task)
{
    struct fm_reply_item item = {.type = FM_REPLY_NIL};
    return take_item(task, &item);
}

static void free_nothing(void *object) { (void)object; }

struct fm_reply_reader *fm_reply_open(struct fm_heap *heap)
{
    struct fm_reply_reader *reader = fm_heap_zalloc(heap, 1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->heap = heap;
    reader->functions.createString = take_string;
    reader->functions.createArray = take_array;
    reader->functions.createInteger = take_number;
    reader->functions.createNil = take_nil;
    reader->functions.freeObject = free_nothing;
    reader->inner = redisReaderCreateWithFunctions(&reader->functions);
    if (reader->inner) {
        reader->inner->privdata = reader;
        return reader;
    }
    fm_heap_free(heap, reader, sizeof *reader);
    return NULL;
}

void fm_reply_close(struct fm_reply_reader *reader)
{
    if (reader == NULL) return;
    redisReaderFree(reader->inner);
    fm_heap_free(reader->heap, reader, sizeof *reader);
}

void fm_reply_begin(struct fm_reply_reader *reader, size_t count, fm_reply_take *take, void *context)
{
    reader->wanted = count;
    reader->replies = 0;
    reader->take = take;
    reader->context = context;
}

bool fm_reply_done(const struct fm_reply_reader *reader) { return reader->replies == reader->wanted; }

static framemap_status protocol_fault(const struct fm_reply_reader *reader, framemap_error *error)
{
    if (reader->refused || reader->inner->err == 0)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the server's answer does not fit the request");
    if (reader->inner->err == REDIS_ERR_OOM) return fm_error_memory(error);
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the server's answer is not of Redis' protocol: %.100s",
                        reader->inner->errstr);
}

framemap_status fm_reply_feed(struct fm_reply_reader *reader, framemap_str bytes, framemap_error *error)
{
    void *reply = NULL;
    if (redisReaderFeed(reader->inner, bytes.data, bytes.size) != REDIS_OK) return protocol_fault(reader, error);
    do {
        reply = NULL;
        if (redisReaderGetReply(reader->inner, &reply) != REDIS_OK || reader->refused)
            return protocol_fault(reader, error);
        if (reply) reader->replies++;
    } while (reply && !fm_reply_done(reader));
    if (fm_reply_done(reader) && reader->inner->pos < reader->inner->len) return protocol_fault(reader, error);
    return FRAMEMAP_OK;
}
