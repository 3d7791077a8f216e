/* Implements json_members.h: writes names and values of members to a buffer, with commas between them. A nested object
 * is begun when its first member is written, so that empty objects are omitted. */
#include "formats/output/json_members.h"

struct fm_members fm_members_open(struct fm_buf *out)
{
    fm_buf_byte(out, '{');
    return (struct fm_members){.out = out};
}

struct fm_members fm_members_open_in(struct fm_members *outer, framemap_str name)
{
    return (struct fm_members){.out = outer->out, .of = name, .outer = outer};
}

void fm_members_close(struct fm_members *m)
{
    if (m->of.size == 0) fm_buf_byte(m->out, '}');
}

/* If this is the first member of an object that was opened with fm_members_open_in, first writes the name of that
 * object. Returns the text to write before the member's value. */
static framemap_str begin_member(struct fm_members *m, framemap_str name)
{
    if (m->of.size) {
        /* this function calls itself for the outer object; objects are only a few levels deep */
        fm_member_name(m->outer, m->of);
        fm_buf_byte(m->out, '{');
        m->of = (framemap_str){NULL, 0};
    }
    const bool any = m->any;
    m->any = true;
    return fm_str_from(name, any ? 0 : 1);
}

void fm_member_name(struct fm_members *m, framemap_str name) { fm_buf_str(m->out, begin_member(m, name)); }

void fm_member_string(struct fm_members *m, framemap_str name, framemap_str value)
{
    fm_buf_json_after(m->out, begin_member(m, name), value);
}

void fm_member_text(struct fm_members *m, framemap_str name, framemap_str value)
{
    if (value.size) fm_member_string(m, name, value);
}

void fm_member_count(struct fm_members *m, framemap_str name, uint64_t value)
{
    fm_member_name(m, name);
    fm_buf_dec(m->out, value);
}

void fm_member_number(struct fm_members *m, framemap_str name, uint64_t value)
{
    if (value) fm_member_count(m, name, value);
}

void fm_member_signed(struct fm_members *m, framemap_str name, int64_t value)
{
    fm_member_name(m, name);
    if (value < 0) fm_buf_byte(m->out, '-');
    fm_buf_dec(m->out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void fm_member_hex(struct fm_members *m, framemap_str name, uint64_t value)
{
    fm_member_name(m, name);
    fm_buf_str(m->out, FM_STR("\"0x"));
    fm_buf_hex(m->out, value, 1);
    fm_buf_byte(m->out, '"');
}

void fm_member_flag(struct fm_members *m, framemap_str name, bool value)
{
    if (!value) return;
    fm_member_name(m, name);
    fm_buf_str(m->out, FM_STR("true"));
}

/* --- lines --- */

struct fm_members fm_members_open_line(struct fm_buf *out, framemap_str type)
{
    struct fm_members m = fm_members_open(out);
    fm_member_text(&m, FM_MEMBER("t"), type);
    return m;
}

void fm_members_close_line(struct fm_members *m)
{
    fm_members_close(m);
    fm_buf_byte(m->out, '\n');
}

void fm_member_bool(struct fm_members *m, framemap_str name, bool value)
{
    fm_member_name(m, name);
    fm_buf_str(m->out, value ? FM_STR("true") : FM_STR("false"));
}
