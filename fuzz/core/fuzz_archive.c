/* Reads any bytes as an archive or a compressed file, and passes the symbol files in it to a callback. Properties:
 * names and stored bytes are slices of the input, memory stays below the limit, and a second call passes as many
 * bytes as the first. */
#include "core/archive/archive.h"
#include "core/text/text.h"
#include "fuzz/support/harness_help.h"

#include <string.h>

enum { CEILING = 8 << 20, MOST = 1 << 20 };

static bool is_within(framemap_str whole, framemap_str part)
{
    return part.size == 0 || (part.data >= whole.data && part.size <= whole.size &&
                              (size_t)(part.data - whole.data) <= whole.size - part.size);
}

static void read_member(framemap_str bytes, const struct fm_archive_member *member, struct fm_heap *heap)
{
    char head[64];
    size_t got;
    framemap_str text = {NULL, 0};
    must(is_within(bytes, member->name) && is_within(bytes, member->stored));
    const framemap_status looked = fm_member_head(member, heap, head, sizeof head, &got, NULL);
    if (member->packing == FM_MEMBER_STORED) {
        must(looked == (member->refused ? FRAMEMAP_E_UNSUPPORTED : FRAMEMAP_OK));
        return;
    }
    if (fm_member_inflate(member, heap, MOST, &text, NULL) != FRAMEMAP_OK) return;
    must(text.size <= MOST);
    must(looked == FRAMEMAP_OK && got == (text.size < sizeof head ? text.size : sizeof head));
    must(got == 0 || memcmp(head, text.data, got) == 0);
    if (text.size > 0) fm_heap_free(heap, (char *)(uintptr_t)text.data, text.size);
}

static void read_all(framemap_str bytes, struct fm_heap *heap)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = true;
    uint64_t stored = 0;
    if (fm_archive_open(bytes, &archive, NULL) != FRAMEMAP_OK) return;
    while (fm_archive_next(&archive, &member, &more, NULL) == FRAMEMAP_OK && more) {
        stored += member.stored.size;
        must(stored <= bytes.size);
        if (stored < MOST) read_member(bytes, &member, heap);
    }
}

static void read_script(framemap_str bytes)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = true;
    uint64_t stored = 0;
    fm_archive_open_script(bytes, &archive);
    while (fm_archive_next(&archive, &member, &more, NULL) == FRAMEMAP_OK && more) stored += member.stored.size;
    must(stored <= bytes.size);
}

static framemap_status count_member(void *context, const framemap_archive_member *member, framemap_error *error)
{
    struct fuzz_output *output = context;
    (void)error;
    must(member->name.size > 0 && member->bytes.size > 0);
    output->size += member->bytes.size;
    return FRAMEMAP_OK;
}

static bool wants_all(void *context, framemap_str name)
{
    (void)context;
    return name.size > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const framemap_str bytes = {(const char *)data, size};
    struct fuzz_memory memory;
    struct fm_heap heap;
    struct fuzz_output once = {.size = 0}, again = {.size = 0};
    fuzz_memory_begin(&memory, CEILING);
    fm_heap_init(&heap, &memory.hook, 0);
    read_all(bytes, &heap);
    read_script(bytes);
    framemap_archive_options options = {.size = sizeof options,
                                        .allocator = &memory.hook,
                                        .max_memory = CEILING,
                                        .context = &once,
                                        .each = count_member};
    framemap_error nothing = {0};
    options.nothing = &nothing;
    const framemap_status status = framemap_archive_symbols(bytes, &options, NULL);
    must((nothing.code == FRAMEMAP_OK) != (nothing.message[0] != 0));
    must(once.size == 0 || nothing.code == FRAMEMAP_OK);
    options.context = &again;
    options.wants = wants_all;
    must(framemap_archive_symbols(bytes, &options, NULL) == status && once.size == again.size);
    fuzz_memory_end(&memory);
    return 0;
}
