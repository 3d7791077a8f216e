/* Matches the frames of a report with its images. A report usually lists its images after its threads, so this is done
 * once it has ended. Called by document_report.c. */
#include "formats/scan/image_match.h"
#include "core/text/text.h"
#include <stdlib.h>

struct place {
    uint64_t load;
    const framemap_image *image;
};
struct places {
    struct place *by_load; /* images with a known load address, ascending */
    size_t load_count;
    struct place *by_name; /* sorted by name, then by load address */
    size_t name_count;
};

static int compare_load(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->load != b->load) return a->load < b->load ? -1 : 1;
    /* of several images with the same address, the one with the most information sorts last, so that it is found */
    if (a->image->id.size != b->image->id.size) return a->image->id.size < b->image->id.size ? -1 : 1;
    if (a->image->size != b->image->size) return a->image->size < b->image->size ? -1 : 1;
    return a->image < b->image ? -1 : a->image > b->image;
}

static int compare_name(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = fm_str_compare(a->image->name, b->image->name);
    return order ? order : compare_load(left, right);
}

/* Whether the image is the line that reports print for addresses outside of all images: it covers every address, so
 * it must not be used as an image. */
static bool is_sentinel(const framemap_image *image)
{
    return image->name.size == 0 || fm_str_equal(image->name, FM_STR("???"));
}

static bool places_make(struct places *places, struct fm_arena *arena, const framemap_image *images, size_t count)
{
    *places = (struct places){.by_load = FM_ARENA_ARRAY(arena, struct place, count),
                              .by_name = FM_ARENA_ARRAY(arena, struct place, count)};
    if (!places->by_load || !places->by_name) return false;
    for (size_t i = 0; i < count; i++) {
        if (is_sentinel(&images[i])) continue;
        struct place place = {images[i].load_address, &images[i]};
        if (images[i].load_address) places->by_load[places->load_count++] = place;
        places->by_name[places->name_count++] = place;
    }
    qsort(places->by_load, places->load_count, sizeof(struct place), compare_load);
    qsort(places->by_name, places->name_count, sizeof(struct place), compare_name);
    return true;
}

/* Returns the last image whose load address is not above the address. */
static const framemap_image *below(const struct places *places, uint64_t address)
{
    size_t low = 0, high = places->load_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->by_load[middle].load <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? places->by_load[low - 1].image : NULL;
}

static const framemap_image *covering(const struct places *places, uint64_t address)
{
    const framemap_image *image = below(places, address);
    return image && address - image->load_address < image->size ? image : NULL;
}

/* Returns the image with the given name that has the highest load address not above the given address. */
static const framemap_image *named(const struct places *places, framemap_str name, uint64_t address)
{
    size_t low = 0, high = places->name_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = fm_str_compare(places->by_name[middle].image->name, name);
        if (order < 0 || (order == 0 && places->by_name[middle].load <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || name.size == 0) return NULL;
    const framemap_image *image = places->by_name[low - 1].image;
    return fm_str_equal(image->name, name) ? image : NULL;
}

/* Matches an address that an unwinder printed with its pointer-authentication bits, and that is in no image: the
 * bits are removed, with the address width of iOS, then of macOS. The frame gets the image that is found, but keeps
 * its address and gets no load address, because the difference of the two would be wrong. */
static const framemap_image *covering_signed(const struct places *places, uint64_t address)
{
    static const uint64_t masks[] = {UINT64_C(0x0000000fffffffff), UINT64_C(0x00007fffffffffff)};
    const framemap_image *image = covering(places, address);
    for (size_t i = 0; !image && i < sizeof masks / sizeof masks[0]; i++)
        if (address & ~masks[i]) image = covering(places, address & masks[i]);
    return image;
}

/* Whether the frame's row prints a load address. If the address is in no image, the row prints 0. */
static bool prints_load(const framemap_frame *frame) { return frame->has_load_address && frame->load_address != 0; }

static const framemap_image *image_of(const struct places *places, const framemap_frame *frame)
{
    const bool is_function = frame->address_kind == FRAMEMAP_ADDRESS_NONE && frame->function.size != 0;
    if (frame->address_kind == FRAMEMAP_ADDRESS_IMAGE || is_function)
        return named(places, frame->module, frame->has_absolute_address ? frame->absolute_address : UINT64_MAX);
    if (frame->address_kind ==
        FRAMEMAP_ADDRESS_LINKED) { /* If a list has no load addresses, its images are identified by their ids alone. */
        const framemap_image *image = named(places, frame->module, UINT64_MAX);
        return image && image->load_address == 0 ? image : NULL;
    }
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE) return NULL;
    if (prints_load(frame)) {
        const framemap_image *image = below(places, frame->load_address);
        return image && image->load_address == frame->load_address ? image : NULL;
    }
    const framemap_image *image = covering_signed(places, frame->address);
    return image ? image : named(places, frame->module, frame->address);
}

static void place_frame(const struct places *places, framemap_frame *frame, const framemap_image *listed)
{
    const framemap_image *image = frame->has_image ? NULL : image_of(places, frame);
    if (!image) return;
    if (listed && (uint64_t)(image - listed) <= UINT32_MAX) {
        frame->has_image = true;
        frame->image = (uint32_t)(image - listed);
    }
    if (frame->module_path.size == 0) frame->module_path = image->path;
    const bool inside = image->size == 0 || frame->address - image->load_address < image->size;
    const bool applies = frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE || inside;
    if (!prints_load(frame) && image->load_address && applies) {
        frame->has_load_address = true;
        frame->load_address = image->load_address;
    }
    if (frame->id.size == 0) frame->id = image->id;
    if (frame->arch.size == 0) frame->arch = image->arch;
    if (frame->module.size == 0 || fm_str_equal(frame->module, FM_STR("???"))) frame->module = image->name;
    if (frame->status == FRAMEMAP_FRAME_UNKNOWN_IMAGE) {
        frame->status = FRAMEMAP_FRAME_RAW;
        frame->reason = NULL;
    }
}

bool fm_match_images(struct fm_arena *arena, framemap_trace *traces, size_t count, const framemap_image *images,
                     size_t image_count)
{
    struct places places;
    if (!places_make(&places, arena, images, image_count)) return false;
    for (size_t t = 0; t < count; t++)
        for (size_t f = 0; f < traces[t].frame_count; f++)
            if (traces[t].frames[f].kind == FRAMEMAP_KIND_NATIVE)
                place_frame(&places, &traces[t].frames[f], traces[t].lists_images ? images : NULL);
    return true;
}
