/* Reads files of corpus/, for tests that run over a whole directory. */
#ifndef FM_TESTS_CORPUS_H
#define FM_TESTS_CORPUS_H

#include "tests/testing.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#define CORPUS FM_SOURCE_DIR "/corpus/"

/* Returns the bytes of a file, to be freed with corpus_free. */
static inline framemap_str corpus_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || stat(path, &info) != 0) fail_msg("%s can't be read", path);
    char *data = malloc((size_t)info.st_size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)info.st_size, file), info.st_size);
    fclose(file);
    return (framemap_str){data, (size_t)info.st_size};
}
static inline void corpus_free(framemap_str bytes) { free((void *)(uintptr_t)bytes.data); }

/* Calls `asked` for each native symbol file and returns the number of files for which its result is not 0. */
static inline size_t corpus_count_native(size_t (*asked)(const char *path, const char *name))
{
    size_t files = 0;
    DIR *folder = opendir(CORPUS "native");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        struct stat info;
        snprintf(path, sizeof path, CORPUS "native/%s", entry->d_name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && asked(path, entry->d_name) > 0) files++;
    }
    closedir(folder);
    return files;
}

#endif
