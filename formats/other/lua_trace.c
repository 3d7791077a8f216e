/* Lua's stacks:
 *
 *     lua: cart.lua:12: no cart
 *     stack traceback:
 *             [C]: in function 'error'
 *             cart.lua:12: in upvalue 'load'
 *             (...tail calls...)
 *             cart.lua:20: in main chunk
 *             ?: in function <?:215>          code without debug info
 *             [C]: ?                          Lua 5.1; LuaJIT prints "[C]: at 0x0100001234"
 *             ...     (skipping 12 levels)
 *
 *     Workspace.Part.Script:12: attempt to index nil with 'Name'         Roblox
 *     Stack Begin
 *     Script 'Workspace.Part.Script', Line 12 - function onTouched
 *     Stack End
 *
 *     12:41:51.797  Stack Begin  -  Studio                               Roblox Studio
 *     12:41:51.797  Script 'Workspace.Part.Script', Line 12 - function onTouched  -  Studio - Script:12
 *
 * Rows are accepted only below a title. The innermost frame is first. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "lua";

/* Returns the text of a row without the request that nginx appends to the last line of a stack: ", client: 10.0.0.1,
 * server: ", " while logging request, client: ", ", context: ngx.timer, client: ". */
static framemap_str without_request(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT(", context: "), FM_STR_INIT(", client: "), FM_STR_INIT(" while ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) text = fm_str_slice(text, 0, fm_str_find(text, marks[i]));
    return text;
}

/* Returns the function in a row, which is named in one of these forms: "function 'error'", "function <cart.lua:3>",
 * "upvalue 'load'", "main chunk", "?". */
static framemap_str function_of(framemap_str text)
{
    const size_t quote = fm_str_find_byte(text, '\'');
    if (quote != FM_NOT_FOUND) {
        const framemap_str rest = fm_str_from(text, quote + 1);
        const size_t end = fm_str_find_byte(rest, '\'');
        if (end != FM_NOT_FOUND) return fm_str(rest.data, end);
    }
    return fm_str_starts(text, FM_STR("function ")) ? fm_str_from(text, 9) : text;
}

static enum fm_other_kind parse_marker(framemap_str text, struct fm_other_line *out)
{
    if (fm_str_starts(text, FM_STR("(...tail call")) || fm_str_equal(text, FM_STR("(tail call): ?"))) {
        out->marker = FRAMEMAP_MARKER_ELIDED;
    } else if (fm_str_starts(text, FM_STR("..."))) {
        out->marker = FRAMEMAP_MARKER_SKIPPED;
        out->count = fm_other_number(text);
    } else {
        return FM_OTHER_NONE;
    }
    return FM_OTHER_MARK;
}

/* Whether the line is the title of a coroutine, "coroutine 0:", which nginx prints below "stack traceback:". */
static bool is_coroutine(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    return fm_scan_text(&s, FM_STR("coroutine ")) && fm_scan_dec(&s, &number, NULL) && fm_scan_byte(&s, ':') &&
           fm_scan_done(&s);
}

/* Parses "[C]: ?" and "[C]: at 0x0100001234", the rows of functions of C without a name. */
static bool parse_unnamed(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_text(&s, FM_STR("[C]: "))) return false;
    frame->is_native = true;
    frame->function = fm_scan_rest(&s);
    if (fm_scan_byte(&s, '?')) return fm_scan_done(&s);
    if (!fm_scan_text(&s, FM_STR("at ")) || fm_row_0xhex(&s, &frame->address) != FM_DIGITS_FIT) return false;
    frame->function.size = 0;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    return fm_scan_done(&s);
}

/* Whether the place is that of code without debug info: "?"; "?:-1" in some versions. */
static bool is_stripped(framemap_str place)
{
    return fm_str_equal(place, FM_STR("?")) || fm_str_equal(place, FM_STR("?:-1")) ||
           fm_str_equal(place, FM_STR("?:0"));
}

/* Parses the clock at the start of a line, "12:41:51.797 ". */
static bool scan_clock(struct fm_scan *s)
{
    struct fm_scan t = *s;
    uint64_t part;
    if (!fm_scan_dec(&t, &part, NULL) || !fm_scan_byte(&t, ':') || !fm_scan_dec(&t, &part, NULL) ||
        !fm_scan_byte(&t, ':') || !fm_scan_dec(&t, &part, NULL) || !fm_scan_byte(&t, '.') ||
        !fm_scan_dec(&t, &part, NULL) || !fm_scan_blanks1(&t))
        return false;
    *s = t;
    return true;
}

/* Returns a line without what Roblox Studio prints around it: "12:41:51.797  Stack Begin  -  Studio - Script:12", in
 * older versions "12:41:51.797 - Stack Begin". */
static framemap_str without_studio(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("  -  ");
    static const framemap_str sources[] = {FM_STR_INIT("Studio"), FM_STR_INIT("Server"), FM_STR_INIT("Client"),
                                           FM_STR_INIT("Edit")};
    const size_t at = fm_str_find_last(text, mark);
    struct fm_scan s = fm_scan_of(text);
    for (size_t i = 0; at != FM_NOT_FOUND && i < sizeof sources / sizeof *sources; i++)
        if (fm_str_starts(fm_str_from(text, at + mark.size), sources[i])) s = fm_scan_of(fm_str(text.data, at));
    (void)scan_clock(&s);
    (void)fm_scan_text(&s, FM_STR("- "));
    return fm_str_trim(fm_scan_rest(&s));
}

/* Parses a row of Roblox, "Script 'Workspace.Part.Script', Line 12 - function onTouched". Older versions print "- local
 * f", "- global f", "- method f" and "- upvalue f". The function may be missing. */
static bool parse_roblox(framemap_str text, framemap_frame *frame)
{
    static const framemap_str start = FM_STR_INIT("Script '"), mark = FM_STR_INIT(", Line ");
    const size_t line_at = fm_str_find(text, mark);
    uint32_t line1;
    if (!fm_str_starts(text, start) || line_at == FM_NOT_FOUND) return false;
    const framemap_str script = fm_str_trim(fm_str(text.data, line_at));
    struct fm_scan s = fm_scan_of(fm_str_from(text, line_at + mark.size));
    if (!fm_str_ends(script, FM_STR("'")) || script.size <= start.size + 1) return false;
    if (!fm_scan_dec32(&s, &line1)) return false;
    frame->file = fm_str_slice(script, start.size, script.size - 1);
    frame->line = line1;
    if (fm_scan_done(&s)) return true;
    if (!fm_scan_text(&s, FM_STR(" - "))) return false;
    const framemap_str function = fm_scan_rest(&s);
    const size_t blank = fm_str_find_byte(function, ' ');
    frame->function = blank == FM_NOT_FOUND ? function : fm_str_from(function, blank + 1);
    return frame->function.size != 0;
}

static enum fm_other_kind lua_parse(framemap_str text, struct fm_other_line *out)
{
    uint32_t column = 0;
    const framemap_str inner = without_studio(text);
    if (fm_str_ends(inner, FM_STR("Stack Begin"))) return FM_OTHER_TITLE;
    if (fm_str_ends(inner, FM_STR("Stack End"))) return FM_OTHER_END;
    if (parse_roblox(inner, &out->frame)) return FM_OTHER_ROW;
    if (fm_str_ends(text, FM_STR("stack traceback:")) || is_coroutine(text)) return FM_OTHER_TITLE;
    const size_t in = fm_str_find(text, FM_STR(": in "));
    if (in == FM_NOT_FOUND) return parse_unnamed(text, &out->frame) ? FM_OTHER_ROW : parse_marker(text, out);
    const framemap_str place = fm_str(text.data, in);
    /* Defold prints "[C]:-1" for a function that is written in C */
    if (fm_str_equal(place, FM_STR("[C]")) || fm_str_equal(place, FM_STR("[C]:-1")))
        out->frame.is_native = true;
    else if (fm_str_ends(place, FM_STR(".lua")))
        /* The function was called by a tail call, so the row has a file but no line. */
        out->frame.file = place;
    else if (!is_stripped(place) && !fm_row_location(place, &out->frame.file, &out->frame.line, &column))
        return FM_OTHER_NONE;
    out->frame.function = function_of(without_request(fm_str_from(text, in + 5)));
    return out->frame.function.size ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* Finds the exception in a line such as "lua: cart.lua:12: no cart", "cart.lua:12: no cart", or "*5 lua entry thread
 * aborted: runtime error: cart.lua:12: no cart", "12:41:51.797  Cart:12: no cart  -  Server - Cart:12". */
static bool lua_find_exception(framemap_str text, framemap_str *exception)
{
    static const framemap_str mark = FM_STR_INIT("lua entry thread aborted: runtime error: ");
    const size_t at = fm_str_find(text, mark);
    *exception = at == FM_NOT_FOUND ? without_studio(text) : fm_str_from(text, at + mark.size);
    return true;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = lua_parse, .find_exception = lua_find_exception, .above = 6};

static enum fm_line_role lua_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || trace->frame_count != 1) return role;
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = trace->exception;
    return role;
}

static bool lua_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle lua_needles[] = {FM_NEEDLE("Stack Begin", 0, 1), FM_NEEDLE("stack traceback:", 8, 10),
                                               FM_NEEDLE("coroutine ", 1, 8)};

const struct fm_format fm_lua = {.info = {name, "stacks of Lua", true, false},
                                 FM_NEEDLES(lua_needles),
                                 .marks = FM_MARK_WORD,
                                 .state_size = sizeof(struct fm_other_stack),
                                 .offer = lua_offer,
                                 .is_significant = lua_is_significant,
                                 .keeps_state = true};
