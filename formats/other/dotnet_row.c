/* Implements dotnet_row.h: cuts the parts of a .NET or Mono row off its end (line, file, offset, token), in any
 * language of the runtime, until the method is left, and checks that it has the form of a method. */
#include "formats/other/dotnet_row.h"
#include "core/text/scan.h"
#include "formats/row_parts.h"

static const framemap_str at_words[] = {FM_STR_INIT("at "),
                                        FM_STR_INIT("bei "),
                                        FM_STR_INIT("\xC3\xA0 "),
                                        FM_STR_INIT("\xD0\xB2 "),
                                        FM_STR_INIT("en "),
                                        FM_STR_INIT("em "),
                                        FM_STR_INIT("in "),
                                        FM_STR_INIT("w "),
                                        FM_STR_INIT("v "),
                                        FM_STR_INIT("ved "),
                                        FM_STR_INIT("vid "),
                                        FM_STR_INIT("konum: "),
                                        FM_STR_INIT("op "),
                                        FM_STR_INIT("hely: "),
                                        FM_STR_INIT("\xE5\xA0\xB4\xE6\x89\x80 "),
                                        FM_STR_INIT("\xE5\x9C\xA8 "),
                                        FM_STR_INIT("\xE4\xBD\x8D\xE7\xBD\xAE: "),
                                        FM_STR_INIT("\xEC\x9C\x84\xEC\xB9\x98: ")};
static const framemap_str line_words[] = {FM_STR_INIT("line "),
                                          FM_STR_INIT("Zeile "),
                                          FM_STR_INIT("ligne "),
                                          FM_STR_INIT("\xD1\x81\xD1\x82\xD1\x80\xD0\xBE\xD0\xBA\xD0\xB0 "),
                                          FM_STR_INIT("l\xC3\xADnea "),
                                          FM_STR_INIT("linha "),
                                          FM_STR_INIT("riga "),
                                          FM_STR_INIT("wiersz "),
                                          FM_STR_INIT("\xC5\x99\xC3\xA1"
                                                      "dek "),
                                          FM_STR_INIT("linje "),
                                          FM_STR_INIT("rad "),
                                          FM_STR_INIT("regel "),
                                          FM_STR_INIT("sat\xC4\xB1r "),
                                          FM_STR_INIT("sor "),
                                          FM_STR_INIT("\xE8\xA1\x8C "),
                                          FM_STR_INIT("\xE8\xA1\x8C\xE5\x8F\xB7 "),
                                          FM_STR_INIT("\xE8\xA1\x8C"),
                                          FM_STR_INIT("\xE8\xA1\x8C\xE5\x8F\xB7"),
                                          FM_STR_INIT("\xEC\xA4\x84 ")};
#define WORDS(list) (sizeof(list) / sizeof *(list))

static size_t starts_with_one(framemap_str text, const framemap_str *words, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        if (words[i].size > longest && fm_str_starts(text, words[i])) longest = words[i].size;
    return longest;
}

size_t fm_dotnet_at_word(framemap_str text) { return starts_with_one(text, at_words, WORDS(at_words)); }

static bool all_digits(framemap_str text, uint32_t *number)
{
    struct fm_scan s = fm_scan_of(text);
    uint32_t value;
    if (!fm_scan_dec32(&s, &value) || !fm_scan_done(&s)) return false;
    *number = value;
    return true;
}

/* Cuts the line number off the end of *text. The word before it is in any language: ":line 12", ":Zeile 12". */
static bool cut_line(framemap_str *text, uint32_t *number)
{
    const size_t colon = fm_str_find_last_byte(*text, ':');
    if (colon == FM_NOT_FOUND) return false;
    const framemap_str rest = fm_str_from(*text, colon + 1);
    const size_t word = starts_with_one(rest, line_words, WORDS(line_words));
    if (word == 0 || !all_digits(fm_str_from(rest, word), number)) return false;
    text->size = colon;
    return true;
}

/* Splits "FUNCTION in FILE". In place of "in" there may be any word or sign; the last one before a path is used. */
static bool cut_file(framemap_str *text, framemap_str *file)
{
    const size_t close = fm_str_find(*text, FM_STR(") "));
    if (close == FM_NOT_FOUND) return false;
    framemap_str rest = fm_str_from(*text, close + 2);
    const size_t blank = fm_str_find_byte(rest, ' ');
    if (blank == FM_NOT_FOUND || blank == 0) return false;
    *file = fm_str_from(rest, blank + 1);
    text->size = close + 1;
    return file->size != 0;
}

/* Cuts Mono's address or offset off the end of a method: "<0x40b7 + 0x00122>", "[0x0000a]" or "<0xffffffff>". */
static bool cut_mono_address(framemap_str *text, struct fm_dotnet_row *row)
{
    if (text->size < 5) return false;
    const char last = text->data[text->size - 1];
    const size_t open = last == '>'   ? fm_str_find_last(*text, FM_STR(" <0x"))
                        : last == ']' ? fm_str_find_last(*text, FM_STR(" [0x"))
                                      : FM_NOT_FOUND;
    if (open == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_slice(*text, open + 2, text->size - 1));
    uint64_t value = 0;
    if (!fm_scan_0xhex(&s, &value, NULL)) return false;
    if (fm_scan_text(&s, FM_STR(" + "))) {
        if (!fm_scan_0xhex(&s, &row->offset, NULL)) return false;
        row->has_address = row->has_offset = true;
        row->address = value;
    } else if (last == ']') {
        row->has_offset = true;
        row->offset = value;
    } else {
        row->has_address = true;
        row->address = value;
    }
    if (!fm_scan_done(&s)) return false;
    text->size = open;
    return true;
}

/* Cuts Mono's " <IL 0x0000a, 0x00122>" or " <IL 0x0000a>" off the end of *text. The first number, which is the offset
 * in the intermediate code, is stored. */
static bool cut_il_offset(framemap_str *text, struct fm_dotnet_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" <IL 0x");
    const size_t open = fm_str_ends(*text, FM_STR(">")) ? fm_str_find_last(*text, mark) : FM_NOT_FOUND;
    uint64_t native;
    if (open == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_slice(*text, open + mark.size - 2, text->size - 1));
    if (!fm_scan_0xhex(&s, &row->offset, NULL)) return false;
    if (!fm_scan_done(&s) && !(fm_scan_text(&s, FM_STR(", ")) && fm_scan_0xhex(&s, &native, NULL))) return false;
    row->has_offset = fm_scan_done(&s);
    if (row->has_offset) text->size = open;
    return row->has_offset;
}

/* Cuts "(0x4c:76)" off the end of *text: the offset in the method's code, in hexadecimal and in decimal digits. */
static bool cut_offset_pair(framemap_str *text, struct fm_dotnet_row *row)
{
    static const framemap_str mark = FM_STR_INIT(")(0x");
    const size_t close = fm_str_ends(*text, FM_STR(")")) ? fm_str_find_last(*text, mark) : FM_NOT_FOUND;
    uint64_t decimal;
    if (close == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, close + 2));
    row->has_offset = fm_scan_0xhex(&s, &row->offset, NULL) && fm_scan_byte(&s, ':') &&
                      fm_scan_dec(&s, &decimal, NULL) && decimal == row->offset && fm_scan_byte(&s, ')') &&
                      fm_scan_done(&s);
    if (row->has_offset) text->size = close + 1;
    return row->has_offset;
}

/* Cuts " in shop.dll:token 0x6000012+0x1c" off the end of *text: the method's number in the assembly, and the offset in
 * its intermediate code. */
static bool cut_token(framemap_str *text, struct fm_dotnet_row *row)
{
    static const framemap_str mark = FM_STR_INIT(":token 0x");
    const size_t at = fm_str_find_last(*text, mark);
    uint64_t token;
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, at + mark.size - 2));
    if (!fm_scan_0xhex(&s, &token, NULL) || !fm_scan_byte(&s, '+') || !fm_scan_0xhex(&s, &row->offset, NULL) ||
        !fm_scan_done(&s))
        return false;
    text->size = at;
    row->has_offset = cut_file(text, &row->assembly);
    return row->has_offset;
}

/* Cuts Mono's file off the end: " in FILE:12"; " in <MVID#AOTID>:0", where the id of the module is printed for the
 * file; or " in <filename unknown>:0" before Mono 4. */
static bool cut_mono_file(framemap_str *text, struct fm_dotnet_row *row)
{
    framemap_str file;
    uint32_t column;
    const size_t in = fm_str_find_last(*text, FM_STR(" in "));
    if (in == FM_NOT_FOUND) return false;
    const framemap_str place = fm_str_from(*text, in + 4);
    if (!fm_row_location(place, &file, &row->line, &column) || column != 0) return false;
    if (fm_str_starts(file, FM_STR("<")) && fm_str_ends(file, FM_STR(">"))) {
        const framemap_str ids = fm_str_slice(file, 1, file.size - 1);
        row->id = fm_str_slice(ids, 0, fm_str_find_byte(ids, '#'));
    }
    row->file = file;
    if (fm_str_equal(row->id, FM_STR("filename unknown"))) row->file = row->id = fm_str(NULL, 0);
    text->size = in;
    return true;
}

/* Cuts " (at Assets/Cart.cs:12)" off the end, the position in the form of Unity's editor. */
static bool cut_unity_file(framemap_str *text, struct fm_dotnet_row *row)
{
    framemap_str head = *text, group;
    uint32_t column;
    if (!fm_row_group(&head, &group) || !fm_str_starts(group, FM_STR("at ")) ||
        !fm_row_location(fm_str_from(group, 3), &row->file, &row->line, &column))
        return false;
    *text = head;
    return true;
}

/* Whether a text is "Type.Method(types and names)"; a blank may precede the parenthesis. is_mono: a nested type may
 * follow a slash, "A/B". */
static bool is_signature(framemap_str text, bool is_mono)
{
    size_t open = 0;
    if (!fm_row_open(text, &open) || open < 3) return false;
    framemap_str path = fm_str_trim(fm_str(text.data, open));
    const bool wrapper = fm_str_starts(path, FM_STR("(wrapper "));
    size_t depth = 0;
    /* the method of a compiled expression has no type and therefore no dot before it */
    bool dot = wrapper || fm_str_starts(path, FM_STR("lambda_method"));
    for (size_t i = 0; i < path.size; i++) {
        const char c = path.data[i];
        if (c == '[' || c == '<' || c == '(') depth++;
        if ((c == ']' || c == '>' || c == ')') && depth) depth--;
        if (c == '.' || c == ':') dot = true;
        if ((c == ' ' || c == '\t') && depth == 0 && !wrapper) return false;
        if (c == '"' || c == '=' || c == '\'' || (c == '/' && !is_mono)) return false;
    }
    return dot && !fm_is_digit(path.data[0]);
}

/* Whether the text in the parentheses of a method can be its parameters. In .NET each parameter has a type and a
 * name, in Mono a type. Numbers and paths are not parameters. */
static bool are_parameters(framemap_str function)
{
    size_t open = 0;
    if (!fm_row_open(function, &open)) return false;
    const framemap_str group = fm_str_slice(function, open + 1, function.size - 1);
    for (size_t i = 0; i < group.size; i++) {
        const char c = group.data[i];
        if (c == '"' || c == '/' || c == '=' || c == '\'' || (c == ':' && i + 1 < group.size)) return false;
    }
    return group.size == 0 || !fm_is_digit(group.data[0]);
}

static const framemap_str base_mark = FM_STR_INIT("!<BaseAddress>+"), frame_mark = FM_STR_INIT(" at offset ");

/* Parses a row of Native AOT without names, "shop!<BaseAddress>+0x1f22cf". If a program prints a single frame, " at
 * offset 283 in file:line:column <filename unknown>:0:0" follows. */
static bool parse_base_address(framemap_str text, struct fm_dotnet_row *row)
{
    const size_t mark = fm_str_find(text, base_mark);
    if (mark == FM_NOT_FOUND || mark == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, mark + base_mark.size));
    row->has_address = row->sure = fm_row_0xhex(&s, &row->address) == FM_DIGITS_FIT &&
                                   (fm_scan_done(&s) || fm_str_starts(fm_scan_rest(&s), frame_mark));
    row->module = fm_str(text.data, mark);
    return row->sure;
}

/* Cuts off the offset that Native AOT prints after the parameters: " + 0x1c". */
static void cut_code_offset(framemap_str *text, struct fm_dotnet_row *row)
{
    const size_t plus = fm_str_find_last(*text, FM_STR(") + 0x"));
    if (plus == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, plus + 4));
    row->has_offset = fm_scan_0xhex(&s, &row->offset, NULL) && fm_scan_done(&s);
    if (row->has_offset) text->size = plus + 1;
}

/* Returns the row of .NET without the first row of a native stack, which Mono may have printed after a tab on the same
 * line. */
static framemap_str without_native(framemap_str body)
{
    const size_t tab = fm_str_find(body, FM_STR("\t0 "));
    return tab == FM_NOT_FOUND || tab == 0 ? body : fm_str(body.data, tab);
}

/* Parses a row of Application Insights: "Type.Method (Assembly, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null:
 * FILE:12)", where the position may be missing. */
static bool parse_assembly(framemap_str text, struct fm_dotnet_row *row)
{
    static const framemap_str version = FM_STR_INIT(", Version="), token = FM_STR_INIT(", PublicKeyToken=");
    const size_t at = fm_str_find(text, version);
    const size_t open = fm_str_find_last(fm_str_slice(text, 0, at), FM_STR(" ("));
    if (at == FM_NOT_FOUND || open == FM_NOT_FOUND || open == 0 || !fm_str_ends(text, FM_STR(")"))) return false;
    framemap_str rest = fm_str_slice(text, at, text.size - 1);
    const size_t mark = fm_str_find(rest, token);
    if (mark == FM_NOT_FOUND) return false;
    rest = fm_str_from(rest, mark + token.size);
    const size_t colon = fm_str_find(rest, FM_STR(": "));
    uint32_t column;
    if (colon != FM_NOT_FOUND && !fm_row_location(fm_str_from(rest, colon + 2), &row->file, &row->line, &column))
        return false;
    row->function = fm_str_slice(text, 0, open);
    row->assembly = fm_str_slice(text, open + 2, at);
    row->sure = fm_str_find_byte(row->function, ' ') == FM_NOT_FOUND;
    return row->sure;
}

/* Whether a text is "Type:Method", the form of methods in Mono's reports of crashes. */
static bool is_mono_name(framemap_str text)
{
    const size_t colon = fm_str_find_last_byte(text, ':');
    if (colon == FM_NOT_FOUND || colon == 0 || colon + 1 == text.size) return false;
    for (size_t i = 0; i < text.size; i++)
        if (fm_is_blank(text.data[i]) || text.data[i] == '"' || text.data[i] == '=' || text.data[i] == '(')
            return false;
    return !fm_is_digit(text.data[0]) && !fm_is_digit(text.data[colon + 1]);
}

bool fm_dotnet_row_parse(framemap_str body, struct fm_dotnet_row *row)
{
    framemap_str text = fm_str_trim(without_native(body));
    /* "<---" ends the rows of an exception within an AggregateException */
    if (fm_str_ends(text, FM_STR("<---"))) text = fm_str_trim(fm_str(text.data, text.size - 4));
    const size_t at = fm_dotnet_at_word(text);
    bool is_mono = false;
    *row = (struct fm_dotnet_row){.line = 0};
    if (at == 0) return false;
    row->is_english = text.data[0] == 'a';
    text = fm_str_from(text, at);
    if (parse_base_address(text, row) || parse_assembly(text, row)) return true;
    cut_code_offset(&text, row);
    if (cut_unity_file(&text, row) || cut_offset_pair(&text, row)) {
        row->sure = is_mono = true;
    } else if (cut_line(&text, &row->line)) {
        if (!cut_file(&text, &row->file)) return false;
        row->sure = true;
    } else if (cut_token(&text, row) || cut_il_offset(&text, row)) {
        row->sure = true;
    } else {
        const bool placed = cut_mono_file(&text, row);
        row->sure = is_mono = cut_mono_address(&text, row);
        if (placed && !row->sure) return false;
    }
    row->function = fm_str_trim(text);
    if (row->sure && fm_str_equal(row->function, FM_STR("<unknown>"))) {
        row->function.size = 0;
        return true;
    }
    /* Mono prints an offset in the native code at the place where other rows have an address. */
    if (is_mono && row->has_address && !row->has_offset && row->address != UINT32_MAX) {
        row->offset = row->address;
        row->has_offset = true;
        row->has_address = false;
    }
    if (is_mono && is_mono_name(row->function)) return true;
    return is_signature(row->function, is_mono) && are_parameters(row->function);
}

/* Cuts " +108" off the end of *text: the offset in the method's code. */
static bool cut_plus(framemap_str *text, struct fm_dotnet_row *row)
{
    const size_t plus = fm_str_find_last(*text, FM_STR(") +"));
    if (plus == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, plus + 3));
    row->has_offset = fm_scan_dec(&s, &row->offset, NULL) && fm_scan_done(&s);
    if (row->has_offset) text->size = plus + 1;
    return row->has_offset;
}

/* Cuts " in FILE:13" off the end of *text. */
static bool cut_place(framemap_str *text, struct fm_dotnet_row *row)
{
    static const framemap_str mark = FM_STR_INIT(") in ");
    const size_t close = fm_str_find(*text, mark);
    uint32_t column;
    if (close == FM_NOT_FOUND) return false;
    if (!fm_row_location(fm_str_from(*text, close + mark.size), &row->file, &row->line, &column)) return false;
    text->size = close + 1;
    return true;
}

bool fm_dotnet_page_row_parse(framemap_str body, struct fm_dotnet_row *row)
{
    framemap_str text = fm_str_trim(body);
    *row = (struct fm_dotnet_row){.line = 0};
    if (cut_line(&text, &row->line)) {
        if (!cut_file(&text, &row->file)) return false;
    } else if (!cut_plus(&text, row) && !cut_place(&text, row)) {
        return false;
    }
    row->function = text;
    return is_signature(text, false) && are_parameters(text);
}
