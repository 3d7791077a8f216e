#include "fuzz/support/harness_help.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void fuzz_broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

uint64_t fuzz_number(struct fuzz_input *input, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && input->size > 0; i++) {
        value |= (uint64_t)input->data[0] << 8 * i;
        input->data++;
        input->size--;
    }
    return value;
}

framemap_str fuzz_text(struct fuzz_input *input)
{
    size_t size = (size_t)fuzz_number(input, 1);
    if (size > input->size) size = input->size;
    const framemap_str text = {size ? (const char *)input->data : "", size};
    input->data += size;
    input->size -= size;
    return text;
}

framemap_str fuzz_rest(struct fuzz_input *input)
{
    const framemap_str text = {input->size ? (const char *)input->data : "", input->size};
    input->size = 0;
    return text;
}

/* --- limiting memory --- */

static void *resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct fuzz_memory *memory = context;
    must(memory->used >= old_size);
    if (new_size > old_size && new_size - old_size > memory->ceiling - memory->used) return NULL;
    void *block = new_size ? realloc(ptr, new_size) : NULL;
    if (new_size == 0) free(ptr);
    if (block || new_size == 0) memory->used = memory->used - old_size + new_size;
    return block;
}

void fuzz_memory_begin(struct fuzz_memory *memory, size_t ceiling)
{
    *memory = (struct fuzz_memory){.hook = {resize, memory}, .ceiling = ceiling};
}

void fuzz_memory_end(const struct fuzz_memory *memory) { must(memory->used == 0); }

bool fuzz_write(void *context, const char *data, size_t size)
{
    struct fuzz_output *output = context;
    if (size > output->most - output->size) return false;
    output->size += size;
    /* the hash function is FNV-1a */
    for (size_t i = 0; i < size; i++) output->hash = (output->hash ^ (uint8_t)data[i]) * 0x100000001b3u;
    return true;
}

/* --- writing files --- */

void fuzz_remove(const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0) return;
    DIR *folder = NULL;
    if (S_ISDIR(about.st_mode)) {
        chmod(path, 0700);
        folder = opendir(path);
    }
    for (const struct dirent *row; folder && (row = readdir(folder)) != NULL;) {
        char below[8192];
        if (strcmp(row->d_name, ".") == 0 || strcmp(row->d_name, "..") == 0) continue;
        if ((size_t)snprintf(below, sizeof below, "%s/%s", path, row->d_name) < sizeof below) fuzz_remove(below);
    }
    if (folder) closedir(folder);
    if (S_ISDIR(about.st_mode))
        rmdir(path);
    else
        unlink(path);
}

static char own_folder[64];
static pid_t owner;

framemap_session *fuzz_demo_session(bool symbols)
{
    static framemap_session *sessions[2];
    static const char *const paths[] = {FM_SOURCE_DIR "/corpus/demo/symbols"};
    const framemap_session_options about = {
        .size = sizeof about, .cache_path = "", .symbol_paths = paths, .symbol_path_count = symbols};
    if (sessions[symbols] == NULL) must(framemap_session_open(&about, &sessions[symbols], NULL) == FRAMEMAP_OK);
    return sessions[symbols];
}

static void remove_own_folder(void)
{
    if (getpid() == owner) fuzz_remove(own_folder);
}

const char *fuzz_folder(void)
{
    if (own_folder[0]) return own_folder;
    /* The folder is in memory if the system has /dev/shm. */
    const bool shared = access("/dev/shm", W_OK) == 0;
    snprintf(own_folder, sizeof own_folder, "%s/framemap-fuzz-XXXXXX", shared ? "/dev/shm" : "/tmp");
    must(mkdtemp(own_folder) != NULL);
    owner = getpid();
    atexit(remove_own_folder);
    return own_folder;
}

bool fuzz_put(const char *path, framemap_str bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const bool ok = write(file, bytes.data, bytes.size) == (ssize_t)bytes.size;
    return close(file) == 0 && ok;
}
