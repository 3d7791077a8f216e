/* Reads whole files: those named by the user, and those found next to them. write_file.c writes files. */
#include "cli/cli.h"
#include "cli/cli_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static framemap_status file_error(framemap_error *error, framemap_status code, const char *path, const char *what)
{
    if (!error) return code;
    *error = (framemap_error){.code = code};
    snprintf(error->where, sizeof error->where, "%s", path);
    snprintf(error->message, sizeof error->message, "%s", what);
    return code;
}

unsigned fm_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1024 ? 1024 : (unsigned)count;
}

static framemap_status read_whole_stream(int fd, const char *path, uint64_t most, struct fm_file *out,
                                         framemap_error *error)
{
    struct fm_in in;
    framemap_status status = FRAMEMAP_OK;
    char words[96];
    fm_in_init(&in, fd);
    while (in.end <= most && fm_in_more(&in, NULL)) {
    }
    if (in.failed) status = file_error(error, FRAMEMAP_E_IO, path, "it could not be read to its end");
    if (in.end > most) {
        snprintf(words, sizeof words, "it has more than %" PRIu64 " bytes, the limit for a stream", most);
        status = file_error(error, FRAMEMAP_E_LIMIT, path, words);
    }
    if (status)
        fm_in_free(&in);
    else
        *out = (struct fm_file){.bytes = {in.data, in.end}};
    return status;
}

framemap_status fm_file_open_beside(const char *path, struct fm_file *out, framemap_error *error)
{
    framemap_file *file;
    framemap_status status = framemap_file_open(path, NULL, &file, error);
    if (status == FRAMEMAP_OK) *out = (struct fm_file){framemap_file_bytes(file), file};
    return status;
}

/* Reads a device, a FIFO, or a file without a known size, as in /proc. */
static framemap_status open_stream(const char *path, uint64_t most, struct fm_file *out, framemap_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return file_error(error, FRAMEMAP_E_IO, path, strerror(errno));
    framemap_status status = read_whole_stream(fd, path, most, out, error);
    close(fd);
    return status;
}

/* Opens standard input. A regular file that is read from its start is mapped like a named file, so it needs no
 * buffer. */
static framemap_status open_standard_input(uint64_t most, struct fm_file *out, framemap_error *error)
{
    struct stat about, same;
    const bool whole =
        fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    if (whole && stat("/dev/stdin", &same) == 0 && same.st_dev == about.st_dev && same.st_ino == about.st_ino &&
        about.st_size > 0 && fm_file_open_beside("/dev/stdin", out, NULL) == FRAMEMAP_OK)
        return FRAMEMAP_OK;
    fm_message_waiting("a file");
    return read_whole_stream(STDIN_FILENO, "standard input", most, out, error);
}

#define BUNDLED "Contents/Resources/DWARF"

/* Counts the files with debug info in a dSYM bundle. last: the path of one of them, owned by the caller. */
static size_t count_bundled(const char *path, char **last)
{
    const size_t room = strlen(path) + sizeof "/" BUNDLED;
    char *folder = fm_cli_resize(NULL, room);
    size_t count = 0;

    *last = NULL;
    snprintf(folder, room, "%s/" BUNDLED, path);
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (entry->d_name[0] == '.') continue;
        const size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        count++;
        free(*last);
        *last = fm_cli_resize(NULL, size);
        snprintf(*last, size, "%s/%s", folder, entry->d_name);
    }
    if (listing) closedir(listing);
    free(folder);
    return count;
}

static bool is_bundle(framemap_str path)
{
    static const char ending[] = ".dSYM";
    const size_t size = sizeof ending - 1;
    while (path.size > 1 && path.data[path.size - 1] == '/') path.size--;
    return path.size > size && memcmp(path.data + path.size - size, ending, size) == 0;
}

/* A dSYM bundle in an archive. */
struct archived_bundle {
    framemap_str folder; /* folder in the archive */
    char *found;         /* name of a file with debug info in the bundle; NULL: none was found yet */
    size_t count;
};

/* Callback for each symbol file of a bundle in an archive: notes the file's name. Only the name is needed, so it
 * returns false, and the file is not decompressed. */
static bool note_archived(void *context, framemap_str name)
{
    static const char inside[] = "/" BUNDLED "/";
    struct archived_bundle *bundle = context;
    const size_t before = bundle->folder.size, size = before + sizeof inside - 1;
    if (name.size > 0 && name.data[0] == '/') name = (framemap_str){name.data + 1, name.size - 1};
    if (name.size <= size || memcmp(name.data, bundle->folder.data, before) != 0 ||
        memcmp(name.data + before, inside, size - before) != 0)
        return false;
    free(bundle->found);
    bundle->found = fm_cli_copy(name.data, name.size);
    bundle->count++;
    return false;
}

static framemap_status pass_archived(void *context, const framemap_archive_member *member, framemap_error *error)
{
    (void)context, (void)member, (void)error;
    return FRAMEMAP_OK;
}

/* Returns the path of the only file with debug info in a dSYM bundle in an archive; NULL if there is no such file, or
 * several. size: length of the archive's own path, at the start of the given path. */
static char *archived_bundle_file(const char *path, size_t size)
{
    struct archived_bundle bundle = {.folder = framemap_str_of(path + size + 1)};
    const framemap_archive_options options = {
        .size = sizeof options, .context = &bundle, .each = pass_archived, .wants = note_archived};
    char *archive = fm_cli_copy(path, size), *file = NULL;
    struct fm_file bytes;
    while (bundle.folder.size > 0 && bundle.folder.data[0] == '/')
        bundle.folder = (framemap_str){bundle.folder.data + 1, bundle.folder.size - 1};
    while (bundle.folder.size > 0 && bundle.folder.data[bundle.folder.size - 1] == '/') bundle.folder.size--;
    if (fm_file_open_beside(archive, &bytes, NULL) == FRAMEMAP_OK) {
        framemap_archive_symbols(bytes.bytes, &options, NULL);
        fm_file_close(&bytes);
    }
    if (bundle.count == 1) {
        const size_t room = size + strlen(bundle.found) + 2;
        file = fm_cli_resize(NULL, room);
        snprintf(file, room, "%s!%s", archive, bundle.found);
    }
    free(bundle.found);
    free(archive);
    return file;
}

char *fm_bundle_file(const char *path)
{
    char *found;
    const size_t archive = fm_archive_size(path);
    if (archive > 0) return is_bundle(framemap_str_of(path)) ? archived_bundle_file(path, archive) : NULL;
    if (count_bundled(path, &found) == 1) return found;
    free(found);
    return NULL;
}

/* Makes the error for a directory that was given where a file is needed. */
static framemap_status refuse_folder(const char *path, framemap_error *error)
{
    char *one;
    const size_t count = count_bundled(path, &one);
    free(one);
    if (count > 1)
        return file_error(error, FRAMEMAP_E_IO, path, "this dSYM has several files: name one of those in its " BUNDLED);
    if (count == 0 && is_bundle(framemap_str_of(path)))
        return file_error(error, FRAMEMAP_E_IO, path,
                          "this dSYM is incomplete: it has no file in " BUNDLED "; copy the whole bundle");
    return file_error(error, FRAMEMAP_E_IO, path, "it is a directory; name a file in it");
}

framemap_status fm_file_open_within(const char *path, uint64_t most, struct fm_file *out, framemap_error *error)
{
    struct stat about;
    if (path[0] == '\0') return file_error(error, FRAMEMAP_E_IO, path, "the name of the file is empty");
    if (strcmp(path, "-") == 0) return open_standard_input(most, out, error);
    if (stat(path, &about) != 0) return file_error(error, FRAMEMAP_E_IO, path, strerror(errno));
    if (S_ISDIR(about.st_mode)) return refuse_folder(path, error);
    if (!S_ISREG(about.st_mode) || about.st_size == 0) return open_stream(path, most, out, error);
    return fm_file_open_beside(path, out, error);
}

size_t fm_archive_size(const char *path)
{
    struct stat about;
    if (strchr(path, '!') == NULL || stat(path, &about) == 0) return 0;
    for (const char *mark = strchr(path, '!'); mark; mark = strchr(mark + 1, '!')) {
        char *archive = fm_cli_copy(path, (size_t)(mark - path));
        const bool is_file = stat(archive, &about) == 0 && S_ISREG(about.st_mode);
        free(archive);
        if (is_file) return (size_t)(mark - path);
    }
    return 0;
}

/* Finds the file to be read for an input, and gets its state. The file is inside a dSYM bundle or an archive, or is the
 * input itself. */
static bool stat_input(const char *input, struct stat *about)
{
    const size_t archive = fm_archive_size(input);
    char *inside = archive ? fm_cli_copy(input, archive) : fm_bundle_file(input);
    const bool known = stat(inside ? inside : input, about) == 0;
    free(inside);
    return known;
}

bool fm_output_is_input(const char *output, const char *input)
{
    struct stat written, read;
    if (output == NULL || input == NULL || stat(output, &written) != 0 || !S_ISREG(written.st_mode)) return false;
    if (!stat_input(input, &read) || read.st_dev != written.st_dev || read.st_ino != written.st_ino) return false;
    fm_message("%s: the output would replace this input; name another file with -o", output);
    return true;
}

framemap_str fm_file_name_within(const char *path)
{
    const size_t size = fm_archive_size(path);
    return fm_base_name(framemap_str_of(size ? path + size + 1 : path));
}

framemap_status fm_symbol_file_open_beside(const char *path, uint64_t max_memory, struct fm_file *out,
                                           framemap_error *error)
{
    const framemap_file_options options = {.size = sizeof options, .within = true, .max_memory = max_memory};
    framemap_file *file;
    framemap_status status = framemap_file_open(path, &options, &file, error);
    if (status == FRAMEMAP_OK) *out = (struct fm_file){framemap_file_bytes(file), file};
    return status;
}

framemap_status fm_symbol_file_open(const char *path, uint64_t max_memory, struct fm_file *out, framemap_error *error)
{
    struct stat about;
    const bool is_plain = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    if (!is_plain && fm_archive_size(path) == 0)
        return fm_file_open_within(path, max_memory ? max_memory : FM_MOST_STREAMED, out, error);
    return fm_symbol_file_open_beside(path, max_memory, out, error);
}

framemap_status fm_file_open(const char *path, struct fm_file *out, framemap_error *error)
{
    return fm_file_open_within(path, FM_MOST_STREAMED, out, error);
}

framemap_status fm_file_check(const char *path, const struct fm_file *file, framemap_error *error)
{
    if (!framemap_file_changed(file->opened)) return FRAMEMAP_OK;
    return file_error(
        error, FRAMEMAP_E_IO, path,
        "changed-while-read: it was changed while it was read; run the command again when it is complete");
}

void fm_file_consumed(void *context, size_t offset)
{
    const struct fm_file *file = context;
    if (file->opened) framemap_file_consumed(file->opened, offset);
}

void fm_file_release_range(void *context, size_t offset, size_t size)
{
    const struct fm_file *file = context;
    if (file->opened) framemap_file_release_range(file->opened, offset, size);
}

void fm_file_close(struct fm_file *file)
{
    if (file->opened)
        framemap_file_close(file->opened);
    else
        free((char *)(uintptr_t)file->bytes.data); /* the cast removes const, since this struct owns the bytes */
    *file = (struct fm_file){0};
}
