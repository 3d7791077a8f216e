/* Implements log_record.h. */
#include "formats/scan/prefix/log_record.h"
#include "formats/scan/record_line.h"

size_t fm_log_record_head(framemap_str line)
{
    struct fm_scan s = fm_scan_of(line);
    if (!fm_scan_text(&s, FM_STR("{\"log\":"))) return 0;
    fm_scan_byte(&s, ' ');
    return fm_scan_byte(&s, '"') ? (size_t)(s.at - line.data) : 0;
}

/* Returns the field for the member with this name; NULL: there is none. */
static framemap_str *field_of(struct fm_log_fields *log, framemap_str name)
{
    const struct {
        framemap_str *field;
        framemap_str names[5];
    } members[] = {
        {&log->time, {FM_STR_INIT("time"), FM_STR_INIT("@timestamp"), FM_STR_INIT("timestamp")}},
        {&log->pid, {FM_STR_INIT("pid"), FM_STR_INIT("_PID"), FM_STR_INIT("process_id")}},
        {&log->tid, {FM_STR_INIT("tid"), FM_STR_INIT("thread_id")}},
        {&log->tag, {FM_STR_INIT("tag"), FM_STR_INIT("container_name"), FM_STR_INIT("SYSLOG_IDENTIFIER")}},
        {&log->level, {FM_STR_INIT("level"), FM_STR_INIT("severity"), FM_STR_INIT("log.level")}},
        {&log->process, {FM_STR_INIT("container_id")}},
        {&log->host, {FM_STR_INIT("pod_name"), FM_STR_INIT("hostname"), FM_STR_INIT("_HOSTNAME"), FM_STR_INIT("pod")}},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        for (size_t n = 0; n < sizeof members->names / sizeof *members->names && members[i].names[n].size; n++)
            if (fm_str_equal(name, members[i].names[n])) return members[i].field;
    return NULL;
}

void fm_log_record_fields(framemap_str record, struct fm_log_fields *out)
{
    enum { DEPTH_MOST = 3 }; /* Google's logs have "resource":{"labels":{"pod_name":… */
    struct fm_record_walk walk = fm_record_walk_of(record);
    *out = (struct fm_log_fields){.leads = false};
    while (fm_record_next(&walk)) {
        if (walk.depth > DEPTH_MOST || fm_str_find_byte(walk.value, '\\') != FM_NOT_FOUND) continue;
        framemap_str *field = field_of(out, walk.name);
        /* a time as a number has an unknown unit, and a level as a number an unknown scale */
        const bool is_text = field == &out->time || field == &out->level;
        if (field && field->size == 0 && (walk.is_string || !is_text)) *field = walk.value;
    }
}
