/* Makes Dart's dump of any file. Properties:
 *  - the dump is written completely or not at all, and an error has a message;
 *  - the output ends with a line feed and has no other control characters;
 *  - the output is at most FM_LIMIT_DUMP_RATIO times as long as the file, plus 64 KiB. */
#include "core/limits.h"
#include "core/text/text.h"
#include <framemap/framemap.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)            \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

struct seen {
    uint64_t size;
    char last;
};

static bool see(void *context, const char *data, size_t size)
{
    struct seen *seen = context;
    MUST(size != 0);
    for (size_t i = 0; i < size; i++) MUST((unsigned char)data[i] >= 0x20 ? data[i] != 0x7F : data[i] == '\n');
    seen->size += size;
    seen->last = data[size - 1];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen seen = {0};
    framemap_error error = {0};
    const framemap_status status = framemap_dart_dump(fm_str(data, size), NULL, NULL, see, &seen, &error);
    if (status != FRAMEMAP_OK) {
        MUST(seen.size == 0 && error.code == status && error.message[0]);
        return 0;
    }
    MUST(seen.size != 0 && seen.last == '\n');
    MUST(seen.size <= FM_LIMIT_DUMP_RATIO * (uint64_t)size + (1 << 16));
    return 0;
}
