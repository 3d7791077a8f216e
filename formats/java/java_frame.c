/* Implements java_frame.h: copies class, method, file and line of a parsed row, and guesses by the names whether a
 * shrinker such as R8 renamed it. Rows that look unchanged are marked as needing no mapping. */
#include "formats/java/java_frame.h"
#include "formats/java/java_file_name.h"

/* Whether a class is of the platform, or is a module of Python, so that no shrinker renamed it. */
static bool is_platform(framemap_str name)
{
    switch (name.data[0]) {
    case '<': return fm_str_starts(name, FM_STR("<python>"));
    case 'a': return fm_str_starts(name, FM_STR("android."));
    case 'c': return fm_str_starts(name, FM_STR("com.android.")) || fm_str_starts(name, FM_STR("com.sun."));
    case 'd': return fm_str_starts(name, FM_STR("dalvik."));
    case 'j':
        return fm_str_starts(name, FM_STR("java.")) || fm_str_starts(name, FM_STR("javax.")) ||
               fm_str_starts(name, FM_STR("jdk."));
    case 'l': return fm_str_starts(name, FM_STR("libcore."));
    case 's': return fm_str_starts(name, FM_STR("sun."));
    default: return false;
    }
}

/* Whether the class was generated at run time, "Main$$Lambda$14" or "$Proxy7". No mapping has such classes. */
static bool is_generated(framemap_str name)
{
    static const framemap_str marks[] = {FM_STR_INIT("$$Lambda$"), FM_STR_INIT("$Proxy"),
                                         FM_STR_INIT("GeneratedMethodAccessor"),
                                         FM_STR_INIT("GeneratedConstructorAccessor")};
    if (!fm_is_digit(name.data[name.size - 1])) return false;
    while (name.size && fm_is_digit(name.data[name.size - 1])) name.size--;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_ends(name, marks[i])) return true;
    return false;
}

enum { FEW_LETTERS = 3 };

/* Returns the name of the outermost class without its package, "b" of "a.b$c". Only the first few letters are
 * searched for '$', so the result may be too long; callers test only whether it is short. */
static framemap_str short_name(framemap_str class_name)
{
    const size_t dot = fm_str_find_last_byte(class_name, '.');
    framemap_str name = dot == FM_NOT_FOUND ? class_name : fm_str_from(class_name, dot + 1);
    for (size_t i = 1; i <= FEW_LETTERS && i < name.size; i++)
        if (name.data[i] == '$') name.size = i;
    return name;
}

/* Whether a row looks renamed by a shrinker: its source is not a file name, or its class has a short name that differs
 * from the name of the file. False for classes of the platform. */
static bool looks_renamed(const struct fm_java_row *row)
{
    if (row->source_kind == FM_JAVA_SOURCE_MARK || is_platform(row->class_name) || is_generated(row->class_name))
        return false;
    if (row->source_kind == FM_JAVA_SOURCE_NONE || row->source_kind == FM_JAVA_SOURCE_VAGUE) return true;
    framemap_str name = short_name(row->class_name);
    if (name.size > FEW_LETTERS) return false;
    size_t dot = fm_str_find_last_byte(row->source, '.');
    return !fm_str_equal(name, dot == FM_NOT_FOUND ? row->source : fm_str(row->source.data, dot));
}

/* Reads a native frame that Unity adds to the Java stack of an error on Android: "at libil2cpp.0x18bbf78(Native
 * Method)", up to 2018 "at libil2cpp.018bbf78(Native Method)". The address is relative to the file. */
static bool fill_unity(const struct fm_java_row *row, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(row->method);
    uint64_t address;
    if (!fm_str_begins(row->class_name, FM_STR("lib")) || fm_str_find_byte(row->class_name, '.') != FM_NOT_FOUND)
        return false;
    unsigned digits;
    bool overflow = false;
    if (!fm_scan_0xhex(&s, &address, &overflow) && !fm_scan_hex(&s, &address, &digits, &overflow)) return false;
    if (!fm_scan_done(&s) || overflow) return false;
    frame->kind = FRAMEMAP_KIND_NATIVE;
    frame->is_native = false;
    frame->module = row->class_name;
    frame->has_address = true;
    frame->address = address;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    return true;
}

void fm_java_frame_fill(const struct fm_java_row *row, framemap_str id, framemap_frame *frame)
{
    frame->is_native = fm_str_begins(row->source, FM_STR("Native "));
    if (frame->is_native && row->method.size && row->method.data[0] == '0' && fill_unity(row, frame)) return;
    frame->kind = FRAMEMAP_KIND_JAVA;
    frame->module = row->module.size || row->bare ? row->module : row->place_module;
    frame->class_name = row->class_name;
    frame->function = row->method;
    if (row->source_kind != FM_JAVA_SOURCE_MARK) frame->file = fm_java_file(row->source);
    if (row->line.size == 0 && fm_str_equal(frame->file, FM_STR("Unknown Source"))) frame->file.size = 0;
    frame->line = row->has_line ? (uint32_t)row->line_number : 0;
    frame->id = fm_java_map_id(row->source);
    if (frame->id.size == 0) frame->id = id;
    if (!looks_renamed(row)) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}
