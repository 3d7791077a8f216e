/* The mapper of mapping.txt by R8's rules: its row for mapper_registry.c. r8_read.c reads the text. */
#include "mappers/java/r8_mapper.h"

#include "core/text/text.h"
#include "mappers/java/r8_head.h"
#include "mappers/java/r8_read.h"

static int r8_mapper_probe(framemap_str bytes, framemap_str name)
{
    (void)name;
    return fm_r8_probe(bytes);
}

static void set_text(char *out, size_t room, framemap_str text)
{
    const size_t size = text.size < room ? text.size : room - 1;
    if (size > 0) memcpy(out, text.data, size);
    out[size] = 0;
}

framemap_status fm_r8_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images,
                              size_t capacity, size_t *count, framemap_error *error)
{
    struct fm_r8_head head;
    (void)name;
    (void)heap;
    (void)error;
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    fm_r8_head_read(bytes, &head);
    *images = (framemap_image_info){.has_line_table = true, .has_symbols = true, .size = bytes.size};
    set_text(images->kind, sizeof images->kind, FM_STR(FM_R8_NAME));
    set_text(images->type, sizeof images->type, FM_STR("mapping"));
    set_text(images->id, sizeof images->id, fm_r8_head_id(&head));
    return FRAMEMAP_OK;
}

static framemap_status r8_mapper_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                       struct fm_builder *builder, framemap_error *error)
{
    char id[FM_R8_ID_SIZE];
    framemap_status status = fm_r8_read(bytes, host, builder, id, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_builder_about about = {
        .kind = FM_STR(FM_R8_NAME), .id = framemap_str_of(id), .name = fm_str_basename(name), .keys = FM_SCOPE_NAMED};
    return fm_builder_about(builder, &about, error);
}

const struct fm_mapper fm_r8_mapper = {
    .info = {.name = FM_R8_NAME, .summary = "mapping.txt of R8 and ProGuard, by the rules of R8's retrace"},
    .probe = r8_mapper_probe,
    .accepts_unrecognized = true,
    .inspect = fm_r8_inspect,
    .build = r8_mapper_build,
};
