/* Prints restored frames of crash reports that are JSON, in the style of their own objects. Called by output_text.c
 * through the format's row. */
#include "formats/native/apple_ips_print.h"
#include "core/json/json_walk.h"
#include "formats/native/apple.h"
#include "formats/row_parts.h"

/* The members of a symbol, in the order in which missing ones are added. */
enum member { SYMBOL, LOCATION, FILE_NAME, LINE, INLINE, MEMBERS, OTHER = MEMBERS };
static const framemap_str member_names[MEMBERS] = {FM_STR_INIT("symbol"), FM_STR_INIT("symbolLocation"),
                                                   FM_STR_INIT("sourceFile"), FM_STR_INIT("sourceLine"),
                                                   FM_STR_INIT("inline")};

struct object_printer {
    struct fm_buf *out;
    const framemap_frame *source;
    bool inlined;
    framemap_str comma, colon; /* how the object separates its members, and keys from values */
    const char *at;            /* the first byte of the object that is not printed yet */
    const char *end;           /* the end of its last member so far */
    bool done[MEMBERS];
};

static enum member member_of(const struct fm_json_piece *key)
{
    for (unsigned i = 0; i < MEMBERS; i++)
        if (fm_str_equal(key->raw, member_names[i])) return (enum member)i;
    return OTHER;
}

static bool has_value(const struct object_printer *p, enum member member)
{
    switch (member) {
    case SYMBOL: return true;
    case LOCATION: return p->source->has_function_offset || p->inlined;
    case FILE_NAME: return p->source->file.size != 0;
    case LINE: return p->source->file.size != 0 && p->source->line != 0;
    case INLINE: return p->inlined;
    case OTHER: break;
    }
    return false;
}

static void put_value(const struct object_printer *p, enum member member)
{
    switch (member) {
    case SYMBOL: fm_buf_json(p->out, fm_row_name(p->source)); break;
    case LOCATION: fm_buf_dec(p->out, p->source->has_function_offset ? p->source->function_offset : 0); break;
    case FILE_NAME: fm_buf_json(p->out, fm_apple_file_name(p->source->file)); break;
    case LINE: fm_buf_dec(p->out, p->source->line); break;
    case INLINE: fm_buf_str(p->out, FM_STR("true")); break;
    case OTHER: break;
    }
}

static void copy_to(struct object_printer *p, const char *to)
{
    fm_buf_str(p->out, fm_str(p->at, (size_t)(to - p->at)));
    p->at = to;
}

static size_t quote(const struct fm_json_piece *piece) { return piece->type == FM_JSON_STRING; }

static void put_member(struct object_printer *p, const struct fm_json_piece *key, const struct fm_json_piece *value)
{
    const char *from = value->raw.data - quote(value), *key_end = key->raw.data + key->raw.size + 1;
    const enum member member = member_of(key);
    if (p->end) p->comma = fm_str(p->end, (size_t)(key->raw.data - 1 - p->end));
    p->colon = fm_str(key_end, (size_t)(from - key_end));
    p->end = value->raw.data + value->raw.size + quote(value);
    if (member == OTHER) return;
    p->done[member] = true;
    if (!has_value(p, member)) return;
    copy_to(p, from);
    put_value(p, member);
    p->at = p->end;
}

static void add_missing(struct object_printer *p)
{
    for (unsigned i = 0; i < MEMBERS; i++) {
        const enum member member = (enum member)i;
        if (p->done[i] || !has_value(p, member)) continue;
        fm_buf_str(p->out, p->comma);
        fm_buf_json(p->out, member_names[i]);
        fm_buf_str(p->out, p->colon);
        put_value(p, member);
    }
}

/* Prints the object with the members of one function. Returns how it separates members. */
static framemap_str put_object(struct fm_buf *out, framemap_str raw, const framemap_frame *source, bool inlined)
{
    struct object_printer p = {
        .out = out, .source = source, .inlined = inlined, .comma = FM_STR(","), .colon = FM_STR(":"), .at = raw.data};
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    fm_json_walk_init(&walk, raw);
    if (fm_json_walk_open(&walk, FM_JSON_OBJECT))
        while (fm_json_walk_next(&walk, &key, &value)) put_member(&p, &key, &value);
    if (p.end) {
        copy_to(&p, p.end);
        add_missing(&p);
    }
    copy_to(&p, raw.data + raw.size);
    return p.comma;
}

void fm_apple_ips_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    (void)prefix;
    (void)eol;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const bool inlined = i + 1 < frame->restored.count;
        const framemap_str comma = put_object(out, frame->raw, &frame->restored.frames[i], inlined);
        if (!inlined) break;
        /* "}, {" where each member has a line of its own */
        fm_buf_str(out, fm_str_find_byte(comma, '\n') == FM_NOT_FOUND ? comma : FM_STR(", "));
    }
}
