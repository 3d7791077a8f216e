/* Implements stores.h: takes the URL of a Redis server out of the list of symbol paths, which may have only one, and
 * connects to the server. Sets the session's options so that symbols are also fetched from there. */
#include "cli/stores.h"

#include "cli/cli.h"
#include "cli/store_url.h"

#include <stdlib.h>
#include <string.h>

bool fm_is_store(const char *value) { return fm_store_url_scheme(value, strlen(value)) > 0; }

bool fm_store_open(const char *url, framemap_redis **out)
{
    framemap_error error;
    const framemap_redis_options options = {.size = sizeof options,
                                            .password = framemap_str_of(getenv("REDISCLI_AUTH"))};
    if (framemap_redis_open(url, &options, out, &error) == FRAMEMAP_OK) return true;
    fm_message_error(NULL, &error);
    return false;
}

bool fm_store_take(const char **paths, const framemap_scope **labels, size_t *count, framemap_session_options *options,
                   framemap_redis **out)
{
    const char *url = NULL;
    size_t kept = 0;
    *out = NULL;
    for (size_t i = 0; i < *count; i++) {
        const framemap_scope *label = labels ? labels[i] : NULL;
        if (!fm_is_store(paths[i])) {
            paths[kept] = paths[i];
            if (labels) labels[kept] = label;
            kept++;
            continue;
        }
        if (url || label) {
            fm_message(url ? "only one store can be given" : "a store has no labels: --id and --tenant choose a build");
            return false;
        }
        url = paths[i];
    }
    *count = kept;
    if (url == NULL) return true;
    if (!fm_store_open(url, out)) return false;
    options->fetch = framemap_redis_fetch;
    options->fetch_context = *out;
    return true;
}

bool fm_store_refuse(const char *what)
{
    fm_message("%s needs a file or a directory of files, not the URL of a store", what);
    return false;
}
