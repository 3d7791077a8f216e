/* What a mapper is: foreign symbol bytes to the builder. The table is in mapper_registry.c. */
#ifndef FM_MAPPERS_MAPPER_H
#define FM_MAPPERS_MAPPER_H

#include "core/heap.h"
#include "index/write/builder.h"
#include <framemap/index.h>

/* What a mapper may ask and tell while it works. Callbacks may be NULL; context is theirs. */
struct fm_mapper_host {
    struct fm_heap *heap;
    framemap_progress progress;
    framemap_warning warning; /* passed-over faults: bad units, bad symbol names */
    void *context;
    const char *arch;   /* slice of a container, or NULL */
    const char *reader; /* debug-info reader, or NULL */
    unsigned threads;
    bool strict, keep_sources;                           /* as framemap_build_options */
    framemap_str script;                                 /* likewise */
    framemap_range_mappings range_mappings;              /* likewise */
    void (*passed)(void *passed_context, size_t offset); /* likewise */
    void *passed_context;
    const uint64_t *positions; /* likewise */
    size_t position_count;
    void (*let_go)(void *passed_context, size_t offset, size_t size); /* likewise */
};

struct fm_mapper {
    const char *name;    /* "dwarf" */
    const char *summary; /* one line for --help and the docs */
    /* How sure it is that these bytes are its own: 0 no, up to 100. Looks at the head of the file only. */
    int (*probe)(framemap_str bytes, framemap_str name);
    bool takes_any; /* asked for by name, it takes files that it would not know for its own: texts may be empty, or
                       begin anyhow */
    /* Lists the images inside, cheaply: no debug info is read. As framemap_file_inspect. */
    framemap_status (*inspect)(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images,
                               size_t capacity, size_t *count, framemap_error *error);
    /* Fills the builder from one image (host->arch chooses). */
    framemap_status (*build)(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                             struct fm_builder *builder, framemap_error *error);
    /* As framemap_file_sections. NULL: its files have no sections. */
    framemap_status (*sections)(framemap_str bytes, const char *arch, struct fm_heap *heap,
                                framemap_section_info *sections, size_t capacity, size_t *count, framemap_error *error);
};

/* The table, best probes first; *count rows. */
const struct fm_mapper *const *fm_mapper_table(size_t *count);
/* The same rows for people, in the same order. */
const framemap_mapper_info *fm_mapper_infos(size_t *count);
/* The mapper for these bytes, or NULL. want: a name to insist on, or NULL. */
const struct fm_mapper *fm_mapper_for(framemap_str bytes, framemap_str name, const char *want);

/* For bytes that no mapper takes: FORMAT, saying what they look like and what to give instead. */
framemap_status fm_mapper_refuse(framemap_str bytes, framemap_error *error);

void fm_mapper_warn(const struct fm_mapper_host *host, const framemap_error *warning);

#endif
