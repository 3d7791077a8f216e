/* Reads what a crash report contains besides its frames: exception, signal, system and process. The reports are
 * those of rust-minidump, KSCrash, New Relic, Swift's runtime and ABRT. Called by event_read.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_CRASH_H
#define FM_FORMATS_EVENTS_EVENT_CRASH_H

#include "formats/events/event_images.h"

/* Name of the member in KSCrash's document that contains a second report. */
extern const framemap_str fm_event_recrash;

/* Reads what the report states about the crash into a trace. thread: the JSON object that has the stack. */
void fm_event_read_crash(const struct fm_event_reader *reader, int32_t thread, framemap_trace *trace);
/* Reads signal and process from ABRT's core_backtrace into a trace. core: the JSON object with the threads. */
void fm_event_read_core(const struct fm_event_reader *reader, int32_t core, framemap_trace *trace);
/* Returns the element of "threads" whose index "crash_info" states; -1: there is no such element. Takes time linear in
 * that index. */
int32_t fm_event_crashed_thread(const struct fm_event_reader *reader);

#endif
