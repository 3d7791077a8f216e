/* Functions for rows of tab-separated columns, with the escapes of ClickHouse's TabSeparated and PostgreSQL's COPY. */
#include "core/text/find_any.h"
#include "core/text/scan.h"
#include "session/rows/row_shape.h"

static const char *read_path(framemap_str spelled, struct fm_arena *arena, struct fm_row_path *out)
{
    struct fm_scan s = fm_scan_of(spelled);
    (void)arena;
    if (fm_scan_dec(&s, &out->column1, NULL) && fm_scan_done(&s) && out->column1 > 0) return NULL;
    return "the number of a column, from 1";
}

static framemap_str column_of(framemap_str row, uint64_t column1)
{
    while (--column1 > 0) {
        const size_t tab = fm_str_find_byte(row, '\t');
        if (tab == FM_NOT_FOUND) return (framemap_str){NULL, 0};
        row = fm_str_from(row, tab + 1);
    }
    const size_t tab = fm_str_find_byte(row, '\t');
    return fm_str_slice(row, 0, tab == FM_NOT_FOUND ? row.size : tab);
}

static const char *find_columns(framemap_str row, const struct fm_row_path *paths, size_t count,
                                struct fm_row_value *values)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = (struct fm_row_value){.raw = {NULL, 0}, .is_text = true};
        if (!paths[i].given) continue;
        values[i].raw = column_of(row, paths[i].column1);
        values[i].is_null = fm_str_equal(values[i].raw, FM_STR("\\N"));
    }
    return NULL;
}

/* Returns the byte that an escape of one letter represents; 0: there is no such escape, so the backslash is an ordinary
 * character. */
static char escaped_byte(char letter)
{
    switch (letter) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'e': return 27;
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '\\':
    case '\'':
    case '"':
    case '`':
    case '/': return letter;
    default: return 0;
    }
}

/* Reads an escape, after its backslash, and writes the byte that it represents to `to`. Returns the end of the written
 * bytes. */
static char *unescape(struct fm_scan *s, char *to)
{
    uint64_t value;
    if (s->end - s->at >= 3 && s->at[0] == 'x' && fm_hex_run(s->at + 1, s->at + 3, &value) == 2) {
        s->at += 3;
        *to = (char)value;
        return to + 1;
    }
    const char letter = s->at < s->end ? *s->at : 'N', byte = escaped_byte(letter);
    if (byte != 0 || letter == '0') s->at++;
    *to = byte == 0 && letter != '0' ? '\\' : byte;
    return to + 1;
}

static char *put_run(char *to, framemap_str run)
{
    if (run.size) memcpy(to, run.data, run.size);
    return to + run.size;
}

static bool read_text(const struct fm_row_value *value, struct fm_arena *arena, framemap_str *out)
{
    struct fm_scan s = fm_scan_of(value->raw);
    framemap_str run;
    *out = value->raw;
    if (fm_str_find_byte(value->raw, '\\') == FM_NOT_FOUND) return true;
    /* the result fits, since an escape is at least as long as the byte that it represents */
    char *text = fm_arena_alloc(arena, value->raw.size), *to = text;
    if (text == NULL) return false;
    while (fm_scan_until(&s, '\\', &run)) {
        to = put_run(to, run);
        s.at++;
        to = unescape(&s, to);
    }
    to = put_run(to, fm_scan_rest(&s));
    *out = fm_str(text, (size_t)(to - text));
    return true;
}

/* Writes bytes without escapes, except that NUL bytes are escaped, since many programs stop reading a line at a NUL
 * byte. */
static void put_plain(struct fm_buf *out, framemap_str run)
{
    size_t nul;
    while ((nul = fm_str_find_byte(run, '\0')) != FM_NOT_FOUND) {
        fm_buf_str(out, fm_str_slice(run, 0, nul));
        fm_buf_str(out, FM_STR("\\0"));
        run = fm_str_from(run, nul + 1);
    }
    fm_buf_str(out, run);
}

static void put_text(struct fm_buf *out, const struct fm_row_value *value, framemap_str text)
{
    (void)value;
    for (size_t from = 0;;) {
        const size_t at = fm_str_find_any(text, from, "\n\t\\\r");
        put_plain(out, fm_str_slice(text, from, at));
        if (at == text.size) return;
        const char byte = text.data[at];
        fm_buf_byte(out, '\\');
        fm_buf_byte(out, byte == '\n' ? 'n' : byte == '\t' ? 't' : byte == '\r' ? 'r' : '\\');
        from = at + 1;
    }
}

static void put_status(struct fm_buf *out, framemap_str row, framemap_str name, framemap_str status)
{
    (void)name;
    fm_buf_str(out, row);
    fm_buf_byte(out, '\t');
    fm_buf_str(out, status);
}

const struct fm_row_shape fm_row_tsv = {.name = "tsv",
                                        .path = read_path,
                                        .find = find_columns,
                                        .text = read_text,
                                        .put = put_text,
                                        .put_status = put_status,
                                        .has_columns = true};
