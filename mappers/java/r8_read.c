/* Reads a whole mapping: with several threads if it is big, otherwise with one reader. See r8_read.h. */
#include "mappers/java/r8_read.h"

#include "core/error.h"
#include "mappers/java/r8_parallel.h"
#include "mappers/java/r8_reader.h"

static framemap_status nothing_in_it(const struct fm_r8_reader *r)
{
    if (r->classes > 0 || r->host->strict) return FRAMEMAP_OK;
    if (r->faults > 0)
        return fm_error_set(r->error, FRAMEMAP_E_EMPTY, "no line of this file is a class line of a mapping");
    return fm_error_set(r->error, FRAMEMAP_E_EMPTY,
                        "this mapping has no classes: the build renamed nothing, or the file is cut short");
}

static framemap_status read_all(struct fm_r8_reader *r)
{
    framemap_status status = fm_r8_reader_head(r);
    if (status == FRAMEMAP_OK) status = fm_r8_parallel_pays(r) ? fm_r8_parallel_read(r) : fm_r8_reader_lines(r, r->end);
    if (status == FRAMEMAP_OK) status = fm_r8_reader_close(r);
    if (status == FRAMEMAP_OK) status = fm_r8_head_attributes(&r->head, r->builder, r->error);
    fm_r8_reader_end(r);
    return status == FRAMEMAP_OK ? nothing_in_it(r) : status;
}

framemap_status fm_r8_read(framemap_str text, const struct fm_mapper_host *host, struct fm_builder *builder,
                           char id[FM_R8_ID_SIZE], framemap_error *error)
{
    struct fm_r8_reader r;
    fm_r8_reader_init(&r, host, builder, error);
    r.id = id;
    r.begin = r.at = r.hashed = r.class_line = text.data;
    r.end = text.size ? text.data + text.size : text.data;
    r.next_step = text.size > FM_R8_STEP_BYTES ? text.data + FM_R8_STEP_BYTES : r.end;
    fm_builder_classes(builder);
    framemap_status status = read_all(&r);
    fm_r8_reader_free(&r);
    return status;
}
