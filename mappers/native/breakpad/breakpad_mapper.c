/* Compiles symbol files of Breakpad, which dump_syms makes from the debug info of ELF, Mach-O and PDB files:
 *
 *     MODULE Linux x86_64 BBA6FA10B8AAB33D00000000000000000 libdemo.so
 *     INFO CODE_ID 10FAA6BBAAB83DB3
 *     FILE 0 /src/demo.cc
 *     INLINE_ORIGIN 0 bar()
 *     FUNC 15b30 6cf 0 main
 *     INLINE 0 42 0 0 15b45 6b1
 *     15b30 15 41 0
 *     PUBLIC 2000 0 start
 *
 * Addresses count from the start of the image. docs/native.md describes what is read; Breakpad's docs/symbol_files.md
 * describes the format. */
#include "mappers/native/breakpad/breakpad_mapper.h"

#include "core/error.h"
#include "mappers/native/breakpad/breakpad_compile.h"
#include "mappers/native/breakpad/breakpad_module.h"

static int breakpad_probe(framemap_str bytes, framemap_str name)
{
    struct fm_breakpad_module module;
    (void)name;
    return fm_breakpad_module_read(bytes, &module) ? 100 : 0;
}

static framemap_status refuse(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not a symbol file of Breakpad");
}

static framemap_status breakpad_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                        framemap_image_info *images, size_t capacity, size_t *count,
                                        framemap_error *error)
{
    struct fm_breakpad_module module;
    (void)name, (void)heap;
    if (!fm_breakpad_module_read(bytes, &module)) return refuse(error);
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    fm_breakpad_describe(&module, images);
    images->size = bytes.size;
    return FRAMEMAP_OK;
}

static framemap_status set_about(const struct fm_breakpad_module *module, framemap_str name, struct fm_builder *builder,
                                 framemap_error *error)
{
    framemap_image_info info;
    const framemap_str image = fm_breakpad_image_name(module);
    fm_breakpad_describe(module, &info);
    const struct fm_builder_about about = {.kind = FM_STR(FM_BREAKPAD_NAME),
                                           .id = framemap_str_of(info.id),
                                           .arch = framemap_str_of(info.arch),
                                           .name = image.size > 0 ? image : fm_str_basename(name),
                                           .address_bits = info.address_bits,
                                           .big_endian = info.big_endian};
    return fm_builder_about(builder, &about, error);
}

static framemap_status breakpad_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                      struct fm_builder *builder, framemap_error *error)
{
    struct fm_breakpad_module module;
    struct fm_breakpad_records records;
    if (!fm_breakpad_module_read(bytes, &module)) return refuse(error);
    framemap_status status = set_about(&module, name, builder, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_breakpad_read(bytes, module.body, host, &records, error);
    if (status == FRAMEMAP_OK && records.function_count == 0)
        status = fm_error_set(error, FRAMEMAP_E_EMPTY, "this symbol file of Breakpad has no functions");
    if (status == FRAMEMAP_OK) status = fm_breakpad_compile(&records, host, builder, error);
    fm_breakpad_records_free(&records);
    return status;
}

const struct fm_mapper fm_breakpad_mapper = {
    .info = {.name = FM_BREAKPAD_NAME, .summary = "symbol files of Breakpad (.sym), as dump_syms writes them"},
    .probe = breakpad_probe,
    .inspect = breakpad_inspect,
    .build = breakpad_build,
};
