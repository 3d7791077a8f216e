/* The parts of a URL of a store. Called by redis_client.c. */
#ifndef FM_SESSION_REDIS_REDIS_URL_H
#define FM_SESSION_REDIS_REDIS_URL_H

#include "core/heap.h"

enum { FM_REDIS_HOST_MOST = 255 }; /* maximum number of bytes of a host name (RFC 1035) */

/* The parts of a URL. Strings are in an arena, percent-decoded, and NUL-terminated. */
struct fm_redis_url {
    bool tls;
    bool has_password;
    framemap_str host; /* host, without the brackets of an IPv6 address */
    uint16_t port;
    uint32_t database;
    framemap_str user, password; /* user and password; if `user` is empty, the server's default user is used */
    framemap_str ca;             /* file of trusted certificates; empty: those of the system are trusted */
    uint32_t timeout_ms, connect_timeout_ms; /* time limits in milliseconds; 0: not given */
};

/* Parses a URL as include/framemap/redis.h describes it. Error messages contain no part of the URL, since it may
 * contain a password. Errors: ARGUMENT, MEMORY. */
framemap_status fm_redis_url_parse(framemap_str url, struct fm_arena *arena, struct fm_redis_url *out,
                                   framemap_error *error);

#endif
