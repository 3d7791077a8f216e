/* The images that a front is asked about: opened once by path, with their separate debug files, and looked up. */
#ifndef FM_CLI_FRONTS_FRONT_IMAGES_H
#define FM_CLI_FRONTS_FRONT_IMAGES_H

#include "cli/symbols.h"

struct fm_front_image {
    char *name; /* as asked for: path, or path:arch */
    size_t name_size;
    const framemap_index *index; /* NULL: it could not be opened, or there is nothing in it */
    bool separate;               /* index is of a separate debug file; the image's own symbols are in: */
    const framemap_index *own;   /* NULL: it has none */
    framemap_index_info info;
    framemap_status status; /* of opening; EMPTY is no failure */
    char message[FRAMEMAP_ERROR_MESSAGE_SIZE];
    bool told; /* the failure was reported */
    bool sections_read;
    unsigned address_bits;     /* 0: not asked yet */
    bool has_marked_addresses; /* of 32-bit ARM: their lowest bit may be the mark of thumb code */
    bool relocatable;          /* addresses are offsets into sections, which are scopes */
    struct fm_sections sections;
    char *path;       /* the file that the sections are read from */
    const char *arch; /* within name, or the default one, or NULL */
};

struct fm_front_images {
    struct fm_cli_symbols symbols;
    framemap_scratch *many_scratch; /* for answers to many addresses at once */
    framemap_scratch *own_scratch;  /* for the image's own symbols beside an answer of its debug file */
    uint64_t max_memory;            /* of --max-memory; 0: none */
    const char *default_arch;       /* slice of fat files; NULL: none */
    const uint64_t *positions;      /* no other addresses will be asked for, as framemap_want has them; NULL: any */
    size_t position_count;
    const char *const *debug_folders; /* searched for .build-id/ab/cdef.debug */
    size_t debug_folder_count;
    const char *const *bundles; /* dSYM bundles to try for their image's debug info */
    size_t bundle_count;
    struct fm_front_image **slots; /* open addressing by name */
    size_t slot_count, used;
    struct fm_front_image *last; /* nearly every question asks the same one again */
};

framemap_status fm_front_images_open(struct fm_front_images *images, framemap_error *error);
void fm_front_images_close(struct fm_front_images *images);

/* It is answered from one index, by addresses of the whole image that carry no mark: it may be asked for many at once.
 */
static inline bool fm_front_image_is_plain(const struct fm_front_image *image)
{
    return image->index && image->status == FRAMEMAP_OK && !image->separate && !image->relocatable &&
           !image->has_marked_addresses;
}

/* The module of a name, opened at its first mention; never NULL. */
struct fm_front_image *fm_front_images_find(struct fm_front_images *images, framemap_str name);

/* Answers an address as linked; in a relocatable file, an offset in the first section of code that has an answer. The
 * frame is borrowed until the next call; names are as the files spell them. Where a separate debug file answers,
 * frame.symbol is the name that the image's own table has for the code, failing that the debug info's: the table of the
 * debug file is not asked, as LLVM does not ask it. false: nothing is known there. */
bool fm_front_image_lookup(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                           framemap_frame *out);
/* Many addresses as linked of one module at once, names in the style asked for; borrowed until the next such call. What
 * nothing is known of has no frames. false: these have to be asked one by one, as fm_front_image_lookup does. */
bool fm_front_image_lookup_many(struct fm_front_images *images, struct fm_front_image *image, framemap_demangle style,
                                const uint64_t *addresses, size_t count, framemap_brief_list *out);
/* The same in one named section. */
bool fm_front_image_lookup_section(struct fm_front_images *images, struct fm_front_image *image, framemap_str section,
                                   uint64_t offset, framemap_frame *out);
bool fm_front_image_has_section(struct fm_front_image *image, framemap_str section);
/* 32 or 64. */
unsigned fm_front_image_address_bits(struct fm_front_image *image);
/* The data object at an address. */
bool fm_front_image_lookup_data(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                                framemap_frame *out);

#endif
