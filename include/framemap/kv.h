/* Writes indexes as values of a key-value store, and requests from a store the values that a stack needs.
 * docs/kv-format.md defines the values and is normative. */
#ifndef FRAMEMAP_KV_H
#define FRAMEMAP_KV_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The key of a value. A store that groups values, like the hashes of Redis, uses `build` as the name of the group; any
 * other store joins `build`, a colon and `field` to one key. Joined keys are unique, because no `build` begins with
 * another `build` and a colon. */
typedef struct framemap_value_key {
    framemap_str build; /* all values of one index: "fm1:TENANT:FAMILY:ID" */
    framemap_str field; /* name of the value in the build: "head", "page:1f", "class:a.b.c" */
} framemap_value_key;

/* Options of framemap_index_split. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_split_options {
    size_t size;
    framemap_str tenant; /* tenant, at most 1,024 bytes; absent: none */
    framemap_str id;     /* id, at most 1,024 bytes; absent: the id of the index, or the name of its symbol file */
} framemap_split_options;

/* Receives a value. Key and value are borrowed for the call. Return false to stop: framemap_index_split then returns
 * IO. */
typedef bool (*framemap_put)(void *context, const framemap_value_key *key, framemap_str value);

/* Writes an index as values, each of which is an index of its own that answers for its page or class as the whole index
 * does. The head comes last: a store that has the head has all other values. options: NULL for the defaults. Errors:
 * ARGUMENT (also an index without id and name, if options do not have one); CORRUPT; IO (put returned false); LIMIT (a
 * value has more than 65,536 alternatives, or scopes times pages are over 2^26); MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_index_split(const framemap_index *index, const framemap_split_options *options,
                                                  framemap_put put, void *context, framemap_error *error);

/* Where a fetch puts the values that it found. */
typedef struct framemap_fetched framemap_fetched;

/* Puts one value: number `key` of the requested keys. The bytes are copied; a value without bytes is reported as
 * damaged. A value is put at most once; a later one for the same key is ignored, as is a number that no key has. It
 * may be called only on the thread, and during the call, of the fetch. */
FRAMEMAP_API void framemap_fetched_put(framemap_fetched *out, size_t key, framemap_str value);

/* Reports that the store was not available for one value, for example because one of its servers is down. The frames
 * that need the value get a reason, and the value is requested again with the next text. Ignored for a value that was
 * put or that failed before. why: the reason, for the session's warnings, which get only the first reason of each text;
 * NULL: a general reason. It may be called only on the thread, and during the call, of the fetch. */
FRAMEMAP_API void framemap_fetched_fail(framemap_fetched *out, size_t key, const framemap_error *why);

/* Requests values from a store, all at once. keys: `count` of them, at least 1, no two equal, borrowed for the call;
 * the keys of one build are adjacent. A value that the store does not have is not put; framemap_fetched_fail reports a
 * value for which the store was not available. If the callback does not return OK, all values that were not put count
 * as not available, and the error is passed to the session's warnings. Called by several threads at once if several
 * restore. */
typedef framemap_status (*framemap_fetch)(void *context, const framemap_value_key *keys, size_t count,
                                          framemap_fetched *out, framemap_error *error);

#ifdef __cplusplus
}
#endif

#endif
