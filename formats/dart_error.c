#include "formats/dart_error.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

bool fm_dart_identifier(framemap_str text, size_t *at, framemap_str *out)
{
    size_t from = *at;
    while (from < text.size && !is_letter(text.data[from])) {
        /* A digit begins no identifier, and what follows it is none either. */
        const bool digit = fm_is_digit(text.data[from]);
        from++;
        while (digit && from < text.size && (is_letter(text.data[from]) || fm_is_digit(text.data[from]))) from++;
    }
    size_t end = from;
    while (end < text.size && (is_letter(text.data[end]) || fm_is_digit(text.data[end]))) end++;
    *at = end;
    *out = fm_str_slice(text, from, end);
    return end > from;
}

/* The words before which Dart puts a name in quotation marks. */
static bool is_announced(framemap_str before)
{
    static const char *const words[] = {"Instance of ", "type ",       "method ",  "getter ",   "setter ",   "function ", "Function ",
                                        "class ",       "Field ",      "field ",   "variable ", "Variable ", "member ",   "constructor ",
                                        "Closure: ",    "value of ",   "enum ",    "mixin ",    "operator ", "named "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_ends(before, framemap_str_of(words[i]))) return true;
    return false;
}

/* "ex: it went wrong", "ex" alone: the type of what was thrown. */
static bool leading(framemap_str line, framemap_str *out)
{
    size_t at = 0;
    if (!fm_dart_identifier(line, &at, out)) return false;
    for (const char *blank = line.data; blank < out->data; blank++)
        if (!fm_is_blank(*blank)) return false;
    const framemap_str rest = fm_str_from(line, at);
    return rest.size == 0 || fm_str_starts(rest, FM_STR(": ")) || fm_str_starts(rest, FM_STR("<")) || fm_str_equal(rest, FM_STR(":"));
}

/* The next quotation that a word announces. false: there is none. */
static bool next_quotation(struct fm_dart_names *names)
{
    const framemap_str line = names->line;
    for (size_t from = names->at; from < line.size;) {
        const char *open = memchr(line.data + from, '\'', line.size - from);
        if (open == NULL) return false;
        const size_t inside = (size_t)(open - line.data) + 1;
        const char *close = memchr(line.data + inside, '\'', line.size - inside);
        if (close == NULL) return false;
        from = (size_t)(close - line.data) + 1;
        if (!is_announced(fm_str(line.data, inside - 1))) continue;
        names->at = inside;
        names->quoted = (size_t)(close - line.data);
        return true;
    }
    return false;
}

bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out)
{
    const bool leads = names->leads;
    names->leads = false;
    if (leads && leading(names->line, out)) {
        names->at = (size_t)(out->data + out->size - names->line.data);
        return true;
    }
    for (;;) {
        if (names->quoted) {
            const framemap_str inside = fm_str_slice(names->line, 0, names->quoted);
            if (fm_dart_identifier(inside, &names->at, out)) return true;
            names->at = names->quoted + 1;
            names->quoted = 0;
        }
        if (!next_quotation(names)) return false;
    }
}
