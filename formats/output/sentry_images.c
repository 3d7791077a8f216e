/* Implements sentry_images.h: lists the images (binaries in memory) of a report, and deduplicates those that only
 * frames name, in a hash table of their ids; then writes them as "debug_meta" with debug ids. */
#include "formats/output/sentry_images.h"
#include "core/hash/hash.h"
#include "formats/output/debug_id.h"

/* --- collecting images that only frames name --- */

static bool has_image(const framemap_frame *frame)
{
    const bool native = frame->kind == FRAMEMAP_KIND_NATIVE || frame->kind == FRAMEMAP_KIND_DART;
    return frame->id.size && (native || frame->kind == FRAMEMAP_KIND_JS);
}

/* Returns the slot of the hash table for the id of a frame's image. The slot contains the number of the image with that
 * id, or 0. */
static uint32_t *slot_of(const struct fm_sentry_images *images, framemap_str id)
{
    size_t at = (size_t)fm_hash_text(id, images->key) & (images->slots - 1);
    while (images->table[at] && !fm_str_equal(images->named[images->table[at] - 1]->id, id))
        at = (at + 1) & (images->slots - 1);
    return &images->table[at];
}

static void name_image(struct fm_sentry_images *images, const framemap_frame *frame)
{
    char debug_id[FM_DEBUG_ID_MOST];
    if (fm_debug_id(frame->id, frame->kind == FRAMEMAP_KIND_JS ? FM_ID_UUID : images->id_form, frame->arch, debug_id) ==
        0)
        return;
    uint32_t *slot = slot_of(images, frame->id);
    if (*slot) return;
    images->named[images->count++] = frame;
    *slot = (uint32_t)images->count;
}

bool fm_sentry_images_find(struct fm_sentry_images *images, const framemap_trace *traces, size_t count,
                           const struct fm_print_job *job)
{
    size_t frames = 0;
    *images = (struct fm_sentry_images){.heap = job->heap,
                                        .id_form = fm_id_form_of(job->format_named(traces[0].format), &traces[0])};
    if (traces[0].lists_images) {
        images->trace = &traces[0];
        return true;
    }
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < traces[t].frame_count; i++) frames += has_image(&traces[t].frames[i]);
    if (frames == 0 || frames > UINT32_MAX / 4) return true;
    images->slots = 1;
    while (images->slots < 2 * frames) images->slots *= 2;
    images->key = fm_hash_key(job);
    images->table = fm_heap_zalloc(job->heap, images->slots, sizeof *images->table);
    images->named = fm_heap_zalloc(job->heap, images->slots, sizeof *images->named);
    if (!images->table || !images->named) return false;
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < traces[t].frame_count; i++)
            if (has_image(&traces[t].frames[i])) name_image(images, &traces[t].frames[i]);
    return true;
}

void fm_sentry_images_free(struct fm_sentry_images *images)
{
    if (images->table) fm_heap_free(images->heap, images->table, images->slots * sizeof *images->table);
    if (images->named) fm_heap_free(images->heap, (void *)images->named, images->slots * sizeof *images->named);
}

bool fm_sentry_images_at(const struct fm_sentry_images *images, const framemap_frame *frame, size_t *position)
{
    if (images->count == 0 || !has_image(frame)) return false;
    const uint32_t number = *slot_of(images, frame->id);
    if (number == 0) return false;
    *position = number - 1;
    return true;
}

/* --- writing the images --- */

static framemap_str type_name(enum fm_id_form form, framemap_str os)
{
    switch (form) {
    case FM_ID_BUILD_ID: return FM_STR("elf");
    case FM_ID_UUID: return FM_STR("macho");
    case FM_ID_BREAKPAD: break;
    }
    return fm_str_starts(os, FM_STR("Windows")) ? FM_STR("pe") : FM_STR("symbolic");
}

static void put_ids(struct fm_members *m, framemap_str id, enum fm_id_form form, framemap_str arch)
{
    char debug_id[FM_DEBUG_ID_MOST];
    fm_member_text(m, FM_MEMBER("debug_id"), fm_str(debug_id, fm_debug_id(id, form, arch, debug_id)));
    if (form == FM_ID_BUILD_ID) fm_member_text(m, FM_MEMBER("code_id"), id);
}

static void put_listed(struct fm_buf *out, const framemap_image *image, enum fm_id_form form, framemap_str os)
{
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("type"), type_name(form, os));
    fm_member_string(&m, FM_MEMBER("code_file"), image->path.size ? image->path : image->name);
    put_ids(&m, image->id, form, image->arch);
    fm_member_text(&m, FM_MEMBER("arch"), image->arch);
    fm_member_hex(&m, FM_MEMBER("image_addr"), image->load_address);
    fm_member_number(&m, FM_MEMBER("image_size"), image->size);
    fm_members_close(&m);
}

static void put_named(struct fm_buf *out, const framemap_frame *frame, enum fm_id_form form)
{
    const bool script = frame->kind == FRAMEMAP_KIND_JS;
    const framemap_str path = frame->module_path.size ? frame->module_path : frame->module;
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("type"), script ? FM_STR("sourcemap") : type_name(form, fm_str(NULL, 0)));
    fm_member_string(&m, FM_MEMBER("code_file"), script ? frame->file : path);
    put_ids(&m, frame->id, script ? FM_ID_UUID : form, frame->arch);
    fm_member_text(&m, FM_MEMBER("arch"), frame->arch);
    if (frame->has_load_address && !frame->maps_file) fm_member_hex(&m, FM_MEMBER("image_addr"), frame->load_address);
    fm_members_close(&m);
}

void fm_sentry_put_images(struct fm_members *m, const struct fm_sentry_images *images)
{
    const size_t listed = images->trace ? images->trace->image_count : 0;
    char debug_id[FM_DEBUG_ID_MOST];
    bool any = false;
    if (listed + images->count == 0) return;
    fm_member_name(m, FM_MEMBER("debug_meta"));
    fm_buf_str(m->out, FM_STR("{\"images\":["));
    for (size_t i = 0; i < listed; i++) {
        const framemap_image *image = &images->trace->images[i];
        if (fm_debug_id(image->id, images->id_form, image->arch, debug_id) == 0) continue;
        if (any) fm_buf_byte(m->out, ',');
        any = true;
        put_listed(m->out, image, images->id_form, images->trace->os);
    }
    for (size_t i = 0; i < images->count; i++) {
        if (i) fm_buf_byte(m->out, ',');
        put_named(m->out, images->named[i], images->id_form);
    }
    fm_buf_str(m->out, FM_STR("]}"));
}
