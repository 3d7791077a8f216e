/* Makes the names of a function in an answer: demangles them, and completes them from symbols and scopes if debug info
 * has only the unqualified name. Implements function_names.h. */
#include "resolve/native/function_names.h"

#include "core/text/text.h"
#include "core/text_memo.h"
#include "resolve/demangle/demangle.h"

/* --- comparing names with symbols --- */

static bool names_is_word(char byte)
{
    return byte == '_' || byte == '$' || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || (unsigned char)byte >= 0x80;
}

/* Returns the end of an operator's name, whose word "operator" is at an offset. The brackets in names such as
 * "operator()", "operator<" and "operator->" do not count as nesting. */
static size_t past_operator(framemap_str text, size_t at)
{
    at += FM_STR("operator").size;
    if (fm_str_starts(fm_str_from(text, at), FM_STR("()"))) return at + 2;
    while (at < text.size && memchr("<>=-!+*/%^&|~,[]", text.data[at], 16) != NULL) at++;
    return at;
}

static bool starts_word(framemap_str text, size_t at) { return at == 0 || !names_is_word(text.data[at - 1]); }

/* Returns a name without template arguments. Template arguments are not compared, since debug info spells them
 * differently ("long int", "1u"). */
static framemap_str own_name(framemap_str name)
{
    if (!fm_str_starts(name, FM_STR("operator"))) return fm_str_slice(name, 0, fm_str_find_byte(name, '<'));
    const size_t at = past_operator(name, 0);
    /* a name such as "operator int" or "operator new" is returned whole */
    return at > FM_STR("operator").size ? fm_str_slice(name, 0, at) : name;
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
        const bool begins = depth == 0 && (starts_word(demangled, at) || !names_is_word(own.data[0]));
        if (begins && fm_str_starts(rest, own) && ends_name(demangled, at + own.size) &&
            (at < 1 || demangled.data[at - 1] != '~')) {
            called = true;
            at += own.size - 1;
        } else if (starts_word(demangled, at) && fm_str_starts(rest, FM_STR("operator")) &&
                   (rest.size == 8 || !names_is_word(rest.data[8]))) {
            at = past_operator(demangled, at) - 1;
        } else if (memchr("(<[{", demangled.data[at], 4) != NULL) {
            depth++;
        } else if (memchr(")>]}", demangled.data[at], 4) != NULL && depth > 0) {
            depth--;
        } else if (demangled.data[at] == ':' && depth == 0) {
            called = false; /* the text up to here was a scope and not the function */
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

/* Whether a symbol is readable without demangling and names the function `name`: ART writes "boolean Main.sleep(int)"
 * for "sleep". */
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

/* --- making the names of an answer --- */

/* Demangles a name, through the cache of the view. function: struct fm_view_frame.function, or UINT32_MAX if the name
 * does not come from a frame. */
static framemap_str demangled(const struct fm_chain_context *context, uint32_t function, framemap_str spelled)
{
    const bool kept = fm_chain_keeps_style(context->demangle);
    const uint64_t row = function != UINT32_MAX ? function : FM_VIEW_NO_ROW;
    framemap_str shown;
    if (kept && fm_view_kept_name(context->view, row, &shown)) return shown;
    /* The answer is over its limit: it will be cut before this frame, whose name needs no demangling. */
    if (fm_answer_is_spent(context->room)) return spelled;
    struct fm_text_memo *shared = kept ? fm_view_shared_names(context->view) : NULL;
    if (fm_text_memo_get(shared, spelled, context->demangle, context->arena, &shown))
        return fm_view_keep_name(context->view, row, shown);
    shown = fm_demangle(spelled, context->demangle, context->arena);
    if (shown.data != spelled.data) fm_text_memo_put(shared, spelled, context->demangle, shown);
    /* A name that demangling did not change is not cached, because the reason may be a lack of memory. */
    return kept && shown.data != spelled.data ? fm_view_keep_name(context->view, row, shown) : shown;
}

/* Gets the full name of an out-of-line function from the symbol table: from the symbol that covers the function, or
 * from an alias. false: no symbol fits, or the records are damaged. */
static bool name_by_symbols(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                            const struct fm_view_more **more, framemap_str *shown)
{
    const framemap_str name = fm_frame_name(function);
    if (fm_whole_name(name, fm_frame_more(function), context->demangle, context->arena, shown)) return true;
    if ((function->flags & FM_FRAME_MORE) == 0 || fm_chain_more_of(context, node, more) != FRAMEMAP_OK) return false;
    for (uint32_t i = 0; i < (*more)->alias_count && !fm_answer_is_spent(context->room); i++) {
        const framemap_str alias = (*more)->aliases[i];
        if (fm_whole_name(name, alias, context->demangle, context->arena, shown)) return true;
        fm_answer_try(context->room, alias.size);
    }
    return false;
}

/* Returns "scopes::name", with the scopes that debug info records for the function. */
static framemap_str with_scopes(const struct fm_chain_context *context, uint32_t node, const struct fm_view_more **more,
                                framemap_str name)
{
    const framemap_str join = FM_STR("::");
    if (fm_chain_more_of(context, node, more) != FRAMEMAP_OK || (*more)->class_name.size == 0) return name;
    const framemap_str scopes = (*more)->class_name;
    char *text = fm_arena_alloc(context->arena, scopes.size + join.size + name.size);
    if (text == NULL) return name;
    memcpy(text, scopes.data, scopes.size);
    memcpy(text + scopes.size, join.data, join.size);
    memcpy(text + scopes.size + join.size, name.data, name.size);
    return fm_str(text, scopes.size + join.size + name.size);
}

/* Returns the full name of a function whose name in debug info is not mangled. The full name is cached by node, not by
 * function, because instances of a template have different full names. */
static framemap_str whole(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                          const struct fm_view_more **more)
{
    const framemap_str name = fm_frame_name(function);
    const bool kept = fm_chain_keeps_style(context->demangle);
    const bool outermost = function->parent == FM_VIEW_NONE;
    framemap_str shown;
    if (kept && fm_view_kept_whole_name(context->view, node, &shown)) return shown;
    if (!outermost || !name_by_symbols(context, function, node, more, &shown))
        shown = function->flags & FM_FRAME_CLASS ? with_scopes(context, node, more, name) : name;
    /* The name is not cached if the limits ended the search, because the next query may find more. */
    return kept && !fm_answer_is_spent(context->room) ? fm_view_keep_whole_name(context->view, node, shown) : shown;
}

/* Whether debug info has a placeholder where the symbol table has a name. */
static bool has_placeholder(const struct fm_view_frame *function)
{
    if (function->parent != FM_VIEW_NONE || !fm_is_placeholder(fm_frame_name(function))) return false;
    const framemap_str own = fm_frame_more(function);
    return own.size > 0 && !fm_is_placeholder(own);
}

void fm_chain_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                        const struct fm_view_more **more, framemap_str *shown, framemap_str *symbol)
{
    const bool nameless = has_placeholder(function);
    framemap_str spelled = nameless ? (framemap_str){NULL, 0} : fm_frame_name(function);
    *shown =
        !nameless && fm_chain_is_mangled(context, function) ? demangled(context, function->function, spelled) : spelled;
    if (context->demangle != FRAMEMAP_DEMANGLE_NONE && spelled.size > 0 && fm_chain_has_more_names(context, function) &&
        (shown->data == spelled.data || fm_str_equal(*shown, spelled)))
        *shown = whole(context, function, node, more);
    if (function->parent == FM_VIEW_NONE) { /* the symbol table may spell the function's name in another way */
        const framemap_str own = fm_frame_more(function);
        if (own.size > 0) spelled = own;
        if (shown->size == 0) *shown = fm_demangle(own, context->demangle, context->arena);
    }
    const bool same = spelled.data == shown->data || fm_str_equal(spelled, *shown);
    *symbol = same ? (framemap_str){NULL, 0} : spelled;
}
