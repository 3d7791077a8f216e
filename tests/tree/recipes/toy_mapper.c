/* A toy mapper for check_recipes. It reads files whose first line is "TOY", followed by lines "ADDRESS NAME" with
 * hexadecimal addresses. */
#include "mappers/native/toy_mapper.h"

#include "core/error.h"
#include "core/text/text.h"
#include <stdlib.h>
#include <string.h>

static int toy_probe(framemap_str bytes, framemap_str name)
{
    (void)name;
    return fm_str_starts(bytes, FM_STR("TOY\n")) ? 100 : 0;
}

static framemap_status toy_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                   framemap_image_info *images, size_t capacity, size_t *count, framemap_error *error)
{
    (void)name, (void)heap, (void)error;
    *count = 1;
    if (capacity > 0) *images = (framemap_image_info){.has_symbols = true, .size = bytes.size, .kind = "toy"};
    return FRAMEMAP_OK;
}

static framemap_status add_symbol(struct fm_builder *builder, uint32_t scope, uint64_t address, framemap_str name,
                                  framemap_error *error)
{
    struct fm_function function = {.class_name = FM_NONE, .decl_file = FM_NONE};
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .start = address, .symbol = FM_NONE};
    struct fm_place place = {.file = FM_NONE, .name = FM_NONE};
    framemap_status status = fm_builder_string(builder, name, &function.name, error);
    if (status == FRAMEMAP_OK) status = fm_builder_function(builder, &function, &node.function, error);
    if (status == FRAMEMAP_OK) status = fm_builder_node(builder, &node, &place.node, error);
    if (status == FRAMEMAP_OK) status = fm_builder_position(builder, scope, address, &place, 1, error);
    return status;
}

static framemap_status toy_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                 struct fm_builder *builder, framemap_error *error)
{
    (void)host;
    uint32_t scope;
    framemap_status status = fm_builder_scope(builder, FM_STR(""), &scope, error);
    for (size_t at = 4; at < bytes.size && status == FRAMEMAP_OK;) {
        const framemap_str rest = fm_str_from(bytes, at);
        const size_t end = fm_str_find_byte(rest, '\n'), blank = fm_str_find_byte(rest, ' ');
        if (end == FM_NOT_FOUND || blank == FM_NOT_FOUND || blank > end)
            return fm_error_at(error, FRAMEMAP_E_FORMAT, at, "the line is not an address and a name");
        status = add_symbol(builder, scope, strtoull(rest.data, NULL, 16), fm_str_slice(rest, blank + 1, end), error);
        at += end + 1;
    }
    const struct fm_builder_about about = {
        .kind = FM_STR("toy"), .name = fm_str_basename(name), .keys = FM_SCOPE_NAMED, .address_bits = 64};
    return status == FRAMEMAP_OK ? fm_builder_about(builder, &about, error) : status;
}

const struct fm_mapper fm_toy_mapper = {.info = {.name = "toy", .summary = "lines of an address and a name"},
                                        .probe = toy_probe,
                                        .inspect = toy_inspect,
                                        .build = toy_build};
