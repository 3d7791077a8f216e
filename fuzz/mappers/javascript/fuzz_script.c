/* Finds the functions in any bytes as a script. Properties: functions are sorted by their starts; any two are either
 * nested, as `outer` states, or disjoint; all positions are in the text; names are slices of it. */
#include "core/heap.h"
#include "mappers/javascript/functions/js_functions.h"
#include <stdlib.h>

static void must(bool holds)
{
    if (!holds) abort();
}

static bool less(struct fm_js_text_position a, struct fm_js_text_position b)
{
    return a.line0 != b.line0 ? a.line0 < b.line0 : a.col0 < b.col0;
}

/* Returns the position after the last character, computed character by character. */
static struct fm_js_text_position end_of(framemap_str text)
{
    struct fm_js_text_position place = {0, 0};
    for (size_t i = fm_str_starts(text, FM_STR("\xEF\xBB\xBF")) ? 3 : 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const bool ends = c == '\n' || (c == '\r' && (i + 1 == text.size || text.data[i + 1] != '\n'));
        if (ends)
            place = (struct fm_js_text_position){place.line0 + 1, 0};
        else
            place.col0 += c >= 0xF0 ? 2U : c < 0x80 || c >= 0xC0 ? 1U : 0U;
    }
    return place;
}

static void check_part(const struct fm_js_name_part *part, framemap_str text, struct fm_js_text_position last)
{
    const bool inside = part->text.data >= text.data && part->text.data + part->text.size <= text.data + text.size;
    must(!(part->renamed && part->is_key));
    must(!(part->renamed || part->is_key) || (inside && part->text.size > 0 && !less(last, part->at)));
}

static void check_function(const struct fm_js_functions *script, size_t i, struct fm_js_text_position last)
{
    const struct fm_js_function *f = &script->functions[i],
                                *outer = f->outer == FM_JS_NONE ? NULL : &script->functions[f->outer];
    must(!less(f->end, f->begin) && !less(last, f->end));
    must(i == 0 || !less(f->begin, f[-1].begin));
    must(f->outer == FM_JS_NONE || f->outer < i);
    must(outer == NULL || (!less(f->begin, outer->begin) && !less(outer->end, f->end)));
    must(i == 0 || f->outer == i - 1 || !less(f->begin, f[-1].end));
    must(f->part_count <= script->part_count && f->first_part <= script->part_count - f->part_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const framemap_str text = fm_str(data, size);
    const struct fm_js_text_position last = end_of(text);
    struct fm_js_functions script;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    must(fm_js_functions_read(text, &heap, &script, NULL) == FRAMEMAP_OK);
    for (size_t i = 0; i < script.function_count; i++) check_function(&script, i, last);
    for (size_t i = 0; i < script.part_count; i++) check_part(&script.parts[i], text, last);
    fm_js_functions_free(&script);
    must(heap.used == 0);
    return 0;
}
