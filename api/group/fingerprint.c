/* Implements fingerprint.h: makes a text with one line for each frame of a stack, the frame's key, and hashes the text.
 * docs/grouping.md is normative. The first line of the text has a version number, which must be increased when this
 * file writes anything else than before. */
#include "api/group/fingerprint.h"
#include "api/group/fold.h"
#include "api/group/name_key.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "formats/output/trace_words.h"

void fm_fingerprint_init(struct fm_fingerprint_work *work, struct fm_heap *heap)
{
    *work = (struct fm_fingerprint_work){.frames = {.heap = heap}};
    fm_buf_init(&work->text, heap);
    fm_buf_init(&work->keys, heap);
}

void fm_fingerprint_free(struct fm_fingerprint_work *work)
{
    struct fm_heap *heap = work->frames.heap;
    fm_heap_free(heap, work->hashes, work->hash_capacity * sizeof *work->hashes);
    fm_heap_free(heap, work->ends, work->end_capacity * sizeof *work->ends);
    fm_heap_free(heap, work->ids, work->id_capacity * sizeof *work->ids);
    fm_buf_free(&work->text);
    fm_buf_free(&work->keys);
    fm_stack_frames_free(&work->frames);
}

/* Appends the key of a frame; nothing if the frame has none. */
static void put_key(struct fm_buf *out, const struct fm_stack_frame *row)
{
    const framemap_frame *source = row->source;
    const bool native = row->frame->kind == FRAMEMAP_KIND_NATIVE;
    const framemap_str function = source->function.size ? source->function
                                  : source->symbol.size ? source->symbol
                                                        : source->name;
    if (source->class_name.size) {
        fm_put_name_key(out, source->class_name, false);
        fm_buf_byte(out, '.');
    } else if (source->file.size && !(native && function.size)) {
        fm_put_path_key(out, source->file);
        fm_buf_byte(out, '|');
    } else if (native && function.size == 0 && row->frame->module.size) {
        fm_put_module_key(out, row->frame->module);
        fm_buf_byte(out, '|');
    }
    fm_put_name_key(out, function, native);
}

static size_t key_begin(const struct fm_fingerprint_work *work, size_t id) { return id ? work->ends[id - 1] : 0; }

static framemap_str key_of(const struct fm_fingerprint_work *work, size_t id)
{
    return fm_str_slice(fm_buf_view(&work->keys), key_begin(work, id), work->ends[id]);
}

static bool make_room(struct fm_fingerprint_work *work, size_t count)
{
    struct fm_heap *heap = work->frames.heap;
    return FM_GROW(heap, work->hashes, work->hash_capacity, count) &&
           FM_GROW(heap, work->ends, work->end_capacity, count) && FM_GROW(heap, work->ids, work->id_capacity, count);
}

/* Lists the keys of the frames that are part of the fingerprint, outermost first; returns their number. */
static size_t list_keys(struct fm_fingerprint_work *work, bool in_app_only)
{
    size_t count = 0;
    fm_buf_clear(&work->keys);
    for (size_t i = work->frames.count; i-- > 0;) {
        const struct fm_stack_frame *row = &work->frames.rows[i];
        const size_t begin = work->keys.size;
        if (in_app_only && !row->in_app) continue;
        put_key(&work->keys, row);
        if (work->keys.size == begin || work->keys.failed) continue;
        work->ends[count] = work->keys.size;
        work->ids[count] = count;
        work->hashes[count] = fm_hash64(work->keys.data + begin, work->keys.size - begin, 0);
        count++;
    }
    return count;
}

static void put_line(struct fm_fingerprint_work *work, framemap_str what)
{
    fm_buf_str(&work->text, what);
    fm_buf_byte(&work->text, ' ');
}

/* Appends the exception of a trace, normalised. */
static void put_exception(struct fm_fingerprint_work *work, const framemap_trace *trace, bool with_message)
{
    struct fm_buf *words = &work->keys;
    fm_buf_clear(words);
    fm_put_exception_type(words, trace);
    put_line(work, FM_STR("type"));
    fm_put_name_key(&work->text, fm_buf_view(words), false);
    fm_buf_byte(&work->text, '\n');
    if (!with_message) return;
    fm_buf_clear(words);
    fm_put_exception_message(words, trace);
    put_line(work, FM_STR("message"));
    fm_put_message_key(&work->text, fm_buf_view(words));
    fm_buf_byte(&work->text, '\n');
}

static bool put_trace(struct fm_fingerprint_work *work, const framemap_trace *trace,
                      const framemap_fingerprint_options *options)
{
    if (!fm_stack_frames_of(&work->frames, trace, options->rules) || !make_room(work, work->frames.count)) return false;
    const bool in_app_only = options->rules && !options->all_frames && work->frames.any_in_app;
    size_t count = list_keys(work, in_app_only);
    if (work->keys.failed) return false;
    const bool has_frames = count > 0;
    if (has_frames) count = fm_fold(work->hashes, work->ids, count);
    for (size_t i = 0; i < count; i++) {
        put_line(work, FM_STR("frame"));
        fm_buf_str(&work->text, key_of(work, work->ids[i]));
        fm_buf_byte(&work->text, '\n');
    }
    put_exception(work, trace, options->message || !has_frames);
    return !work->keys.failed;
}

bool fm_fingerprint_of(struct fm_fingerprint_work *work, const framemap_trace *traces, size_t count,
                       const framemap_fingerprint_options *options, char out[FRAMEMAP_FINGERPRINT_SIZE])
{
    unsigned char hash[32];
    const size_t parts = fm_stack_parts(traces, count);
    fm_buf_clear(&work->text);
    fm_buf_str(&work->text, FM_STR("framemap 1\n"));
    for (size_t i = 0; i < parts; i++) {
        if (i > 0 && traces[i].role != FRAMEMAP_ROLE_CAUSE) continue;
        if (!put_trace(work, &traces[i], options)) return false;
    }
    if (work->text.failed) return false;
    fm_sha256(work->text.data, work->text.size, hash);
    fm_hex_put(hash, 16, out);
    out[32] = '\0';
    return true;
}

framemap_status framemap_trace_fingerprint(const framemap_trace *traces, size_t count,
                                           const framemap_fingerprint_options *options,
                                           char out[FRAMEMAP_FINGERPRINT_SIZE], framemap_error *error)
{
    framemap_fingerprint_options given;
    const framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (traces == NULL || count == 0 || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    struct fm_fingerprint_work work;
    fm_heap_init(&heap, NULL, 0);
    fm_fingerprint_init(&work, &heap);
    const bool made = fm_fingerprint_of(&work, traces, count, &given, out);
    fm_fingerprint_free(&work);
    return made ? FRAMEMAP_OK : fm_error_memory(error);
}
