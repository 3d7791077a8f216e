/* Implements java_frame.h. */
#include "formats/java/java_frame.h"

static framemap_str map_id(framemap_str source)
{
    framemap_str mark = FM_STR("r8-map-id-");
    return fm_str_starts(source, mark) ? fm_str_from(source, mark.size) : fm_str(NULL, 0);
}

void fm_java_frame_fill(const struct fm_java_row *row, framemap_str id, framemap_frame *frame)
{
    frame->kind = FRAMEMAP_KIND_JAVA;
    frame->module = row->module.size || row->bare ? row->module : row->place_module;
    frame->class_name = row->class_name;
    frame->function = row->method;
    frame->is_native = fm_str_begins(row->source, FM_STR("Native "));
    if (row->source_kind != FM_JAVA_SOURCE_MARK) frame->file = fm_java_file(row->source);
    if (row->line.size == 0 && fm_str_equal(frame->file, FM_STR("Unknown Source"))) frame->file.size = 0;
    frame->line = row->has_line ? (uint32_t)row->line_number : 0;
    frame->id = map_id(row->source);
    if (frame->id.size == 0) frame->id = id;
    if (!fm_java_looks_renamed(row)) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}
