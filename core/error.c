/* Formats messages into a framemap_error: escapes control characters and truncates at a whole UTF-8 character. */
#include "core/error.h"
#include "core/text/escape.h"
#include <stdio.h>
#include <string.h>

/* Truncates after the last whole UTF-8 character, so that no lead byte is left without its continuation bytes. */
static void cut_utf8(char *text, size_t capacity, size_t wanted)
{
    if (wanted < capacity) return;
    size_t end = capacity - 1;
    while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80) end--;
    if (end > 0 && (unsigned char)text[end - 1] >= 0xC0) end--;
    text[end] = 0;
}

/* Escapes the message, which can quote any bytes of a file. What no longer fits is left out. */
static void escape_message(char *message, size_t capacity)
{
    char shown[FRAMEMAP_ERROR_MESSAGE_SIZE], escape[FM_ESCAPE_ROOM];
    framemap_str rest = fm_str(message, strlen(message)), piece;
    size_t size = 0;
    shown[0] = 0;
    while (fm_escape_next(&rest, escape, &piece) && (piece.size < capacity - size || piece.data != escape)) {
        const size_t fits = piece.size < capacity - size ? piece.size : capacity - 1 - size;
        memcpy(shown + size, piece.data, fits);
        size += fits;
        shown[size] = 0;
        if (fits == piece.size) continue;
        cut_utf8(shown, size + 1, size + 1);
        break;
    }
    memcpy(message, shown, strlen(shown) + 1);
}

static framemap_status error_fill(framemap_error *error, framemap_status code, const char *format, va_list args)
    FM_PRINTF(3, 0);
static framemap_status error_fill(framemap_error *error, framemap_status code, const char *format, va_list args)
{
    if (error == NULL) return code;
    /* The message is formatted into a copy, because the arguments may point into *error. */
    framemap_error fresh = {.code = code};
    int wanted = vsnprintf(fresh.message, sizeof fresh.message, format, args);
    cut_utf8(fresh.message, sizeof fresh.message, wanted < 0 ? 0 : (size_t)wanted);
    if (!fm_is_plain(fm_str(fresh.message, strlen(fresh.message)))) escape_message(fresh.message, sizeof fresh.message);
    *error = fresh;
    return code;
}

framemap_status fm_error_set(framemap_error *error, framemap_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_fill(error, code, format, args);
    va_end(args);
    return code;
}

framemap_status fm_error_at(framemap_error *error, framemap_status code, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_fill(error, code, format, args);
    va_end(args);
    if (error) {
        error->has_offset = true;
        error->offset = offset;
    }
    return code;
}

framemap_status fm_error_line(framemap_error *error, framemap_status code, uint64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_fill(error, code, format, args);
    va_end(args);
    if (error) {
        error->has_line = true;
        error->line = line;
    }
    return code;
}

void fm_error_where(framemap_error *error, framemap_str where)
{
    if (error == NULL || error->where[0] != 0 || where.size == 0) return;
    size_t fits = where.size < sizeof error->where ? where.size : sizeof error->where - 1;
    memcpy(error->where, where.data, fits);
    error->where[fits] = 0;
    cut_utf8(error->where, sizeof error->where, where.size);
}

void fm_error_in_file(framemap_error *error, framemap_str path)
{
    char where[sizeof error->where];
    if (error == NULL || path.size == 0) return;
    memcpy(where, error->where, sizeof where);
    error->where[0] = 0;
    fm_error_where(error, path);
    const size_t size = strlen(error->where);
    if (where[0] == 0 || size != path.size) return;
    const int wanted = snprintf(error->where + size, sizeof error->where - size, ": %s", where);
    cut_utf8(error->where, sizeof error->where, size + (wanted < 0 ? 0 : (size_t)wanted));
}

framemap_status fm_error_memory(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_MEMORY, "out of memory");
}

framemap_status fm_error_over_memory(framemap_error *error, uint64_t ceiling)
{
    static const char units[] = " KMG";
    size_t unit = 0;
    char where[sizeof error->where];
    if (error == NULL) return FRAMEMAP_E_MEMORY;
    for (; unit < 3 && ceiling > 0 && ceiling % 1024 == 0; unit++) ceiling /= 1024;
    memcpy(where, error->where, sizeof where);
    fm_error_set(error, FRAMEMAP_E_MEMORY, "over-memory: needs more than --max-memory %llu%.*s (max_memory): raise it",
                 (unsigned long long)ceiling, unit > 0, units + unit);
    memcpy(error->where, where, sizeof where);
    return FRAMEMAP_E_MEMORY;
}
