/* Restores native frames; defines the row `fm_restorer_native` of restore.c's table. Determines the image of a frame,
 * and the frame's address in that image; native_symbols.h finds the symbols. Independent of the other families. */
#include "core/text/text.h"
#include "resolve/native/address.h"
#include "session/restore/native_symbols.h"

static const char no_image[] = "the text does not say which image the address is in";
static const char no_load[] = "the text does not say where the image starts in memory";
static const char below_load[] = "the address is below the start of its image";

/* --- restoring one frame --- */

static bool answered(const framemap_frame *answer) { return answer->status != FRAMEMAP_FRAME_NO_MATCH; }

/* Finds the image of an absolute address whose upper bits contain a signature of an arm64 CPU, and sets *address to
 * the address without the signature. Does nothing if the text states the load address, which already identifies the
 * image. */
static void place_signed_address(framemap_frame *frame, const framemap_trace *trace, framemap_str arch,
                                 uint64_t *address)
{
    uint64_t clean = fm_address_clean(arch, frame->address);
    if (frame->has_load_address || clean == frame->address || !fm_arch_matches(arch, FM_STR("arm64"))) return;
    /* iOS has fewer address bits than macOS, so the lowest bit of a signature is lower there. */
    const uint64_t tries[] = {clean, clean & 0x0000000fffffffffu};
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < trace->image_count; i++) {
            const framemap_image *image = &trace->images[i];
            if (image->load_address == 0 || tries[t] < image->load_address ||
                tries[t] - image->load_address >= image->size)
                continue;
            frame->has_load_address = true;
            frame->load_address = image->load_address;
            if (frame->module.size == 0 || fm_str_equal(frame->module, FM_STR("???"))) frame->module = image->name;
            if (frame->id.size == 0) frame->id = image->id;
            *address = tries[t];
            return;
        }
    }
}

/* Whether the symbols have the function name that the text has for the frame, at the distance from the address that the
 * text states. */
static bool agrees(const framemap_frame *frame, const framemap_frame *answer)
{
    if (!answer->has_function_offset || answer->function_offset != frame->function_offset) return false;
    const framemap_frame *root = &answer->restored.frames[answer->restored.count - 1];
    return fm_str_equal(root->function, frame->function) || fm_str_equal(root->symbol, frame->function);
}

/* Handles a frame whose image has no index. */
static framemap_status miss(framemap_frame *frame, struct fm_native_image *image)
{
    image->frames++;
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = image->reason;
    frame->matched_by = FRAMEMAP_MATCH_NONE;
    return FRAMEMAP_OK;
}

/* Restores a frame whose address is ambiguous: it may be the linked address, or an offset in the file, which perf 6.1
 * prints. For "lib.so(name+0x12) [0x…]", it has the meaning in which the symbols have `name` at that distance before
 * the address. For "app() [0x…]", it is the linked address if the program is not position-independent. */
static framemap_status try_as_linked(struct fm_restore_job *job, framemap_frame *frame,
                                     struct fm_native_answer *question, framemap_error *error)
{
    static const framemap_address_kind kinds[] = {FRAMEMAP_ADDRESS_LINKED, FRAMEMAP_ADDRESS_FILE};
    const framemap_frame *answer;
    for (size_t k = 0; k < (frame->function.size ? 2 : 1); k++) {
        question->kind = kinds[k];
        framemap_status status = fm_native_resolve(job, question, &answer, error);
        if (status != FRAMEMAP_OK) return status;
        struct fm_native_image *image = &job->native->images[question->image];
        if (answer == NULL) return miss(frame, image);
        if (!answered(answer) || !(frame->function.size ? agrees(frame, answer) : image->loaded_as_linked)) continue;
        fm_restore_give(frame, answer);
        return FRAMEMAP_OK;
    }
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_load;
    frame->matched_by = FRAMEMAP_MATCH_NONE;
    return FRAMEMAP_OK;
}

/* Whether the address of a frame may be relative to the mapping instead of the file. Some Android versions print such
 * an address, with the file offset of the mapping next to it. For a library in an archive, the number next to the
 * address is the library's offset in the archive, and does not change the address. */
static bool offset_form(const framemap_frame *frame)
{
    if (frame->file_offset == 0 || frame->address_kind != FRAMEMAP_ADDRESS_LINKED) return false;
    return fm_str_find(frame->raw, FM_STR(".apk")) == FM_NOT_FOUND;
}

/* Changes the reason of a frame in a file that has only exported symbols. Such a file does not have the names of its
 * other functions, so the reason is that symbols are missing, not that the file belongs to another build. */
static void blame_stripping(const struct fm_restore_job *job, framemap_frame *frame, size_t image)
{
    const struct fm_native_image *row = &job->native->images[image];
    if (frame->status != FRAMEMAP_FRAME_NO_MATCH || row->held.lack == NULL || frame->reason == NULL ||
        strcmp(frame->reason, fm_nothing_there) != 0)
        return;
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = row->held.lack;
}

static framemap_status look_up_native(struct fm_restore_job *job, framemap_frame *frame,
                                      struct fm_native_answer *question, framemap_error *error)
{
    const framemap_frame *answer, *second;
    framemap_status status = fm_native_resolve(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    if (answer == NULL) return miss(frame, &job->native->images[question->image]);
    framemap_frame first = *answer; /* this is a copy, since the next lookup may move the list of answers */
    if (!answered(&first) && offset_form(frame) && question->address <= UINT64_MAX - frame->file_offset) {
        question->address += frame->file_offset;
        status = fm_native_resolve(job, question, &second, error);
        if (status != FRAMEMAP_OK) return status;
        if (second == NULL) return miss(frame, &job->native->images[question->image]);
        if (answered(second)) first = *second;
    }
    fm_restore_give(frame, &first);
    blame_stripping(job, frame, question->image);
    /* MISSING_SYMBOLS means here that the file is stripped, or that a store has the image, but does not have the value
     * that the frame needs. */
    if (frame->status == FRAMEMAP_FRAME_MISSING_SYMBOLS) {
        job->native->images[question->image].reason = frame->reason;
        job->native->images[question->image].frames++;
    }
    return FRAMEMAP_OK;
}

/* Converts an address in the process to an offset in its image. Returns false if this is not possible; the frame's
 * reason is then set. */
static bool to_image(framemap_frame *frame, struct fm_native_answer *question)
{
    question->kind = frame->address_kind;
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE) return true;
    if (question->address < frame->load_address) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = below_load;
        frame->matched_by = FRAMEMAP_MATCH_NONE;
        return false;
    }
    question->address -= frame->load_address;
    question->kind = frame->maps_file ? FRAMEMAP_ADDRESS_FILE : FRAMEMAP_ADDRESS_IMAGE;
    return true;
}

static framemap_str folder_of(framemap_str path)
{
    const framemap_str file = fm_str_basename(path);
    return fm_str_slice(path, 0, path.size > file.size ? path.size - file.size - 1 : 0);
}

/* Returns the word of a path that states the architecture, if there is one. Android has folders for libraries
 * (".../lib/arm64/libapp.so", "base.apk!/lib/arm64-v8a/libapp.so") and splits of apps
 * ("split_config.arm64_v8a.apk!libapp.so"), HarmonyOS "libs/arm64", and Debian "lib/aarch64-linux-gnu". */
static framemap_str arch_word(framemap_str path)
{
    const framemap_str file = fm_str_basename(path), folder = folder_of(path);

    if (fm_str_starts(file, FM_STR("split_"))) {
        const size_t config = fm_str_find(file, FM_STR("config.")), end = fm_str_find(file, FM_STR(".apk"));
        const size_t start = config + sizeof "config." - 1;
        if (config != FM_NOT_FOUND && end != FM_NOT_FOUND && end > start) return fm_str_slice(file, start, end);
    }
    const framemap_str around = fm_str_basename(folder_of(folder));
    const bool has_libraries = fm_str_equal(around, FM_STR("lib")) || fm_str_equal(around, FM_STR("libs"));
    return has_libraries ? fm_str_basename(folder) : (framemap_str){NULL, 0};
}

/* Returns the architecture that a path states; absent: the path states no architecture that is known. */
static framemap_str arch_in_path(framemap_str path)
{
    static const struct {
        framemap_str word, arch;
    } names[] = {
        {FM_STR_INIT("arm64"), FM_STR_INIT("arm64")},
        {FM_STR_INIT("arm"), FM_STR_INIT("arm")},
        {FM_STR_INIT("x86_64"), FM_STR_INIT("x86_64")},
        {FM_STR_INIT("x86"), FM_STR_INIT("x86")},
        {FM_STR_INIT("arm64-v8a"), FM_STR_INIT("arm64")},
        {FM_STR_INIT("arm64_v8a"), FM_STR_INIT("arm64")},
        {FM_STR_INIT("armeabi-v7a"), FM_STR_INIT("arm")},
        {FM_STR_INIT("armeabi_v7a"), FM_STR_INIT("arm")},
        {FM_STR_INIT("aarch64-linux-gnu"), FM_STR_INIT("arm64")},
        {FM_STR_INIT("arm-linux-gnueabihf"), FM_STR_INIT("arm")},
        {FM_STR_INIT("x86_64-linux-gnu"), FM_STR_INIT("x86_64")},
        {FM_STR_INIT("i386-linux-gnu"), FM_STR_INIT("x86")},
    };
    const framemap_str word = path.size > 0 ? arch_word(path) : path;

    for (size_t i = 0; word.size > 0 && i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(word, names[i].word)) return names[i].arch;
    return (framemap_str){NULL, 0};
}

static framemap_status native_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                    framemap_error *error)
{
    struct fm_native_job *native = job->native;
    framemap_frame *frame = &trace->frames[number];
    bool is_method;
    framemap_status status = fm_java_method_frame(job, trace, number, &is_method, error);
    if (status != FRAMEMAP_OK || is_method || frame->status != FRAMEMAP_FRAME_RAW) return status;
    framemap_str arch = frame->arch.size ? frame->arch : trace->arch;
    const bool is_odd = frame->has_address && (frame->address & 1) != 0;
    frame->has_thumb_bit = is_odd && fm_address_clean(arch, 1) == 0;
    if (frame->function.size && frame->file.size && frame->line) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        return FRAMEMAP_OK;
    }
    struct fm_native_answer question = {.address = frame->address, .return_address = frame->return_address};
    bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    if (absolute) place_signed_address(frame, trace, arch, &question.address);
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_image;
    struct fm_native_image want = {.name = fm_module_name(frame->module), .id = frame->id, .arch = arch};
    if (fm_is_archive_name(want.name)) want.file_offset = frame->file_offset;
    if (want.arch.size == 0 && want.id.size == 0) want.arch = arch_in_path(frame->module_path);
    if (!frame->has_address || (want.name.size == 0 && want.id.size == 0)) return FRAMEMAP_OK;
    status = fm_native_image_find(job, &want, &question.image, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_native_image *image = &native->images[question.image];
    if (image->later) {
        frame->status = FRAMEMAP_FRAME_RAW;
        frame->reason = NULL;
        return FRAMEMAP_OK;
    }
    if (!fm_native_image_has_symbols(image)) return miss(frame, image);
    frame->matched_by = image->matched_by;
    frame->has_thumb_bit = is_odd && image->has_thumb_bits;
    if (absolute && image->lists_addresses) {
        question.kind = FRAMEMAP_ADDRESS_LINKED;
        return look_up_native(job, frame, &question, error);
    }
    if (absolute && !frame->has_load_address) return try_as_linked(job, frame, &question, error);
    return to_image(frame, &question) ? look_up_native(job, frame, &question, error) : FRAMEMAP_OK;
}

/* --- running a whole restore call --- */

/* Restores the frames that remained RAW because their image had to wait until other images were released. */
static framemap_status restore_waiting(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        const framemap_frame *frame = &trace->frames[f];
        if (frame->kind != FRAMEMAP_KIND_NATIVE || frame->status != FRAMEMAP_FRAME_RAW) continue;
        status = native_frame(job, trace, f, error);
        if (status == FRAMEMAP_OK) fm_restore_count(&job->summary, frame);
    }
    return status;
}

/* Makes further passes over the frames whose images waited. Each pass settles at least one image, so the loop ends. */
static framemap_status native_report_end(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                         framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && job->native->waiting > 0) {
        fm_native_images_release(job);
        for (size_t t = 0; t < count && status == FRAMEMAP_OK; t++) status = restore_waiting(job, &traces[t], error);
    }
    return status;
}

const struct fm_restorer fm_restorer_native = {.kind = FRAMEMAP_KIND_NATIVE,
                                               .begin = fm_native_symbols_begin,
                                               .frame = native_frame,
                                               .report_end = native_report_end,
                                               .missing = fm_native_symbols_missing,
                                               .end = fm_native_symbols_end};
