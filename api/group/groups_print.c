/* Implements framemap_groups_print: writes groups as a table for people, or as JSON lines (docs/json.md). */
#include "api/group/groups_state.h"
#include "api/group/top_writer.h"
#include "core/error.h"
#include "formats/output/json_members.h"

#include <string.h>

/* --- writing groups as text --- */

/* Writes the start of a row of details: the label, and blanks up to the column of the value. */
static void begin_detail(struct fm_buf *out, size_t width, const char *word)
{
    enum { WORDS = 8 };
    fm_put_blanks(out, width + 2);
    fm_buf_str(out, framemap_str_of(word));
    fm_put_blanks(out, WORDS - strlen(word));
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
    fm_put_right(out, group->count, width);
    fm_put_blanks(out, 2);
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

/* --- writing groups as JSON --- */

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

/* --- choosing text or JSON --- */

static void print_all(struct fm_top_writer *writer, framemap_groups *groups, bool json, uint64_t shown)
{
    const size_t width = shown ? fm_digits_of(UINT64_MAX - groups->order[0].key) : 1;
    if (json) fm_top_put_head(&writer->out);
    fm_top_hand_on(writer);
    for (uint64_t i = 0; i < shown; i++) {
        const framemap_group *group = &groups->rows[groups->order[i].id].shown;
        if (json)
            put_json_group(&writer->out, group, i);
        else
            put_group(&writer->out, group, width);
        fm_top_hand_on(writer);
    }
    if (json)
        put_json_end(&writer->out, &groups->totals, shown);
    else
        put_text_end(&writer->out, &groups->totals, shown);
    fm_top_hand_on(writer);
}

framemap_status framemap_groups_print(framemap_groups *groups, const char *format, uint64_t most, framemap_write write,
                                      void *context, framemap_error *error)
{
    if (groups == NULL || format == NULL || write == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    bool json;
    struct fm_top_writer writer = {.write = write, .context = context};
    const framemap_status status = fm_top_writer_open(&writer, &groups->heap, format, &json, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_groups_sort(groups)) return fm_error_memory(error);
    print_all(&writer, groups, json, most == 0 || most > groups->totals.groups ? groups->totals.groups : most);
    return fm_top_writer_close(&writer, error);
}
