/* Queries an index and compares chains of frames. */
#include "api/proof/proof.h"

#include "core/error.h"

#include <inttypes.h>

framemap_status fm_proof_ask(struct fm_proof *proof, const framemap_query *query, framemap_frame *out)
{
    framemap_error why;
    const framemap_status status = framemap_resolve(proof->index, query, proof->scratch, out, &why);
    proof->counts.questions++;
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(proof->error);
    *out = (framemap_frame){.status = FRAMEMAP_FRAME_MALFORMED, .reason = "the index is damaged"};
    return FRAMEMAP_OK;
}

/* --- finding what differs between two frames --- */

static bool same_aliases(const framemap_frame *a, const framemap_frame *b)
{
    if (a->alias_count != b->alias_count) return false;
    for (size_t i = 0; i < a->alias_count; i++)
        if (!fm_str_equal(a->aliases[i], b->aliases[i])) return false;
    return true;
}

static const char *name_difference(const framemap_frame *a, const framemap_frame *b)
{
    if (!fm_str_equal(a->function, b->function)) return "function";
    if (!fm_str_equal(a->symbol, b->symbol)) return "symbol";
    if (!fm_str_equal(a->class_name, b->class_name)) return "class";
    if (!fm_str_equal(a->name, b->name)) return "name";
    if (!fm_str_equal(a->file, b->file)) return "file";
    return fm_str_equal(a->declared_file, b->declared_file) ? NULL : "declared file";
}

static const char *number_difference(const framemap_frame *a, const framemap_frame *b)
{
    if (a->line != b->line) return "line";
    if (a->column != b->column) return "column";
    if (a->declared_line != b->declared_line) return "declared line";
    if (a->inlined != b->inlined) return "inlined";
    if (a->artificial != b->artificial) return "artificial";
    if (a->ignored != b->ignored) return "ignored";
    if (a->function_origin != b->function_origin) return "origin of the function";
    if (a->has_function_offset != b->has_function_offset || a->function_offset != b->function_offset)
        return "start of the function";
    if (a->function_size != b->function_size) return "size of the function";
    return same_aliases(a, b) ? NULL : "aliases";
}

const char *fm_proof_chain_difference(framemap_frame_list said, framemap_frame_list found)
{
    if (said.count != found.count) return said.count == 0 || found.count == 0 ? "answer" : "inlined calls";
    for (size_t i = 0; i < said.count; i++) {
        const char *differs = name_difference(&said.frames[i], &found.frames[i]);
        if (differs == NULL) differs = number_difference(&said.frames[i], &found.frames[i]);
        if (differs != NULL) return differs;
    }
    return NULL;
}

/* --- writing frames as text --- */

static void put_source_place(struct fm_buf *out, framemap_str file, uint32_t line, uint32_t column)
{
    fm_buf_str(out, file.size > 0 ? file : FM_STR("?"));
    if (line > 0) fm_buf_printf(out, ":%" PRIu32, line);
    if (line > 0 && column > 0) fm_buf_printf(out, ":%" PRIu32, column);
}

static void put_details(struct fm_buf *out, const framemap_frame *frame)
{
    if (frame->name.size > 0) {
        fm_buf_str(out, FM_STR(", name "));
        fm_buf_str(out, frame->name);
    }
    if (frame->declared_line > 0 || frame->declared_file.size > 0) {
        fm_buf_str(out, FM_STR(", declared at "));
        put_source_place(out, frame->declared_file, frame->declared_line, 0);
    }
    if (frame->has_function_offset) fm_buf_printf(out, ", 0x%" PRIx64 " from its start", frame->function_offset);
    if (frame->function_size > 0) fm_buf_printf(out, ", size 0x%" PRIx64, frame->function_size);
    if (frame->artificial) fm_buf_str(out, FM_STR(", artificial"));
    if (frame->ignored) fm_buf_str(out, FM_STR(", ignored"));
    for (size_t i = 0; i < frame->alias_count; i++) {
        fm_buf_str(out, i == 0 ? FM_STR(", alias ") : FM_STR(" "));
        fm_buf_str(out, frame->aliases[i]);
    }
}

static void put_frame(struct fm_buf *out, const framemap_frame *frame)
{
    if (frame->class_name.size > 0) {
        fm_buf_str(out, frame->class_name);
        fm_buf_byte(out, '.');
    }
    fm_buf_str(out, frame->function.size > 0 ? frame->function : FM_STR("?"));
    if (frame->symbol.size > 0) {
        fm_buf_str(out, FM_STR(" ("));
        fm_buf_str(out, frame->symbol);
        fm_buf_byte(out, ')');
    }
    fm_buf_str(out, FM_STR(" at "));
    put_source_place(out, frame->file, frame->line, frame->column);
    put_details(out, frame);
}

#define PUT_MOST 16384u /* maximum number of bytes of the text of one chain; the rest of the text is cut */

void fm_proof_put_chain(struct fm_buf *out, framemap_frame_list chain)
{
    for (size_t i = 0; i < chain.count && out->size < PUT_MOST; i++) {
        if (i > 0) fm_buf_str(out, FM_STR(" <- "));
        put_frame(out, &chain.frames[i]);
    }
}

framemap_status fm_proof_compare_chain(struct fm_proof *proof, const char *what, const framemap_query *query,
                                       fm_proof_put_place *put_place, framemap_frame_list said)
{
    framemap_frame answer;
    const framemap_status status = fm_proof_ask(proof, query, &answer);
    if (status != FRAMEMAP_OK) return status;
    const bool damaged = answer.status == FRAMEMAP_FRAME_MALFORMED;
    const framemap_frame_list found = answer.restored;
    /* frames that are missing because the answer reached its limits are not compared */
    if (answer.over_limit && said.count > found.count) said.count = found.count;
    const char *differs = damaged ? "answer" : fm_proof_chain_difference(said, found);
    if (differs == NULL) return FRAMEMAP_OK;
    put_place(&proof->place, query);
    fm_proof_put_chain(&proof->said, said);
    fm_proof_put_chain(&proof->found, found);
    if (damaged) fm_buf_str(&proof->found, FM_STR("(the index is damaged)"));
    return fm_proof_differs(proof, what, differs);
}
