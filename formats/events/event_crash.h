/* What a report of a crash contains in addition to its frames: exception, signal, system and process of rust-minidump's
 * document and of KSCrash's. Called by event_read.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_CRASH_H
#define FM_FORMATS_EVENTS_EVENT_CRASH_H

#include "formats/events/event_images.h"

/* The member of KSCrash's document that has a second report. */
extern const framemap_str fm_event_recrash;

/* Reads what the report states about the crash. thread: the object that holds the stack. */
void fm_event_read_crash(const struct fm_event_reader *reader, int32_t thread, framemap_trace *trace);
/* Reads signal and process of ABRT's core_backtrace. core: the object with the threads. */
void fm_event_read_core(const struct fm_event_reader *reader, int32_t core, framemap_trace *trace);
/* Returns the element of the dump's "threads" whose number crash_info gives; -1: none. Takes time linear in that
 * number. */
int32_t fm_event_crashed_thread(const struct fm_event_reader *reader);

#endif
