/* Bytes in and out of the command: an output buffer without printf, lines from a pipe, whole files.
 *
 * A caller that asks and waits must never be left waiting: before a read that can block, what is buffered is written.
 */
#ifndef FM_CLI_CLI_IO_H
#define FM_CLI_CLI_IO_H

#include <framemap/framemap.h>

/* --- out --- */

struct fm_out {
    int fd;
    bool failed; /* the descriptor refused bytes; said once on stderr, all later output is dropped */
    size_t used;
    uint64_t written; /* bytes handed to the descriptor so far */
    char data[1 << 16];
};

void fm_out_init(struct fm_out *out, int fd);
bool fm_out_flush(struct fm_out *out); /* false: failed */

/* What comes from a symbol file, a folder or a command line: control characters are escaped (framemap_write_escaped).
 */
void fm_put_str(struct fm_out *out, framemap_str text);
/* A line of a source: the same, but tabs stay. */
void fm_put_source(struct fm_out *out, framemap_str line);
/* Words of the command itself. */
void fm_put_text(struct fm_out *out, const char *text);
/* Bytes as they are: of the text that is answered, or of the library's own output. */
void fm_put_raw(struct fm_out *out, framemap_str text);
void fm_put_char(struct fm_out *out, char byte);
void fm_put_fill(struct fm_out *out, char byte, size_t count);
void fm_put_dec(struct fm_out *out, uint64_t value);
void fm_put_hex(struct fm_out *out, uint64_t value,
                unsigned digits);                        /* lower case, at least so many digits, no prefix */
void fm_put_json(struct fm_out *out, framemap_str text); /* quoted and escaped; bytes that are no UTF-8 become U+FFFD */
/* Room for that many bytes, at most half of the buffer, to be written by hand: out->used grows by what was. NULL: they
 * are too many. */
char *fm_put_room(struct fm_out *out, size_t size);
size_t fm_put_count(const struct fm_out *out); /* bytes put so far */

/* Size of the well-formed UTF-8 sequence at `at`, where `left` bytes are left, at least one (Unicode 15, table 3-7); 0:
 * there is none. */
size_t fm_utf8_size(const unsigned char *at, size_t left);

/* A framemap_write onto a struct fm_out. */
bool fm_out_write(void *out, const char *data, size_t size);

/* --- in --- */

struct fm_in {
    int fd;
    bool done; /* the end was seen */
    bool failed;
    bool goes_on; /* what fm_in_line returned last is a piece of a line: more of the line follows */
    char *data;
    size_t begin, end, room;
    char head[256]; /* the first bytes of all */
    size_t head_size;
};

void fm_in_init(struct fm_in *in, int fd);
/* Opens a file that is read line by line. -1: it can't be, and *why says why. */
int fm_in_open(const char *path, const char **why);
void fm_in_free(struct fm_in *in);
/* Reads more behind what is kept; false: at the end, or failed. out: flushed before the read, may be NULL. */
bool fm_in_more(struct fm_in *in, struct fm_out *out);
/* A whole line, or a piece of `limit` bytes, is there: fm_in_line will read nothing more from the descriptor. What was
 * borrowed before stays until it does. */
bool fm_in_has_line(const struct fm_in *in, size_t limit);
/* The next line without its "\n", borrowed until the next call; false: no more. Lines of `limit` bytes and more come in
 * pieces of that size, as they do from fgets, so that a line without an end takes no more memory: in->goes_on says that
 * more of it follows. */
bool fm_in_line(struct fm_in *in, struct fm_out *out, size_t limit, framemap_str *line);
/* Passes over the rest of a line that goes on. */
void fm_in_skip_line(struct fm_in *in, struct fm_out *out);

/* --- files --- */

/* A whole file or stream. */
struct fm_file {
    framemap_str bytes;
    framemap_file *opened; /* a regular file; NULL: the bytes were read from a stream and are ours */
};
/* A file that a person named. path "-": standard input. FIFOs and devices are read to their end, up to `most` bytes.
 * Errors: IO (with the reason in words), LIMIT, MEMORY. */
framemap_status fm_file_open_within(const char *path, uint64_t most, struct fm_file *out, framemap_error *error);
/* The same with FM_MOST_STREAMED. */
framemap_status fm_file_open(const char *path, struct fm_file *out, framemap_error *error);
/* Bytes read from what has no size, so that /dev/zero comes to an end. */
#define FM_MOST_STREAMED ((uint64_t)16 << 30)
/* A file that nobody named, found beside another: only a regular one is opened, and nothing is waited for. */
framemap_status fm_file_open_beside(const char *path, struct fm_file *out, framemap_error *error);
/* FRAMEMAP_OK, or IO where the file was changed since it was opened: what was made of its bytes is to be given up. */
framemap_status fm_file_check(const char *path, const struct fm_file *file, framemap_error *error);
void fm_file_close(struct fm_file *file);
/* framemap_build_options.consumed and release_range for a struct fm_file that is open. */
void fm_file_consumed(void *file, size_t offset);
void fm_file_release_range(void *file, size_t offset, size_t size);

/* How many threads can work at once here: what compiling may use where nobody says else. */
unsigned fm_processors(void);

/* Writes a whole file. path "-": standard output. A regular file is replaced as a whole or not at all, by a temporary
 * file beside it that is synced and renamed; its mode and owner stay. What a symlink leads to is replaced, and the link
 * stays. Devices, FIFOs and sockets are written to as they are, and so is a file whose folder takes no new file or
 * whose owner we can't keep. A signal that ends the process removes the temporary file. One thread at a time. Errors:
 * IO, with the system's words. */
framemap_status fm_file_write(const char *path, framemap_str bytes, framemap_error *error);

#endif
