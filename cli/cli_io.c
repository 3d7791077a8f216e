/* Implements cli_io.h: buffers output to a file descriptor, and formats numbers and JSON strings without printf. Reads
 * a pipe or a file line by line; lines above the caller's limit are returned in pieces. */
#include "cli/cli_io.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool would_block(int code)
{
#if EAGAIN != EWOULDBLOCK
    if (code == EWOULDBLOCK) return true;
#endif
    return code == EAGAIN;
}

bool fm_io_again(int fd, bool writes)
{
    struct pollfd about = {.fd = fd, .events = writes ? POLLOUT : POLLIN};
    if (errno == EINTR) return true;
    if (!would_block(errno)) return false;
    return poll(&about, 1, -1) >= 0 || errno == EINTR;
}

void fm_out_init(struct fm_out *out, int fd)
{
    out->fd = fd;
    out->failed = false;
    out->used = 0;
    out->written = 0;
}

static bool write_all(struct fm_out *out, const char *data, size_t size)
{
    while (size && !out->failed) {
        ssize_t count = write(out->fd, data, size);
        if (count < 0 && fm_io_again(out->fd, true)) continue;
        if (count < 0) {
            out->failed = true;
            fm_message("cannot write the output: %s", strerror(errno));
            break;
        }
        data += count;
        size -= (size_t)count;
        out->written += (uint64_t)count;
    }
    return !out->failed;
}

bool fm_out_flush(struct fm_out *out)
{
    bool good = write_all(out, out->data, out->used);
    out->used = 0;
    return good;
}

/* Writes bytes; if there are many, they are written directly instead of being copied into the buffer. */
static void put(struct fm_out *out, const char *data, size_t size)
{
    enum { MUCH = sizeof out->data / 4 };
    if (size > sizeof out->data - out->used || size >= MUCH) fm_out_flush(out);
    if (size >= MUCH) {
        write_all(out, data, size);
        return;
    }
    if (size) memcpy(out->data + out->used, data, size);
    out->used += size;
}

char *fm_put_room(struct fm_out *out, size_t size)
{
    if (size > sizeof out->data / 2) return NULL;
    if (size > sizeof out->data - out->used) fm_out_flush(out);
    return out->data + out->used;
}

void fm_put_text(struct fm_out *out, const char *text) { put(out, text, strlen(text)); }
void fm_put_raw(struct fm_out *out, framemap_str text) { put(out, text.data, text.size); }
void fm_put_str(struct fm_out *out, framemap_str text) { framemap_write_escaped(text, fm_out_write, out); }

void fm_put_source(struct fm_out *out, framemap_str line)
{
    const char *tab;
    while ((tab = line.size ? memchr(line.data, '\t', line.size) : NULL) != NULL) {
        const size_t size = (size_t)(tab - line.data);
        fm_put_str(out, (framemap_str){line.data, size});
        fm_put_char(out, '\t');
        line = (framemap_str){tab + 1, line.size - size - 1};
    }
    fm_put_str(out, line);
}

void fm_put_char(struct fm_out *out, char byte)
{
    if (out->used == sizeof out->data) fm_out_flush(out);
    out->data[out->used++] = byte;
}

void fm_put_fill(struct fm_out *out, char byte, size_t count)
{
    while (count--) fm_put_char(out, byte);
}

void fm_put_dec(struct fm_out *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    put(out, digits + at, sizeof digits - at);
}

void fm_put_hex(struct fm_out *out, uint64_t value, unsigned digits)
{
    char text[16];
    size_t at = sizeof text;
    do {
        text[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value || sizeof text - at < digits);
    put(out, text + at, sizeof text - at);
}

size_t fm_utf8_size(const unsigned char *at, size_t left)
{
    static const struct {
        /* first to last: range of the lead byte; low to high: range of the second byte */
        unsigned char first, last, low, high;
        unsigned char size;
    } rows[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
                {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
                {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};

    if (at[0] < 0x80) return 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (at[0] < rows[i].first || at[0] > rows[i].last) continue;
        if (left < rows[i].size || at[1] < rows[i].low || at[1] > rows[i].high) return 0;
        for (size_t k = 2; k < rows[i].size; k++)
            if ((at[k] & 0xC0) != 0x80) return 0;
        return rows[i].size;
    }
    return 0;
}

/* Escapes a control character, of at most three bytes. */
static void put_json_control(struct fm_out *out, const unsigned char *bytes, size_t size)
{
    static const char short_forms[] = "\b\f\n\r\t";
    const char *found = bytes[0] ? memchr(short_forms, bytes[0], sizeof short_forms - 1) : NULL;
    /* A control character of three bytes starts with 0xE2, whose payload bits are 0010; one of two bytes starts with
     * 0xC2, whose payload bits are 00010. In both cases the last bytes add six bits each. */
    unsigned point = size == 1 ? bytes[0] : bytes[0] & 0x1Fu;

    fm_put_char(out, '\\');
    if (found) {
        fm_put_char(out, "bfnrt"[found - short_forms]);
    } else {
        fm_put_char(out, 'u');
        for (size_t i = 1; i < size; i++) point = point << 6 | (bytes[i] & 0x3Fu);
        fm_put_hex(out, point, 4);
    }
}

void fm_put_json(struct fm_out *out, framemap_str text)
{
    const unsigned char *bytes = (const unsigned char *)text.data;

    fm_put_char(out, '"');
    for (size_t at = 0; at < text.size;) {
        size_t size = fm_utf8_size(bytes + at, text.size - at);
        if (size == 0) {
            fm_put_text(out, "\xEF\xBF\xBD");
            size = 1;
        } else if (framemap_plain_size((framemap_str){text.data + at, size}) == 0) {
            put_json_control(out, bytes + at, size);
        } else {
            if (bytes[at] == '"' || bytes[at] == '\\') fm_put_char(out, '\\');
            put(out, text.data + at, size);
        }
        at += size;
    }
    fm_put_char(out, '"');
}

size_t fm_put_count(const struct fm_out *out) { return (size_t)out->written + out->used; }

bool fm_out_write(void *context, const char *data, size_t size)
{
    struct fm_out *out = context;
    put(out, data, size);
    return !out->failed;
}

void fm_in_init(struct fm_in *in, int fd) { *in = (struct fm_in){.fd = fd}; }

int fm_in_open(const char *path, const char **why)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    *why = fd < 0 ? strerror(errno) : "it is a directory; name a file in it";
    if (fd < 0 || fstat(fd, &about) != 0 || !S_ISDIR(about.st_mode)) return fd;
    close(fd);
    return -1;
}

void fm_in_free(struct fm_in *in)
{
    free(in->data);
    *in = (struct fm_in){.fd = -1, .done = true};
}

/* Makes room for one more read: moves the unread bytes to the front if that is cheap, otherwise doubles the buffer. */
static void make_room(struct fm_in *in)
{
    enum { CHUNK = 1 << 16 };
    if (in->room - in->end >= CHUNK) return;
    size_t kept = in->end - in->begin;
    if (in->begin >= kept && in->begin >= CHUNK) {
        memcpy(in->data, in->data + in->begin, kept);
        in->begin = 0;
        in->end = kept;
    } else {
        in->room = in->room ? in->room * 2 : 2 * CHUNK;
        in->data = fm_cli_resize(in->data, in->room);
    }
}

bool fm_in_more(struct fm_in *in, struct fm_out *out)
{
    if (in->done) return false;
    if (in->begin == in->end) in->begin = in->end = 0;
    make_room(in);
    if (out) fm_out_flush(out);
    ssize_t count;
    do {
        count = read(in->fd, in->data + in->end, in->room - in->end);
    } while (count < 0 && fm_io_again(in->fd, false));
    if (count < 0) {
        fm_message("cannot read the input: %s", strerror(errno));
        in->failed = true;
    }
    if (count <= 0) {
        in->done = true;
        return false;
    }
    const size_t more = sizeof in->head - in->head_size, kept = (size_t)count < more ? (size_t)count : more;
    memcpy(in->head + in->head_size, in->data + in->end, kept);
    in->head_size += kept;
    in->end += (size_t)count;
    return true;
}

bool fm_in_has_line(const struct fm_in *in, size_t limit)
{
    const size_t have = in->end - in->begin;
    return in->done || have >= limit || (have > 0 && memchr(in->data + in->begin, '\n', have) != NULL);
}

bool fm_in_line(struct fm_in *in, struct fm_out *out, size_t limit, framemap_str *line)
{
    size_t seen = 0; /* number of bytes after `begin` that were already searched for a line end */
    for (;;) {
        const size_t have = in->end - in->begin, some = have < limit ? have : limit;
        const char *begin = in->data ? in->data + in->begin : NULL;
        const char *end = some > seen ? memchr(begin + seen, '\n', some - seen) : NULL;

        in->goes_on = end == NULL && some == limit;
        if (end || in->goes_on || in->done) {
            *line = (framemap_str){begin, end ? (size_t)(end - begin) : some};
            in->begin += line->size + (end ? 1 : 0);
            return end || line->size > 0;
        }
        seen = have;
        fm_in_more(in, out);
    }
}

void fm_in_skip_line(struct fm_in *in, struct fm_out *out)
{
    enum { PIECE = 1 << 16 };
    framemap_str piece;
    while (in->goes_on && fm_in_line(in, out, PIECE, &piece)) {
    }
    in->goes_on = false;
}
