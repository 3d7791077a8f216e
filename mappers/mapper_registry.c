/* The table of mappers and the choice among them. To add a mapper, add its row here. Called by the public calls in api/
 * and session/; no mapper calls it. */
#include "core/archive/archive.h"
#include "core/archive/archive_script.h"
#include "core/error.h"
#include "mappers/dart/dart_mapper.h"
#include "mappers/dart/dart_names.h"
#include "mappers/java/r8_mapper.h"
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"
#include "mappers/native/breakpad/breakpad_mapper.h"
#include "mappers/native/image/foreign_pe.h"
#include "mappers/native/image/image.h"
#include "mappers/native/kallsyms_mapper.h"
#include "mappers/native/native_mapper.h"

/* The rows are in the order of probing: if several mappers return the same probe result, the first of them is chosen.
 * fm_dart_mapper is before fm_dwarf_mapper, which recognizes every object file. */
static const framemap_mapper_info *const table[] = {
    &fm_dart_mapper.info,       &fm_dwarf_mapper.info,         &fm_r8_mapper.info,
    &fm_proguard_mapper.info,   &fm_r8_partitions_mapper.info, &fm_sourcemap_mapper.info,
    &fm_dart_names_mapper.info, &fm_kallsyms_mapper.info,      &fm_breakpad_mapper.info,
};
#define MAPPER_COUNT (sizeof table / sizeof *table)

/* Returns the whole mapper of a row: its info is its first member (C11 6.7.2.1, paragraph 15). */
static const struct fm_mapper *mapper_at(size_t index) { return (const struct fm_mapper *)(const void *)table[index]; }
_Static_assert(offsetof(struct fm_mapper, info) == 0, "mapper_at depends on it");

const framemap_mapper_info *const *fm_mapper_table(size_t *count)
{
    *count = MAPPER_COUNT;
    return table;
}

const struct fm_mapper *fm_mapper_named(const char *name)
{
    for (size_t i = 0; i < MAPPER_COUNT; i++)
        if (strcmp(name, table[i]->name) == 0) return mapper_at(i);
    return NULL;
}

const struct fm_mapper *fm_mapper_for(framemap_str bytes, framemap_str name, const char *wanted)
{
    const struct fm_mapper *best = NULL;
    int best_score = 0;

    if (wanted != NULL) {
        const struct fm_mapper *mapper = fm_mapper_named(wanted);
        return mapper != NULL && (mapper->accepts_unrecognized || mapper->probe(bytes, name) > 0) ? mapper : NULL;
    }
    for (size_t i = 0; i < MAPPER_COUNT; i++) {
        const int score = mapper_at(i)->probe(bytes, name);
        if (score <= best_score) continue;
        best = mapper_at(i);
        best_score = score;
    }
    return best;
}

/* Refuses a script without a source map of its own, if the modules that it passes to eval have maps. Returns false if
 * they have none. */
static bool refuse_modules(framemap_str bytes, framemap_error *error)
{
    /* NEAR: the first module must begin within this many bytes, because only the bundler's code precedes it */
    enum { NEAR = 64 << 10 };
    struct fm_archive script;
    struct fm_archive_member module;
    bool more = false;
    if (fm_str_find(fm_str_slice(bytes, 0, NEAR), FM_STR("eval(")) == FM_NOT_FOUND) return false;
    fm_archive_open_script(bytes, &script);
    if (fm_archive_next(&script, &module, &more, NULL) != FRAMEMAP_OK || !more) return false;
    (void)fm_script_refuse(FRAMEMAP_E_FORMAT, module.name, error);
    return true;
}

framemap_status fm_mapper_refuse(framemap_str bytes, framemap_error *error)
{
    if (!fm_image_recognise(bytes, error) && refuse_modules(bytes, error)) return FRAMEMAP_E_FORMAT;
    return fm_image_refuse(bytes, error);
}
bool fm_mapper_recognise(framemap_str bytes, framemap_error *error) { return fm_image_recognise(bytes, error); }

bool fm_mapper_identify(framemap_str bytes, framemap_image_info *out) { return fm_pe_describe(bytes, out); }
