/* Finds full names of functions from their symbols. Called by inline_chain_walk.c. */
#include "resolve/native/function_names.h"

#include "core/text/text.h"
#include "resolve/demangle/demangle.h"

static bool is_word(char byte)
{
    return byte == '_' || byte == '$' || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || (unsigned char)byte >= 0x80;
}

/* The end of the operator that follows "operator" at an offset: the brackets of "operator()", "operator<" and
 * "operator->" do not count as nesting. */
static size_t past_operator(framemap_str text, size_t at)
{
    at += FM_STR("operator").size;
    if (fm_str_starts(fm_str_from(text, at), FM_STR("()"))) return at + 2;
    while (at < text.size && memchr("<>=-!+*/%^&|~,[]", text.data[at], 16) != NULL) at++;
    return at;
}

static bool starts_word(framemap_str text, size_t at) { return at == 0 || !is_word(text.data[at - 1]); }

/* Debug info spells template arguments differently ("long int", "1u"), so only the text before them is compared. */
static framemap_str own_name(framemap_str name)
{
    if (!fm_str_starts(name, FM_STR("operator"))) return fm_str_slice(name, 0, fm_str_find_byte(name, '<'));
    const size_t at = past_operator(name, 0);
    return at > FM_STR("operator").size ? fm_str_slice(name, 0, at) : name; /* "operator int", "operator new" */
}

static bool ends_name(framemap_str text, size_t at)
{
    return at == text.size || text.data[at] == '(' || text.data[at] == '<' || text.data[at] == '[';
}

/* Whether `name` is the unqualified name in a demangled one: "get" in "demo::Box<int>::get(int) const". */
static bool is_called(framemap_str demangled, framemap_str name)
{
    const framemap_str own = own_name(name);
    size_t depth = 0;
    bool called = false;

    if (own.size == 0) return false;
    for (size_t at = 0; at < demangled.size; at++) {
        const framemap_str rest = fm_str_from(demangled, at);
        const bool begins = depth == 0 && (starts_word(demangled, at) || !is_word(own.data[0]));
        if (begins && fm_str_starts(rest, own) && ends_name(demangled, at + own.size) &&
            (at < 1 || demangled.data[at - 1] != '~')) {
            called = true;
            at += own.size - 1;
        } else if (starts_word(demangled, at) && fm_str_starts(rest, FM_STR("operator")) &&
                   (rest.size == 8 || !is_word(rest.data[8]))) {
            at = past_operator(demangled, at) - 1;
        } else if (memchr("(<[{", demangled.data[at], 4) != NULL) {
            depth++;
        } else if (memchr(")>]}", demangled.data[at], 4) != NULL && depth > 0) {
            depth--;
        } else if (demangled.data[at] == ':' && depth == 0) {
            called = false; /* the text before was a scope */
        }
    }
    return called;
}

bool fm_is_placeholder(framemap_str name)
{
    const framemap_str before = FM_STR("__hidden#");
    size_t at = before.size;

    if (!fm_str_starts(name, before)) return false;
    while (at < name.size && name.data[at] >= '0' && name.data[at] <= '9') at++;
    return at > before.size && at + 1 == name.size && name.data[at] == '_';
}

/* Some compilers write symbols that are not mangled but readable: ART has "boolean Main.sleep(int)". */
static bool is_readable(framemap_str symbol, framemap_str name)
{
    return symbol.size > name.size && fm_str_find_byte(symbol, '(') != FM_NOT_FOUND && is_called(symbol, name);
}

bool fm_whole_name(framemap_str name, framemap_str symbol, framemap_demangle style, struct fm_arena *arena,
                   framemap_str *out)
{
    const size_t dot = symbol.size > 0 ? fm_str_find_byte(fm_str_from(symbol, 1), '.') : FM_NOT_FOUND;
    const framemap_str mangled = fm_str_slice(symbol, 0, dot == FM_NOT_FOUND ? symbol.size : dot + 1);
    const framemap_str shown = fm_demangle(mangled, style, arena);

    if (shown.data == mangled.data || fm_str_equal(shown, mangled)) {
        *out = symbol;
        return is_readable(symbol, name);
    }
    if (!is_called(shown, name)) return false;
    *out = shown;
    return true;
}
