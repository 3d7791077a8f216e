/* Traces as JSON lines: one object a trace, absent fields left out. */
#include "formats/output/print_each.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

struct member {
    struct fm_buf *out;
    bool any; /* a comma is due */
};

/* Appends the name of a member, after a comma unless it is the first. */
#define NAME(name) FM_STR(",\"" name "\":")

static void key(struct member *m, framemap_str name)
{
    fm_buf_str(m->out, fm_str_from(name, m->any ? 0 : 1));
    m->any = true;
}

static void text_member(struct member *m, framemap_str name, framemap_str value)
{
    if (value.size == 0) return;
    key(m, name);
    fm_buf_json(m->out, value);
}

static void number_member(struct member *m, framemap_str name, uint64_t value)
{
    if (value == 0) return;
    key(m, name);
    fm_buf_dec(m->out, value);
}

/* --- frames --- */

static void flag_member(struct member *m, framemap_str name, bool value)
{
    if (!value) return;
    key(m, name);
    fm_buf_str(m->out, FM_STR("true"));
}

static const char *origin_name(framemap_function_origin origin)
{
    switch (origin) {
    case FRAMEMAP_FUNCTION_UNSAID: break;
    case FRAMEMAP_FUNCTION_SCOPES: return "scopes";
    case FRAMEMAP_FUNCTION_MAP: return "function-map";
    case FRAMEMAP_FUNCTION_TEXT: return "text";
    case FRAMEMAP_FUNCTION_CALLER: return "caller";
    case FRAMEMAP_FUNCTION_PRINTED: return "printed";
    }
    return "";
}

static void put_context(struct member *m, const framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(frame->context);
    framemap_str line;
    if (frame->context.size == 0) return;
    key(m, NAME("context"));
    fm_buf_str(m->out, FM_STR("{\"line\":"));
    fm_buf_dec(m->out, frame->context_line);
    fm_buf_str(m->out, FM_STR(",\"lines\":["));
    for (bool any = false; fm_scan_code_line(&s, &line); any = true) {
        if (any) fm_buf_byte(m->out, ',');
        fm_buf_json(m->out, line);
    }
    fm_buf_str(m->out, FM_STR("]}"));
}

/* Appends the restored frames of one frame. */
static void put_source(struct fm_buf *out, const framemap_frame *frame)
{
    struct member m = {out, false};
    fm_buf_byte(out, '{');
    text_member(&m, NAME("class"), frame->class_name);
    text_member(&m, NAME("function"), frame->function);
    text_member(&m, NAME("function_from"), framemap_str_of(origin_name(frame->function_origin)));
    text_member(&m, NAME("symbol"), frame->symbol);
    text_member(&m, NAME("name"), frame->name);
    text_member(&m, NAME("file"), frame->file);
    number_member(&m, NAME("line"), frame->line);
    number_member(&m, NAME("column"), frame->column);
    flag_member(&m, NAME("artificial"), frame->artificial);
    flag_member(&m, NAME("inlined"), frame->inlined);
    flag_member(&m, NAME("ignored"), frame->ignored);
    put_context(&m, frame);
    fm_buf_byte(out, '}');
}

static void put_list(struct fm_buf *out, const framemap_frame *frames, size_t count)
{
    fm_buf_byte(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i) fm_buf_byte(out, ',');
        put_source(out, &frames[i]);
    }
    fm_buf_byte(out, ']');
}

static void put_alternatives(struct member *m, const framemap_frame *frame)
{
    if (frame->alternative_count == 0) return;
    key(m, NAME("alternatives"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < frame->alternative_count; i++) {
        if (i) fm_buf_byte(m->out, ',');
        put_list(m->out, frame->alternatives[i].frames, frame->alternatives[i].count);
    }
    fm_buf_byte(m->out, ']');
}

/* Appends strings of the frame line that are used for lookups of frames without an address. */
static void put_printed(struct member *m, const framemap_frame *frame)
{
    text_member(m, NAME("class"), frame->class_name);
    text_member(m, NAME("function"), frame->function);
    text_member(m, NAME("file"), frame->file);
    number_member(m, NAME("line"), frame->line);
    number_member(m, NAME("column"), frame->column);
}

/* The word for programs that a reason for people begins with; absent where it begins with none. */
static framemap_str why(const framemap_frame *frame)
{
    static const char *const words[] = {"over-limit", "over-memory", "changed-while-read"};
    const framemap_str reason = frame->reason ? framemap_str_of(frame->reason) : FM_STR("");
    if (frame->over_limit) return FM_STR("over-limit");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_starts(reason, framemap_str_of(words[i]))) return framemap_str_of(words[i]);
    return (framemap_str){NULL, 0};
}

static void put_frame(struct fm_buf *out, const framemap_frame *frame)
{
    struct member m = {out, false};
    fm_buf_byte(out, '{');
    if (frame->index >= 0) {
        key(&m, NAME("index"));
        fm_buf_dec(out, (uint64_t)frame->index);
    }
    text_member(&m, NAME("raw"), frame->raw);
    text_member(&m, NAME("kind"), framemap_str_of(framemap_kind_name(frame->kind)));
    text_member(&m, NAME("status"), framemap_str_of(framemap_frame_status_name(frame->status)));
    text_member(&m, NAME("why"), why(frame));
    text_member(&m, NAME("reason"), frame->reason ? framemap_str_of(frame->reason) : FM_STR(""));
    text_member(&m, NAME("module"), frame->module);
    text_member(&m, NAME("id"), frame->id);
    if (frame->matched_by != FRAMEMAP_MATCH_NONE)
        text_member(&m, NAME("matched_by"), framemap_str_of(framemap_match_name(frame->matched_by)));
    bool by_words = frame->kind == FRAMEMAP_KIND_JAVA || frame->kind == FRAMEMAP_KIND_JS;
    if (by_words && frame->status != FRAMEMAP_FRAME_NOT_NEEDED) put_printed(&m, frame);
    if (frame->has_address) {
        key(&m, NAME("address"));
        fm_buf_str(out, FM_STR("\"0x"));
        fm_buf_hex(out, frame->address, 1);
        fm_buf_byte(out, '"');
    }
    if (frame->restored.count) {
        key(&m, NAME("frames"));
        put_list(out, frame->restored.frames, frame->restored.count);
    } else if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED) {
        key(&m, NAME("frames")); /* the text gives these without a lookup */
        put_list(out, frame, 1);
    }
    put_alternatives(&m, frame);
    flag_member(&m, NAME("hidden"), frame->status == FRAMEMAP_FRAME_OK && frame->restored.count == 0);
    fm_buf_byte(out, '}');
}

/* --- classes outside of frames --- */

static bool stands_in(framemap_str part, framemap_str whole)
{
    return part.size && part.data >= whole.data && part.data + part.size <= whole.data + whole.size;
}

/* The exception with its classes restored. Bytes of its own are not looked at: only slices are put for slices. */
static void put_exception(struct member *m, const framemap_trace *trace)
{
    framemap_str whole = trace->exception;
    struct fm_buf text;
    if (whole.size == 0) return;
    fm_buf_init(&text, m->out->heap);
    const char *at = whole.data;
    for (size_t i = 0; i < trace->mention_count; i++) {
        const framemap_mention *mention = &trace->mentions[i];
        if (mention->restored.size == 0 || !stands_in(mention->raw, whole) || mention->raw.data < at) continue;
        fm_buf_add(&text, at, (size_t)(mention->raw.data - at));
        fm_buf_str(&text, mention->restored);
        at = mention->raw.data + mention->raw.size;
    }
    fm_buf_add(&text, at, (size_t)(whole.data + whole.size - at));
    text_member(m, NAME("exception"), fm_buf_view(&text));
    if (text.failed) m->out->failed = true;
    fm_buf_free(&text);
}

static void put_mentions(struct member *m, const framemap_trace *trace)
{
    if (trace->mention_count == 0) return;
    key(m, NAME("classes"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < trace->mention_count; i++) {
        const framemap_mention *mention = &trace->mentions[i];
        struct member inner = {m->out, false};
        if (i) fm_buf_byte(m->out, ',');
        fm_buf_byte(m->out, '{');
        text_member(&inner, NAME("raw"), mention->raw);
        text_member(&inner, NAME("class"), mention->restored);
        number_member(&inner, NAME("before"), mention->before_frame);
        flag_member(&inner, NAME("exception"), mention->exception);
        fm_buf_byte(m->out, '}');
    }
    fm_buf_byte(m->out, ']');
}

static void json_trace(struct fm_buf *out, const framemap_trace *trace)
{
    struct member m = {out, false};
    fm_buf_byte(out, '{');
    text_member(&m, NAME("format"), trace->format);
    text_member(&m, NAME("thread"), trace->thread);
    put_exception(&m, trace);
    number_member(&m, NAME("line"), trace->line);
    key(&m, NAME("frames"));
    fm_buf_byte(out, '[');
    for (size_t i = 0; i < trace->frame_count; i++) {
        if (i) fm_buf_byte(out, ',');
        put_frame(out, &trace->frames[i]);
    }
    fm_buf_byte(out, ']');
    put_mentions(&m, trace);
    fm_buf_str(out, FM_STR("}\n"));
}

static framemap_status print_json(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_each(job, json_trace, error);
}

const struct fm_format fm_json_output = {.info = {"json", "JSON, one object per trace and line", false, true},
                                         .print = print_json};
