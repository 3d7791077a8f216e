/* Input and output of the command: an output buffer without printf, lines from a pipe, whole files.
 *
 * Buffered output is flushed before any read that can block, so that a caller that waits for an answer on a pipe gets
 * it. */
#ifndef FM_CLI_CLI_IO_H
#define FM_CLI_CLI_IO_H

#include <framemap/framemap.h>

/* --- writing output --- */

struct fm_out {
    int fd;
    bool failed; /* a write failed: reported once on stderr, and all later output is discarded */
    size_t used;
    uint64_t written; /* bytes written to the descriptor so far */
    char data[1 << 16];
};

/* After a read or write that failed: whether to try again. Waits if the descriptor does not block, as those of pipes
 * and terminals that another program made so (O_NONBLOCK), and is not ready. */
bool fm_io_again(int fd, bool writes);

void fm_out_init(struct fm_out *out, int fd);
bool fm_out_flush(struct fm_out *out); /* returns false if writing failed */

/* Writes text from symbol files, directories or the command line: control characters are escaped
 * (framemap_write_escaped). */
void fm_put_str(struct fm_out *out, framemap_str text);
/* Writes a line of source as fm_put_str does, except that tabs are kept. */
void fm_put_source(struct fm_out *out, framemap_str line);
/* Writes literal text of the command. */
void fm_put_text(struct fm_out *out, const char *text);
/* Writes bytes unchanged: parts of the input text, or output of the library. */
void fm_put_raw(struct fm_out *out, framemap_str text);
void fm_put_char(struct fm_out *out, char byte);
void fm_put_fill(struct fm_out *out, char byte, size_t count);
void fm_put_dec(struct fm_out *out, uint64_t value);
/* Writes lower-case hexadecimal digits without a prefix, padded with zeros to `digits`. */
void fm_put_hex(struct fm_out *out, uint64_t value, unsigned digits);
/* Writes a JSON string, quoted and escaped; malformed UTF-8 becomes U+FFFD. */
void fm_put_json(struct fm_out *out, framemap_str text);
/* Reserves `size` bytes, at most half of the buffer. The caller fills them in and adds their number to out->used.
 * Returns NULL if size is more than half of the buffer. */
char *fm_put_room(struct fm_out *out, size_t size);
size_t fm_put_count(const struct fm_out *out); /* returns the number of bytes put so far */

/* Returns the size of the well-formed UTF-8 sequence at `at`, where `left` >= 1 bytes remain (Unicode 15, table 3-7); 0
 * if it is malformed. */
size_t fm_utf8_size(const unsigned char *at, size_t left);

/* A framemap_write callback whose context is a struct fm_out. */
bool fm_out_write(void *out, const char *data, size_t size);

/* --- reading lines of input --- */

struct fm_in {
    int fd;
    bool done; /* the end of input was reached */
    bool failed;
    bool goes_on; /* the last fm_in_line returned only a part of a line: the rest follows */
    char *data;
    size_t begin, end, room;
    char head[256]; /* the first bytes of the input */
    size_t head_size;
};

void fm_in_init(struct fm_in *in, int fd);
/* Opens a file for reading by lines. Returns -1 on failure, with the reason in *why. */
int fm_in_open(const char *path, const char **why);
void fm_in_free(struct fm_in *in);
/* Reads more bytes and appends them to the unread ones; flushes `out`, which may be NULL, before the read. Returns
 * false at the end of input or on failure. */
bool fm_in_more(struct fm_in *in, struct fm_out *out);
/* Whether a whole line or `limit` bytes are buffered, so that fm_in_line returns without reading from the descriptor.
 * Lines borrowed earlier stay valid until the next read. */
bool fm_in_has_line(const struct fm_in *in, size_t limit);
/* Returns the next line without its "\n", borrowed until the next call; false at the end of input. A line of `limit`
 * bytes or more is returned in parts of that size, as by fgets, which bounds the memory; in->goes_on is set if more of
 * the line follows. */
bool fm_in_line(struct fm_in *in, struct fm_out *out, size_t limit, framemap_str *line);
/* Skips the rest of a line of which fm_in_line returned a part. */
void fm_in_skip_line(struct fm_in *in, struct fm_out *out);

/* --- opening files, which may be inside archives --- */

/* The bytes of a whole file or of standard input. */
struct fm_file {
    framemap_str bytes;
    framemap_file *opened; /* the mapped regular file; NULL: the bytes were read from a stream and are owned */
};
/* Opens a file named by the user. path "-": standard input. FIFOs and devices are read to their end, up to `most`
 * bytes. Errors: IO (with the reason as text), LIMIT, MEMORY. */
framemap_status fm_file_open_within(const char *path, uint64_t most, struct fm_file *out, framemap_error *error);
/* Opens a file as fm_file_open_within does, with FM_MOST_STREAMED as the limit. */
framemap_status fm_file_open(const char *path, struct fm_file *out, framemap_error *error);
/* Opens the symbol file at a path, which may lead into an archive or be compressed (framemap_file_options.within).
 * max_memory: as in framemap_file_options. */
framemap_status fm_symbol_file_open_beside(const char *path, uint64_t max_memory, struct fm_file *out,
                                           framemap_error *error);
/* Opens a symbol file as fm_symbol_file_open_beside does; standard input and streams are read as well
 * (fm_file_open). */
framemap_status fm_symbol_file_open(const char *path, uint64_t max_memory, struct fm_file *out, framemap_error *error);
/* Returns the length of the archive's part of a path such as "ARCHIVE!FILE"; 0: the path does not lead into an
 * archive. */
size_t fm_archive_size(const char *path);
/* Returns the last component of a file's path, without folders, or of its name in an archive. */
framemap_str fm_file_name_within(const char *path);
/* Returns the path of the single file with debug info inside a dSYM bundle, owned by the caller; NULL if the path is
 * not a bundle or the bundle has several. */
char *fm_bundle_file(const char *path);
/* Limit for inputs without a size, such as /dev/zero, in bytes. */
#define FM_MOST_STREAMED ((uint64_t)16 << 30)
/* Opens a file that the user did not name, but that was found next to a named file. Only regular files are opened,
 * so this never blocks. */
framemap_status fm_file_open_beside(const char *path, struct fm_file *out, framemap_error *error);
/* Returns IO if the file was changed since it was opened: results made from its bytes must be discarded. */
framemap_status fm_file_check(const char *path, const struct fm_file *file, framemap_error *error);
void fm_file_close(struct fm_file *file);
/* Callbacks framemap_build_options.consumed and release_range; the context is an open struct fm_file. */
void fm_file_consumed(void *file, size_t offset);
void fm_file_release_range(void *file, size_t offset, size_t size);

/* Returns whether an output is the same file as an input, also through links; if so, reports an error. A path that is
 * NULL is not a file. */
bool fm_output_is_input(const char *output, const char *input);

/* Returns the number of available processors: the default number of threads for compiling. */
unsigned fm_processors(void);

/* Writes a whole file. path "-": standard output. A regular file is replaced atomically: a temporary file in the same
 * directory is synced and renamed, with the mode and owner of the old one. For a symlink, its target is replaced.
 * Devices, FIFOs and sockets are written directly, and so is a file if the temporary one cannot be created or given the
 * same owner. A signal that ends the process removes the temporary file. One thread at a time. Errors: IO, with the
 * system's message. */
framemap_status fm_file_write(const char *path, framemap_str bytes, framemap_error *error);
/* Writes all bytes. false: failed; errno has the reason. */
bool fm_write_fd(int fd, framemap_str bytes);
/* Replaces two regular files, or neither. Both new files are written and synced beside the old ones before either
 * replaces its old file. The old first file is kept under another name (a hard link) until the second file is replaced.
 * Signals are held back meanwhile. Errors: IO; then both files are as before. If the process is killed after it has
 * replaced the first file only, the first file is new and the second old. */
framemap_status fm_file_write_pair(const char *first, framemap_str first_bytes, const char *second,
                                   framemap_str second_bytes, framemap_error *error);
/* Returns the path under which a call of fm_file_write_pair has kept the original of the first file, if that call was
 * killed before it removed the original; NULL: there is no such file. Freed by the caller. */
char *fm_file_kept_of(const char *first);
/* Finishes a call of fm_file_write_pair that was killed: puts the original of the first file back (bring_back), or
 * removes it. Errors: IO. */
framemap_status fm_file_end_pair(const char *first, const char *kept, bool bring_back, framemap_error *error);

#endif
