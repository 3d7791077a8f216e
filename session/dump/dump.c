/* Implements framemap_index_dump, and dumps indexes of positions. */
#include "session/dump/dump_out.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/base64.h"
#include "index/read/head_view.h"
#include "resolve/native/inline_chain.h"
#include <framemap/kv.h>

/* Writes a position: addresses in hex, lines and columns in decimal. */
static void position(struct fm_dump *dump, uint64_t value, bool quoted)
{
    struct fm_buf *out = &dump->out;
    if (dump->about.address_bits == 0) {
        fm_buf_dec(out, value);
        return;
    }
    fm_buf_str(out, quoted ? FM_STR("\"0x") : FM_STR("0x"));
    fm_buf_hex(out, value, 1);
    if (quoted) fm_buf_byte(out, '"');
}

/* --- writing an index as text --- */

static void text_pair(struct fm_buf *out, framemap_str name, framemap_str value)
{
    if (value.size == 0) return;
    fm_buf_str(out, FM_STR("# "));
    fm_buf_str(out, name);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, value);
    fm_buf_byte(out, '\n');
}

static void text_head(struct fm_dump *dump)
{
    struct fm_buf *out = &dump->out;
    const struct fm_view_about *about = &dump->about;
    text_pair(out, FM_STR("kind"), about->kind);
    text_pair(out, FM_STR("name"), about->name);
    text_pair(out, FM_STR("id"), about->id);
    text_pair(out, FM_STR("arch"), about->arch);
    if (about->address_bits) fm_buf_printf(out, "# base 0x%llx\n", (unsigned long long)about->base);
    if (about->class_count > 0 || about->is_segments) return;
    fm_buf_printf(out, "# scopes %llu, positions %llu, functions %llu, files %llu\n",
                  (unsigned long long)about->scope_count, (unsigned long long)about->position_count,
                  (unsigned long long)about->function_count, (unsigned long long)about->file_count);
}

static void text_scope(struct fm_dump *dump, framemap_str key, uint64_t number)
{
    fm_dump_end_line(&dump->out, FM_STR(""));
    fm_buf_str(&dump->out, FM_STR("scope "));
    if (dump->about.numbered_scopes)
        fm_buf_dec(&dump->out, number);
    else
        fm_buf_json(&dump->out, key);
    fm_buf_byte(&dump->out, '\n');
}

static void text_frame(struct fm_buf *out, const framemap_frame *frame)
{
    if (frame->class_name.size) {
        fm_buf_str(out, frame->class_name);
        fm_buf_byte(out, '.');
    }
    fm_buf_str(out, frame->function.size ? frame->function : FM_STR("?"));
    if (frame->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_buf_str(out, frame->file);
    }
    if (frame->line) fm_buf_printf(out, ":%lu", (unsigned long)frame->line);
    if (frame->column) fm_buf_printf(out, ":%lu", (unsigned long)frame->column);
    if (frame->name.size) {
        fm_buf_str(out, FM_STR(" name "));
        fm_buf_str(out, frame->name);
    }
    fm_buf_byte(out, '\n');
}

/* The answers for a position: as many call chains as the arrays have room for. */
struct answers {
    framemap_frame_list *chains;
    uint32_t count;
    bool over_limit;
};

static void text_row(struct fm_dump *dump, const struct fm_hit *hit, const struct answers *answers)
{
    struct fm_buf *out = &dump->out;
    position(dump, hit->start, false);
    fm_buf_byte(out, '-');
    position(dump, hit->end, false);
    if (hit->place_count == 0) fm_dump_end_line(out, FM_STR("  nothing"));
    for (uint32_t p = 0; p < answers->count; p++) {
        if (p) fm_buf_str(out, FM_STR("  or"));
        for (size_t i = 0; i < answers->chains[p].count; i++) {
            fm_buf_str(out, i ? FM_STR("    inlined into ") : FM_STR("  "));
            text_frame(out, &answers->chains[p].frames[i]);
        }
    }
    if (answers->over_limit) fm_dump_end_line(out, FM_STR("  over-limit: the rest is left out"));
}

/* --- writing an index as JSON lines --- */

static void json_text(struct fm_buf *out, const char *name, framemap_str value)
{
    if (value.size == 0) return;
    fm_buf_printf(out, ",\"%s\":", name);
    fm_buf_json(out, value);
}

static void json_frame(struct fm_buf *out, const framemap_frame *frame)
{
    size_t begin = out->size;
    json_text(out, "class", frame->class_name);
    json_text(out, "function", frame->function);
    json_text(out, "symbol", frame->symbol);
    json_text(out, "name", frame->name);
    json_text(out, "file", frame->file);
    if (frame->line) fm_buf_printf(out, ",\"line\":%lu", (unsigned long)frame->line);
    if (frame->column) fm_buf_printf(out, ",\"column\":%lu", (unsigned long)frame->column);
    if (frame->inlined) fm_buf_str(out, FM_STR(",\"inlined\":true"));
    if (out->failed) return;
    /* the comma before the first member is replaced by the brace that opens the object */
    if (out->size == begin)
        fm_buf_byte(out, '{');
    else
        out->data[begin] = '{';
    fm_buf_byte(out, '}');
}

static void json_row(struct fm_dump *dump, framemap_str key, uint64_t number, const struct fm_hit *hit,
                     const struct answers *answers)
{
    struct fm_buf *out = &dump->out;
    fm_buf_str(out, FM_STR("{\"scope\":"));
    if (dump->about.numbered_scopes)
        fm_buf_dec(out, number);
    else
        fm_buf_json(out, key);
    fm_buf_str(out, FM_STR(",\"start\":"));
    position(dump, hit->start, true);
    fm_buf_str(out, FM_STR(",\"end\":"));
    position(dump, hit->end, true);
    fm_buf_str(out, FM_STR(",\"answers\":["));
    for (uint32_t p = 0; p < answers->count; p++) {
        fm_buf_str(out, p ? FM_STR(",[") : FM_STR("["));
        for (size_t i = 0; i < answers->chains[p].count; i++) {
            if (i) fm_buf_byte(out, ',');
            json_frame(out, &answers->chains[p].frames[i]);
        }
        fm_buf_byte(out, ']');
    }
    fm_dump_end_line(out, answers->over_limit ? FM_STR("],\"why\":\"over-limit\"}") : FM_STR("]}"));
}

/* --- walking over the index --- */

static framemap_status find_answers(struct fm_dump *dump, const struct fm_hit *hit, struct answers *out,
                                    framemap_error *error)
{
    const struct fm_view *view = dump->index->view;
    struct fm_answer_room room = fm_answer_room(&dump->arena);
    const struct fm_chain_context context = {view,       &dump->arena, FRAMEMAP_DEMANGLE_DEFAULT, FRAMEMAP_KIND_UNKNOWN,
                                             hit->start, &room};
    *out = (struct answers){.chains = FM_ARENA_ARRAY(&dump->arena, framemap_frame_list, hit->place_count)};
    if (out->chains == NULL) return fm_error_memory(error);
    while (out->count < hit->place_count && !room.over) {
        const framemap_status status = fm_chain_of(&context, hit, out->count, &out->chains[out->count], error);
        if (status != FRAMEMAP_OK) return status;
        if (out->chains[out->count].count > 0) out->count++;
    }
    out->over_limit = room.over;
    return FRAMEMAP_OK;
}

static framemap_status dump_scope(struct fm_dump *dump, uint64_t scope, bool json, framemap_error *error)
{
    framemap_str key;
    uint64_t number, first, last;
    struct fm_hit hit;
    if (!fm_view_scope_at(dump->index->view, scope, &key, &number, &first, &last))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a scope can't be read");
    if (!json) text_scope(dump, key, number);
    for (uint64_t from = first; fm_view_next(dump->index->view, scope, from, &hit); from = hit.end) {
        struct answers answers;
        fm_arena_reset(&dump->arena);
        framemap_status status = find_answers(dump, &hit, &answers, error);
        if (status != FRAMEMAP_OK) return status;
        if (json)
            json_row(dump, key, number, &hit, &answers);
        else
            text_row(dump, &hit, &answers);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
        if (status != FRAMEMAP_OK) return status;
        if (hit.end <= from) break; /* this is the last record of the scope, or a damaged record */
    }
    return FRAMEMAP_OK;
}

static framemap_status dump_rows(struct fm_dump *dump, bool json, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    struct fm_classes_about classes;
    struct fm_segments_about segments;
    if (!json) text_head(dump);
    /* The head of a split index has no rows; the other values of the index have them. */
    if (fm_view_is_head(dump->index->view)) return FRAMEMAP_OK;
    if (fm_view_classes(dump->index->view, &classes)) return fm_dump_classes(dump, json, error);
    if (fm_view_segments(dump->index->view, &segments)) return fm_dump_segments(dump, json, error);
    for (uint64_t scope = 0; scope < dump->about.scope_count && status == FRAMEMAP_OK; scope++)
        status = dump_scope(dump, scope, json, error);
    return status;
}

/* --- writing the values of an index by their keys --- */

struct value_dump {
    struct fm_dump *dump;
    framemap_status status;
    framemap_error *error;
};

static bool dump_value(void *context, const framemap_value_key *key, framemap_str value)
{
    struct value_dump *values = context;
    struct fm_buf *out = &values->dump->out;
    fm_buf_str(out, key->build);
    fm_buf_byte(out, ':');
    fm_buf_str(out, key->field);
    fm_buf_byte(out, '\t');
    fm_buf_base64(out, value);
    fm_buf_byte(out, '\n');
    values->status = fm_dump_flush(values->dump, FM_DUMP_FLUSH, values->error);
    return values->status == FRAMEMAP_OK;
}

static framemap_status dump_values(struct fm_dump *dump, framemap_error *error)
{
    struct value_dump values = {dump, FRAMEMAP_OK, error};
    /* If passing on the output fails, its error is already in `error`, and the error of the stopped call is not
     * needed. */
    framemap_error ignored;
    const framemap_status status = framemap_index_split(dump->index, NULL, dump_value, &values, &ignored);
    if (values.status != FRAMEMAP_OK) return values.status;
    if (status != FRAMEMAP_OK && error) *error = ignored;
    return status;
}

framemap_status framemap_index_dump(const framemap_index *index, const char *format, framemap_write write,
                                    void *context, framemap_error *error)
{
    if (index == NULL || format == NULL || write == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    struct fm_dump dump = {.index = index, .heap = &heap, .write = write, .context = context};
    fm_heap_init(&heap, &index->heap.hook, 0);
    fm_arena_init(&dump.arena, &heap);
    fm_buf_init(&dump.out, &heap);
    dump.out.shows = true;
    fm_view_about(index->view, &dump.about);
    dump.left = FM_LIMIT_INDEX_DUMP * dump.about.size_bytes;
    framemap_str name = framemap_str_of(format);
    framemap_status status;
    if (fm_str_equal(name, FM_STR("text")))
        status = dump_rows(&dump, false, error);
    else if (fm_str_equal(name, FM_STR("jsonl")))
        status = dump_rows(&dump, true, error);
    else if (fm_str_equal(name, FM_STR("kv")))
        status = dump_values(&dump, error);
    else
        status = fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an index is dumped as text, jsonl or kv, not as \"%.40s\"",
                              format);
    if (status == FRAMEMAP_OK) status = fm_dump_flush(&dump, 0, error);
    fm_buf_free(&dump.out);
    fm_arena_free(&dump.arena);
    return status;
}
