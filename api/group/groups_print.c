/* framemap_groups_print: groups as a table for people, and as JSON lines (docs/json.md). */
#include "api/group/groups_state.h"
#include "core/error.h"
#include "formats/output/json_members.h"

#include <string.h>

/* --- text --- */

static void put_fill(struct fm_buf *out, size_t count)
{
    while (count-- > 0) fm_buf_byte(out, ' ');
}

static size_t digits_of(uint64_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10) digits++;
    return digits;
}

static void put_number(struct fm_buf *out, uint64_t number, size_t width)
{
    const size_t digits = digits_of(number);
    put_fill(out, width > digits ? width - digits : 0);
    fm_buf_dec(out, number);
}

/* One row of details: a word in a column and what it says. */
static void begin_detail(struct fm_buf *out, size_t width, const char *word)
{
    enum { WORDS = 8 };
    put_fill(out, width + 2);
    fm_buf_str(out, framemap_str_of(word));
    put_fill(out, WORDS - strlen(word));
}

static void put_detail(struct fm_buf *out, size_t width, const char *word, framemap_str text)
{
    if (text.size == 0) return;
    begin_detail(out, width, word);
    fm_buf_str(out, text);
    fm_buf_byte(out, '\n');
}

static void put_ids(struct fm_buf *out, size_t width, const framemap_group *group)
{
    if (group->id_count == 0) return;
    begin_detail(out, width, group->id_count > 1 ? "builds" : "build");
    for (size_t i = 0; i < group->id_count; i++) {
        if (i) fm_buf_byte(out, ' ');
        fm_buf_str(out, group->ids[i]);
    }
    fm_buf_str(out, group->more_ids ? FM_STR(" and more") : FM_STR(""));
    fm_buf_byte(out, '\n');
}

static void put_group(struct fm_buf *out, const framemap_group *group, size_t width)
{
    put_number(out, group->count, width);
    put_fill(out, 2);
    fm_buf_str(out, group->title.size ? group->title : FM_STR("(no exception)"));
    fm_buf_byte(out, '\n');
    for (size_t i = 0; i < group->frame_count; i++) put_detail(out, width, i ? "" : "at", group->frames[i]);
    put_detail(out, width, "owner", group->owner);
    put_detail(out, width, "first", group->first_time);
    put_detail(out, width, "last", group->last_time);
    put_ids(out, width, group);
    begin_detail(out, width, "example");
    fm_buf_str(out, group->file);
    fm_buf_byte(out, ':');
    fm_buf_dec(out, group->line);
    fm_buf_byte(out, '\n');
    put_detail(out, width, "group", framemap_str_of(group->fingerprint));
    fm_buf_byte(out, '\n');
}

static void put_counted(struct fm_buf *out, uint64_t count, const char *word)
{
    fm_buf_dec(out, count);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, framemap_str_of(word));
    if (count != 1) fm_buf_byte(out, 's');
}

static void put_text_end(struct fm_buf *out, const framemap_groups_totals *totals, uint64_t shown)
{
    put_counted(out, totals->stacks, "stack");
    fm_buf_str(out, FM_STR(" in "));
    put_counted(out, totals->groups, "group");
    if (shown < totals->groups) fm_buf_printf(out, ", of which the first %llu are shown", (unsigned long long)shown);
    fm_buf_byte(out, '\n');
    if (totals->merged == 0) return;
    put_counted(out, totals->others, "stack");
    fm_buf_str(out, FM_STR(" of "));
    put_counted(out, totals->merged, "rare group");
    fm_buf_str(out, FM_STR(" were merged as others, since there are too many groups; the counts above may be too low"));
    fm_buf_byte(out, '\n');
}

/* --- JSON --- */

static void put_head(struct fm_buf *out)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("head"));
    fm_member_text(&m, FM_MEMBER("schema"), FM_STR("framemap-top/1"));
    fm_member_text(&m, FM_MEMBER("framemap"), FM_STR(FRAMEMAP_VERSION_STRING));
    fm_members_close_line(&m);
}

static void put_list(struct fm_members *m, framemap_str name, const framemap_str *texts, size_t count)
{
    fm_member_name(m, name);
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i) fm_buf_byte(m->out, ',');
        fm_buf_json(m->out, texts[i]);
    }
    fm_buf_byte(m->out, ']');
}

static void put_json_group(struct fm_buf *out, const framemap_group *group, uint64_t number)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("group"));
    fm_member_count(&m, FM_MEMBER("n"), number);
    fm_member_count(&m, FM_MEMBER("count"), group->count);
    fm_member_text(&m, FM_MEMBER("fingerprint"), framemap_str_of(group->fingerprint));
    fm_member_text(&m, FM_MEMBER("title"), group->title);
    put_list(&m, FM_MEMBER("frames"), group->frames, group->frame_count);
    fm_member_text(&m, FM_MEMBER("owner"), group->owner);
    struct fm_members example = fm_members_open_in(&m, FM_MEMBER("example"));
    fm_member_text(&example, FM_MEMBER("file"), group->file);
    fm_member_number(&example, FM_MEMBER("line"), group->line);
    fm_members_close(&example);
    fm_member_text(&m, FM_MEMBER("first"), group->first_time);
    fm_member_text(&m, FM_MEMBER("last"), group->last_time);
    put_list(&m, FM_MEMBER("ids"), group->ids, group->id_count);
    fm_member_flag(&m, FM_MEMBER("more_ids"), group->more_ids);
    fm_members_close_line(&m);
}

static void put_json_end(struct fm_buf *out, const framemap_groups_totals *totals, uint64_t shown)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("end"));
    fm_member_count(&m, FM_MEMBER("stacks"), totals->stacks);
    fm_member_count(&m, FM_MEMBER("groups"), totals->groups);
    fm_member_count(&m, FM_MEMBER("shown"), shown);
    fm_member_count(&m, FM_MEMBER("others"), totals->others);
    fm_member_count(&m, FM_MEMBER("merged"), totals->merged);
    fm_members_close_line(&m);
}

/* --- both --- */

struct top_writer {
    struct fm_buf out;
    framemap_write write;
    void *context;
    bool refused;
};

static void hand_on(struct top_writer *writer)
{
    if (!writer->refused && !writer->out.failed && writer->out.size)
        writer->refused = !writer->write(writer->context, writer->out.data, writer->out.size);
    writer->out.size = 0;
}

static void print_all(struct top_writer *writer, framemap_groups *groups, bool json, uint64_t shown)
{
    const size_t width = shown ? digits_of(UINT64_MAX - groups->order[0].key) : 1;
    if (json) put_head(&writer->out);
    hand_on(writer);
    for (uint64_t i = 0; i < shown; i++) {
        const framemap_group *group = &groups->rows[groups->order[i].id].shown;
        if (json)
            put_json_group(&writer->out, group, i);
        else
            put_group(&writer->out, group, width);
        hand_on(writer);
    }
    if (json)
        put_json_end(&writer->out, &groups->totals, shown);
    else
        put_text_end(&writer->out, &groups->totals, shown);
    hand_on(writer);
}

framemap_status framemap_groups_print(framemap_groups *groups, const char *format, uint64_t most, framemap_write write,
                                      void *context, framemap_error *error)
{
    if (groups == NULL || format == NULL || write == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const bool json = strcmp(format, "json") == 0;
    if (!json && strcmp(format, "text") != 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "groups are written as 'text' or 'json'");
    if (!fm_groups_sort(groups)) return fm_error_memory(error);
    struct top_writer writer = {.write = write, .context = context};
    fm_buf_init(&writer.out, &groups->heap);
    writer.out.shows = !json;
    print_all(&writer, groups, json, most == 0 || most > groups->totals.groups ? groups->totals.groups : most);
    const bool failed = writer.out.failed;
    fm_buf_free(&writer.out);
    if (writer.refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return failed ? fm_error_memory(error) : FRAMEMAP_OK;
}
