/* The image files that a front queries: each is opened once by its path, together with its separate debug file. */
#ifndef FM_CLI_FRONTS_FRONT_IMAGES_H
#define FM_CLI_FRONTS_FRONT_IMAGES_H

#include "cli/symbols.h"

struct fm_front_image {
    char *name; /* name as given by the caller: path, or path:arch */
    size_t name_size;
    const framemap_index *index; /* index to query; NULL: the file could not be opened, or is empty */
    /* `index` was made from a separate debug file, and `own` from the image, for its symbols */
    bool separate;
    const framemap_index *own; /* index of the image itself; NULL: none */
    framemap_index_info info;
    framemap_status status; /* result of opening; EMPTY is not a failure */
    char message[FRAMEMAP_ERROR_MESSAGE_SIZE];
    bool reported; /* the failure was reported */
    bool sections_read;
    unsigned address_bits;     /* width of an address; 0: not determined yet */
    bool has_marked_addresses; /* 32-bit ARM: the lowest bit of an address may mark Thumb code */
    bool relocatable;          /* an object file: addresses are offsets in sections, which are scopes */
    struct fm_sections sections;
    char *path;       /* the file that the sections are read from */
    const char *arch; /* the architecture in `name`, else the default one; NULL: neither is given */
};

struct fm_front_images {
    struct fm_cli_symbols symbols;
    framemap_scratch *many_scratch; /* scratch for lookups of many addresses at once */
    /* Scratch for a lookup in the image's own symbols while an answer from its debug file is in use. */
    framemap_scratch *own_scratch;
    uint64_t max_memory;       /* value of --max-memory; 0: no limit */
    const char *default_arch;  /* architecture to use from fat files; NULL: none */
    const uint64_t *positions; /* the only addresses that will be looked up, as in framemap_image_query; NULL: any */
    size_t position_count;
    const char *const *debug_folders; /* folders that are searched for .build-id/ab/cdef.debug */
    size_t debug_folder_count;
    const char *package;        /* a .dwp file to try first; NULL: none */
    const char *const *bundles; /* dSYM bundles that may have debug info of the images */
    size_t bundle_count;
    struct fm_front_image **slots; /* hash table by name, open addressing */
    size_t slot_count, used;
    struct fm_front_image *last; /* image that fm_front_images_find returned last; it is usually requested again next */
};

framemap_status fm_front_images_open(struct fm_front_images *images, framemap_error *error);
void fm_front_images_close(struct fm_front_images *images);

/* Whether fm_front_image_lookup_many can be used for the image: it has a single index, and its addresses are linked
 * addresses without a Thumb bit. */
static inline bool fm_front_image_is_plain(const struct fm_front_image *image)
{
    return image->index && image->status == FRAMEMAP_OK && !image->separate && !image->relocatable &&
           !image->has_marked_addresses;
}

/* Returns the image file with this name, which is opened on first use; never NULL. */
struct fm_front_image *fm_front_images_find(struct fm_front_images *images, framemap_str name);

/* Looks up a linked address or, in an object file, an offset in the first code section that has an answer. The frame
 * is borrowed until the next call; names are not demangled. If a separate debug file answers, frame.symbol is the
 * name in the image's own symbol table or, failing that, in the debug info; as in LLVM, the symbol table of the
 * debug file is not used. Returns false if nothing is known for the address. */
bool fm_front_image_lookup(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                           framemap_frame *out);
/* Looks up many linked addresses of one image, with names in the given style; borrowed until the next such call. An
 * unknown address has no frames. Returns false if the image needs fm_front_image_lookup for each address. */
bool fm_front_image_lookup_many(struct fm_front_images *images, struct fm_front_image *image, framemap_demangle style,
                                const uint64_t *addresses, size_t count, framemap_location_list *out);
/* Looks up an offset in a named section, as fm_front_image_lookup does with an address. */
bool fm_front_image_lookup_section(struct fm_front_images *images, struct fm_front_image *image, framemap_str section,
                                   uint64_t offset, framemap_frame *out);
bool fm_front_image_has_section(struct fm_front_image *image, framemap_str section);
/* Returns the number of bits of an address, 32 or 64. */
unsigned fm_front_image_address_bits(struct fm_front_image *image);
/* Looks up the data object at a linked address, as fm_front_image_lookup does for code. */
bool fm_front_image_lookup_data(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                                framemap_frame *out);

#endif
