/* Parts shared by Android's formats: frame lines of libunwindstack, and the header lines of crash reports. Called by
 * android_tombstone.c, android_short.c and the files of formats/android. */
#ifndef FM_FORMATS_NATIVE_ANDROID_H
#define FM_FORMATS_NATIVE_ANDROID_H

#include "formats/format.h"
#include "formats/row_parts.h"

/* Cuts "[arm64-v8a::BUILDID]" or "[arm64-v8a]" off the end of *text. Returns the ABI, the id, and both as printed. */
bool fm_android_bracket(framemap_str *text, framemap_str *arch, framemap_str *id, framemap_str *printed);

/* The pieces of a frame line: slices of the line's body. */
struct fm_android_row {
    int64_t index;
    enum fm_digits digits;
    uint64_t pc;
    bool has_relative; /* Chromium: "0xPC /PATH+0xRELATIVE": the pc is absolute */
    uint64_t relative;
    framemap_str head; /* the start of the line, up to and including the map and its offset */
    framemap_str map;
    framemap_str build;   /* "(BuildId: …)" or "[abi::id]" as printed; may be empty */
    framemap_str place;   /* "src/a.cc:7:3", printed by framemap after a restored frame */
    framemap_str routine; /* "foo at /src/foo.c:12", printed by old versions of ndk-stack after ": Routine " */
    bool has_function;
    bool glued; /* HarmonyOS: the groups follow each other and the map without blanks */
    framemap_str function;
    framemap_str id, arch, offset;
};
/* Parses "… #01 pc 4f0c4  /data/app/libapp.so (outer()+24) (BuildId: 77e6f9…)". bare: the "pc" may be missing, as
 * ndk-stack prints it: "#01 0x4f0c4 /data/app/libapp.so (outer()+24)". Takes linear time. */
bool fm_android_row_parse(framemap_str body, bool bare, struct fm_android_row *row);
/* Parses "native: pc 4f0c4 /data/app/libapp.so (outer()+24)" of the ANR traces of Android 5.0, which only the parser of
 * ANR traces accepts; the row has no index (-1). Takes linear time. */
bool fm_android_row_parse_unnumbered(framemap_str body, struct fm_android_row *row);
/* Parses "1  pc 0004f0c4  /data/app/libapp.so (outer()+24)" of Datadog; the map may be missing. Takes linear time. */
bool fm_android_row_parse_counted(framemap_str body, struct fm_android_row *row);
/* Whether a row begins at text, which begins with '#'. *after: what follows its address. */
bool fm_android_row_begins(framemap_str text, framemap_str *after);
/* Fills a frame. arch: architecture of frames that do not print one. */
void fm_android_row_fill(const struct fm_android_row *row, framemap_str arch, struct fm_document *doc,
                         framemap_frame *frame);
/* See print_frame in format.h. */
void fm_android_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

/* The rows of a line that has several, or other text after one. */
struct fm_android_rows {
    framemap_str text;
    size_t at, start;   /* the end of the last row, and the start of the next row */
    framemap_str after; /* what follows the address of the next row */
};
struct fm_android_rows fm_android_rows_of(framemap_str text);
/* Returns the next row, and the text between the last one and it. Returns false if there is none. All calls together
 * take time linear in the text. */
bool fm_android_rows_next(struct fm_android_rows *rows, framemap_str *before, framemap_str *row);
/* Whether a line has several rows, or one in a string that ends on the line. Takes linear time. */
bool fm_android_is_one_line(framemap_str text);

/* The contents of a report's header lines. */
struct fm_android_head {
    framemap_str arch, os_version, process, thread_id, thread_name;
    framemap_str signal_text; /* "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0" */
    framemap_str abort_message;
    framemap_str signal_name, signal_code_name;
    framemap_signal signal; /* signal without names, which are in signal_name and signal_code_name */
    bool has_process_id;
    uint64_t process_id;
};
enum fm_android_head_kind {
    FM_ANDROID_HEAD_NONE = 0,
    FM_ANDROID_HEAD_REPORT, /* "Build fingerprint: …" */
    FM_ANDROID_HEAD_VALUE,
    FM_ANDROID_HEAD_THREAD, /* "pid: 1, tid: 2, name: main  >>> com.example <<<" */
    FM_ANDROID_HEAD_SIGNAL,
    FM_ANDROID_HEAD_ABORT
};
/* Classifies a trimmed line and reads its contents. head NULL: only classifies. Takes linear time. */
enum fm_android_head_kind fm_android_head_read(framemap_str text, struct fm_android_head *head);
/* Reads header lines in a text that lost its line ends, if the text itself shows where they end: those with the ABI,
 * with process and thread, and with the signal (*crashed). Returns whether there is one. Takes linear time. */
bool fm_android_head_within(framemap_str text, struct fm_android_head *head, bool *crashed);
/* Reads a header line above a stack of GrapheneOS: "signal: 11 (SIGSEGV), code …", "threadName: main". Returns false
 * for the first line of the header. */
bool fm_android_short_head_read(framemap_str text, struct fm_android_head *head);
/* Reads the lines above a stack of HarmonyOS, "Tid:9623, Name:main", "Reason:Signal:SIGSEGV(SEGV_MAPERR)@0x4", if
 * there are such lines. */
void fm_android_harmony_head(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);
/* Copies the header's contents into a trace of the report. */
void fm_android_head_give(const struct fm_android_head *head, framemap_trace *trace);

#endif
