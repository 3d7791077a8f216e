/* Parses Apple's frame row: "INDEX MODULE 0xADDRESS REST". Module names may contain blanks and function names any
 * character, so a row is parsed from the left up to the address, and from the right after it. Forms of REST, each
 * seen in real reports:
 *
 *     0x107930000 + 15220                      load address and distance; also "+ 0x3b74", "0x107930000+15220"
 *     0x107930000 + 15220 (main + 4)           KSCrash: followed by symbol and distance
 *     0x107930000 + 15220   // main            Cr4shed: the name without a distance; "func_3b74" for no name
 *     0x107930000                              the load address alone: Instabug
 *     main + 4                                 distance from the symbol
 *     main (main.m:12)   main (in App) (main.m:12)   main (in App) + 4      symbolicatecrash, atos
 *     main + 4 (main.m:12)   main + 4 (:-1)   foo + 4 (main.m:12) [inlined]   Xcode, macOS 15
 *     App + 15220                              the module again: the distance is from the image, not from a symbol
 *     8C17697F-2E84-39E5-B491-FCF5169106FF + 15220   the image's UUID (iOS 14): distance from the image
 *     <unavailable> + 15220                    Swift's own printer: distance from the image
 *     <redacted> + 4   () + 0                  no symbol
 *     0x0 + 15220                              no image
 *     <unknown> + 515718304248   [inlined] foo (foo.cc:12)   Sentry
 *     foo+ 169548 (bar:) + 32                  iOS 13 wrote the distance from the image into the name "foo(bar:)"
 *     (Missing UUID 8c17…)   (Missing)         Crashlytics has no symbols of the image */
#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

/* No function is larger than this. A larger number after the name is the address, printed again in place of a
 * distance. */
#define MOST_OFFSET UINT32_MAX

static const char unknown_image[] = "the report does not say which image the address is in";

/* Whether a name is one that tools print in place of the image's name if an address is not in an image, such as
 * "???". */
static bool is_no_image(framemap_str module)
{
    return fm_str_equal(module, FM_STR("???")) || fm_str_equal(module, FM_STR("(null)"));
}

/* Sets the frame's offset in its image, and its load address if the frame also has an absolute address. */
static void from_image(framemap_frame *frame, uint64_t distance)
{
    if (!frame->has_address) {
        frame->has_address = true;
        frame->address = distance;
        frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    } else if (distance <= frame->address) {
        frame->has_load_address = true;
        frame->load_address = frame->address - distance;
    }
}

/* Parses "NAME + -12": a tool subtracted a load address that was wrong, so only the name is used. */
static bool read_negative(framemap_str text, framemap_frame *frame)
{
    const size_t plus = fm_str_find_last(text, FM_STR(" + -"));
    if (plus == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, plus + 4));
    uint64_t distance = 0;
    if (!fm_scan_dec(&s, &distance, NULL) || !fm_scan_done(&s)) return false;
    const framemap_str head = fm_str_trim(fm_str_slice(text, 0, plus));
    if (!fm_str_equal(head, frame->module)) frame->function = head;
    return true;
}

/* Sets name and offset from "NAME + 12". If NAME is the name of the image, the offset is relative to the image. */
static bool read_distance(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str head;
    uint64_t distance = 0;
    if (!fm_row_distance(text, true, &head, &distance)) return read_negative(text, frame);
    if (head.size == 0 && frame->has_address && ((frame->address - distance) & 0xfff) != 0) {
        /* The distance does not lead to the start of an image, so it counts from a function, whose name was
         * "<redacted>". A web page took this name for an HTML tag and removed it. */
        return true;
    } else if (head.size == 0 || fm_str_equal(head, frame->module) || fm_str_equal(head, FM_STR("<unavailable>"))) {
        from_image(frame, distance);
    } else if (fm_str_equal(head, FM_STR("<unknown>")) && distance == frame->address) {
        return true; /* Sentry prints the address itself as the distance */
    } else if (head.size >= 32 && fm_row_id(head, doc, &frame->id)) {
        from_image(frame, distance);
    } else if (fm_str_equal(head, FM_STR("0")) && is_no_image(frame->module)) {
        /* the name "0" is address 0, so the distance is the address itself, which is in no image */
        from_image(frame, frame->address);
    } else if (!fm_str_equal(head, FM_STR("0")) && !fm_str_equal(head, FM_STR("???"))) {
        /* The name "0x0" means address 0, so the number after it is a distance from that address. */
        frame->has_function_offset = distance <= MOST_OFFSET || fm_str_ends(head, FM_STR("0x0"));
        frame->function_offset = frame->has_function_offset ? distance : 0;
        if (!fm_str_equal(head, FM_STR("()"))) frame->function = head;
    }
    return true;
}

/* Restores a name into which a distance from the image was inserted: "foo(bar:)" for "foo+ 169548 (bar:)". */
static void mend_name(struct fm_document *doc, framemap_frame *frame)
{
    size_t plus = fm_str_find(frame->function, FM_STR("+ "));
    if (plus == FM_NOT_FOUND || plus == 0 || fm_is_blank(frame->function.data[plus - 1])) return;
    struct fm_scan s = fm_scan_of(fm_str_from(frame->function, plus + 2));
    uint64_t distance = 0;
    if (!fm_scan_dec(&s, &distance, NULL) || !fm_scan_byte(&s, ' ') || s.at == s.end || *s.at != '(') return;
    framemap_str tail = fm_scan_rest(&s);
    char *mended = fm_document_alloc(doc, plus + tail.size);
    if (!mended) return;
    memcpy(mended, frame->function.data, plus);
    memcpy(mended + plus, tail.data, tail.size);
    frame->function = fm_str(mended, plus + tail.size);
    from_image(frame, distance);
}

/* Whether a number that no distance follows must be the load address of the frame's image. */
static bool is_load_alone(const framemap_frame *frame, uint64_t load)
{
    return frame->has_address && load && (load & 0xfff) == 0 && load <= frame->address &&
           frame->address - load <= UINT32_MAX;
}

/* Parses the comment after "//": "main + 0x4", or Cr4shed's "main". Cr4shed prints "func_3b74", with an offset in
 * the image, if there is no name. */
static void read_comment(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    static const framemap_str made_up = FM_STR_INIT("func_");
    if (read_distance(text, doc, frame)) return;
    if (!fm_str_starts(text, made_up) || !fm_is_all_hex(fm_str_from(text, made_up.size))) frame->function = text;
}

/* Parses "0xLOAD + 123", after which "(main + 4)", "// main + 0x4" or "// main" may follow; or "0xLOAD" alone.
 * Returns false if the number is not a load address. */
static bool read_load(framemap_str rest, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(rest);
    uint64_t load = 0, distance = 0;
    enum fm_digits digits = fm_row_0xhex(&s, &load);
    if (digits == FM_DIGITS_NONE) return false;
    if (fm_scan_done(&s) && digits == FM_DIGITS_FIT && is_load_alone(frame, load)) {
        frame->has_load_address = true;
        frame->load_address = load;
        return true;
    }
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, '+')) return false;
    fm_scan_blanks(&s);
    if (fm_row_0xhex(&s, &distance) == FM_DIGITS_NONE && !fm_scan_dec(&s, &distance, NULL)) return false;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, "the load address has more than 16 hexadecimal digits");
    /* the row is one that is printed for an address that is not in an image */
    const bool nowhere = load == 0 && is_no_image(frame->module);
    /* For a function without a name, Instabug prints the linked address of the function's start in place of the load
     * address. The start of an image is page-aligned, so such an address is recognized. */
    const bool is_function = (load & 0xfff) != 0 && frame->has_address && load + distance != frame->address;
    if (is_function) {
        frame->has_function_offset = distance <= MOST_OFFSET;
        frame->function_offset = frame->has_function_offset ? distance : 0;
    } else if ((load || nowhere) && digits == FM_DIGITS_FIT && frame->has_address) {
        frame->has_load_address = true;
        frame->load_address = load;
    }
    fm_scan_blanks(&s);
    framemap_str tail = fm_str_trim(fm_scan_rest(&s));
    if (tail.size > 2 && tail.data[0] == '(' && tail.data[tail.size - 1] == ')')
        read_distance(fm_str(tail.data + 1, tail.size - 2), doc, frame);
    else if (fm_str_starts(tail, FM_STR("//")))
        read_comment(fm_str_trim(fm_str_from(tail, 2)), doc, frame);
    return true;
}

/* Cuts the name of the image, "(in App)", off the end of a text. */
static void cut_in_image(framemap_str *text)
{
    framemap_str left = *text, group;
    if (fm_row_group(&left, &group) && fm_str_starts(group, FM_STR("in "))) *text = left;
}

/* Parses "(Missing UUID 8c17…)", "(Missing)". */
static bool read_missing(framemap_str rest, struct fm_document *doc, framemap_frame *frame)
{
    static const framemap_str uuid = FM_STR_INIT("(Missing UUID ");
    if (fm_str_equal(rest, FM_STR("(Missing)"))) return true;
    return fm_str_starts(rest, uuid) && rest.data[rest.size - 1] == ')' &&
           fm_row_id(fm_str_slice(rest, uuid.size, rest.size - 1), doc, &frame->id);
}

/* Whether the group means an unknown position: Xcode prints ":-1" or ":0" for a name without a file, Crashlytics
 * "<compiler-generated>:4388917356", with an address. */
static bool is_no_place(framemap_str group)
{
    const size_t colon = fm_str_find_last_byte(group, ':');
    uint64_t number;
    if (colon == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(group, colon + 1));
    if (colon == 0) (void)fm_scan_byte(&s, '-');
    return fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s) && (colon == 0 || number > UINT32_MAX);
}

/* Cuts "(main.m:12)" off the end of "-[App run:](main.m:12)", and sets *group to it. The blank before the group is
 * missing because the brackets and the group were taken for a link in Markdown. */
static bool cut_link(framemap_str *text, framemap_str *group)
{
    size_t open;
    framemap_str file;
    uint32_t line, column;
    if (!fm_row_open(*text, &open) || open == 0 || text->data[open - 1] != ']') return false;
    *group = fm_str_slice(*text, open + 1, text->size - 1);
    if (!fm_row_location(*group, &file, &line, &column)) return false;
    text->size = open;
    return true;
}

/* Cuts off the position without parentheses that Datadog prints after a distance: "a.swift:33" in "f + 36
 * a.swift:33". */
static void cut_bare_place(framemap_str *text, framemap_frame *frame)
{
    const size_t blank = fm_str_find_last_byte(*text, ' ');
    framemap_str head, file;
    uint64_t distance;
    uint32_t line, column;
    if (blank == FM_NOT_FOUND || !fm_row_distance(fm_str_trim(fm_str(text->data, blank)), false, &head, &distance) ||
        !fm_row_location(fm_str_from(*text, blank + 1), &file, &line, &column))
        return;
    text->size = blank;
    if (fm_str_equal(file, FM_STR("<compiler-generated>"))) return;
    frame->file = file;
    frame->line = line;
    frame->column = column;
}

static void read_symbol(framemap_str rest, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str left, group;
    if (fm_str_ends(rest, FM_STR(" (")))
        /* the row ends with the '(' of its position, which is on the next line because a mail program wrapped
         * the row */
        rest.size -= 2;
    left = rest;
    if (fm_row_group(&left, &group) || cut_link(&left, &group)) {
        if (fm_row_location(group, &frame->file, &frame->line, &frame->column))
            rest = left;
        else if (fm_str_equal(group, FM_STR("<compiler-generated>")) || is_no_place(group))
            rest = left;
    } else {
        cut_bare_place(&rest, frame);
    }
    if (!read_distance(rest, doc, frame) && rest.size && !fm_str_equal(rest, FM_STR("???")) &&
        !fm_str_equal(rest, FM_STR("(null)")))
        frame->function = rest;
    cut_in_image(&frame->function);
    mend_name(doc, frame);
}

/* Cuts off the mark for an inlined function: "[inlined] foo (foo.cc:12)", "foo + 12 (foo.swift:12) [inlined]". */
static framemap_str cut_inlined(framemap_str rest, framemap_frame *frame)
{
    static const framemap_str before = FM_STR_INIT("[inlined] "), after = FM_STR_INIT(" [inlined]");
    if (fm_str_starts(rest, before))
        rest = fm_str_from(rest, before.size);
    else if (fm_str_ends(rest, after))
        rest.size -= after.size;
    else
        return rest;
    frame->inlined = true;
    if (frame->status == FRAMEMAP_FRAME_RAW) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return rest;
}

void fm_apple_rest(framemap_str rest, struct fm_document *doc, framemap_frame *frame)
{
    rest = fm_str_trim(rest);
    if (fm_str_ends(rest, FM_STR(")**"))) rest.size -= 2; /* "**" ends bold text in Markdown */
    rest = cut_inlined(rest, frame);
    if (rest.size && !read_missing(rest, doc, frame) && !read_load(rest, doc, frame)) read_symbol(rest, doc, frame);
    fm_row_mark_complete(frame);
    if (frame->status == FRAMEMAP_FRAME_RAW && frame->load_address == 0 && is_no_image(frame->module)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = unknown_image;
    }
}

/* Finds the first number "0x…" with at least five digits and a blank before it. */
static bool find_address(framemap_str text, size_t *start, size_t *end, uint64_t *address, enum fm_digits *digits)
{
    for (size_t at = 0; at + 3 < text.size; at++) {
        const char *zero = fm_find(text.data + at, text.size - at, '0');
        if (!zero) return false;
        at = (size_t)(zero - text.data);
        if (at == 0 || !fm_is_blank(text.data[at - 1])) continue;
        struct fm_scan s = fm_scan_of(fm_str_from(text, at));
        *digits = fm_row_0xhex(&s, address);
        if (*digits == FM_DIGITS_NONE) continue;
        *start = at;
        *end = (size_t)(s.at - text.data);
        if (*end - at >= 7 && (*end == text.size || fm_is_blank(text.data[*end]))) return true;
        at = *end - 1;
    }
    return false;
}

/* Splits "MODULE   name + 12". Columns are separated by two blanks or a tab, since modules may contain single
 * blanks. */
static bool split_columns(framemap_str text, framemap_str *module, framemap_str *rest)
{
    for (size_t at = 1; at < text.size; at++) {
        bool column =
            text.data[at] == '\t' || (text.data[at] == ' ' && at + 1 < text.size && fm_is_blank(text.data[at + 1]));
        if (!column) continue;
        *module = fm_str(text.data, at);
        *rest = fm_str_trim(fm_str_from(text, at));
        return rest->size != 0;
    }
    return false;
}

static bool read_without_address(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str rest, head;
    uint64_t distance;
    if (!split_columns(text, &frame->module, &rest) || !fm_row_distance(rest, true, &head, &distance)) return false;
    fm_apple_rest(rest, doc, frame);
    if (!frame->has_address && frame->status == FRAMEMAP_FRAME_RAW)
        fm_row_malformed(frame, "the row has no address that could be looked up");
    return true;
}

/* Parses "App   main (in App) (main.m:12)", a row whose address was replaced by what atos prints: the module is there
 * twice. */
static bool read_replaced(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" (in ");
    framemap_str rest;
    const size_t at = fm_str_find_last(text, mark);
    if (at == FM_NOT_FOUND || !split_columns(text, &frame->module, &rest)) return false;
    const framemap_str again = fm_str_from(text, at + mark.size);
    if (frame->module.size == 0 || !fm_str_starts(again, frame->module) ||
        !fm_str_starts(fm_str_from(again, frame->module.size), FM_STR(")")))
        return false;
    fm_apple_rest(rest, doc, frame);
    if (frame->status == FRAMEMAP_FRAME_RAW) fm_row_malformed(frame, "the row has no address that could be looked up");
    return true;
}

/* Parses "0x1234 name + 12", a row without a module (loguru, JavaScriptCore). Since any line may begin with an
 * address, the text must end exactly like a row. */
static bool read_without_module(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str head;
    uint64_t distance;
    enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_blanks1(&s) || !fm_row_distance(fm_scan_rest(&s), false, &head, &distance))
        return false;
    if (head.size == 0 || head.data[0] == '0') return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    fm_apple_rest(fm_scan_rest(&s), doc, frame);
    return true;
}

bool fm_apple_columns(framemap_str text, framemap_frame *frame, framemap_str *rest)
{
    size_t start = 0, end = 0;
    enum fm_digits digits = FM_DIGITS_NONE;
    if (!find_address(text, &start, &end, &frame->address, &digits)) return false;
    frame->module = fm_str_trim(fm_str(text.data, start));
    /* CrashReporter appends " (*)" to the name of the program. */
    if (fm_str_ends(frame->module, FM_STR(" (*)"))) frame->module.size -= 4;
    if (frame->module.size == 0) return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    *rest = fm_str_trim(fm_str_from(text, end));
    return true;
}

/* Whether a row was printed by Swift's runtime on Linux: "1 [ra] 0x00007f02 run() in shop". */
static bool is_swift(framemap_str text)
{
    static const framemap_str tags[] = {FM_STR_INIT("[ra] "), FM_STR_INIT("[async] "), FM_STR_INIT("[inlined] "),
                                        FM_STR_INIT("[system] "), FM_STR_INIT("[thunk] ")};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (fm_str_starts(text, tags[i])) return true;
    return false;
}

bool fm_apple_row(framemap_str body, bool loose, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_str rest;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    if (text.size > 1 && text.data[0] == '+' && text.data[1] == ' ') text = fm_str_trim(fm_str_from(text, 1));
    if (fm_str_starts(text, FM_STR("0x"))) return read_without_module(text, doc, frame);
    if (is_swift(text)) return false;
    if (!fm_apple_columns(text, frame, &rest))
        return read_replaced(text, doc, frame) || (loose && read_without_address(text, doc, frame));
    fm_apple_rest(rest, doc, frame);
    return true;
}

bool fm_apple_is_return(const struct fm_document *doc, const framemap_trace *trace, const framemap_frame *frame,
                        bool *after_sigtramp)
{
    const bool is_return = fm_document_depth(doc, trace) > 0 && !*after_sigtramp;
    *after_sigtramp = fm_str_equal(frame->function, FM_STR("_sigtramp"));
    return is_return;
}
