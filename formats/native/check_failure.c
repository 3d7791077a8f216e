/* Implements check_failure.h. The forms of messages:
 *
 *     [12:34:0101/120000.1:FATAL:widget.cc(12)] Check failed: is_visible_.      Chromium
 *     F0101 12:00:00.000000    12 cart.cc:12] Check failed: a == b (1 vs. 2)    glog
 *     # Fatal error in ../src/objects/map.cc, line 318                          V8
 *     # Debug check failed: IsMap(obj).
 *
 * A message of V8 that names no check, "# unreachable code", is below its "# Fatal error in". */
#include "formats/native/check_failure.h"

#define ABOVE 10 /* lines above a stack: V8 prints seven empty ones */

/* Fills the parts of a message of a check, which other text may precede: "Check failed: x", "Debug check failed: x". */
static bool read_check(framemap_str text, framemap_trace *trace)
{
    static const framemap_str types[] = {FM_STR_INIT("Debug check failed"), FM_STR_INIT("Check failed")};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t at = fm_str_find(text, types[i]);
        if (at == FM_NOT_FOUND) continue;
        const framemap_str before = fm_str_trim(fm_str(text.data, at)), rest = fm_str_from(text, at + types[i].size);
        if (before.size && !fm_str_ends(before, FM_STR("]")) && !fm_str_equal(before, FM_STR("#"))) continue;
        if (rest.size && rest.data[0] != ':' && rest.data[0] != '.') continue;
        trace->exception = fm_str_from(text, at);
        trace->exception_type = fm_str(text.data + at, types[i].size);
        trace->exception_message = fm_str_trim(fm_str_from(rest, 1));
        return true;
    }
    return false;
}

void fm_check_failure_above(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    static const framemap_str fatal = FM_STR_INIT("# Fatal error in "), mark = FM_STR_INIT("# ");
    struct fm_look_back above = fm_look_back_from(doc, line, floor, ABOVE);
    framemap_str message = {NULL, 0};
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        bool found = read_check(text, trace);
        if (!found && message.size && fm_str_starts(text, fatal)) {
            trace->exception = trace->exception_message = message;
            trace->exception_type = FM_STR("Fatal error");
            found = true;
        }
        if (found) {
            trace->crashed = true;
            return;
        }
        if (fm_str_starts(text, mark)) message = fm_str_trim(fm_str_from(text, mark.size));
    }
}
