/* Injects an id into any script and any source map. A byte of the input states where the input is divided into the two.
 * Properties: the script keeps its bytes, except for the insertions and the URL of an inline map; a second run changes
 * nothing and finds the same id; the map that is written can be read. */
#include "core/text/text.h"
#include <framemap/framemap.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) abort();
}

/* Whether `longer` is `text` with bytes inserted at one or two places. */
static bool has_all_of(framemap_str longer, framemap_str text)
{
    size_t at = 0;
    for (size_t i = 0; i < longer.size && at < text.size; i++) at += longer.data[i] == text.data[at];
    return at == text.size;
}

static framemap_str or_old(const framemap_bytes *bytes, framemap_str old)
{
    return bytes->size ? framemap_bytes_str(bytes) : old;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *zero = size ? memchr(data, 0, size) : NULL;
    const size_t first = zero ? (size_t)(zero - (const char *)data) : size;
    const framemap_str script = fm_str(data, first), map = fm_str_from(fm_str(data, size), first + 1);
    framemap_injected one = {.debug_id = ""}, two = one;
    framemap_script_info about;
    framemap_error error = {0};
    if (framemap_inject(script, map, NULL, &one, &error) != FRAMEMAP_OK) {
        must(error.message[0] != 0 && one.script.size == 0 && one.map.size == 0);
        return 0;
    }
    const framemap_str new_script = or_old(&one.script, script), new_map = or_old(&one.map, map);
    framemap_script_inspect(script, &about);
    must(strlen(one.debug_id) == 36 && (about.has_inline_map || has_all_of(new_script, script)));
    framemap_script_inspect(new_script, &about);
    must(about.debug_id.size > 0);
    must(framemap_inject(new_script, new_map, NULL, &two, &error) == FRAMEMAP_OK);
    must(two.script.size == 0 && two.map.size == 0 && strcmp(one.debug_id, two.debug_id) == 0);
    framemap_bytes_free(&one.script);
    framemap_bytes_free(&one.map);
    return 0;
}
