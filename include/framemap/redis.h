/* Redis as a store of symbols: a framemap_fetch for the server of a URL, and calls that store builds there, list them
 * and remove them. docs/redis.md shows how a service uses it.
 *
 *     redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?OPTION=VALUE[&OPTION=VALUE]...]
 *
 * redis: without TLS; rediss: with TLS, where certificate and host name are verified. PORT: 6379 if it is absent. HOST:
 * a name, an IPv4 address, or an IPv6 address in brackets. A password without a user is written as ":PASSWORD@". Bytes
 * of USER, PASSWORD and values of options may be written as %XX. Options: `ca`, a file with the certificates of
 * authorities that are trusted instead of the system's; `timeout` and `connect_timeout`, milliseconds.
 *
 * For a cluster one server is enough: the library requests from it which servers have which keys. A build is one hash,
 * so it expires, is evicted and is replaced as a whole (docs/kv-format.md).
 *
 * Any number of threads may use a framemap_redis at once. No message contains the password. In a build without Redis
 * (FRAMEMAP_WITH_REDIS) framemap_redis_open returns UNSUPPORTED. */
#ifndef FRAMEMAP_REDIS_H
#define FRAMEMAP_REDIS_H

#include <framemap/kv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The prefixes of a store's URL, without and with TLS. Programs use them to distinguish URLs from paths. */
#define FRAMEMAP_REDIS_SCHEME "redis://"
#define FRAMEMAP_REDIS_TLS_SCHEME "rediss://"

/* The connections to a server or a cluster. */
typedef struct framemap_redis framemap_redis;

/* Options of framemap_redis_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_redis_options {
    size_t size;
    /* copied; NULL: the allocator of the C library. hiredis and OpenSSL do not use it */
    const framemap_allocator *allocator;
    framemap_str password; /* password to use if the URL has none. Copied */
    /* milliseconds that a fetch takes at most; other calls fail if they receive nothing for that long; 0: the URL's
     * `timeout`, or 2,000 if it has none */
    uint32_t timeout_ms;
    /* milliseconds that making one connection takes at most, with TLS and login; 0: the URL's `connect_timeout`, or
     * 1,000 if it has none */
    uint32_t connect_timeout_ms;
    uint32_t max_connections;  /* most connections to one server; further threads wait for a free one; 0: 8 */
    uint64_t max_answer_bytes; /* bytes that a server may send in answer to one request; 0: 256 MiB */
} framemap_redis_options;

/* Prepares connections to the server of a URL; connects when they are needed. url: NUL-terminated. options: NULL for
 * the defaults. out: written on success; close it with framemap_redis_close. Errors: ARGUMENT (also a URL that cannot
 * be parsed); IO (the file of `ca` cannot be read); MEMORY; UNSUPPORTED. Any thread. */
FRAMEMAP_API framemap_status framemap_redis_open(const char *url, const framemap_redis_options *options,
                                                 framemap_redis **out, framemap_error *error);

/* Closes all connections. NULL is allowed. No thread may use them, or a session that fetches through them. */
FRAMEMAP_API void framemap_redis_close(framemap_redis *redis);

/* A framemap_fetch whose context is a framemap_redis: framemap_session_options.fetch. It requests all keys in one round
 * trip; in a cluster it makes one round trip to each server that has some of the keys, all at the same time. It returns
 * after timeout_ms at the latest, except that looking up the name of a host takes as long as the system's resolver
 * does. A server that was down is not queried again for 0.1 s, and for up to 5 s if it stays down. Errors: IO (a
 * server cannot be reached, refuses the request or does not answer in time), LIMIT (an answer exceeds
 * max_answer_bytes), CORRUPT (an answer violates the protocol), MEMORY. Values that arrived before the error are put.
 * If the fault affects only some builds, as when one server of a cluster is down, the call returns OK and passes their
 * keys to framemap_fetched_fail. */
FRAMEMAP_API framemap_status framemap_redis_fetch(void *redis, const framemap_value_key *keys, size_t count,
                                                  framemap_fetched *out, framemap_error *error);

/* A build in the store. Strings are borrowed for the call. */
typedef struct framemap_redis_build {
    framemap_str key;        /* key of the hash: "fm1:TENANT:FAMILY:ID" */
    framemap_str tenant, id; /* tenant and id of the key, decoded; tenant empty: the key has none */
    framemap_str family;     /* family of the build: "native", "javascript", "java", "dart" */
    uint64_t values;         /* number of the build's values; 0: removed */
    uint64_t bytes;          /* bytes of the build's values, if it was pushed; otherwise 0 */
    int64_t expires_seconds; /* seconds until the build expires; -1: never */
} framemap_redis_build;
typedef void (*framemap_redis_visit)(void *context, const framemap_redis_build *build);

/* Options of framemap_redis_push. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_redis_push_options {
    size_t size;
    framemap_str tenant, id; /* tenant and id of the build, as in framemap_split_options */
    uint32_t expire_seconds; /* the build is removed after so many seconds; 0: never */
} framemap_redis_push_options;

/* Stores an index as a build, as framemap_index_split writes it. Readers see either the previous build or the complete
 * new one. options: NULL for the defaults. visit: called with the build on success; NULL: none. Errors: those of
 * framemap_index_split and framemap_redis_fetch. After an error nothing was changed in the store, unless the connection
 * broke while the call waited for the last answer. */
FRAMEMAP_API framemap_status framemap_redis_push(framemap_redis *redis, const framemap_index *index,
                                                 const framemap_redis_push_options *options, framemap_redis_visit visit,
                                                 void *context, framemap_error *error);

/* Removes the builds that have this id, of all families. tenant: empty for none. visit: called for each build that was
 * removed; NULL: none. An id without builds is not an error. Errors: ARGUMENT, and those of framemap_redis_fetch. */
FRAMEMAP_API framemap_status framemap_redis_remove(framemap_redis *redis, framemap_str tenant, framemap_str id,
                                                   framemap_redis_visit visit, void *context, framemap_error *error);

/* Lists the builds of all servers, in no order, each once. tenant: lists builds of this tenant only; empty: builds
 * without a tenant; NULL: all builds. Builds that come or go meanwhile may be listed or not. Errors: ARGUMENT, and
 * those of framemap_redis_fetch. */
FRAMEMAP_API framemap_status framemap_redis_list(framemap_redis *redis, const framemap_str *tenant,
                                                 framemap_redis_visit visit, void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif

#endif
