/* Parses rows without "at" or '@', which are accepted only if lines above show that they are rows. */
#include "formats/javascript/js_row_bare.h"

static size_t blanks_of(framemap_str text)
{
    size_t at = 0;
    while (at < text.size && fm_is_blank(text.data[at])) at++;
    return at;
}

/* Whether a text can be a function's name: one word, or one of a few names of two words. */
static bool bare_is_word(framemap_str name)
{
    static const char *const words[] = {"Global Code", "Module Code",        "Eval Code", "global code",
                                        "module code", "Anonymous function", "eval code", "(anonymous function)"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_equal(name, fm_str(words[i], strlen(words[i])))) return true;
    if (fm_str_starts(name, FM_STR("get ")) || fm_str_starts(name, FM_STR("set ")) ||
        fm_str_starts(name, FM_STR("new ")))
        name = fm_str_from(name, 4);
    return name.size && fm_str_find_byte(name, ' ') == FM_NOT_FOUND && fm_str_find_byte(name, '"') == FM_NOT_FOUND;
}

static bool is_file(framemap_str file) { return fm_js_begins_path(file) || fm_js_is_file(file); }

/* Parses "main.js, line 12", as Safari's console printed it until version 8. */
static bool read_line_alone(framemap_str where, struct fm_js_location *place)
{
    static const framemap_str mark = FM_STR_INIT(", line ");
    const size_t at = fm_str_find_last(where, mark);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(where, at + mark.size));
    const framemap_str file = fm_str_slice(where, 0, at);
    uint32_t line1;
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_done(&s) || line1 == 0) return false;
    if (!is_file(file) || fm_str_find_byte(file, ' ') != FM_NOT_FOUND) return false;
    *place = (struct fm_js_location){.kind = FM_JS_POSITION, .file = file, .line1 = line1, .target = where};
    return true;
}

/* Returns the size of "12: ", the number that Node prints before each row of its "JavaScript stack trace"; 0 if
 * the row has no number. */
static size_t number_of(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint32_t number;
    return fm_scan_dec32(&s, &number) && fm_scan_text(&s, FM_STR(": ")) ? (size_t)(s.at - text.data) : 0;
}

/* Parses "3: /srv/app.js:1:2", a numbered row without a name. */
static bool read_nameless(framemap_str body, size_t begin, struct fm_js_row *out)
{
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin), .where = fm_str_from(body, begin), .way = FM_JS_AT};
    if (!fm_js_location_parse(row.where, &row.place) || !is_file(row.place.file)) return false;
    row.tail = fm_str_from(body, body.size);
    *out = row;
    return true;
}

/* Parses "NAME (PLACE)". The closing parenthesis, or the position after the file, may be missing. */
bool fm_js_row_bare(framemap_str body, struct fm_js_row *out)
{
    size_t begin = blanks_of(body);
    const size_t number = number_of(fm_str_from(body, begin));
    begin += number;
    framemap_str text = fm_str_from(body, begin);
    if (number && text.size && fm_is_digit(text.data[text.size - 1])) return read_nameless(body, begin, out);
    if (text.size == 0 || text.data[text.size - 1] != ')') return false;
    size_t open = fm_str_find(text, FM_STR(" ("));
    if (open == 0 || open == FM_NOT_FOUND) return false;
    /* Safari's row "(anonymous function) (main.js:1:2)" begins with a parenthesis that is part of the name */
    if (text.data[0] == '(') {
        size_t next = fm_str_find(fm_str_from(text, open + 1), FM_STR(" ("));
        if (next != FM_NOT_FOUND) open += 1 + next;
    }
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin),
                            .function = fm_str_slice(text, 0, open),
                            .where = fm_str_slice(text, open + 2, text.size - 1),
                            .way = FM_JS_BARE};
    if (!bare_is_word(row.function)) return false;
    if (fm_str_starts(row.where, FM_STR("address at "))) {
        row.engine = FM_JS_HERMES;
        row.engine_is_sure = true;
    }
    if (!fm_js_location_parse(row.where, &row.place) && !read_line_alone(row.where, &row.place)) {
        if (!is_file(row.where) || fm_str_find_byte(row.where, ' ') != FM_NOT_FOUND) return false;
        row.place = (struct fm_js_location){.kind = FM_JS_BUILTIN, .file = row.where, .target = row.where};
    }
    row.tail = fm_str_from(body, body.size - 1);
    *out = row;
    return true;
}

bool fm_js_row_first(framemap_str body, struct fm_js_row *out)
{
    static const framemap_str log = FM_STR_INIT("JS: "), scheme = FM_STR_INIT("file:");
    size_t begin = blanks_of(body);
    if (fm_str_starts(fm_str_from(body, begin), log)) begin += log.size;
    const framemap_str text = fm_str_from(body, begin);
    const size_t open = fm_str_find_byte(text, '(');
    if (open == FM_NOT_FOUND || !fm_str_starts(fm_str_from(text, open + 1), scheme)) return false;
    const bool closed = text.data[text.size - 1] == ')';
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin),
                            .function = fm_str_slice(text, 0, open),
                            .where = fm_str_slice(text, open + 1, text.size - closed),
                            .sure = true,
                            .way = FM_JS_BARE};
    if (!bare_is_word(row.function) || fm_str_find_byte(row.where, ')') != FM_NOT_FOUND) return false;
    if (!fm_js_location_parse(row.where, &row.place) || row.place.kind != FM_JS_POSITION || !is_file(row.place.file))
        return false;
    row.tail = fm_js_between(row.where.data + row.where.size, body.data + body.size);
    *out = row;
    return true;
}

/* Whether a name is one that Firefox makes from an expression: "a.b", "f/<", "<anonymous>". Ordinary words before a
 * file name do not have such a form. */
static bool is_expression(framemap_str name)
{
    static const framemap_str words[] = {FM_STR_INIT("at"), FM_STR_INIT("in"), FM_STR_INIT("on"), FM_STR_INIT("from"),
                                         FM_STR_INIT("see")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_equal(name, words[i])) return false;
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        if (!fm_is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && (unsigned char)c < 0x80 &&
            memchr("_$./<>[]", c, 8) == NULL)
            return false;
    }
    return name.size > 0;
}

/* Whether the location is a script's name without a path, and a position: "app.js:12", "app.wasm:0x36". */
static bool is_short_place(const struct fm_js_row *row)
{
    static const framemap_str ends[] = {FM_STR_INIT(".js"), FM_STR_INIT(".mjs"), FM_STR_INIT(".cjs"),
                                        FM_STR_INIT(".wasm")};
    const struct fm_js_location *place = &row->place;
    const size_t last = sizeof ends / sizeof *ends - 1;
    if (fm_str_find_byte(place->file, ' ') != FM_NOT_FOUND || !is_expression(row->function)) return false;
    if (place->kind == FM_JS_BYTECODE) return place->is_wasm && fm_str_ends(place->file, ends[last]);
    for (size_t i = 0; i < last && place->kind == FM_JS_POSITION; i++)
        if (fm_str_ends(place->file, ends[i]) && place->file.size > ends[i].size) return place->line1 > 0;
    return false;
}

/* Whether a URL follows an '@' in the text, as in "handler*f@https://a.b/main.js". An '@' within the URL itself, as in
 * "https://a.b/@c/main.js", does not count. */
static bool is_after_sign(framemap_str where)
{
    const size_t sign = fm_str_find_byte(where, '@'), scheme = fm_str_find(where, FM_STR("://"));
    return sign != FM_NOT_FOUND && scheme != FM_NOT_FOUND && sign < scheme;
}

/* Parses "NAME URL:1:2", "NAME URL:1", "NAME app.js:1". */
bool fm_js_row_console(framemap_str body, struct fm_js_row *out)
{
    size_t begin = blanks_of(body);
    framemap_str text = fm_str_from(body, begin);
    if (begin == 0 || text.size == 0 || !fm_is_hex(text.data[text.size - 1])) return false;
    size_t blank = fm_str_find_byte(text, ' ');
    if (blank == FM_NOT_FOUND || blank == 0) return false;
    if (fm_str_find_byte(fm_str_from(text, blank + 1), ' ') != FM_NOT_FOUND &&
        /* this name contains a blank: "promise callback*f https://a.b/main.js:1" */
        !fm_js_begins_path(fm_str_from(text, blank + 1))) {
        const size_t star = fm_str_find_byte(text, '*');
        const size_t next = star == FM_NOT_FOUND ? star : fm_str_find_byte(fm_str_from(text, star), ' ');
        if (next == FM_NOT_FOUND) return false;
        blank = star + next;
    }
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin),
                            .function = fm_str_slice(text, 0, blank),
                            .where = fm_str_from(text, blank + 1),
                            .engine = FM_JS_SPIDERMONKEY,
                            .way = FM_JS_CONSOLE};
    /* in a name such as "async*f", the function's name follows the star */
    size_t star = fm_str_find_last_byte(row.function, '*');
    if (star != FM_NOT_FOUND) {
        row.is_async = true;
        row.function = fm_str_from(row.function, star + 1);
        row.head = fm_js_between(body.data, row.function.data);
    }
    if (is_after_sign(row.where) || !fm_js_location_parse(row.where, &row.place)) return false;
    const bool is_url = row.place.kind == FM_JS_POSITION && fm_js_begins_path(row.where) &&
                        fm_str_find(row.place.file, FM_STR(":/")) != FM_NOT_FOUND;
    if (!is_url && !is_short_place(&row)) return false;
    row.tail = fm_str_from(body, body.size);
    *out = row;
    return true;
}

/* Parses "FILE @ 1:2" of the red box on iOS. */
static bool split_box_place(framemap_str text, struct fm_js_location *out)
{
    const size_t sign = fm_str_find(text, FM_STR(" @ "));
    struct fm_js_location place;
    if (sign == FM_NOT_FOUND || !fm_js_location_parse(fm_str_from(text, sign + 3), &place)) return false;
    if (place.kind != FM_JS_POSITION || place.file.size) return false;
    *out = place;
    out->file = fm_str_slice(text, 0, sign);
    out->target = text;
    return true;
}

/* Parses the two lines of a frame: "NAME", and below it "    FILE:1:2". */
bool fm_js_row_box(framemap_str lines, struct fm_js_row *out)
{
    size_t end = fm_str_find_byte(lines, '\n'), last = fm_str_find_last_byte(lines, '\n');
    if (end == FM_NOT_FOUND || end != last) return false;
    framemap_str first = fm_str_slice(lines, 0, end), second = fm_str_from(lines, end + 1);
    if (first.size && first.data[first.size - 1] == '\r') first.size--;
    size_t begin = blanks_of(second);
    struct fm_js_row row = {.head = fm_str_slice(lines, 0, blanks_of(first)),
                            .where = fm_str_from(second, begin),
                            .way = FM_JS_BOX,
                            .engine = FM_JS_V8};
    row.function = fm_str_from(first, row.head.size);
    if (begin == 0 || row.where.size == 0 || !fm_is_digit(row.where.data[row.where.size - 1]) ||
        !bare_is_word(row.function))
        return false;
    if (!split_box_place(row.where, &row.place) && !fm_js_location_parse(row.where, &row.place)) return false;
    if (row.place.kind != FM_JS_POSITION || row.place.column1 == 0 || !fm_js_is_file(row.place.file)) return false;
    if (fm_str_find_byte(row.place.file, ' ') != FM_NOT_FOUND && !fm_js_begins_path(row.place.file)) return false;
    row.tail = fm_str_from(lines, lines.size);
    *out = row;
    return true;
}

bool fm_js_is_box_place(framemap_str body)
{
    struct fm_js_location place;
    const framemap_str text = fm_str_trim(body);
    if (!split_box_place(text, &place) && !fm_js_location_parse(text, &place)) return false;
    return place.kind == FM_JS_POSITION && place.column1 && fm_js_is_file(place.file);
}

/* Parses "in NAME (at FILE:12)". The build tool inserted the line number, so it is a line of the original source. */
bool fm_js_row_in(framemap_str body, struct fm_js_row *out)
{
    size_t begin = blanks_of(body);
    framemap_str text = fm_js_without_engine(fm_str_from(body, begin));
    if (!fm_str_starts(text, FM_STR("in ")) || text.data[text.size - 1] != ')') return false;
    size_t open = fm_str_find(text, FM_STR(" (at "));
    if (open == FM_NOT_FOUND || open <= 3) return false;
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin + 3),
                            .function = fm_str_slice(text, 3, open),
                            .where = fm_str_slice(text, open + 5, text.size - 1),
                            .way = FM_JS_IN};
    if (!fm_js_location_parse(row.where, &row.place) || row.place.kind != FM_JS_POSITION ||
        !fm_js_is_file(row.place.file))
        return false;
    if (fm_str_find_byte(row.function, ' ') != FM_NOT_FOUND && row.function.data[row.function.size - 1] != ')')
        return false;
    row.sure = true;
    row.tail = fm_str_from(body, (size_t)(text.data + text.size - 1 - body.data));
    *out = row;
    return true;
}

bool fm_js_row_pointer(framemap_str body, struct fm_js_row *out)
{
    static const framemap_str sign = FM_STR_INIT("\xE2\x9D\xAF ");
    const size_t begin = blanks_of(body) + sign.size;
    if (!fm_str_starts(fm_str_from(body, begin - sign.size), sign)) return false;
    const framemap_str text = fm_str_from(body, begin);
    const size_t blank = fm_str_find_last_byte(text, ' ');
    struct fm_js_row row = {.head = fm_str_slice(body, 0, begin),
                            .where = blank == FM_NOT_FOUND ? text : fm_str_from(text, blank + 1),
                            .engine = FM_JS_V8,
                            .sure = true,
                            .way = FM_JS_POINTER};
    if (blank != FM_NOT_FOUND) row.function = fm_str_slice(text, 0, blank);
    if (blank != FM_NOT_FOUND && !bare_is_word(row.function)) return false;
    if (!fm_js_location_parse(row.where, &row.place) || row.place.kind != FM_JS_POSITION || row.place.column1 == 0 ||
        !is_file(row.place.file))
        return false;
    row.tail = fm_str_from(body, body.size);
    *out = row;
    return true;
}

bool fm_js_row_fields(framemap_str body, struct fm_js_row *out)
{
    static const framemap_str begin = FM_STR_INIT("Frame: function:'"), between = FM_STR_INIT("', file:'"),
                              after = FM_STR_INIT("', line: "), log = FM_STR_INIT("System.err: ");
    size_t name = blanks_of(body);
    if (fm_str_starts(fm_str_from(body, name), log)) name += log.size;
    name += blanks_of(fm_str_from(body, name));
    if (!fm_str_starts(fm_str_from(body, name), begin)) return false;
    name += begin.size;
    const framemap_str rest = fm_str_from(body, name);
    const size_t file = fm_str_find(rest, between), line = fm_str_find_last(rest, after);
    if (file == FM_NOT_FOUND || line == FM_NOT_FOUND || line < file + between.size) return false;
    struct fm_js_row row = {.head = fm_str_slice(body, 0, name),
                            .function = fm_str_slice(rest, 0, file),
                            .where = fm_str_from(rest, file + between.size),
                            .place = {.kind = FM_JS_POSITION, .in_fields = true},
                            .sure = true,
                            .engine = FM_JS_V8,
                            .way = FM_JS_FIELDS};
    struct fm_scan s = fm_scan_of(fm_str_from(rest, line + after.size));
    row.place.file = fm_str_slice(rest, file + between.size, line);
    if (!fm_scan_dec32(&s, &row.place.line1) || !fm_scan_text(&s, FM_STR(", column: ")) ||
        !fm_scan_dec32(&s, &row.place.column1))
        return false;
    row.where.size = (size_t)(s.at - row.where.data);
    row.place.target = row.where;
    row.tail = fm_scan_rest(&s);
    *out = row;
    return true;
}
