/* Writes speedscope's profiles: one for each thread and kind of weight. The kind of weight and the thread have no
 * members in the format; they are written in a member "framemap", which the schema allows. The row of the format is
 * here. */
#include "formats/profiles/profile_readers_json.h"

#define NUMBER_BYTES 6 /* estimated bytes for a frame of a sample: its number and a comma */

static void put_string(struct fm_profile_out *out, const char *member, framemap_str text)
{
    fm_profile_put(out, member);
    fm_buf_json(&out->buf, text);
}

static void put_frames(struct fm_profile_out *out)
{
    const framemap_sample_set *set = out->set;
    char room[FM_FRAME_LABEL];
    for (uint32_t i = 0; i < set->frame.count; i++) {
        const struct fm_sample_frame *frame = &set->frames[i];
        put_string(out, i ? ",\n{\"name\":" : "{\"name\":", fm_samples_label(set, i, room));
        if (frame->file) put_string(out, ",\"file\":", fm_samples_text(set, frame->file));
        if (frame->line1) {
            fm_profile_put(out, ",\"line\":");
            fm_profile_put_int(out, frame->line1);
        }
        if (frame->column1) {
            fm_profile_put(out, ",\"col\":");
            fm_profile_put_int(out, frame->column1);
        }
        fm_buf_byte(&out->buf, '}');
        fm_profile_spill(out);
    }
}

static const char *unit_name(framemap_str unit)
{
    return fm_str_equal(unit, FM_STR("nanoseconds")) ? "nanoseconds"
           : fm_str_equal(unit, FM_STR("bytes"))     ? "bytes"
                                                     : "none";
}

static void put_own(struct fm_profile_out *out, uint32_t thread_number, const struct fm_sample_column *column)
{
    const framemap_sample_set *set = out->set;
    put_string(out, ",\"framemap\":{\"type\":", fm_samples_text(set, column->type));
    put_string(out, ",\"unit\":", fm_samples_text(set, column->unit));
    fm_profile_put_thread(out, thread_number, ",");
    fm_buf_byte(&out->buf, '}');
}

/* The numbers of the rows of one thread, in the order in which they are written. */
struct thread_rows {
    const uint32_t *rows;
    size_t count;
    uint32_t thread;
};

static void put_weights(struct fm_profile_out *out, const struct thread_rows *part, size_t column)
{
    int64_t total = 0;
    fm_profile_put(out, "],\"weights\":[");
    for (size_t i = 0, put = 0; i < part->count; i++) {
        const int64_t value = fm_samples_value(out->set, part->rows[i], column);
        if (value == 0) continue;
        if (put++) fm_buf_byte(&out->buf, ',');
        fm_profile_put_int(out, value);
        total = fm_samples_sum(total, value);
        fm_profile_spill(out);
    }
    fm_profile_put(out, "],\"endValue\":");
    fm_profile_put_int(out, total);
}

static void put_samples(struct fm_profile_out *out, const struct thread_rows *part, size_t column, uint32_t *frames)
{
    const framemap_sample_set *set = out->set;
    for (size_t i = 0, put = 0; i < part->count; i++) {
        size_t count;
        if (fm_samples_value(set, part->rows[i], column) == 0) continue;
        fm_profile_frames_of(set, set->rows[part->rows[i]].node, frames, &count);
        fm_profile_put(out, put++ ? ",[" : "[");
        for (size_t f = 0; f < count; f++) {
            if (f) fm_buf_byte(&out->buf, ',');
            fm_buf_dec(&out->buf, frames[f]);
        }
        fm_buf_byte(&out->buf, ']');
        fm_profile_spill(out);
    }
}

static bool has_weight(const struct fm_profile_out *out, const struct thread_rows *part, size_t column)
{
    for (size_t i = 0; i < part->count; i++)
        if (fm_samples_value(out->set, part->rows[i], column)) return true;
    return false;
}

static void put_profile(struct fm_profile_out *out, const struct thread_rows *part, size_t column, uint32_t *frames,
                        bool first)
{
    const framemap_sample_set *set = out->set;
    const struct fm_sample_column *kind = &set->columns[column];
    struct fm_buf name;
    fm_buf_init(&name, out->heap);
    fm_profile_thread_name(set, part->thread, &name);
    if (set->column_count > 1) {
        fm_buf_str(&name, FM_STR(": "));
        fm_buf_str(&name, fm_samples_text(set, kind->type));
        fm_buf_str(&name, FM_STR(", "));
        fm_buf_str(&name, fm_samples_text(set, kind->unit));
    }
    put_string(out,
               first ? "\n{\"type\":\"sampled\",\"name\":" : ",\n{\"type\":\"sampled\",\"name\":", fm_buf_view(&name));
    fm_profile_put(out, ",\"unit\":\"");
    fm_profile_put(out, unit_name(fm_samples_text(set, kind->unit)));
    fm_profile_put(out, "\",\"startValue\":0");
    put_own(out, part->thread, kind);
    fm_profile_put(out, ",\"samples\":[");
    put_samples(out, part, column, frames);
    put_weights(out, part, column);
    fm_buf_byte(&out->buf, '}');
    fm_buf_free(&name);
}

/* Writes all profiles. Returns whether there is at least one profile. */
static bool put_profiles(struct fm_profile_out *out, const uint32_t *rows, uint32_t *frames)
{
    const framemap_sample_set *set = out->set;
    bool first = true;
    for (size_t from = 0, to; from < set->row.count; from = to) {
        const uint32_t thread = set->rows[rows[from]].thread;
        for (to = from + 1; to < set->row.count && set->rows[rows[to]].thread == thread;) to++;
        const struct thread_rows part = {rows + from, to - from, thread};
        for (size_t column = 0; column < set->column_count; column++) {
            if (!has_weight(out, &part, column)) continue;
            put_profile(out, &part, column, frames, first);
            first = false;
        }
    }
    return !first;
}

static void speedscope_write(struct fm_profile_out *out)
{
    const size_t count = out->set->row.count;
    out->status = fm_profile_check_stacks(out->set, out->heap, NUMBER_BYTES, FM_STACK_WEIGHTS);
    if (out->status != FRAMEMAP_OK) return;
    uint32_t *rows = fm_profile_rows_by_thread(out), *frames = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *frames);
    fm_profile_put(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"framemap\","
                        "\"shared\":{\"frames\":[\n");
    put_frames(out);
    fm_profile_put(out, "]},\"profiles\":[");
    const bool any = rows && frames && put_profiles(out, rows, frames);
    /* If a file has no `name`, speedscope uses the name of the first profile, and fails if there is no profile. */
    fm_profile_put(out, any ? "]}\n" : "],\"name\":\"profile\"}\n");
    fm_heap_free(out->heap, rows, (count ? count : 1) * sizeof *rows);
    fm_heap_free(out->heap, frames, FM_PROFILE_FRAMES * sizeof *frames);
}

const struct fm_profile_format fm_profile_speedscope = {.info = {"speedscope", "profiles of speedscope", true, true,
                                                                 FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES |
                                                                     FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_THREADS |
                                                                     FRAMEMAP_PART_VALUES},
                                                        .looks = fm_samples_is_speedscope,
                                                        .read = fm_samples_read_speedscope,
                                                        .write = speedscope_write};
