/* Stacks of game engines:
 *
 *     LogWindows: Error: [Callstack] 0x00007ff6c1 Shop.exe!UCart::Load() [C:\src\Cart.cpp:12]        Unreal
 *     LogAndroid: Error: [Callstack] 0x0000007ca9b58754 libUE4.so(0x00000000003db754)![Unknown]()  [] on Android
 *     0x0000000004535569 ShopServer!UCart::Load() [/src/Cart.cpp:12]                                 on Linux
 *     UnrealEditor_Shop!UCart::Load() [C:\src\Cart.cpp:12]        text copied from Unreal's window for crashes
 *     UnrealEditor_Core                                           a row of that text without a function
 *     0x00007ff6c1a20001 Shop-Win64-Shipping.exe!UnknownFunction []  a game without symbols, in its window
 *     Shop.Cart:Load (string) (at Assets/Cart.cs:12)                                                 Unity
 *     0x00007ff6c1a2 (Unity) StackWalker::GetCurrentCallstack
 *     0x00007ff6c1a3 (Mono JIT Code) [Cart.cs:12] Shop.Cart:Load (string)
 *     0x00007ff6c1a4 (GameAssembly) Cart_Load_m20852F (at C:/shop/Cart.cpp:12)
 *     #3  (Mono JIT Code) [Cart.cs:12] Shop.Cart:Load (string)                                       on Linux
 *     #00 Shop.Cart:Load<T> (string) <0x4c>                                                          Mono on Android
 *     Rethrow as Shop.CartException: no cart                         Unity: the stack above is the cause
 *     Call Stack for Thread 604:                                     Unity's crash handler, above each thread
 *        at: load (res://cart.gd:12)                                                                 Godot
 *     GDScript backtrace (most recent call first):
 *         [0] load (res://cart.gd:12)
 *     <Stack Trace>  cart.gd:12 @ load()                                                  Godot's list of errors
 *     Dumping the backtrace. Please include this …                                       Godot's crash handler
 *     [0] UCart::load (C:\src\cart.cpp:12)
 *     [2] 2   libsystem_platform.dylib   0x00000001836a9a24 _sigtramp + 56                on macOS
 *     [ 2] 1017a088c - load(int) (in shop) + 104                                          since 4.7
 *
 * The innermost frame is first. The engines have already looked up the addresses, so only those of Unreal on Android
 * are looked up here. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char unreal_name[] = "unreal", unity_name[] = "unity", godot_name[] = "godot";

static void set_address(framemap_frame *frame, uint64_t address)
{
    frame->has_address = true;
    frame->address = address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
}

/* --- parsing stacks of Unreal Engine --- */

/* Parses Unreal's "libUE4.so(0x00000000003db754)!" on Android: the image, and the distance from the address at which it
 * was loaded. *bang: offset of '!'. */
static bool parse_unreal_offset(framemap_str text, framemap_frame *frame, size_t *bang)
{
    static const framemap_str mark = FM_STR_INIT(".so(0x");
    const size_t at = fm_str_find(text, mark);
    uint64_t offset = 0;
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 4));
    if (fm_row_0xhex(&s, &offset) != FM_DIGITS_FIT || !fm_scan_text(&s, FM_STR(")!"))) return false;
    frame->module = fm_str(text.data, at + 3);
    frame->has_absolute_address = frame->has_address;
    frame->absolute_address = frame->address;
    frame->has_address = true;
    frame->address = offset;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    *bang = (size_t)(s.at - text.data) - 1;
    return true;
}

/* Parses "Shop.exe!UCart::Load() [C:\src\Cart.cpp:12]"; more groups may follow. */
static bool parse_unreal_symbol(framemap_str text, framemap_frame *frame)
{
    size_t bang = 0;
    const bool offset = parse_unreal_offset(text, frame, &bang);
    if (!offset) bang = fm_str_find_byte(text, '!');
    const size_t group = fm_str_find(text, FM_STR(" ["));
    uint32_t column = 0;
    if (group != FM_NOT_FOUND) {
        const framemap_str rest = fm_str_from(text, group + 2);
        const size_t close = fm_str_find_byte(rest, ']');
        if (close == FM_NOT_FOUND) return false;
        fm_row_location(fm_str(rest.data, close), &frame->file, &frame->line, &column);
        text.size = group;
    }
    if (offset && frame->file.size == 0) frame->kind = FRAMEMAP_KIND_NATIVE;
    if (bang != FM_NOT_FOUND && bang > 0 && bang < text.size) {
        if (!offset) frame->module = fm_str(text.data, bang);
        text = fm_str_from(text, bang + 1);
    }
    frame->function = fm_str_trim(text);
    if (fm_str_equal(frame->function, FM_STR("[Unknown]()")) ||
        fm_str_starts(frame->function, FM_STR("UnknownFunction")))
        frame->function.size = 0;
    return true;
}

/* Finds the exception in a line of Unreal's log: "LogAndroid: Error: Unhandled Exception: SIGSEGV: invalid attempt to
 * access memory at address 0x18", or "LogWindows: Error: Assertion failed: Index >= 0 [File:C:\src\Cart.cpp] [Line:
 * 12]". */
static bool unreal_find_exception(framemap_str text, framemap_str *exception)
{
    static const framemap_str crash = FM_STR_INIT("Unhandled Exception: "),
                              checks[] = {FM_STR_INIT("Assertion failed: "), FM_STR_INIT("Ensure condition failed: "),
                                          FM_STR_INIT("Fatal error: "), FM_STR_INIT("LowLevelFatalError ")};
    size_t at = fm_str_find(text, crash);
    if (at != FM_NOT_FOUND) at += crash.size;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && at == FM_NOT_FOUND; i++) at = fm_str_find(text, checks[i]);
    if (at == FM_NOT_FOUND || at == text.size) return false;
    *exception = fm_str_from(text, at);
    return true;
}

/* Cuts "LogWindows:Error: " off the start of the text. Versions up to 4.16 print it before rows that have no
 * "[Callstack]". */
static bool cut_log(framemap_str *text)
{
    static const framemap_str marks[] = {FM_STR_INIT(":Error: "), FM_STR_INIT(": Error: ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks && fm_str_starts(*text, FM_STR("Log")); i++) {
        const size_t at = fm_str_find(*text, marks[i]);
        if (at == FM_NOT_FOUND || !fm_other_is_name(fm_str(text->data, at), "")) continue;
        *text = fm_str_from(*text, at + marks[i].size);
        return true;
    }
    return false;
}

/* Parses "UnrealEditor_Shop!UCart::Load() [C:\src\Cart.cpp:12]". Next to such a row or its title, a module alone,
 * "UnrealEditor_Core", is a row too. */
static enum fm_other_kind parse_unreal_copied(framemap_str text, struct fm_other_line *out)
{
    framemap_frame *frame = &out->frame;
    const bool logged = cut_log(&text);
    const framemap_str module = fm_str_slice(text, 0, fm_str_find_byte(text, '!'));
    if (module.size < 3 || !fm_other_is_name(module, logged ? "-." : "-")) return FM_OTHER_NONE;
    if (logged && module.size < text.size) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, module.size + 1));
        uint64_t address;
        if (fm_row_0xhex(&s, &address) == FM_DIGITS_FIT && fm_scan_done(&s)) {
            frame->module = module;
            set_address(frame, address);
            return FM_OTHER_ROW;
        }
    }
    if (logged && module.size == text.size) return FM_OTHER_NONE;
    if (module.size == text.size) {
        frame->module = module;
        out->adjacent = true;
        return FM_OTHER_ROW;
    }
    if (text.data[text.size - 1] != ']' || !parse_unreal_symbol(text, frame) || frame->line == 0) return FM_OTHER_NONE;
    return fm_str_ends(frame->function, FM_STR(")")) ? FM_OTHER_SURE : FM_OTHER_NONE;
}

/* Whether a module is a program or a library of Windows: "Shop.exe", "KERNEL32.DLL". */
static bool is_windows_module(framemap_str module)
{
    static const framemap_str ends[] = {FM_STR_INIT(".exe"), FM_STR_INIT(".dll"), FM_STR_INIT(".EXE"),
                                        FM_STR_INIT(".DLL")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(module, ends[i])) return true;
    return false;
}

/* Parses "0x0000000004535569 ShopServer!UCart::Load() [/src/Cart.cpp:12]" and "0x… libc.so.6!UnknownFunction(0x20d09)"
 * of a log on Linux, and "0x00007ff6c1a20001 Shop.exe!UnknownFunction []" of a window on Windows. */
static enum fm_other_kind parse_unreal_linux(framemap_str text, struct fm_other_line *out)
{
    enum { DIGITS = 18 };
    struct fm_scan s = fm_scan_of(text);
    uint64_t address;
    if (fm_row_0xhex(&s, &address) != FM_DIGITS_FIT || s.at - text.data != DIGITS || !fm_scan_byte(&s, ' '))
        return FM_OTHER_NONE;
    const framemap_str rest = fm_scan_rest(&s);
    const framemap_str module = fm_str_slice(rest, 0, fm_str_find_byte(rest, '!'));
    if (module.size == rest.size || !fm_other_is_name(module, "-.+")) return FM_OTHER_NONE;
    if (!parse_unreal_symbol(rest, &out->frame)) return FM_OTHER_NONE;
    set_address(&out->frame, address);
    return is_windows_module(module) && fm_str_ends(rest, FM_STR("]")) ? FM_OTHER_SURE : FM_OTHER_ROW;
}

/* Parses the title "Assertion failed: Index >= 0 [File:C:\src\Cart.cpp] [Line: 12]"; the message goes on below. */
static bool parse_unreal_check(framemap_str text, struct fm_other_line *out)
{
    if (fm_str_find(text, FM_STR(" [File:")) == FM_NOT_FOUND || fm_str_find(text, FM_STR("] [Line: ")) == FM_NOT_FOUND)
        return false;
    if (!unreal_find_exception(text, &out->exception)) return false;
    out->goes_on = out->exception.data == text.data; /* the lines of a log begin with words of their own */
    return true;
}

static enum fm_other_kind unreal_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str mark = FM_STR_INIT("[Callstack] "), title = FM_STR_INIT("Unhandled Exception: ");
    uint64_t address = 0;
    const size_t at = fm_str_find(text, mark);
    if (fm_str_ends(text, FM_STR("=== Critical error: ==="))) return FM_OTHER_TITLE;
    if (fm_str_starts(text, FM_STR("Unhandled Exception: EXCEPTION_")) ||
        fm_str_starts(text, FM_STR("Unhandled Exception: SIG"))) {
        out->exception = fm_str_from(text, title.size);
        return FM_OTHER_TITLE;
    }
    if (at == FM_NOT_FOUND && parse_unreal_check(text, out)) return FM_OTHER_TITLE;
    if (at == FM_NOT_FOUND && text.size && text.data[0] == '0') return parse_unreal_linux(text, out);
    if (at == FM_NOT_FOUND) return parse_unreal_copied(text, out);
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    fm_scan_blanks(&s);
    const enum fm_digits digits = fm_row_0xhex(&s, &address);
    if (digits == FM_DIGITS_FIT) {
        set_address(&out->frame, address);
        if (!fm_scan_done(&s) && !fm_scan_blanks1(&s)) return FM_OTHER_NONE;
    }
    parse_unreal_symbol(fm_scan_rest(&s), &out->frame);
    return digits == FM_DIGITS_FIT || out->frame.module.size ? FM_OTHER_SURE : FM_OTHER_NONE;
}

static const struct fm_other_rules unreal_rules = {
    .name = unreal_name, .parse = unreal_parse, .find_exception = unreal_find_exception, .above = 5, .returns = true};

static void unreal_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    const size_t bang = fm_str_find(frame->raw, FM_STR(")!"));
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str_slice(frame->raw, 0, bang == FM_NOT_FOUND ? 0 : bang + 2));
        fm_buf_str(out, fm_row_name(&frame->restored.frames[i]));
        fm_buf_str(out, FM_STR("  ["));
        if (frame->restored.frames[i].file.size) fm_row_put_location(out, &frame->restored.frames[i]);
        fm_buf_byte(out, ']');
    }
}

static enum fm_line_role unreal_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return fm_other_stack_offer(&unreal_rules, memory, doc, line);
}
static bool unreal_is_significant(const struct fm_line *line)
{
    return fm_other_stack_is_significant(&unreal_rules, line);
}

static const struct fm_needle unreal_needles[] = {
    FM_NEEDLE("[Callstack] ", 0, 13),          FM_NEEDLE("=== Critical", 1, 11),  FM_NEEDLE("() [", 0, 12),
    FM_NEEDLE("Exception: EXCEPTION_", 9, 12), FM_NEEDLE("Exception: SIG", 6, 6), FM_NEEDLE("] [Line: ", 2, 10),
    FM_NEEDLE("!UnknownFunction", 0, 15)};

const struct fm_format fm_unreal = {.info = {unreal_name, "call stacks of Unreal Engine", true, false},
                                    FM_NEEDLES(unreal_needles),
                                    .marks = FM_MARK_WORD,
                                    .state_size = sizeof(struct fm_other_stack),
                                    .offer = unreal_offer,
                                    .is_significant = unreal_is_significant,
                                    .print_frame = unreal_print_frame,
                                    .keeps_state = true};

/* --- parsing stacks of Unity --- */

/* Cuts " (at Assets/Cart.cs:12)" off the end of a row. */
static bool cut_unity_place(framemap_str *text, framemap_frame *frame)
{
    framemap_str head = *text, group = {NULL, 0};
    uint32_t column = 0;
    if (!fm_row_group(&head, &group) || !fm_str_starts(group, FM_STR("at ")) ||
        !fm_row_location(fm_str_from(group, 3), &frame->file, &frame->line, &column))
        return false;
    *text = head;
    return true;
}

/* Parses the function of a row of machine code, with the position before or after it: "Shop.Cart:Load (string)",
 * "[Cart.cs:12] Shop.Cart:Load (string)", "Cart_Load (at C:/shop/Cart.cpp:12)". */
static void parse_unity_function(framemap_str text, framemap_frame *frame)
{
    const size_t close = text.data[0] == '[' ? fm_str_find(text, FM_STR("] ")) : FM_NOT_FOUND;
    uint32_t column = 0;
    if (close != FM_NOT_FOUND && fm_row_location(fm_str_slice(text, 1, close), &frame->file, &frame->line, &column))
        text = fm_str_from(text, close + 2);
    else
        (void)cut_unity_place(&text, frame);
    if (!fm_str_equal(text, FM_STR("(function-name not available)"))) frame->function = text;
}

/* Parses "0x00007ff6c1a2 (Unity) StackWalker::GetCurrentCallstack" and "0x0000000000000019 ((<unknown>)) (function-name
 * not available)". A row may lack the function. */
static enum fm_other_kind parse_unity_native(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t address = 0;
    if (fm_row_0xhex(&s, &address) != FM_DIGITS_FIT || s.at - text.data < 10 || !fm_scan_text(&s, FM_STR(" (")))
        return FM_OTHER_NONE;
    if (!fm_scan_text(&s, FM_STR("(<unknown>))"))) {
        if (!fm_scan_until(&s, ')', &frame->module)) return FM_OTHER_NONE;
        s.at++;
    }
    set_address(frame, address);
    if (fm_scan_done(&s)) return FM_OTHER_ROW;
    if (!fm_scan_byte(&s, ' ')) return FM_OTHER_NONE;
    parse_unity_function(fm_scan_rest(&s), frame);
    return FM_OTHER_SURE;
}

/* Whether the text is like a function of C++: blanks are allowed only if its last word ends a call, "f(int) const",
 * or a template, "list<A const*, B>::f". */
static bool is_cpp_name(framemap_str text)
{
    const size_t blank = fm_str_find_last_byte(text, ' ');
    if (blank == FM_NOT_FOUND) return true;
    return fm_str_find_byte(text, '(') != FM_NOT_FOUND ||
           fm_str_find_byte(fm_str_from(text, blank), '>') != FM_NOT_FOUND;
}

/* Parses "Shop.Cart:Load<T> (string) <0x4c>": the method, and the offset in its code. */
static bool parse_unity_method(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(") <0x");
    const size_t close = fm_str_ends(text, FM_STR(">")) ? fm_str_find_last(text, mark) : FM_NOT_FOUND;
    size_t open;
    if (close == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_slice(text, close + 3, text.size - 1));
    const framemap_str method = fm_str(text.data, close + 1);
    if (fm_row_0xhex(&s, &frame->function_offset) != FM_DIGITS_FIT || !fm_scan_done(&s)) return false;
    if (!fm_row_open(method, &open) || fm_str_find_byte(fm_str(method.data, open), ':') == FM_NOT_FOUND) return false;
    frame->has_function_offset = true;
    frame->function = method;
    return true;
}

/* Parses "#3  (Mono JIT Code) [Cart.cs:12] Shop.Cart:Load (string)", a row on Linux, "#00 Shop.Cart:Load (string)
 * <0x4c>" on Android, and below a row "#7 mono_print_method_from_ip". */
static enum fm_other_kind parse_unity_numbered(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str jit = FM_STR_INIT("(Mono JIT Code) "), first = FM_STR_INIT("GetStacktrace");
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &out->frame.index) || !fm_scan_blanks1(&s) || fm_scan_done(&s))
        return FM_OTHER_NONE;
    if (fm_scan_text(&s, jit)) {
        if (fm_scan_done(&s)) return FM_OTHER_NONE;
        out->frame.module = fm_str(jit.data + 1, jit.size - 3);
        parse_unity_function(fm_scan_rest(&s), &out->frame);
    } else if (!parse_unity_method(fm_scan_rest(&s), &out->frame)) {
        out->frame.function = fm_scan_rest(&s);
        out->counts_up = true;
        out->starts = out->frame.index == 0 && fm_str_starts(out->frame.function, first);
        if (out->starts) return FM_OTHER_SURE;
        return is_cpp_name(out->frame.function) ? FM_OTHER_ROW : FM_OTHER_NONE;
    }
    out->starts = out->frame.index == 0;
    return FM_OTHER_SURE;
}

/* Parses "Shop.Cart:Load (string) (at Assets/Cart.cs:12)". Directly below such a row, the position may be missing. */
static enum fm_other_kind parse_unity_managed(framemap_str text, struct fm_other_line *out)
{
    size_t open = 0;
    const bool placed = cut_unity_place(&text, &out->frame);
    out->frame.function = text;
    if (placed) return fm_str_find_byte(text, '(') != FM_NOT_FOUND ? FM_OTHER_SURE : FM_OTHER_NONE;
    if (!fm_row_open(text, &open) || open == 0) return FM_OTHER_NONE;
    const framemap_str path = fm_str_trim(fm_str(text.data, open));
    const size_t colon = fm_str_find_byte(path, ':');
    if (!fm_other_is_name(path, ".:<>`+|") || colon == FM_NOT_FOUND || colon + 1 == path.size ||
        fm_is_digit(path.data[colon + 1]))
        return FM_OTHER_NONE;
    out->adjacent = true;
    return FM_OTHER_ROW;
}

/* Parses the title of a thread in a report of Unity's crash handler: "Stack Trace of Crashed Thread 604:", "Call Stack
 * for Thread 604:". */
static bool parse_unity_thread(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t ignored;
    out->crashed = fm_scan_text(&s, FM_STR("Stack Trace of Crashed Thread "));
    if (!out->crashed && !fm_scan_text(&s, FM_STR("Call Stack for Thread "))) return false;
    const char *const digits = s.at;
    if (!fm_scan_dec(&s, &ignored, NULL)) return false;
    out->thread = fm_str(digits, (size_t)(s.at - digits));
    return fm_scan_byte(&s, ':') && fm_scan_done(&s);
}

static enum fm_other_kind unity_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str rethrow = FM_STR_INIT("Rethrow as ");
    if (fm_str_find(text, FM_STR("= OUTPUTTING STACK TRACE =")) != FM_NOT_FOUND || parse_unity_thread(text, out))
        return FM_OTHER_TITLE;
    if (fm_str_starts(text, rethrow)) {
        out->rethrows = fm_other_find_exception(text, &out->exception);
        return out->rethrows ? FM_OTHER_TITLE : FM_OTHER_NONE;
    }
    if (text.size < 8) return FM_OTHER_NONE;
    if (text.data[0] == '0') return parse_unity_native(text, &out->frame);
    if (text.data[0] == '#') return parse_unity_numbered(text, out);
    return text.data[text.size - 1] == ')' ? parse_unity_managed(text, out) : FM_OTHER_NONE;
}

/* Finds the exception above a stack. The crash handler's own errors, "ERROR: SymGetSymFromAddr64, GetLastError: '…'",
 * are not exceptions. */
static bool unity_find_exception(framemap_str text, framemap_str *exception)
{
    return !fm_str_starts(text, FM_STR("ERROR: SymGet")) && fm_other_find_exception(text, exception);
}

static const struct fm_other_rules unity_rules = {
    .name = unity_name, .parse = unity_parse, .find_exception = unity_find_exception, .above = 2};

static enum fm_line_role unity_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return fm_other_stack_offer(&unity_rules, memory, doc, line);
}
static bool unity_is_significant(const struct fm_line *line)
{
    return fm_other_stack_is_significant(&unity_rules, line);
}

static const struct fm_needle unity_needles[] = {
    FM_NEEDLE(" (at ", 1, 3),         FM_NEEDLE("OUTPUTTING STACK", 5, 1), FM_NEEDLE("(Mono JIT Code) ", 11, 9),
    FM_NEEDLE("GetStacktrace", 3, 1), FM_NEEDLE("Crashed Thread ", 5, 9),  FM_NEEDLE("Call Stack for ", 0, 15)};

const struct fm_format fm_unity = {.info = {unity_name, "stacks of Unity", true, false},
                                   FM_NEEDLES(unity_needles),
                                   .marks = FM_MARK_WORD | FM_MARK_HEX,
                                   .state_size = sizeof(struct fm_other_stack),
                                   .offer = unity_offer,
                                   .is_significant = unity_is_significant,
                                   .keeps_state = true};

/* --- parsing stacks of Godot --- */

/* Parses a function and its position: "load (res://cart.gd:12)". */
static bool parse_godot_place(framemap_str text, framemap_frame *frame)
{
    framemap_str group;
    uint32_t column = 0;
    if (!fm_row_group(&text, &group) || !fm_row_location(group, &frame->file, &frame->line, &column)) return false;
    frame->function = text;
    return text.size != 0;
}

/* Cuts " + 104" off the end of a row. */
static void cut_distance(framemap_str *text, framemap_frame *frame)
{
    const size_t plus = fm_str_find_last(*text, FM_STR(" + "));
    if (plus == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, plus + 3));
    if (!fm_scan_dec(&s, &frame->function_offset, NULL) || !fm_scan_done(&s)) return;
    frame->has_function_offset = true;
    text->size = plus;
}

/* Parses "2   libsystem_platform.dylib   0x00000001836a9a24 _sigtramp + 56". */
static bool parse_godot_symbol(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t address;
    int64_t ignored;
    if (!fm_row_index(&s, &ignored) || !fm_scan_blanks1(&s)) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t at = fm_str_find(rest, FM_STR(" 0x"));
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan t = fm_scan_of(fm_str_from(rest, at + 1));
    if (fm_row_0xhex(&t, &address) != FM_DIGITS_FIT || !fm_scan_byte(&t, ' ')) return false;
    const framemap_str module = fm_str_trim(fm_str(rest.data, at));
    if (!fm_str_equal(module, FM_STR("???"))) frame->module = module;
    set_address(frame, address);
    framemap_str function = fm_scan_rest(&t);
    cut_distance(&function, frame);
    if (!fm_str_starts(function, FM_STR("0x")))
        frame->function = function;
    else
        frame->has_function_offset = false;
    return true;
}

/* Cuts " (in shop)" off the end of a function: the program that it is in. */
static void cut_godot_module(framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" (in ");
    const framemap_str text = frame->function;
    const size_t at = fm_str_find_last(text, mark);
    if (at == FM_NOT_FOUND || at == 0 || !fm_str_ends(text, FM_STR(")"))) return;
    frame->module = fm_str_slice(text, at + mark.size, text.size - 1);
    frame->function.size = at;
}

/* Parses a row after its number: "load (res://cart.gd:12)", and those of the crash handler on macOS, "load(int) (in
 * shop) (cart.cpp:12)", "1017a088c - load(int) (in shop) + 104", "2   libsystem_platform.dylib   0x00000001836a9a24
 * _sigtramp + 56", "load(int)". */
static enum fm_other_kind parse_godot_row(framemap_str text, struct fm_other_line *out)
{
    framemap_frame *frame = &out->frame;
    struct fm_scan s = fm_scan_of(text);
    uint64_t address;
    size_t open;
    const bool placed = fm_row_hex(&s, &address) == FM_DIGITS_FIT && fm_scan_text(&s, FM_STR(" - "));
    if (placed) text = fm_scan_rest(&s);
    if (parse_godot_symbol(text, frame)) return FM_OTHER_ROW;
    if (placed) set_address(frame, address);
    if (!parse_godot_place(text, frame)) {
        cut_distance(&text, frame);
        frame->function = text;
    }
    cut_godot_module(frame);
    if (placed || frame->file.size || frame->module.size) return FM_OTHER_ROW;
    /* a function alone is a row only directly below another one, except the first below the title */
    out->counts_up = frame->index != 1;
    return fm_row_open(text, &open) && open > 0 ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* Parses "main.gd:12 @ _ready()", a row of the editor's list of errors. */
static bool parse_godot_listed(framemap_str text, framemap_frame *frame)
{
    const size_t sign = fm_str_find(text, FM_STR(" @ "));
    uint32_t column = 0;
    if (sign == FM_NOT_FOUND || !fm_str_ends(text, FM_STR("()"))) return false;
    if (!fm_row_location(fm_str_slice(text, 0, sign), &frame->file, &frame->line, &column) || frame->line == 0)
        return false;
    frame->function = fm_str_slice(text, sign + 3, text.size - 2);
    return frame->function.size != 0 && column == 0;
}

/* Parses the rows of the editor's list of errors: "<C++ Source>  core/node.cpp:12 @ Node::add_child()", "<Stack Trace>
 * main.gd:12 @ _ready()", and below the latter "main.gd:3 @ start()". */
static enum fm_other_kind godot_parse_listed(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str titles[] = {FM_STR_INIT("<Stack Trace>"), FM_STR_INIT("<C++ Source>"),
                                          FM_STR_INIT("<C Source>")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (!fm_str_starts(text, titles[i])) continue;
        out->starts = i > 0;
        return parse_godot_listed(fm_str_trim(fm_str_from(text, titles[i].size)), &out->frame) ? FM_OTHER_SURE
                                                                                               : FM_OTHER_NONE;
    }
    out->adjacent = true;
    return parse_godot_listed(text, &out->frame) ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* Whether a line begins an error in the editor's list: "E 0:00:01:0226   _ready: no such node", "W 0:00:…". *message:
 * the text after the place. */
static bool is_listed_error(framemap_str text, framemap_str *message)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t part;
    if (!fm_scan_text(&s, FM_STR("E ")) && !fm_scan_text(&s, FM_STR("W "))) return false;
    for (unsigned i = 0; i < 4; i++)
        if ((i && !fm_scan_byte(&s, ':')) || !fm_scan_dec(&s, &part, NULL)) return false;
    if (!fm_scan_blanks1(&s)) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t colon = fm_str_find(rest, FM_STR(": "));
    *message = colon == FM_NOT_FOUND ? rest : fm_str_from(rest, colon + 2);
    return message->size != 0;
}

static enum fm_other_kind godot_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str message;
    if (is_listed_error(text, &message)) return FM_OTHER_END; /* the stack above belongs to another error */
    if (fm_str_ends(text, FM_STR("()")) && text.data[0] != '[') return godot_parse_listed(text, out);
    if (fm_str_ends(text, FM_STR("backtrace (most recent call first):")) ||
        fm_str_starts(text, FM_STR("Dumping the backtrace.")))
        return FM_OTHER_TITLE;
    /* Godot prints exactly one such row for each error, so each of them begins a stack */
    out->starts = fm_scan_text(&s, FM_STR("at: "));
    if (out->starts) return parse_godot_place(fm_scan_rest(&s), &out->frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
    if (!fm_scan_byte(&s, '[')) return FM_OTHER_NONE;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &out->frame.index) || !fm_scan_text(&s, FM_STR("] "))) return FM_OTHER_NONE;
    return parse_godot_row(fm_scan_rest(&s), out);
}

/* Finds the exception in "SCRIPT ERROR: Invalid call.". */
static bool godot_find_exception(framemap_str text, framemap_str *exception)
{
    framemap_str message;
    if (is_listed_error(text, &message)) {
        *exception = text;
        return true;
    }
    if (!fm_str_starts(text, FM_STR("ERROR: ")) && !fm_str_starts(text, FM_STR("SCRIPT ERROR: ")) &&
        !fm_str_starts(text, FM_STR("USER ERROR: ")) && !fm_str_starts(text, FM_STR("WARNING: ")) &&
        !fm_str_starts(text, FM_STR("USER WARNING: ")) &&
        fm_str_find(text, FM_STR(": Program crashed with signal ")) == FM_NOT_FOUND)
        return false;
    *exception = text;
    return true;
}

static const struct fm_other_rules godot_rules = {
    .name = godot_name, .parse = godot_parse, .find_exception = godot_find_exception, .above = 5};

/* Returns the line with "<Stack Trace>", which is taken for a tag around the row, as a part of its body. */
static struct fm_line godot_with_tag(const struct fm_line *line)
{
    struct fm_line whole = *line;
    const size_t at = line->printed.data ? FM_NOT_FOUND : fm_str_find(line->text, FM_STR("<Stack Trace>"));
    if (at != FM_NOT_FOUND) whole.body = fm_str_from(line->text, at);
    return whole;
}

static enum fm_line_role godot_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    const struct fm_line whole = godot_with_tag(line);
    const enum fm_line_role role = fm_other_stack_offer(&godot_rules, memory, doc, &whole);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, godot_name) : NULL;
    framemap_str message;
    if (trace == NULL || trace->frame_count != 1 || !is_listed_error(trace->exception, &message)) return role;
    trace->exception_type = trace->exception.data[0] == 'E' ? FM_STR("ERROR") : FM_STR("WARNING");
    trace->exception = trace->exception_message = message;
    return role;
}
static bool godot_is_significant(const struct fm_line *line)
{
    const struct fm_line whole = godot_with_tag(line);
    return fm_other_stack_is_significant(&godot_rules, &whole);
}

static const struct fm_needle godot_needles[] = {
    FM_NEEDLE("at: ", 0, 0),          FM_NEEDLE("backtrace (most", 10, 13), FM_NEEDLE("Dumping the backtrace", 2, 10),
    FM_NEEDLE("<Stack Trace>", 1, 1), FM_NEEDLE("<C++ Source>", 1, 1),      FM_NEEDLE("<C Source>", 0, 11)};

const struct fm_format fm_godot = {.info = {godot_name, "stacks of Godot", true, false},
                                   FM_NEEDLES(godot_needles),
                                   .marks = FM_MARK_WORD,
                                   .state_size = sizeof(struct fm_other_stack),
                                   .offer = godot_offer,
                                   .is_significant = godot_is_significant,
                                   .keeps_state = true};
