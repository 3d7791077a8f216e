/* Implements json_frame.h. It must not depend on formats: framemap_frame has all values of a frame's row. */
#include "formats/output/json_frame.h"

static const char *origin_name(framemap_function_origin origin)
{
    switch (origin) {
    case FRAMEMAP_FUNCTION_NONE: break;
    case FRAMEMAP_FUNCTION_SCOPES: return "scopes";
    case FRAMEMAP_FUNCTION_MAP: return "function-map";
    case FRAMEMAP_FUNCTION_TEXT: return "text";
    case FRAMEMAP_FUNCTION_CALLER: return "caller";
    case FRAMEMAP_FUNCTION_PRINTED: return "printed";
    }
    return "";
}

static const char *mode_name(framemap_address_kind kind)
{
    switch (kind) {
    case FRAMEMAP_ADDRESS_NONE: break;
    case FRAMEMAP_ADDRESS_ABSOLUTE: return "absolute";
    case FRAMEMAP_ADDRESS_LINKED: return "linked";
    case FRAMEMAP_ADDRESS_IMAGE: return "image";
    case FRAMEMAP_ADDRESS_BYTECODE: return "bytecode";
    case FRAMEMAP_ADDRESS_FILE: return "file";
    }
    return "";
}

/* --- writing the frames that a frame was restored to --- */

static void put_context(struct fm_members *m, const framemap_frame *source)
{
    struct fm_members context = fm_members_open_in(m, FM_MEMBER("context"));
    if (source->context.size == 0) return;
    fm_member_count(&context, FM_MEMBER("line"), source->context_line);
    fm_member_text(&context, FM_MEMBER("text"), source->context);
    fm_members_close(&context);
}

/* Appends one restored frame of a frame. */
static void put_source(struct fm_buf *out, const framemap_frame *source)
{
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("class"), source->class_name);
    fm_member_text(&m, FM_MEMBER("function"), source->function);
    fm_member_text(&m, FM_MEMBER("function_from"), framemap_str_of(origin_name(source->function_origin)));
    fm_member_text(&m, FM_MEMBER("symbol"), source->symbol);
    fm_member_text(&m, FM_MEMBER("name"), source->name);
    fm_member_text(&m, FM_MEMBER("file"), source->file);
    fm_member_number(&m, FM_MEMBER("line"), source->line);
    fm_member_number(&m, FM_MEMBER("column"), source->column);
    if (source->has_function_offset) fm_member_count(&m, FM_MEMBER("offset"), source->function_offset);
    fm_member_number(&m, FM_MEMBER("function_size"), source->function_size);
    fm_member_flag(&m, FM_MEMBER("inlined"), source->inlined);
    fm_member_flag(&m, FM_MEMBER("artificial"), source->artificial);
    fm_member_flag(&m, FM_MEMBER("ignored"), source->ignored);
    put_context(&m, source);
    if (source->has_in_app) fm_member_bool(&m, FM_MEMBER("in_app"), source->in_app);
    fm_member_text(&m, FM_MEMBER("owner"), source->owner);
    fm_members_close(&m);
}

static void put_list(struct fm_buf *out, framemap_frame_list list)
{
    fm_buf_byte(out, '[');
    for (size_t i = 0; i < list.count; i++) {
        if (i) fm_buf_byte(out, ',');
        put_source(out, &list.frames[i]);
    }
    fm_buf_byte(out, ']');
}

static void put_alternatives(struct fm_members *m, const framemap_frame *frame)
{
    if (frame->alternative_count == 0) return;
    fm_member_name(m, FM_MEMBER("alternatives"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < frame->alternative_count; i++) {
        if (i) fm_buf_byte(m->out, ',');
        put_list(m->out, frame->alternatives[i]);
    }
    fm_buf_byte(m->out, ']');
}

static bool says_where(const framemap_frame *frame)
{
    return frame->class_name.size || frame->function.size || frame->file.size || frame->line;
}

/* Returns the values of the row in the form of a restored frame. */
static framemap_frame printed_source(const framemap_frame *frame)
{
    return (framemap_frame){.class_name = frame->class_name,
                            .function = frame->function,
                            .file = frame->file,
                            .line = frame->line,
                            .column = frame->column,
                            .has_function_offset = frame->has_function_offset,
                            .function_offset = frame->function_offset,
                            .inlined = frame->inlined,
                            .context = frame->context,
                            .context_line = frame->context_line,
                            .has_in_app = frame->has_in_app,
                            .in_app = frame->in_app,
                            .owner = frame->owner};
}

static void put_sources(struct fm_members *m, const framemap_frame *frame)
{
    const framemap_frame printed = printed_source(frame);
    const bool restored = frame->restored.count != 0, says = !restored && says_where(frame);
    fm_member_text(m, FM_MEMBER("from"), restored ? FM_STR("symbols") : says ? FM_STR("printed") : FM_STR("none"));
    if (frame->matched_by != FRAMEMAP_MATCH_NONE)
        fm_member_text(m, FM_MEMBER("matched_by"), framemap_str_of(framemap_match_name(frame->matched_by)));
    fm_member_flag(m, FM_MEMBER("conflict"), frame->conflict);
    fm_member_flag(m, FM_MEMBER("hidden"), frame->status == FRAMEMAP_FRAME_OK && !restored);
    fm_member_name(m, FM_MEMBER("source"));
    if (restored) {
        put_list(m->out, frame->restored);
    } else {
        fm_buf_byte(m->out, '[');
        if (says)
            put_source(m->out, &printed);
        else
            fm_buf_str(m->out, FM_STR("{}"));
        fm_buf_byte(m->out, ']');
    }
    put_alternatives(m, frame);
}

/* --- writing the values that the text itself printed for the frame --- */

static void put_eval(struct fm_members *printed, const framemap_frame_extra *extra)
{
    struct fm_members eval = fm_members_open_in(printed, FM_MEMBER("eval"));
    fm_member_text(&eval, FM_MEMBER("file"), extra->eval_file);
    fm_member_number(&eval, FM_MEMBER("line"), extra->eval_line);
    fm_member_number(&eval, FM_MEMBER("column"), extra->eval_column);
    fm_member_text(&eval, FM_MEMBER("origin"), extra->eval_origin);
    fm_members_close(&eval);
}

static void put_extra(struct fm_members *printed, const framemap_frame_extra *extra)
{
    fm_member_text(printed, FM_MEMBER("trust"), extra->trust);
    if (extra->has_count) fm_member_count(printed, FM_MEMBER("count"), extra->count);
    if (extra->has_wasm_function) fm_member_count(printed, FM_MEMBER("wasm_function"), extra->wasm_function);
    if (extra->has_sub_index) fm_member_count(printed, FM_MEMBER("sub_index"), extra->sub_index);
    if (extra->has_line_offset) fm_member_count(printed, FM_MEMBER("line_offset"), extra->line_offset);
    if (extra->stack_pointer) fm_member_hex(printed, FM_MEMBER("stack_pointer"), extra->stack_pointer);
    if (extra->return_address) fm_member_hex(printed, FM_MEMBER("return_address"), extra->return_address);
    put_eval(printed, extra);
}

/* Whether the row has the frame's offset. If the offset is from the symbols, the row does not have it, but the restored
 * frames do. */
static bool has_printed_offset(const framemap_frame *frame)
{
    return frame->has_function_offset && (frame->function.size || frame->restored.count == 0);
}

static void put_printed(struct fm_members *m, const framemap_frame *frame)
{
    struct fm_members printed = fm_members_open_in(m, FM_MEMBER("printed"));
    fm_member_text(&printed, FM_MEMBER("function"), frame->function);
    if (has_printed_offset(frame)) fm_member_count(&printed, FM_MEMBER("offset"), frame->function_offset);
    if (frame->restored.count == 0) fm_member_number(&printed, FM_MEMBER("function_size"), frame->function_size);
    fm_member_text(&printed, FM_MEMBER("class"), frame->class_name);
    fm_member_text(&printed, FM_MEMBER("file"), frame->file);
    fm_member_number(&printed, FM_MEMBER("line"), frame->line);
    fm_member_number(&printed, FM_MEMBER("column"), frame->column);
    fm_member_flag(&printed, FM_MEMBER("inlined"), frame->inlined);
    fm_member_flag(&printed, FM_MEMBER("async"), frame->is_async);
    fm_member_flag(&printed, FM_MEMBER("native"), frame->is_native);
    fm_member_flag(&printed, FM_MEMBER("unreliable"), frame->is_unreliable);
    if (frame->extra) put_extra(&printed, frame->extra);
    fm_members_close(&printed);
}

static uint64_t lookup_address(const framemap_frame *frame)
{
    const uint64_t address = frame->address - frame->has_thumb_bit;
    return address - (frame->return_address && address > 0);
}

static void put_address(struct fm_members *m, const framemap_frame *frame)
{
    struct fm_members address = fm_members_open_in(m, FM_MEMBER("address"));
    if (frame->has_address) {
        fm_member_hex(&address, FM_MEMBER("value"), frame->address);
        fm_member_text(&address, FM_MEMBER("mode"), framemap_str_of(mode_name(frame->address_kind)));
    }
    if (frame->has_absolute_address) fm_member_hex(&address, FM_MEMBER("absolute"), frame->absolute_address);
    if (frame->has_load_address) fm_member_hex(&address, FM_MEMBER("load"), frame->load_address);
    fm_member_flag(&address, FM_MEMBER("maps_file"), frame->maps_file);
    if (frame->has_address) fm_member_hex(&address, FM_MEMBER("lookup"), lookup_address(frame));
    if (frame->file_offset) fm_member_hex(&address, FM_MEMBER("elf_offset"), frame->file_offset);
    fm_members_close(&address);
}

static void put_image(struct fm_members *m, const framemap_frame *frame, bool has_images)
{
    if (has_images && frame->has_image) fm_member_count(m, FM_MEMBER("image"), frame->image);
    fm_member_text(m, FM_MEMBER("module"), frame->module);
    fm_member_text(m, FM_MEMBER("module_path"), frame->module_path);
    fm_member_text(m, FM_MEMBER("id"), frame->id);
    fm_member_text(m, FM_MEMBER("arch"), frame->arch);
}

void fm_json_put_frame(struct fm_buf *out, const framemap_frame *frame, size_t number, bool has_images)
{
    struct fm_members m = fm_members_open(out);
    fm_member_count(&m, FM_MEMBER("n"), number);
    if (frame->index >= 0) fm_member_count(&m, FM_MEMBER("index"), (uint64_t)frame->index);
    fm_member_number(&m, FM_MEMBER("line"), frame->raw_line);
    fm_member_count(&m, FM_MEMBER("byte"), frame->raw_offset);
    fm_member_string(&m, FM_MEMBER("raw"), frame->raw);
    fm_member_text(&m, FM_MEMBER("kind"), framemap_str_of(framemap_kind_name(frame->kind)));
    fm_member_text(&m, FM_MEMBER("marker"), framemap_str_of(framemap_marker_name(frame->marker)));
    fm_member_text(&m, FM_MEMBER("status"), framemap_str_of(framemap_frame_status_name(frame->status)));
    fm_member_text(&m, FM_MEMBER("why"), framemap_str_of(framemap_why_name(frame->why)));
    fm_member_text(&m, FM_MEMBER("reason"), framemap_str_of(frame->reason));
    put_image(&m, frame, has_images);
    put_address(&m, frame);
    put_printed(&m, frame);
    put_sources(&m, frame);
    fm_members_close(&m);
}

void fm_json_put_registers(struct fm_members *m, const framemap_trace *trace)
{
    if (trace->register_count == 0) return;
    fm_member_name(m, FM_MEMBER("registers"));
    for (size_t i = 0; i < trace->register_count; i++) {
        fm_buf_byte(m->out, i ? ',' : '{');
        fm_buf_json(m->out, trace->registers[i].name);
        fm_buf_str(m->out, FM_STR(":\"0x"));
        fm_buf_hex(m->out, trace->registers[i].value, 1);
        fm_buf_byte(m->out, '"');
    }
    fm_buf_byte(m->out, '}');
}
