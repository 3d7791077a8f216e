/* The frame stack and the name stack of the function scanner. */
#include "mappers/javascript/functions/js_parser.h"

#include "core/error.h"

#define PUSH(reader, field, value)                                                                              \
    do {                                                                                                        \
        if (FM_GROW((reader)->heap, (reader)->field.list, (reader)->field.capacity, (reader)->field.count + 1)) \
            (reader)->field.list[(reader)->field.count++] = (value);                                            \
        else                                                                                                    \
            js_parser_fail(reader);                                                                             \
    } while (0)

static void js_parser_fail(struct fm_js_parser *r)
{
    if (r->status == FRAMEMAP_OK) r->status = fm_error_memory(r->error);
}

uint32_t fm_js_parser_item_add(struct fm_js_parser *r, const struct fm_js_item *item)
{
    PUSH(r, items, *item);
    return (uint32_t)r->items.count - 1;
}

/* --- pushing names, and inferring names of functions --- */

void fm_js_parser_name_push(struct fm_js_parser *r, enum fm_js_name_kind kind, uint32_t begin, uint32_t end)
{
    static const char prototype[] = "prototype";
    const uint32_t size = end - begin;
    if (kind == FM_JS_NAME_KEY && size == sizeof prototype - 1 && memcmp(r->lexer.begin + begin, prototype, size) == 0)
        return;
    const struct fm_js_name name = {begin, size, kind};
    PUSH(r, names, name);
}

/* Gives the names on the stack, as an inferred name, to all functions and classes that wait for a name. If several
 * identifiers follow each other on the stack, only the last one is used. */
static void infer(struct fm_js_parser *r)
{
    const uint32_t first_made = (uint32_t)r->made.count;
    size_t first = r->names_base;
    if (r->pending.count == r->pending_base) return;
    if (r->names.count - first > FM_LIMIT_SCRIPT_NAME_PARTS) first = r->names.count - FM_LIMIT_SCRIPT_NAME_PARTS;
    for (size_t i = first; i < r->names.count; i++) {
        const struct fm_js_name *name = &r->names.list[i];
        if (name->kind == FM_JS_NAME_VARIABLE && i + 1 < r->names.count && name[1].kind == FM_JS_NAME_VARIABLE)
            continue;
        PUSH(r, made, *name);
    }
    for (size_t i = r->pending_base; i < r->pending.count; i++) {
        struct fm_js_item *item = &r->items.list[r->pending.list[i]];
        item->first_name = first_made;
        item->name_count = (uint32_t)r->made.count - first_made;
    }
    r->pending.count = r->pending_base;
}

static void drop_last_pending(struct fm_js_parser *r)
{
    if (r->pending.count > r->pending_base) r->pending.count--;
}

static void name_whole(struct fm_js_parser *r, uint32_t item, struct fm_js_name direct)
{
    if (item == FM_JS_NONE || direct.kind == FM_JS_NAME_NONE) return;
    if (r->items.list[item].own.kind == FM_JS_NAME_NONE) r->items.list[item].own = direct;
}

/* Ends the open assignments and conditionals from number `base` on. Functions in the arguments of a call get no name
 * from them, because the name belongs to the result of the call. */
static void js_name_pending(struct fm_js_parser *r, size_t base)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    bool call = f->simple && (f->called || f->is_new);
    uint32_t whole = f->whole;
    while (r->marks.count > base) {
        const struct fm_js_assignment mark = r->marks.list[--r->marks.count];
        r->names.count = mark.names;
        if (!mark.is_ternary) {
            name_whole(r, whole, mark.direct);
            if (mark.infers && (!call || mark.even_called))
                infer(r);
            else
                drop_last_pending(r);
        }
        whole = FM_JS_NONE;
        call = false;
    }
}

void fm_js_parser_end_expression(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    js_name_pending(r, f->marks_base);
    r->names.count = f->names_base;
    f->ternaries = 0;
    f->fresh = f->simple = true;
    f->lead = f->called = f->is_new = false;
    f->whole = FM_JS_NONE;
}

void fm_js_parser_end_statement(struct fm_js_parser *r)
{
    fm_js_parser_end_expression(r);
    if (!fm_js_parser_top(r)->within) r->pending.count = r->pending_base;
    r->now |= FM_JS_HINT_START;
    r->value = false;
}

void fm_js_parser_expect_operand(struct fm_js_parser *r, bool start)
{
    fm_js_parser_end_expression(r);
    r->value = false;
    if (start) r->now |= FM_JS_HINT_START;
}

/* --- pushing and removing frames of open constructs --- */

struct fm_js_frame *fm_js_parser_push(struct fm_js_parser *r, enum fm_js_frame_kind kind, unsigned sub, uint32_t begin)
{
    const bool within = r->frames.count > 0 && (fm_js_parser_top(r)->within || kind != FM_JS_FRAME_BLOCK);
    if (r->frames.count >= FM_LIMIT_SCRIPT_DEPTH) {
        if (r->status == FRAMEMAP_OK)
            r->status =
                fm_error_at(r->error, FRAMEMAP_E_LIMIT, begin,
                            "brackets of the script are nested deeper than %u levels", (unsigned)FM_LIMIT_SCRIPT_DEPTH);
        return NULL;
    }
    const struct fm_js_frame frame = {.kind = (unsigned char)kind,
                                      .sub = (unsigned char)sub,
                                      .fresh = true,
                                      .simple = true,
                                      .within = within,
                                      .whole = FM_JS_NONE,
                                      .item = FM_JS_NONE,
                                      .begin = begin,
                                      .names_base = (uint32_t)r->names.count,
                                      .marks_base = (uint32_t)r->marks.count};
    PUSH(r, frames, frame);
    return r->status == FRAMEMAP_OK ? fm_js_parser_top(r) : NULL;
}

void fm_js_parser_set_apart(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    f->apart = true;
    f->within = false;
    f->saved_names = r->names_base;
    f->saved_pending = r->pending_base;
    r->names_base = (uint32_t)r->names.count;
    r->pending_base = (uint32_t)r->pending.count;
    const struct fm_js_name around = {f->item, 0, FM_JS_NAME_AROUND};
    PUSH(r, names, around);
    f->names_base = (uint32_t)r->names.count;
}

struct fm_js_frame fm_js_parser_pop(struct fm_js_parser *r)
{
    fm_js_parser_end_expression(r);
    const struct fm_js_frame frame = *fm_js_parser_top(r);
    if (frame.apart) {
        r->names.count = r->names_base;
        r->pending.count = r->pending_base;
        r->names_base = frame.saved_names;
        r->pending_base = frame.saved_pending;
    }
    r->frames.count--;
    return frame;
}

/* --- handling assignments and other parts of expressions --- */

static void begin_right_side(struct fm_js_parser *r, const struct fm_js_assignment *mark)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    PUSH(r, marks, *mark);
    f->fresh = f->simple = true;
    f->lead = f->called = f->is_new = false;
    f->whole = FM_JS_NONE;
    r->value = false;
}

void fm_js_parser_assign(struct fm_js_parser *r, struct fm_js_name direct, bool infers)
{
    const struct fm_js_assignment mark = {.names = (uint32_t)r->names.count, .direct = direct, .infers = infers};
    begin_right_side(r, &mark);
}

void fm_js_parser_property(struct fm_js_parser *r, struct fm_js_name direct)
{
    const struct fm_js_assignment mark = {
        .names = (uint32_t)r->names.count, .direct = direct, .infers = true, .even_called = true};
    begin_right_side(r, &mark);
}

void fm_js_parser_end_arguments(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    if (!f->is_new) drop_last_pending(r);
    f->is_new = false;
    f->called = true;
}

void fm_js_parser_ternary(struct fm_js_parser *r)
{
    const struct fm_js_assignment mark = {.names = (uint32_t)r->names.count, .is_ternary = true};
    fm_js_parser_operator(r);
    PUSH(r, marks, mark);
    fm_js_parser_top(r)->fresh = true;
    fm_js_parser_top(r)->ternaries++;
}

bool fm_js_parser_colon(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    size_t base = r->marks.count;
    if (f->ternaries == 0) return false;
    while (base > f->marks_base && !r->marks.list[base - 1].is_ternary) base--;
    js_name_pending(r, base > f->marks_base ? base - 1 : base);
    f->ternaries--;
    fm_js_parser_operator(r);
    f->fresh = true;
    return true;
}

void fm_js_parser_wait_for_name(struct fm_js_parser *r, uint32_t item)
{
    if (r->items.list[item].own.kind == FM_JS_NAME_NONE) PUSH(r, pending, item);
}

void fm_js_parser_complete_operand(struct fm_js_parser *r, uint32_t item, bool waits)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    f->whole = f->lead ? item : FM_JS_NONE;
    f->called = false;
    if (waits) fm_js_parser_wait_for_name(r, item);
    r->value = true;
}
