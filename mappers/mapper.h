/* The interface of a mapper: code that reads one kind of symbol file and passes its contents to an index builder. Each
 * mapper is one constant row, struct fm_mapper, that mapper_registry.c lists. The public calls in api/ use this header;
 * a mapper depends on no other mapper and on no index reader. */
#ifndef FM_MAPPERS_MAPPER_H
#define FM_MAPPERS_MAPPER_H

#include "core/heap.h"
#include "core/text/buffer.h"
#include "index/write/builder.h"
#include <framemap/index.h>

/* What the caller provides for one build: memory, callbacks (any may be NULL) and options. A member without a comment
 * has the meaning of the member of the same name in framemap_build_options. */
struct fm_mapper_host {
    struct fm_heap *heap;
    framemap_progress progress;
    framemap_warning warning; /* receives faults that do not end the build: bad units, bad symbol names */
    void *context;            /* passed to `progress` and `warning` */
    const char *arch;         /* architecture of the slice to read if the file has several slices, or NULL */
    const char *reader;       /* name of the DWARF backend, or NULL for the default */
    unsigned threads;
    bool strict, keep_sources;
    framemap_str script;
    framemap_range_mappings range_mappings;
    void (*consumed)(void *input_context, size_t offset);
    void *input_context;
    const uint64_t *positions;
    size_t position_count;
    void (*release_range)(void *input_context, size_t offset, size_t size);
    framemap_companion companion;
    void *companion_context;
    /* receives a record of each companion file that the build requested, in the form of FM_ATTRIBUTE_COMPANIONS; NULL:
     * requests are not recorded */
    struct fm_buf *companion_log;
};

/* One mapper. Every member is set unless its comment says otherwise. All functions may be called from any thread. */
struct fm_mapper {
    /* The mapper's name, for options and messages ("dwarf"), and the files that it reads, in one line for `framemap
     * list`. It must be the first member, since the registry lists the addresses of these members. */
    framemap_mapper_info info;

    /* Returns how likely it is that these bytes are a file of this mapper, from 0 (no) to 100. `name` is the file's
     * name, or empty. Reads only the start of the file. */
    int (*probe)(framemap_str bytes, framemap_str name);

    /* Whether the mapper, if the caller chose it by name, also accepts files that `probe` does not recognize. Set for
     * text formats whose files may be empty or start in any way. */
    bool accepts_unrecognized;

    /* Implements framemap_file_inspect: lists the images in the file, without reading debug info. Fills at most
     * `capacity` records; *count is how many there are. */
    framemap_status (*inspect)(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images,
                               size_t capacity, size_t *count, framemap_error *error);

    /* Adds one image of the file to the builder: the image for the architecture host->arch. */
    framemap_status (*build)(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                             struct fm_builder *builder, framemap_error *error);

    /* Implements framemap_file_sections; `capacity` and *count are as for `inspect`. NULL: files of this mapper have no
     * sections. */
    framemap_status (*sections)(framemap_str bytes, const char *arch, struct fm_heap *heap,
                                framemap_section_info *sections, size_t capacity, size_t *count, framemap_error *error);
};

/* Returns the infos of all mappers, in the order in which they are probed. Each is the first member of its struct
 * fm_mapper. *count is how many there are. Static memory; any thread. */
const framemap_mapper_info *const *fm_mapper_table(size_t *count);

/* Returns the mapper of this name, or NULL. */
const struct fm_mapper *fm_mapper_named(const char *name);

/* Returns the mapper whose probe of these bytes returns the most, or NULL if all return 0. If several return the same
 * value, the first in the table is chosen. If `wanted` is not NULL, only the mapper of that name is considered. */
const struct fm_mapper *fm_mapper_for(framemap_str bytes, framemap_str name, const char *wanted);

/* Reports bytes that no mapper reads: returns FRAMEMAP_E_FORMAT with a message that names the kind of file, if it is
 * known, and the file to use instead. */
framemap_status fm_mapper_refuse(framemap_str bytes, framemap_error *error);
/* Whether the bytes are a file of a known kind that framemap does not read, and that may be in a folder in place of
 * symbol files. *error: as fm_mapper_refuse sets it. */
bool fm_mapper_recognise(framemap_str bytes, framemap_error *error);

/* Describes a file of a kind that framemap does not read, if the file has ids. false: the file has no ids. */
bool fm_mapper_identify(framemap_str bytes, framemap_image_info *out);

/* Passes a warning to the host's callback, if there is one. Defined in mapper_warn.c, so that mappers do not depend on
 * the registry, which depends on them. */
void fm_mapper_warn(const struct fm_mapper_host *host, const framemap_error *warning);

#endif
