/* Stores of symbols on the command line: a URL among the values of -s, or the operand of `framemap kv`. */
#ifndef FM_CLI_STORES_H
#define FM_CLI_STORES_H

#include <framemap/framemap.h>

/* Whether a value is the URL of a store. */
bool fm_is_store(const char *value);
/* Opens a store. The password is taken from the URL or, as by redis-cli, from the environment variable REDISCLI_AUTH.
 * false: failed, which is reported. */
bool fm_store_open(const char *url, framemap_redis **out);
/* Takes the URL of a store out of the values of -s, opens it, and sets options->fetch. labels: labels of each value;
 * NULL: none. *out NULL: no value is a store. Close it with framemap_redis_close, after the session. false: failed,
 * which is reported. */
bool fm_store_take(const char **paths, const framemap_scope **labels, size_t *count, framemap_session_options *options,
                   framemap_redis **out);
/* Reports that the URL of a store cannot be the value of an option. Returns false. */
bool fm_store_refuse(const char *what);

#endif
