/* Parses one frame line of libunwindstack (FormatFrame), as tombstones, logcat and ANR traces print it:
 *
 *     #01 pc 000000000004f0c4  /data/app/base.apk!libapp.so (offset 0x21a000) (outer()+24) (BuildId: 77e6f9…)
 *
 * The pc is relative to the ELF file. libunwindstack has already moved it back from the return address to the call, so
 * it is looked up unchanged. The groups in parentheses are parsed from right to left, because function names may
 * contain blanks and parentheses too.
 *
 * Other writers print other forms. Bugly prints the ABI at the end, and a function whose position is known directly
 * after the file: "libapp.so outer(int) (src/a.cc:7) [arm64-v8a]"; the ABI may be followed by the library's version,
 * "[arm64-v8a] [3.7.47]". HarmonyOS prints no blanks:
 * "/system/lib64/libapp.so(outer()+24)(77e6f9…)", "/system/lib64/libapp.so(77e6f9…)"; its versions before 4 print one
 * before the id. Chromium prints an absolute address, and the address in the file: "#01 0xa55e8d3f
 * /data/app/libapp.so+0x004f0c4". Datadog prints a number without '#'. ANR traces of Android 5.0 print "native: " and
 * no number.
 *
 * Text before '#', such as a logger's prefix, is kept. A line can contain several rows if line ends were lost: a row
 * then ends where the next row begins, or after its last group if other text follows. Called by android_tombstone.c,
 * android_short.c and formats/android. */
#include "formats/native/android.h"
#include "formats/row_gap.h"
#include "formats/row_parts.h"

#define PADDED 8 /* an address that is padded with zeros has at least this many digits */

static bool is_abi(framemap_str text)
{
    static const framemap_str abis[] = {FM_STR_INIT("arm64-v8a"),    FM_STR_INIT("armeabi-v7a"), FM_STR_INIT("armeabi"),
                                        FM_STR_INIT("armeabi-v5te"), FM_STR_INIT("x86"),         FM_STR_INIT("x86_64")};
    for (size_t i = 0; i < sizeof abis / sizeof *abis; i++)
        if (fm_str_equal(text, abis[i])) return true;
    return false;
}

bool fm_android_bracket(framemap_str *text, framemap_str *arch, framemap_str *id, framemap_str *printed)
{
    framemap_str left = *text;
    for (int groups = 0; groups < 2; groups++) {
        if (left.size < 6 || left.data[left.size - 1] != ']') return false;
        size_t open = fm_str_find_last_byte(left, '[');
        if (open == FM_NOT_FOUND) return false;
        framemap_str inside = fm_str_slice(left, open + 1, left.size - 1);
        size_t colons = fm_str_find(inside, FM_STR("::"));
        left = fm_str_trim(fm_str(left.data, open));
        if (colons == FM_NOT_FOUND && !is_abi(inside)) continue; /* the version of a library, after the ABI */
        *arch = fm_str_slice(inside, 0, colons);
        if (colons != FM_NOT_FOUND) *id = fm_str_from(inside, colons + 2);
        *printed = fm_str_from(*text, open);
        *text = left;
        return true;
    }
    return false;
}

/* Whether a path occurs only on Android, so that the row is Android's even though it has no "pc". */
static bool is_of_android(framemap_str path)
{
    static const framemap_str folders[] = {FM_STR_INIT("/data/app/"),     FM_STR_INIT("/data/data/"),
                                           FM_STR_INIT("/data/app-lib/"), FM_STR_INIT("/apex/"),
                                           FM_STR_INIT("/system/lib"),    FM_STR_INIT("/system/framework/"),
                                           FM_STR_INIT("/system_ext/"),   FM_STR_INIT("/vendor/lib"),
                                           FM_STR_INIT("/memfd:jit-"),    FM_STR_INIT("[anon:dalvik-")};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (fm_str_starts(path, folders[i])) return true;
    return false;
}

/* Chromium prints this text in place of a file for an address that is not in a file. */
static const framemap_str unmapped = FM_STR_INIT("<unknown>");

/* Parses "#NN pc HEX" at the start of text, or "#NN 0xHEX /" if the "pc" may be missing (bare). */
static bool row_start(framemap_str text, bool bare, struct fm_android_row *row, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(fm_str_from(text, 1));
    if (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    const bool has_pc = fm_scan_text(&s, FM_STR("pc"));
    if (has_pc && !fm_scan_blanks1(&s)) return false;
    row->digits = fm_row_0xhex(&s, &row->pc);
    if (!has_pc) {
        *rest = fm_scan_rest(&s);
        const bool has_path = row->digits != FM_DIGITS_NONE && rest->size > 1 && rest->data[0] == ' ';
        if (bare && has_path && fm_str_equal(fm_str_trim(*rest), unmapped)) return true;
        return has_path && (bare ? rest->data[1] == '/' : is_of_android(fm_str_from(*rest, 1)));
    }
    if (row->digits == FM_DIGITS_NONE) row->digits = fm_row_hex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE || !(fm_scan_done(&s) || fm_is_blank(*s.at))) return false;
    *rest = fm_scan_rest(&s);
    return true;
}

bool fm_android_row_begins(framemap_str text, framemap_str *after)
{
    struct fm_android_row row = {0};
    return row_start(text, false, &row, after);
}

/* Finds the offset in the body at which a frame begins. A line with two frames is not accepted. */
static bool find_row(framemap_str body, bool bare, struct fm_android_row *row, framemap_str *rest)
{
    bool found = false;
    for (size_t at = 0; at < body.size; at++) {
        const char *hash = fm_find(body.data + at, body.size - at, '#');
        if (!hash) break;
        at = (size_t)(hash - body.data);
        struct fm_android_row candidate = {0};
        framemap_str after;
        if (!row_start(fm_str_from(body, at), bare, &candidate, &after)) continue;
        if (found) return false;
        *row = candidate;
        *rest = after;
        found = true;
    }
    return found;
}

/* Cuts a position such as "src/a.cc:7:3" off the end. A row that framemap restored before has such a position after its
 * last group. */
static void cut_place(framemap_str *text, struct fm_android_row *row)
{
    if (text->size == 0 || !fm_is_digit(text->data[text->size - 1])) return;
    size_t group = fm_str_find_last(*text, FM_STR(") "));
    if (group == FM_NOT_FOUND) group = fm_str_find_last(*text, FM_STR("] "));
    framemap_str file;
    uint32_t line, column;
    if (group == FM_NOT_FOUND || !fm_row_location(fm_str_from(*text, group + 2), &file, &line, &column)) return;
    row->place = fm_str_from(*text, group + 2);
    text->size = group + 1;
}

/* Cuts the routine that old versions of ndk-stack print off the end: ": Routine foo at /src/foo.c:12". */
static void cut_routine(framemap_str *text, struct fm_android_row *row)
{
    static const framemap_str word = FM_STR_INIT(": Routine ");
    const size_t at = fm_str_find_last(*text, word);
    if (at == FM_NOT_FOUND) return;
    row->routine = fm_str_from(*text, at + word.size);
    text->size = at;
}

static bool is_offset(framemap_str group) { return fm_str_starts(group, FM_STR("offset ")); }

/* Parses a row of Bugly in two parts: text is "libapp.so outer(int)", and group, which follows it, is "src/a.cc:7" or
 * "src/a.cc:7 [Inline: inner()]". */
static bool cut_placed(framemap_str *text, framemap_str group, struct fm_android_row *row)
{
    const framemap_str place = fm_str_slice(group, 0, fm_str_find(group, FM_STR(" [Inline: ")));
    const size_t blank = fm_str_find_byte(*text, ' ');
    framemap_str file;
    uint32_t line, column;
    if (row->arch.size == 0 || blank == FM_NOT_FOUND || !fm_row_location(place, &file, &line, &column)) return false;
    row->place = place;
    row->has_function = true;
    row->function = fm_str_trim(fm_str_from(*text, blank));
    text->size = blank;
    return true;
}

static bool is_glued_id(framemap_str group) { return group.size >= 16 && fm_is_all_hex(group); }

/* Cuts "(GROUP)" off the end of a text in which no blank precedes the parenthesis. */
static bool cut_glued(framemap_str *text, framemap_str *group)
{
    size_t open = 0;
    if (!fm_row_open(*text, &open) || open == 0 || fm_is_blank(text->data[open - 1])) return false;
    *group = fm_str_slice(*text, open + 1, text->size - 1);
    text->size = open;
    return group->size != 0;
}

/* Cuts the one or two groups off the end of a row of HarmonyOS: "/system/lib64/libapp.so(outer()+24)(77e6f9…)". */
static bool cut_harmony(framemap_str *text, struct fm_android_row *row)
{
    framemap_str left = *text, group, head;
    uint64_t distance;
    if (left.size == 0 || left.data[0] != '/') return false;
    if (cut_glued(&left, &group) && is_glued_id(group)) {
        row->id = group;
        row->build = fm_str_from(*text, left.size);
        *text = left;
    }
    left = *text;
    if (cut_glued(&left, &group) &&
        (row->id.size || row->place.size || fm_row_distance(group, false, &head, &distance))) {
        row->has_function = true;
        row->function = group;
        *text = left;
    }
    row->glued = row->id.size || row->has_function;
    if (row->glued) row->head.size = (size_t)(text->data + text->size - row->head.data);
    return row->glued;
}

/* Cuts the id that HarmonyOS 3 prints after a blank, "/system/lib64/libapp.so(outer()+24) (77e6f9…)", and the function
 * before it. Returns whether the row ends there. */
static bool cut_harmony_spaced(framemap_str *text, framemap_str left, framemap_str id, struct fm_android_row *row)
{
    framemap_str function, head;
    uint64_t distance;
    row->id = id;
    row->build = fm_str(id.data - 1, id.size + 2);
    *text = left;
    if (!cut_glued(&left, &function) || !(row->place.size || fm_row_distance(function, false, &head, &distance)))
        return false;
    row->function = function;
    row->glued = row->has_function = true;
    row->build = fm_str(text->data + text->size, (size_t)(id.data + id.size + 1 - (text->data + text->size)));
    row->head.size = (size_t)(left.data + left.size - row->head.data);
    *text = left;
    return true;
}

static void cut_groups(framemap_str *text, struct fm_android_row *row)
{
    framemap_str left = *text, group;
    if (cut_harmony(text, row)) return;
    const bool has_group = fm_row_group(&left, &group);
    if (has_group && is_glued_id(group)) {
        if (cut_harmony_spaced(text, left, group, row)) return;
    } else if (has_group && fm_str_starts(group, FM_STR("BuildId: "))) {
        row->id = fm_str_from(group, 9);
        row->build = fm_str(group.data - 1, group.size + 2);
        *text = left;
    } else {
        fm_android_bracket(text, &row->arch, &row->id, &row->build);
    }
    left = *text;
    if (fm_row_group(&left, &group) && cut_placed(&left, group, row)) {
        *text = left;
    } else if (left.size < text->size && !is_offset(group) && !fm_str_equal(group, FM_STR("deleted"))) {
        row->has_function = true;
        row->function = group;
        *text = left;
    }
    row->head.size = (size_t)(text->data + text->size - row->head.data);
    left = *text;
    if (fm_row_group(&left, &group) && is_offset(group)) {
        row->offset = fm_str_from(group, 7);
        *text = left;
    }
}

/* Parses "native: pc HEX" of the ANR traces of Android 5.0. */
static bool find_unnumbered(framemap_str body, struct fm_android_row *row, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("native: pc "))) return false;
    row->index = -1;
    row->digits = fm_row_hex(&s, &row->pc);
    *rest = fm_scan_rest(&s);
    return row->digits != FM_DIGITS_NONE && fm_scan_blanks1(&s);
}

/* Parses "N  pc HEX" of Datadog. */
static bool find_counted(framemap_str body, struct fm_android_row *row, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR("  pc "))) return false;
    row->digits = fm_row_hex(&s, &row->pc);
    *rest = fm_scan_rest(&s);
    return row->digits != FM_DIGITS_NONE && (fm_scan_done(&s) || fm_scan_text(&s, FM_STR("  ")));
}

/* Cuts "+0x4f0c4" off the end of the path in a row without "pc". */
static void cut_relative(struct fm_android_row *row)
{
    const size_t plus = fm_str_find_last(row->map, FM_STR("+0x"));
    if (plus == FM_NOT_FOUND || plus == 0 || fm_str_find(row->head, FM_STR("pc ")) != FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(row->map, plus + 1));
    if (fm_row_0xhex(&s, &row->relative) != FM_DIGITS_FIT || !fm_scan_done(&s)) return;
    row->has_relative = true;
    row->map.size = plus;
}

/* Splits the part of a row that follows its pc. */
static void split_rest(framemap_str body, framemap_str rest, struct fm_android_row *row)
{
    row->head = fm_str(body.data, (size_t)(rest.data - body.data));
    rest = fm_str_trim(rest);
    if (rest.size == 0 || fm_str_equal(rest, unmapped)) return;
    cut_routine(&rest, row);
    cut_place(&rest, row);
    cut_groups(&rest, row);
    row->map = rest;
    cut_relative(row);
}

bool fm_android_row_parse(framemap_str body, bool bare, struct fm_android_row *row)
{
    framemap_str rest;
    if (!find_row(body, bare, row, &rest)) return false;
    split_rest(body, rest, row);
    return true;
}

bool fm_android_row_parse_unnumbered(framemap_str body, struct fm_android_row *row)
{
    framemap_str rest;
    if (!find_unnumbered(body, row, &rest)) return false;
    split_rest(body, rest, row);
    return true;
}

bool fm_android_row_parse_counted(framemap_str body, struct fm_android_row *row)
{
    framemap_str rest;
    if (!find_counted(body, row, &rest)) return false;
    split_rest(body, rest, row);
    return true;
}

/* --- finding several rows on one line --- */

static framemap_str trim_start(framemap_str text)
{
    while (text.size && fm_is_blank(*text.data)) text = fm_str_from(text, 1);
    return text;
}

/* Whether the text after an address shows that a row begins before it, even on a line with several rows: the address
 * has all its digits, or a file or a mapping follows. */
static bool is_sure(framemap_str after)
{
    const char *digit = after.data;
    size_t digits = 0;
    while (digits < PADDED && fm_is_hex(digit[-1])) digit--, digits++;
    after = fm_str_trim(after);
    return digits == PADDED || (after.size && (*after.data == '/' || *after.data == '<' || *after.data == '['));
}

/* Returns the offset of the next row. *after: the text that follows the row's address. */
static size_t find_start(framemap_str text, size_t from, framemap_str *after)
{
    for (size_t at = from; at < text.size; at++) {
        const char *hash = fm_find(text.data + at, text.size - at, '#');
        if (!hash) break;
        at = (size_t)(hash - text.data);
        if (fm_android_row_begins(fm_str_from(text, at), after) && is_sure(*after)) return at;
    }
    return FM_NOT_FOUND;
}

/* Whether a byte ends the path or mapping of a row, or the string that contains the line. */
static bool ends_map(char c) { return fm_is_blank(c) || c == '(' || c == '"' || c == '\''; }

/* Returns the size of the path or mapping at the start of a text. A mapping in brackets may contain blanks:
 * "[anon:dalvik main]". */
static size_t map_size(framemap_str text)
{
    size_t end = 0;
    const char close = text.size && *text.data == '<' ? '>' : text.size && *text.data == '[' ? ']' : '\0';
    if (close) end = fm_str_find_byte(text, close);
    if (end == FM_NOT_FOUND) end = 0;
    while (end < text.size && !ends_map(text.data[end])) end++;
    return close ? end : fm_row_gap_trim_end(fm_str(text.data, end)).size;
}

/* Returns the group "(…)" at the start of a text. Returns false if it is not found, or if it is not closed. */
static bool next_group(framemap_str text, framemap_str *group)
{
    long depth = 0;
    for (size_t i = 0; i < text.size && (i > 0 || *text.data == '('); i++) {
        depth += text.data[i] == '(';
        depth -= text.data[i] == ')';
        if (depth > 0) continue;
        *group = fm_str(text.data + 1, i - 1);
        return true;
    }
    return false;
}

/* Returns the size of a bracket such as "[arm64-v8a::77e6f9…]" at the start of a text; 0: there is no bracket. */
static size_t bracket_size(framemap_str text)
{
    const size_t close = text.size && *text.data == '[' ? fm_str_find_byte(text, ']') : FM_NOT_FOUND;
    if (close == FM_NOT_FOUND) return 0;
    framemap_str bracket = fm_str(text.data, close + 1), arch, id = {NULL, 0}, printed;
    return fm_android_bracket(&bracket, &arch, &id, &printed) ? close + 1 : 0;
}

/* Returns the size of the groups at the start of a text: "(offset 0x…)", "(outer()+24)", "(BuildId: …)". */
static size_t groups_size(framemap_str text)
{
    framemap_str rest = trim_start(text), group;
    const char *end = text.data;
    bool has_function = false;
    while (next_group(rest, &group)) {
        const bool is_build = fm_str_starts(group, FM_STR("BuildId: "));
        const bool is_id = has_function && group.size >= 16 && fm_is_all_hex(group);
        const bool of_map = fm_str_starts(group, FM_STR("offset ")) || fm_str_equal(group, FM_STR("deleted"));
        if (has_function && !is_build && !is_id) break;
        has_function = has_function || !of_map;
        end = group.data + group.size + 1;
        rest = trim_start(fm_str_from(text, (size_t)(end - text.data)));
        if (is_build || is_id) return (size_t)(end - text.data);
    }
    const size_t bracket = bracket_size(rest);
    return (size_t)(bracket ? rest.data + bracket - text.data : end - text.data);
}

/* Returns the size of the position " src/a.cc:7:3" that follows the row of a restored frame; 0: there is no position. A
 * network address with a port is not a position. */
static size_t place_size(framemap_str text)
{
    size_t end = 1;
    framemap_str file;
    uint32_t line, column;
    if (text.size == 0 || *text.data != ' ') return 0;
    while (end < text.size && !ends_map(text.data[end])) end++;
    if (!fm_row_location(fm_str_slice(text, 1, end), &file, &line, &column)) return 0;
    const size_t dot = fm_str_find_last_byte(file, '.');
    return dot == FM_NOT_FOUND || dot + 1 == file.size || fm_is_digit(file.data[dot + 1]) ? 0 : end;
}

/* Whether a row without groups after its function is Bugly's: "libapp.so outer(int) (src/a.cc:7) [arm64-v8a]". */
static bool is_bugly(framemap_str row)
{
    framemap_str arch, id = {NULL, 0}, printed;
    return fm_android_bracket(&row, &arch, &id, &printed);
}

/* Cuts off the text that follows a row. after: the text that follows the row's address. */
static framemap_str cut_row(framemap_str row, framemap_str after)
{
    framemap_str rest = trim_start(fm_str(after.data, (size_t)(row.data + row.size - after.data)));
    const size_t map = map_size(rest), groups = groups_size(fm_str_from(rest, map));
    size_t end = map + groups;
    if (end == 0) return fm_str_trim(fm_str(row.data, (size_t)(after.data - row.data)));
    if (groups == 0 && is_bugly(fm_str_trim(row))) return fm_str_trim(row);
    if (groups) end += place_size(fm_str_from(rest, end));
    return fm_str(row.data, (size_t)(rest.data + end - row.data));
}

struct fm_android_rows fm_android_rows_of(framemap_str text)
{
    struct fm_android_rows rows = {.text = text};
    rows.start = find_start(text, 0, &rows.after);
    return rows;
}

bool fm_android_rows_next(struct fm_android_rows *rows, framemap_str *before, framemap_str *row)
{
    const struct fm_android_rows old = *rows;
    if (old.start == FM_NOT_FOUND) return false;
    rows->start = find_start(old.text, old.start + 1, &rows->after);
    *before = fm_str_slice(old.text, old.at, old.start);
    *row = cut_row(fm_str_slice(old.text, old.start, rows->start), old.after);
    rows->at = old.start + row->size;
    return true;
}

/* Whether the text is a JSON document that has the frames in members such as "frames". A message in such a document may
 * repeat the rows; these are not taken for the stack. */
static bool has_members(framemap_str text)
{
    static const framemap_str names[] = {FM_STR_INIT("\"frames\""), FM_STR_INIT("\"stacktrace\""),
                                         FM_STR_INIT("\"backtrace\"")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_find(text, names[i]) != FM_NOT_FOUND) return true;
    return false;
}

bool fm_android_is_one_line(framemap_str text)
{
    framemap_str after;
    const size_t first = find_start(text, 0, &after);
    if (first == FM_NOT_FOUND || has_members(text)) return false;
    if (fm_str_find_byte(after, '"') != FM_NOT_FOUND) return true;
    return find_start(text, first + 1, &after) != FM_NOT_FOUND;
}

/* --- a frame --- */

/* Whether a mapping has no file, so that no symbols can exist for it. */
static bool is_anonymous(framemap_str map)
{
    return map.size == 0 || map.data[0] == '<' || fm_str_starts(map, FM_STR("[anon:")) ||
           fm_str_starts(map, FM_STR("anon_inode")) || fm_str_starts(map, FM_STR("/memfd:")) ||
           fm_str_equal(map, FM_STR("Not mapped"));
}

static framemap_str module_of(framemap_str map)
{
    size_t embedded = fm_str_find_last_byte(map, '!');
    if (embedded != FM_NOT_FOUND) map = fm_str_from(map, embedded + 1);
    if (is_anonymous(map) || map.data[0] == '[') return map;
    if (fm_str_ends(map, FM_STR(" (deleted)"))) map.size -= 10;
    return fm_str_basename(map);
}

static void fill_address(const struct fm_android_row *row, framemap_frame *frame)
{
    if (row->digits == FM_DIGITS_LONG) {
        fm_row_malformed(frame, FM_LONG_ADDRESS);
        return;
    }
    frame->has_address = true;
    frame->address = row->has_relative ? row->relative : row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    if (row->has_relative) {
        frame->has_absolute_address = true;
        frame->absolute_address = row->pc;
    }
    struct fm_scan s = fm_scan_of(row->offset);
    if (row->offset.size && fm_row_0xhex(&s, &frame->file_offset) == FM_DIGITS_NONE)
        fm_row_hex(&s, &frame->file_offset);
    if (is_anonymous(row->map)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the code is in anonymous memory, not in a file";
    }
}

static void set_function(const struct fm_android_row *row, framemap_frame *frame)
{
    if (!row->has_function || fm_str_equal(row->function, FM_STR("???"))) return;
    if (fm_str_starts(row->function, FM_STR("<unknown>"))) return;
    frame->function = row->function;
    frame->has_function_offset = fm_row_distance(row->function, false, &frame->function, &frame->function_offset);
}

/* Sets the function and the location of a frame from a text such as "foo at /src/foo.c:12", "foo in /src/foo.c:12" or
 * "???? ??:0". */
static void set_routine(framemap_str text, framemap_frame *frame)
{
    size_t at = fm_str_find_last(text, FM_STR(" at "));
    if (at == FM_NOT_FOUND) at = fm_str_find_last(text, FM_STR(" in "));
    if (at == FM_NOT_FOUND || !fm_row_location(fm_str_from(text, at + 4), &frame->file, &frame->line, &frame->column))
        return;
    frame->function = fm_str(text.data, at);
}

void fm_android_row_fill(const struct fm_android_row *row, framemap_str arch, struct fm_document *doc,
                         framemap_frame *frame)
{
    frame->index = row->index;
    frame->module = module_of(row->map);
    frame->module_path = row->map;
    frame->arch = row->arch.size ? row->arch : arch;
    if (row->id.size) fm_row_id(row->id, doc, &frame->id);
    fill_address(row, frame);
    set_function(row, frame);
    if (row->place.size) fm_row_location(row->place, &frame->file, &frame->line, &frame->column);
    if (row->routine.size) set_routine(row->routine, frame);
    fm_row_mark_complete(frame);
}

bool fm_android_script_parse(framemap_str body, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str place;
    *frame = FM_FRAME_INIT;
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &frame->index) || !fm_scan_text(&s, FM_STR(" at "))) return false;
    frame->function = fm_scan_rest(&s);
    frame->kind = FRAMEMAP_KIND_JS;
    return fm_row_group(&frame->function, &place) && fm_row_location(place, &frame->file, &frame->line, &frame->column);
}

/* Writes "#08 at NAME (FILE:7:13)". */
static void print_script(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    static const framemap_str at = FM_STR_INIT(" at ");
    const framemap_str head = fm_str_slice(frame->raw, 0, fm_str_find(frame->raw, at) + at.size);
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, head);
        fm_buf_str(out, source->function.size ? source->function : frame->function);
        fm_buf_str(out, FM_STR(" ("));
        fm_row_put_location(out, source);
        fm_buf_byte(out, ')');
    }
}

void fm_android_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct fm_android_row row = {0};
    if (frame->kind == FRAMEMAP_KIND_JS) {
        print_script(out, frame, prefix, eol);
        return;
    }
    if (!fm_android_row_parse(frame->raw, true, &row) && !fm_android_row_parse_unnumbered(frame->raw, &row) &&
        !fm_android_row_parse_counted(frame->raw, &row))
        return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, row.head);
        fm_buf_str(out, row.glued ? FM_STR("(") : FM_STR(" ("));
        fm_buf_str(out, fm_row_name(source));
        if (source->has_function_offset && !source->inlined) {
            fm_buf_byte(out, '+');
            fm_buf_dec(out, source->function_offset);
        }
        fm_buf_byte(out, ')');
        if (row.build.size && !row.glued) fm_buf_byte(out, ' ');
        fm_buf_str(out, row.build);
        if (source->file.size) fm_buf_byte(out, ' ');
        fm_row_put_location(out, source);
    }
}
