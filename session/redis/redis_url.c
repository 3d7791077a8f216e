/* Implements redis_url.h: splits the URL at '?', '/' and the last '@', decodes percent-escapes in each part, and checks
 * the port, the database and the options. */
#include "session/redis/redis_url.h"

#include "core/error.h"
#include "core/text/scan.h"
#include <framemap/redis.h>

enum { PORT_USUAL = 6379, TIMEOUT_MOST = 3600000 };

static framemap_status refuse(framemap_error *error, const char *why)
{
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the URL of the store is not valid: %s", why);
}

/* Writes a part of a URL with its %XX decoded. A NUL byte is refused, since some parts become C strings. */
static framemap_status decode(struct fm_arena *arena, framemap_str part, framemap_str *out, framemap_error *error)
{
    char *text = fm_arena_alloc(arena, part.size + 1);
    size_t size = 0;
    if (text == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < part.size; i++) {
        char byte = part.data[i];
        if (byte == '%') {
            if (part.size - i < 3 || !fm_is_hex(part.data[i + 1]) || !fm_is_hex(part.data[i + 2]))
                return refuse(error, "% must be followed by two hexadecimal digits");
            byte = (char)(unsigned char)(fm_hex_value(part.data[i + 1]) << 4 | fm_hex_value(part.data[i + 2]));
            i += 2;
        }
        if (byte == '\0') return refuse(error, "it contains a NUL byte");
        text[size++] = byte;
    }
    text[size] = '\0';
    *out = fm_str(text, size);
    return FRAMEMAP_OK;
}

/* Reads a text that consists of a number from `least` to `most`. */
static bool whole_number(framemap_str text, uint64_t least, uint64_t most, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s) || number < least || number > most) return false;
    *out = number;
    return true;
}

static size_t find_byte(framemap_str text, char byte)
{
    const char *at = text.size ? memchr(text.data, byte, text.size) : NULL;
    return at ? (size_t)(at - text.data) : text.size;
}

/* Splits a text at its first `byte`: *head is set to the text before that byte, *text to the text after it. Returns
 * false if the text has no such byte; *head is then the whole text. */
static bool cut(framemap_str *text, char byte, framemap_str *head)
{
    const size_t at = find_byte(*text, byte);
    const bool found = at < text->size;
    *head = fm_str(text->data, at);
    *text = found ? fm_str_from(*text, at + 1) : (framemap_str){NULL, 0};
    return found;
}

static framemap_status parse_login(framemap_str login, struct fm_arena *arena, struct fm_redis_url *out,
                                   framemap_error *error)
{
    framemap_str user;
    out->has_password = cut(&login, ':', &user);
    const framemap_status status = decode(arena, user, &out->user, error);
    return status == FRAMEMAP_OK ? decode(arena, login, &out->password, error) : status;
}

static framemap_status parse_port(framemap_str text, struct fm_redis_url *out, framemap_error *error)
{
    uint64_t port;
    if (!whole_number(text, 1, 65535, &port)) return refuse(error, "the port is not a number from 1 to 65535");
    out->port = (uint16_t)port;
    return FRAMEMAP_OK;
}

/* Parses a host and an optional port: "HOST", "HOST:PORT", "[::1]:PORT". */
static framemap_status parse_host(framemap_str text, struct fm_arena *arena, struct fm_redis_url *out,
                                  framemap_error *error)
{
    framemap_str host = text;
    bool has_port;
    if (text.size > 0 && text.data[0] == '[') {
        text = fm_str_from(text, 1);
        if (!cut(&text, ']', &host)) return refuse(error, "the bracket of the address is not closed");
        has_port = text.size > 0;
        if (has_port && text.data[0] != ':') return refuse(error, "a port follows the address after a colon");
        if (has_port) text = fm_str_from(text, 1);
    } else {
        has_port = cut(&text, ':', &host);
    }
    if (host.size == 0) return refuse(error, "it has no host");
    if (host.size > FM_REDIS_HOST_MOST) return refuse(error, "the host has more than 255 bytes");
    const framemap_status status = decode(arena, host, &out->host, error);
    if (status != FRAMEMAP_OK || !has_port) return status;
    return parse_port(text, out, error);
}

static framemap_status parse_option(framemap_str option, struct fm_arena *arena, struct fm_redis_url *out,
                                    framemap_error *error)
{
    framemap_str name;
    uint64_t number;
    cut(&option, '=', &name);
    if (fm_str_equal(name, FM_STR("ca"))) {
        if (option.size == 0) return refuse(error, "the option 'ca' has no file");
        return decode(arena, option, &out->ca, error);
    }
    uint32_t *time = fm_str_equal(name, FM_STR("timeout"))           ? &out->timeout_ms
                     : fm_str_equal(name, FM_STR("connect_timeout")) ? &out->connect_timeout_ms
                                                                     : NULL;
    if (time == NULL) return refuse(error, "its options are 'ca', 'timeout' and 'connect_timeout'");
    if (!whole_number(option, 1, TIMEOUT_MOST, &number))
        return refuse(error, "a timeout is a number of milliseconds from 1 to 3600000");
    *time = (uint32_t)number;
    return FRAMEMAP_OK;
}

static framemap_status parse_database(framemap_str text, struct fm_redis_url *out, framemap_error *error)
{
    uint64_t number;
    if (text.size == 0) return FRAMEMAP_OK;
    if (!whole_number(text, 0, INT32_MAX, &number)) return refuse(error, "the database is not a number");
    out->database = (uint32_t)number;
    return FRAMEMAP_OK;
}

/* Returns the size of the login, "USER:PASSWORD". It ends at the last '@', since a password may contain '@'
 * unescaped. */
static size_t login_size(framemap_str authority)
{
    size_t size = authority.size;
    while (size > 0 && authority.data[size - 1] != '@') size--;
    return size;
}

framemap_status fm_redis_url_parse(framemap_str url, struct fm_arena *arena, struct fm_redis_url *out,
                                   framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    framemap_str path, authority, option;
    struct fm_redis_url parsed = {.port = PORT_USUAL};
    struct fm_scan s = fm_scan_of(url);
    if (fm_scan_text(&s, FM_STR(FRAMEMAP_REDIS_TLS_SCHEME)))
        parsed.tls = true;
    else if (!fm_scan_text(&s, FM_STR(FRAMEMAP_REDIS_SCHEME)))
        return refuse(error, "it does not begin with " FRAMEMAP_REDIS_SCHEME " or " FRAMEMAP_REDIS_TLS_SCHEME);
    framemap_str rest = fm_scan_rest(&s);
    cut(&rest, '?', &path);
    cut(&path, '/', &authority);
    const size_t login = login_size(authority);
    if (login > 0) status = parse_login(fm_str(authority.data, login - 1), arena, &parsed, error);
    if (status == FRAMEMAP_OK) status = parse_host(fm_str_from(authority, login), arena, &parsed, error);
    if (status == FRAMEMAP_OK) status = parse_database(path, &parsed, error);
    while (status == FRAMEMAP_OK && rest.size > 0) {
        cut(&rest, '&', &option);
        status = parse_option(option, arena, &parsed, error);
    }
    if (status == FRAMEMAP_OK && parsed.ca.size > 0 && !parsed.tls)
        status = refuse(error, "the option 'ca' needs " FRAMEMAP_REDIS_TLS_SCHEME);
    if (status == FRAMEMAP_OK) *out = parsed;
    return status;
}
