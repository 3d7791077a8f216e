/* The table of mappers. A new one is a row here and in `infos`. */
#include "core/text/text.h"
#include "mappers/dart/dart_mapper.h"
#include "mappers/dart/dart_names.h"
#include "mappers/java/r8_mapper.h"
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"
#include "mappers/native/image/image.h"
#include "mappers/native/native_mapper.h"

static const struct fm_mapper *const table[] = {
    &fm_dart_mapper, /* before the one that takes every object file */
    &fm_dwarf_mapper,         &fm_r8_mapper,        &fm_proguard_mapper,
    &fm_r8_partitions_mapper, &fm_sourcemap_mapper, &fm_dart_names_mapper,
};
static const framemap_mapper_info infos[sizeof table / sizeof *table] = {
    {FM_DART_NAME, FM_DART_SUMMARY},
    {FM_DWARF_NAME, FM_DWARF_SUMMARY},
    {FM_R8_NAME, FM_R8_SUMMARY},
    {FM_PROGUARD_NAME, FM_PROGUARD_SUMMARY},
    {FM_R8_PARTITIONS_NAME, FM_R8_PARTITIONS_SUMMARY},
    {FM_SOURCEMAP_NAME, FM_SOURCEMAP_SUMMARY},
    {FM_DART_NAMES_NAME, FM_DART_NAMES_SUMMARY},
};

const struct fm_mapper *const *fm_mapper_table(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const framemap_mapper_info *fm_mapper_infos(size_t *count)
{
    *count = sizeof infos / sizeof *infos;
    return infos;
}

const struct fm_mapper *fm_mapper_for(framemap_str bytes, framemap_str name, const char *want)
{
    const struct fm_mapper *best = NULL;
    int best_score = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (want != NULL && strcmp(want, table[i]->name) != 0) continue;
        if (want != NULL && table[i]->takes_any) return table[i];
        const int score = table[i]->probe(bytes, name);
        if (score <= best_score) continue;
        best = table[i];
        best_score = score;
    }
    return best;
}

framemap_status fm_mapper_refuse(framemap_str bytes, framemap_error *error) { return fm_image_refuse(bytes, error); }

void fm_mapper_warn(const struct fm_mapper_host *host, const framemap_error *warning)
{
    if (host->warning != NULL) host->warning(host->context, warning);
}
