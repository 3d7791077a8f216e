/* Checks the options of a compilation and chooses its mapper. See build_input.h. */
#include "api/build_input.h"

#include "api/option_structs.h"
#include "core/error.h"
#include "mappers/native/dwarf/dw_visitor.h"

static framemap_status find_mapper(struct fm_build_input *input, framemap_error *error)
{
    const char *want = input->options.mapper;
    input->mapper = fm_mapper_for(input->bytes, input->name, want);
    if (input->mapper) return FRAMEMAP_OK;
    if (want) return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not a file of the kind \"%s\"", want);
    return fm_mapper_refuse(input->bytes, error);
}

/* Checks those options that can be checked without the file. */
static framemap_status check_build(const framemap_build_options *options, framemap_error *error)
{
    if (options->mapper && fm_mapper_named(options->mapper) == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "unknown mapper \"%.60s\": framemap_mapper_list names them",
                            options->mapper);
    if (options->reader && !fm_dw_backend_named(options->reader))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "unknown debug info reader \"%.60s\": use \"fast\" or \"libdwarf\"", options->reader);
    return fm_ranges_check(options->range_mappings, error);
}

static void set_host(struct fm_build_input *input)
{
    const framemap_build_options *given = &input->options;
    fm_heap_init(&input->heap, given->allocator, given->max_memory);
    input->host = (struct fm_mapper_host){.heap = &input->heap,
                                          .progress = given->progress,
                                          .warning = given->warning,
                                          .context = given->context,
                                          .arch = given->arch,
                                          .reader = given->reader,
                                          .threads = given->threads ? given->threads : 1,
                                          .strict = given->strict,
                                          .keep_sources = given->keep_sources,
                                          .script = given->script,
                                          .range_mappings = given->range_mappings,
                                          .consumed = given->consumed,
                                          .input_context = given->input_context,
                                          .positions = given->positions,
                                          .position_count = given->position_count,
                                          .release_range = given->release_range,
                                          .companion = given->companion,
                                          .companion_context = given->companion_context};
}

framemap_status fm_build_input_open(framemap_str bytes, framemap_str name, const framemap_build_options *options,
                                    struct fm_build_input *out, framemap_error *error)
{
    out->bytes = bytes;
    out->name = name;
    framemap_status status = fm_options_read(options, &out->options, sizeof out->options, error);
    if (status != FRAMEMAP_OK) return status;
    if (bytes.data == NULL && bytes.size)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_str_check(name, "the name of the symbol file", error);
    if (status == FRAMEMAP_OK) status = fm_str_check(out->options.script, "script", error);
    if (status != FRAMEMAP_OK) return status;
    status = check_build(&out->options, error);
    if (status != FRAMEMAP_OK) return status;
    set_host(out);
    status = find_mapper(out, error);
    if (status != FRAMEMAP_OK) fm_error_where(error, name);
    return status;
}
