/* Writes the offsets of bytecode functions and of the modules of a bundle, in the members that Hermes and Metro use. */
#include "session/map_write/map_write_inner.h"

static framemap_status write_list(struct fm_convert *convert, const struct fm_view_offsets *list)
{
    framemap_status status = FRAMEMAP_OK;
    uint32_t value;
    fm_buf_byte(&convert->out, '[');
    for (uint64_t i = 0; status == FRAMEMAP_OK && i < list->count; i++) {
        if (i > 0) fm_buf_byte(&convert->out, ',');
        if (fm_view_offset(convert->maps[0].view, list->kind, list->group, i, &value))
            fm_buf_dec(&convert->out, value);
        else
            fm_buf_str(&convert->out, FM_STR("null"));
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    fm_buf_byte(&convert->out, ']');
    return status;
}

static framemap_status write_groups(struct fm_convert *convert)
{
    framemap_status status = FRAMEMAP_OK;
    struct fm_view_offsets list;
    bool some = false;
    fm_buf_str(&convert->out, FM_STR(",\"x_hermes_function_offsets\":{"));
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_offsets_at(convert->maps[0].view, i, &list); i++) {
        if (list.kind != FM_OFFSETS_FUNCTIONS) continue;
        fm_buf_printf(&convert->out, "%s\"%lu\":", some ? "," : "", (unsigned long)list.group);
        some = true;
        status = write_list(convert, &list);
    }
    fm_buf_byte(&convert->out, '}');
    return status;
}

framemap_status fm_convert_offsets(struct fm_convert *convert)
{
    framemap_status status = convert->bytecode ? write_groups(convert) : FRAMEMAP_OK;
    struct fm_view_offsets list;
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_offsets_at(convert->maps[0].view, i, &list); i++) {
        if (list.kind != FM_OFFSETS_MODULES || list.group != 0) continue;
        fm_buf_str(&convert->out, FM_STR(",\"x_facebook_offsets\":"));
        status = write_list(convert, &list);
    }
    return status;
}
