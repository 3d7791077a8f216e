/* Writes `sources`, `sourcesContent`, `ignoreList` and `names`. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_address.h"

static framemap_status source_of(const struct fm_convert *convert, uint64_t number, struct fm_view_source *out)
{
    const struct fm_convert_ref ref = fm_convert_source_ref(convert, number);
    return fm_view_source(convert->maps[ref.map].view, ref.number, out) ? FRAMEMAP_OK
                                                                        : fm_convert_damaged(convert, "a source");
}

/* Writes the source in the spelling of the original map, if that spelling is the same URL without a sourceRoot. */
static framemap_status write_address(struct fm_convert *convert, const struct fm_view_source *source,
                                     struct fm_buf *room)
{
    framemap_str text = source->address;
    if (source->flags & FM_SOURCE_UNKNOWN) {
        fm_buf_str(&convert->out, FM_STR("null"));
        return FRAMEMAP_OK;
    }
    if (!fm_str_equal(source->spelled, source->address)) {
        fm_buf_clear(room);
        fm_sourcemap_address(room, FM_STR(""), source->spelled);
        if (room->failed) return fm_error_memory(convert->error);
        if (fm_str_equal(fm_buf_view(room), source->address)) text = source->spelled;
    }
    fm_buf_json(&convert->out, text);
    return FRAMEMAP_OK;
}

static framemap_status write_addresses(struct fm_convert *convert, bool *content, bool *ignored)
{
    const uint64_t count = fm_convert_source_count(convert);
    struct fm_view_source source;
    struct fm_buf room;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_init(&room, convert->heap);
    fm_buf_str(&convert->out, FM_STR(",\"sources\":["));
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) {
        if (i > 0) fm_buf_byte(&convert->out, ',');
        status = source_of(convert, i, &source);
        if (status == FRAMEMAP_OK) status = write_address(convert, &source, &room);
        if (status == FRAMEMAP_OK) status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
        if (status != FRAMEMAP_OK) break;
        *content = *content || source.content.data != NULL;
        *ignored = *ignored || source.flags & FM_SOURCE_IGNORED;
    }
    fm_buf_byte(&convert->out, ']');
    fm_buf_free(&room);
    return status;
}

static framemap_status write_contents(struct fm_convert *convert)
{
    const uint64_t count = fm_convert_source_count(convert);
    struct fm_view_source source;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_str(&convert->out, FM_STR(",\"sourcesContent\":["));
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) {
        if (i > 0) fm_buf_byte(&convert->out, ',');
        status = source_of(convert, i, &source);
        if (status != FRAMEMAP_OK) break;
        if (source.content.data)
            fm_buf_json(&convert->out, source.content);
        else
            fm_buf_str(&convert->out, FM_STR("null"));
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    fm_buf_byte(&convert->out, ']');
    return status;
}

static framemap_status write_ignored(struct fm_convert *convert)
{
    const uint64_t count = fm_convert_source_count(convert);
    struct fm_view_source source;
    framemap_status status = FRAMEMAP_OK;
    bool some = false;
    fm_buf_str(&convert->out, FM_STR(",\"ignoreList\":["));
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) {
        status = source_of(convert, i, &source);
        if (status != FRAMEMAP_OK || !(source.flags & FM_SOURCE_IGNORED)) continue;
        if (some) fm_buf_byte(&convert->out, ',');
        some = true;
        fm_buf_dec(&convert->out, i);
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    fm_buf_byte(&convert->out, ']');
    return status;
}

framemap_status fm_convert_sources(struct fm_convert *convert)
{
    bool content = false, ignored = false;
    framemap_status status = write_addresses(convert, &content, &ignored);
    if (status == FRAMEMAP_OK && content) status = write_contents(convert);
    if (status == FRAMEMAP_OK && ignored) status = write_ignored(convert);
    return status;
}

framemap_status fm_convert_names(struct fm_convert *convert)
{
    const uint64_t count = fm_convert_name_count(convert);
    framemap_str text;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_str(&convert->out, FM_STR(",\"names\":["));
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < count; i++) {
        const struct fm_convert_ref ref = fm_convert_name_ref(convert, i);
        if (!fm_view_segment_name(convert->maps[ref.map].view, ref.number, &text))
            return fm_convert_damaged(convert, "a name");
        if (i > 0) fm_buf_byte(&convert->out, ',');
        fm_buf_json(&convert->out, text);
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    for (size_t i = 0; status == FRAMEMAP_OK && i < convert->text_count; i++) {
        if (count + i > 0) fm_buf_byte(&convert->out, ',');
        fm_buf_json(&convert->out, convert->texts[i]);
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    fm_buf_byte(&convert->out, ']');
    return status;
}
