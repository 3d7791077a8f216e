/* Finds URLs of stores in texts, and removes their logins. See store_url.h. */
#include "cli/store_url.h"

#include <framemap/redis.h>
#include <string.h>

size_t fm_store_url_scheme(const char *text, size_t size)
{
    static const char *const schemes[] = {FRAMEMAP_REDIS_SCHEME, FRAMEMAP_REDIS_TLS_SCHEME};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t own = strlen(schemes[i]);
        if (size >= own && memcmp(text, schemes[i], own) == 0) return own;
    }
    return 0;
}

/* Returns the size of "USER:PASSWORD@" at the start of a text; 0: the text has no '@'. It ends at the last '@',
 * since a password may contain others. */
static size_t login_size(const char *rest, size_t size)
{
    size_t login = 0;
    for (size_t i = 0; i < size; i++)
        if (rest[i] == '@') login = i + 1;
    return login;
}

size_t fm_store_url_hide(char *text, size_t size)
{
    size_t to = 0;
    for (size_t at = 0; at < size;) {
        const size_t scheme = fm_store_url_scheme(text + at, size - at);
        const size_t login = scheme > 0 ? login_size(text + at + scheme, size - at - scheme) : 0;
        if (login == 0) {
            text[to++] = text[at++];
            continue;
        }
        memmove(text + to, text + at, scheme);
        memcpy(text + to + scheme, "@", 1);
        to += scheme + 1;
        at += scheme + login;
    }
    return to;
}
