/* Runs one fuzz harness over files without libFuzzer: replay_NAME FILE|FOLDER...
 *
 * Folders are searched recursively. Each file is passed in a block of its exact size, so that AddressSanitizer
 * detects a read of even one byte too many. A file that takes longer than SECONDS_PER_FILE ends the run, which then
 * prints the file's name. A run without any file fails, because nothing would be tested. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS_PER_FILE = 60, PATH_SIZE = 4096, FOLDERS_DEEP = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Name of the current file, which the handler of the alarm prints; changed only while no alarm is set. */
static char current_path[PATH_SIZE];

static void on_alarm(int signal_number)
{
    static const char words[] = "replay: takes too long: ";
    (void)signal_number;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0 ||
        write(STDERR_FILENO, current_path, strlen(current_path)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(2);
    _exit(1);
}

static uint8_t *read_all(FILE *file, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);
    if (data != NULL && fread(data, 1, size, file) == size) return data;
    free(data);
    return NULL;
}

static bool replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = file ? read_all(file, size) : NULL;
    if (file != NULL) fclose(file);
    if (data == NULL) {
        fprintf(stderr, "replay: can't read %s\n", path);
        return false;
    }
    snprintf(current_path, sizeof current_path, "%s", path);
    alarm(SECONDS_PER_FILE);
    (void)LLVMFuzzerTestOneInput(data, size);
    alarm(0);
    free(data);
    return true;
}

static bool replay(const char *path, int folders_left, size_t *count);

static bool replay_folder(const char *path, int folders_left, size_t *count)
{
    DIR *folder = opendir(path);
    bool good = folder != NULL && folders_left > 0;
    for (const struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        char inner[PATH_SIZE];
        if (entry->d_name[0] == '.') continue;
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        good = length > 0 && (size_t)length < sizeof inner && replay(inner, folders_left - 1, count);
    }
    if (folder != NULL) closedir(folder);
    return good;
}

static bool replay(const char *path, int folders_left, size_t *count)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "replay: no such file: %s\n", path);
        return false;
    }
    if (S_ISDIR(info.st_mode)) return replay_folder(path, folders_left, count);
    if (!S_ISREG(info.st_mode)) return true;
    (*count)++;
    return replay_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    signal(SIGALRM, on_alarm);
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i], FOLDERS_DEEP, &count)) return 1;
    if (count == 0) {
        fprintf(stderr, "usage: %s FILE|FOLDER... (none of them held a file)\n", argv[0]);
        return 1;
    }
    printf("%zu files replayed\n", count);
    return 0;
}
