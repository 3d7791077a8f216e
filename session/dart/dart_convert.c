/* Implements framemap_session_write_dart: writes native and other stacks as Dart's VM prints traces. */
#include <framemap/dart.h>

#include "core/error.h"
#include "core/text/buffer.h"
#include "formats/dart/dart_line.h"
#include "resolve/dart/dart_address.h"
#include "session/restore/restore_job.h"

/* An image that frames name; its index is held. A stack has few images, and frames of one image usually follow each
 * other. */
struct image {
    framemap_str name, id, arch;
    struct fm_held_index held;
    struct fm_dart_texts texts;
    struct fm_view_about about;
};
enum { IMAGES = 16 };

struct writer {
    framemap_session *session;
    struct image images[IMAGES];
    size_t image_count, next_image;
    struct fm_buf out;
    uint64_t dropped;
};

/* --- images --- */

static void release_images(struct writer *writer, struct image *image)
{
    framemap_session_release(writer->session, image->held.index);
    image->held.index = NULL;
}

static framemap_status image_of(struct writer *writer, const framemap_trace *trace, const framemap_frame *frame,
                                const struct image **out, framemap_error *error)
{
    const struct image want = {
        .name = fm_module_name(frame->module), .id = frame->id, .arch = frame->arch.size ? frame->arch : trace->arch};
    for (size_t i = 0; i < writer->image_count; i++) {
        *out = &writer->images[i];
        if (fm_str_equal((*out)->name, want.name) && fm_str_equal((*out)->id, want.id) &&
            fm_str_equal((*out)->arch, want.arch))
            return FRAMEMAP_OK;
    }
    struct image *image = &writer->images[writer->next_image];
    writer->next_image = (writer->next_image + 1) % IMAGES;
    if (writer->image_count < IMAGES)
        writer->image_count++;
    else
        release_images(writer, image);
    *image = want;
    *out = image;
    const framemap_image_query question = {.name = want.name, .id = want.id, .arch = want.arch};
    framemap_match matched_by;
    framemap_status status = fm_session_hold_module(writer->session, NULL, &question, &image->held, &matched_by, error);
    if (status != FRAMEMAP_OK || image->held.index == NULL) return status;
    if (fm_dart_texts_of(image->held.index->view, &image->texts) && image->texts.has_text)
        fm_view_about(image->held.index->view, &image->about);
    else
        release_images(writer, image);
    return FRAMEMAP_OK;
}

/* --- frames --- */

/* Computes the linked address of the call that a frame represents. Returns false if it is not known. */
static bool linked_call(const struct image *image, const framemap_frame *frame, uint64_t *out)
{
    if (frame->kind == FRAMEMAP_KIND_DART) {
        const struct fm_dart_place place = {
            .linked = !frame->has_function_offset,
            .in_vm = fm_str_equal(frame->symbol, FM_STR("_kDartVmSnapshotInstructions")),
            .offset = frame->has_function_offset ? frame->function_offset : frame->address};
        if (!fm_dart_address(&image->texts, &place, out)) return false;
    } else if (frame->address_kind == FRAMEMAP_ADDRESS_LINKED) {
        *out = frame->address;
    } else if (frame->address_kind == FRAMEMAP_ADDRESS_IMAGE) {
        *out = frame->address + image->about.base;
    } else {
        if (!frame->has_load_address) return false;
        *out = frame->address - frame->load_address + image->about.base;
    }
    *out -= frame->return_address;
    return true;
}

/* Whether an address is in the machine code of the program, or in the code of the VM's stubs, for which *in_vm is set.
 * The stubs are in a separate section up to Dart 3.12. */
static bool in_texts(const struct image *image, uint64_t linked, bool *in_vm)
{
    const struct fm_dart_texts *texts = &image->texts;
    *in_vm = texts->has_vm && linked >= texts->vm && (linked < texts->text || texts->vm > texts->text);
    if (*in_vm) return true;
    return linked >= texts->text && linked < texts->text_end;
}

static const char *dart_arch(framemap_str arch)
{
    static const char *const names[][2] = {
        {"x86_64", "x64"}, {"i386", "ia32"}, {"arm64", "arm64"}, {"riscv64", "riscv64"}, {"riscv32", "riscv32"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_arch_matches(arch, framemap_str_of(names[i][0]))) return names[i][1];
    return fm_str_starts(arch, FM_STR("arm")) ? "arm" : "x64";
}

static const char *os_by_format(const framemap_trace *trace)
{
    if (fm_str_starts(trace->format, FM_STR("android"))) return "android";
    return fm_str_starts(trace->format, FM_STR("apple")) ? "ios" : "linux";
}

static void put_header(struct writer *writer, const framemap_trace *trace, uint64_t base, const struct image *image)
{
    struct fm_dart_header header = {.has_base = true, .base = base};
    const char *arch = dart_arch(image->about.arch);
    const framemap_str os =
        trace->os.size && trace->os.size < sizeof header.os ? trace->os : framemap_str_of(os_by_format(trace));
    memcpy(header.arch, arch, strlen(arch) + 1);
    memcpy(header.os, os.data, os.size);
    if (image->about.id.size < sizeof header.id && image->about.id.size)
        memcpy(header.id, image->about.id.data, image->about.id.size);
    header.isolate_start = header.base + image->texts.text - image->about.base;
    if (image->texts.has_vm) header.vm_start = header.base + image->texts.vm - image->about.base;
    fm_dart_put_header(&writer->out, &header, trace->thread);
}

/* The trace that is written. All of its frames are in one program at one load address. */
struct written {
    const struct fm_view *program; /* index of the program; NULL: no frame was added yet */
    uint64_t base, next;
};

static framemap_status write_frame(struct writer *writer, const framemap_trace *trace, const framemap_frame *frame,
                                   struct written *written, framemap_error *error)
{
    const struct image *image = NULL;
    uint64_t linked = 0;
    bool in_vm = false;
    const bool may_be =
        frame->has_address && (frame->kind == FRAMEMAP_KIND_NATIVE || frame->kind == FRAMEMAP_KIND_DART);
    framemap_status status = may_be ? image_of(writer, trace, frame, &image, error) : FRAMEMAP_OK;
    if (status != FRAMEMAP_OK) return status;
    const bool has =
        image && image->held.index && (written->program == NULL || written->program == image->held.index->view);
    if (!has || !linked_call(image, frame, &linked) || !in_texts(image, linked, &in_vm)) {
        writer->dropped++;
        return FRAMEMAP_OK;
    }
    if (written->program == NULL) {
        written->program = image->held.index->view;
        written->base = frame->has_load_address ? frame->load_address : image->about.base;
        put_header(writer, trace, written->base, image);
    }
    const struct fm_dart_raw_row row = {.index = written->next++,
                                        .absolute = written->base + linked - image->about.base,
                                        .virtual_address = linked,
                                        /* the VM prints no relocated address for its stubs */
                                        .has_virtual = !in_vm,
                                        .narrow = image->about.address_bits == 32,
                                        .symbol = in_vm ? FM_STR("_kDartVmSnapshotInstructions") : image->texts.symbol,
                                        .offset = linked - (in_vm ? image->texts.vm : image->texts.text)};
    fm_dart_put_raw_row(&writer->out, &row);
    return FRAMEMAP_OK;
}

static framemap_status write_trace(struct writer *writer, const framemap_trace *trace, framemap_error *error)
{
    struct written written = {NULL, 0, 0};
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < trace->frame_count && status == FRAMEMAP_OK; i++)
        status = write_frame(writer, trace, &trace->frames[i], &written, error);
    return status;
}

framemap_status framemap_session_write_dart(framemap_session *session, const framemap_trace_list *list,
                                            framemap_write write, void *context, uint64_t *dropped,
                                            framemap_error *error)
{
    if (session == NULL || list == NULL || write == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    fm_heap_init(&heap, &session->allocator, 0);
    struct writer writer = {.session = session};
    framemap_status status = FRAMEMAP_OK;
    fm_buf_init(&writer.out, &heap);
    for (size_t i = 0; i < list->count && status == FRAMEMAP_OK; i++) {
        status = write_trace(&writer, &list->traces[i], error);
        if (status == FRAMEMAP_OK && writer.out.failed) status = fm_error_memory(error);
        if (status == FRAMEMAP_OK && writer.out.size && !write(context, writer.out.data, writer.out.size))
            status = fm_error_set(error, FRAMEMAP_E_IO, "the output could not be written");
        fm_buf_clear(&writer.out);
    }
    for (size_t i = 0; i < writer.image_count; i++) release_images(&writer, &writer.images[i]);
    fm_buf_free(&writer.out);
    if (status == FRAMEMAP_OK && dropped) *dropped = writer.dropped;
    return fm_session_memory_fault(session, status, error);
}
