/* Implements dart_error.h: recognizes the lines in which Dart announces an error, and walks through the names in them:
 * first the type of the error, then names in quotation marks after known words. Also reads the box that Flutter draws
 * around an error. */
#include "formats/dart/dart_error.h"
#include "formats/dart/dart_named.h"
#include "formats/row_parts.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static bool is_of_word(char c) { return is_letter(c) || fm_is_digit(c); }

bool fm_dart_identifier(framemap_str text, size_t *at, framemap_str *out)
{
    const framemap_str closure = FM_STR("<anonymous closure>");
    size_t from = *at;
    while (from < text.size && !is_letter(text.data[from])) {
        if (text.data[from] == '<' && fm_str_starts(fm_str_from(text, from), closure)) {
            from += closure.size;
            continue;
        }
        /* An identifier does not begin with a digit, and does not directly follow one. */
        const bool digit = fm_is_digit(text.data[from]);
        from++;
        while (digit && from < text.size && is_of_word(text.data[from])) from++;
    }
    size_t end = from;
    while (end < text.size && is_of_word(text.data[end])) end++;
    *at = end;
    *out = fm_str_slice(text, from, end);
    return end > from;
}

/* --- recognizing lines that announce an error --- */

#define FOLLOWING FM_STR("The following ")

/* Whether the line has the form "The following ex was thrown building Foo:". *thrown: offset of " was thrown". */
static bool is_following(framemap_str line, size_t *thrown)
{
    if (!fm_str_starts(line, FOLLOWING)) return false;
    *thrown = fm_str_find(line, FM_STR(" was thrown"));
    return *thrown != FM_NOT_FOUND;
}

bool fm_dart_announces_crash(framemap_str line) { return fm_str_equal(fm_str_trim(line), FM_STR("## exception")); }

bool fm_dart_announces(framemap_str line, framemap_str *error)
{
    static const framemap_str anywhere[] = {FM_STR_INIT("Unhandled exception:"), FM_STR_INIT("Unhandled Exception:")};
    static const framemap_str begins[] = {
        FM_STR_INIT("Another exception was thrown:"),
        FM_STR_INIT("Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError:"),
        FM_STR_INIT("Non-fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError:")};
    size_t thrown;
    line = fm_str_trim(line);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_starts(line, begins[i])) {
            *error = fm_str_trim(fm_str_from(line, begins[i].size));
            return true;
        }
    const bool may_be = line.size && fm_find(line.data, line.size, 'U');
    for (size_t i = 0; may_be && i < sizeof anywhere / sizeof *anywhere; i++) {
        const size_t at = fm_str_find(line, anywhere[i]);
        if (at == FM_NOT_FOUND) continue;
        *error = fm_str_trim(fm_str_from(line, at + anywhere[i].size));
        return true;
    }
    *error = fm_str_from(line, line.size);
    return (is_following(line, &thrown) && line.data[line.size - 1] == ':') || fm_dart_announces_crash(line);
}

/* --- finding the names in a line of an error --- */

/* Whether the text ends with words after which Dart prints a name in quotation marks. */
static bool is_announced(framemap_str before)
{
    static const char *const words[] = {"Instance of ", "type ",     "method ",   "getter ",   "setter ",
                                        "function ",    "Function ", "class ",    "Class ",    "Field ",
                                        "field ",       "Local ",    "variable ", "Variable ", "member ",
                                        "enum ",        "mixin ",    "operator ", "named ",    "constructor "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const framemap_str word = framemap_str_of(words[i]);
        if (fm_str_ends(before, word))
            return before.size == word.size || !is_of_word(before.data[before.size - word.size - 1]);
    }
    return false;
}

/* Returns the offset after "ex" or "ex<ey, ez<int>>" that begins at `from`; `from` itself if there is no name. */
static size_t type_end(framemap_str line, size_t from)
{
    size_t at = from, depth = 0;
    if (at == line.size || !is_letter(line.data[at])) return from;
    while (at < line.size && is_of_word(line.data[at])) at++;
    const size_t name_end = at;
    if (at == line.size || line.data[at] != '<') return name_end;
    for (; at < line.size; at++) {
        depth += line.data[at] == '<';
        if (line.data[at] == '>' && --depth == 0) return at + 1;
    }
    return name_end;
}

/* Whether the text after a name shows that the name is the type of an error: "ex: it went wrong", "ex" alone, "ex.
 * Error thrown null.". */
static bool is_error(framemap_str rest)
{
    return rest.size == 0 || fm_str_starts(rest, FM_STR(": ")) || fm_str_equal(rest, FM_STR(":")) ||
           fm_str_starts(rest, FM_STR(". Error thrown "));
}

static bool stretch(struct fm_dart_names *names, size_t from, size_t end, bool is_error_name)
{
    if (from == end) return false;
    names->at = from;
    names->end = end;
    names->is_error = is_error_name;
    return true;
}

/* Finds the first part of the line in which names are searched: the type of the error with which the line begins, or
 * the text after "Tried calling: ". Returns false if the line has neither. */
static bool first_stretch(struct fm_dart_names *names)
{
    const framemap_str line = names->line, tried = FM_STR("Tried calling: ");
    size_t from = 0, thrown;
    while (from < line.size && fm_is_blank(line.data[from])) from++;
    const framemap_str text = fm_str_from(line, from);
    if (is_following(text, &thrown)) return stretch(names, from + FOLLOWING.size, from + thrown, true);
    if (fm_str_starts(text, tried)) {
        size_t end = from + tried.size;
        while (end < line.size && line.data[end] != '(' && line.data[end] != '=') end++;
        return stretch(names, from + tried.size, end, false);
    }
    const size_t end = type_end(line, from);
    return names->leads && is_error(fm_str_from(line, end)) && stretch(names, from, end, true);
}

/* Parses a name in quotation marks after words that announce one (is_announced). An apostrophe within or after a
 * word is not a quotation mark. */
static bool quotation(struct fm_dart_names *names, size_t open, size_t *after)
{
    const framemap_str line = names->line;
    if (open > 0 && is_of_word(line.data[open - 1])) return false;
    const char *close = fm_find(line.data + open + 1, line.size - open - 1, '\'');
    if (close == NULL) return false;
    const size_t end = (size_t)(close - line.data);
    const framemap_str before = fm_str(line.data, open);
    *after = end + 1;
    return is_announced(before) &&
           stretch(names, open + 1, end, names->leads && fm_str_equal(fm_str_trim(before), FM_STR("Instance of")));
}

static bool next_stretch(struct fm_dart_names *names)
{
    const framemap_str line = names->line, building = FM_STR("thrown building ");
    for (size_t at = names->at; at < line.size; at++) {
        size_t after = 0;
        if (line.data[at] == '\'') {
            if (quotation(names, at, &after)) return true;
            if (after) at = after - 1;
        } else if (line.data[at] == 't' && fm_str_starts(fm_str_from(line, at), building)) {
            const size_t from = at + building.size;
            if (stretch(names, from, type_end(line, from), false)) return true;
        }
    }
    names->at = line.size;
    return false;
}

bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out)
{
    bool any = names->end > 0;
    names->is_error = false;
    if (!any && names->at == 0) any = first_stretch(names);
    for (; any || next_stretch(names); any = false) {
        if (fm_dart_identifier(fm_str_slice(names->line, 0, names->end), &names->at, out)) return true;
        names->at = names->end + (names->end < names->line.size &&
                                  /* skips the quotation mark that ends this name, because it does not open the next
                                   * name */
                                  names->line.data[names->end] == '\'');
        names->end = 0;
    }
    return false;
}

/* --- splitting an error into type and message --- */

void fm_dart_error_parts(framemap_str error, framemap_str *type, framemap_str *message)
{
    const framemap_str instance = FM_STR("Instance of '");
    *type = (framemap_str){NULL, 0};
    *message = error;
    if (fm_str_starts(error, instance) && fm_str_ends(error, FM_STR("'"))) {
        *type = fm_str_slice(error, instance.size, error.size - 1);
        *message = (framemap_str){NULL, 0};
        return;
    }
    const size_t end = type_end(error, 0);
    const framemap_str rest = fm_str_from(error, end);
    if (end == 0 || !(rest.size == 0 || fm_str_starts(rest, FM_STR(": ")) || fm_str_equal(rest, FM_STR(":")))) return;
    *type = fm_str_slice(error, 0, end);
    *message = rest.size ? fm_str_trim(fm_str_from(rest, 1)) : (framemap_str){NULL, 0};
}

/* --- reading the boxes that Flutter prints around errors --- */

/* maximum number of lines from the message in Flutter's box to the frames: widgets and hints are between them */
#define BOX_REACH 120

bool fm_dart_box_begins(framemap_str body)
{
    size_t thrown;
    return body.size > FOLLOWING.size && is_following(fm_dart_untagged(body), &thrown);
}

/* Returns the type of an error's title: "ex" of "The following ex object was thrown". */
static framemap_str box_type(framemap_str title)
{
    size_t thrown;
    if (!is_following(title, &thrown)) return (framemap_str){NULL, 0};
    framemap_str type = fm_str_slice(title, FOLLOWING.size, thrown);
    if (fm_str_ends(type, FM_STR(" object"))) type.size -= 7;
    return type;
}

void fm_dart_box_line(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str text = fm_dart_untagged(line->body);
    if (fm_dart_box_begins(line->body)) {
        *box = (struct fm_dart_box){.title = text, .type = box_type(text), .in_title = true};
        fm_document_offer_until(doc, line->number1 + FM_DART_BOX_LINES);
    } else if (!box->in_title && !box->in_message) {
        return;
    } else if (text.size == 0 || line->number1 - box->number1 > 1) {
        box->in_title = box->in_message = false;
        return;
    } else if (box->in_message && box->count < FM_DART_BOX_LINES) {
        box->lines[box->count++] = text;
    }
    if (box->in_title) box->depth += fm_row_depth(text);
    if (box->in_title && box->depth <= 0 && fm_str_ends(text, FM_STR(":"))) {
        box->in_title = false;
        box->in_message = true;
    }
    box->number1 = line->number1;
}

void fm_dart_box_use(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line,
                     framemap_trace *trace)
{
    const bool near = box->title.size && line->number1 - box->number1 <= BOX_REACH;
    if (near) {
        trace->exception_type = box->type;
        trace->exception_message = fm_row_join(doc, box->lines, box->count);
        if (trace->exception.size == 0) trace->exception = box->title;
    }
    *box = (struct fm_dart_box){.count = 0};
}
