/* Parts shared by Android's formats: frame lines of libunwindstack, and the header lines of crash reports. Called by
 * android_tombstone.c, android_short.c and the files of formats/android. */
#ifndef FM_FORMATS_NATIVE_ANDROID_H
#define FM_FORMATS_NATIVE_ANDROID_H

#include "formats/format.h"
#include "formats/row_parts.h"

/* Cuts "[arm64-v8a::BUILDID]" or "[arm64-v8a]" off the end of *text. *arch: the ABI; *id: the build id, empty if the
 * bracket has none; *printed: the whole bracket. */
bool fm_android_bracket(framemap_str *text, framemap_str *arch, framemap_str *id, framemap_str *printed);

/* The parts of a frame line; each is a slice of the line's body. */
struct fm_android_row {
    int64_t index;
    enum fm_digits digits;
    uint64_t pc;
    /* set for a row in Chromium's form "0xPC /PATH+0xRELATIVE", in which 0xPC is an absolute address */
    bool has_relative;
    uint64_t relative;
    /* the start of the line, up to the end of `map` and the "(offset 0x…)" after it */
    framemap_str head;
    framemap_str map;     /* the file or mapping that has the address: "/data/app/libapp.so" */
    framemap_str build;   /* "(BuildId: …)" or "[abi::id]" as printed; may be empty */
    framemap_str place;   /* "src/a.cc:7:3", printed by framemap after a restored frame */
    framemap_str routine; /* "foo at /src/foo.c:12", printed by old versions of ndk-stack after ": Routine " */
    bool has_function;
    /* the row has HarmonyOS' form, with no blanks before its groups: "/system/lib64/libapp.so(outer()+24)(77e6f9…)" */
    bool glued;
    framemap_str function;
    framemap_str id, arch, offset;
};
/* Parses "… #01 pc 4f0c4  /data/app/libapp.so (outer()+24) (BuildId: 77e6f9…)". bare: a row without "pc" is accepted
 * too, as ndk-stack prints it: "#01 0x4f0c4 /data/app/libapp.so (outer()+24)". Takes linear time. */
bool fm_android_row_parse(framemap_str body, bool bare, struct fm_android_row *row);
/* Parses "native: pc 4f0c4 /data/app/libapp.so (outer()+24)" of the ANR traces of Android 5.0, which only the parser of
 * ANR traces accepts; the row has no index (-1). Takes linear time. */
bool fm_android_row_parse_unnumbered(framemap_str body, struct fm_android_row *row);
/* Parses "1  pc 0004f0c4  /data/app/libapp.so (outer()+24)" of Datadog; the file may be missing. Takes linear time. */
bool fm_android_row_parse_counted(framemap_str body, struct fm_android_row *row);
/* Parses "#08 at onPageShow entry (entry/src/main/ets/pages/Index.ets:7:13)", a row of JavaScript within a stack of
 * HarmonyOS, and fills the frame. Takes linear time. */
bool fm_android_script_parse(framemap_str body, framemap_frame *frame);
/* Whether a row begins at text, whose first byte is '#'. *after: the text after the row's address. */
bool fm_android_row_begins(framemap_str text, framemap_str *after);
/* Fills a frame from the parts of its row. arch: the architecture to set if the row prints none. */
void fm_android_row_fill(const struct fm_android_row *row, framemap_str arch, struct fm_document *doc,
                         framemap_frame *frame);
/* Prints a restored frame; see print_frame in format.h. */
void fm_android_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

/* Finds the rows in a line that contains several of them, or one row and other text after it. */
struct fm_android_rows {
    framemap_str text;
    size_t at, start;   /* at: offset of the end of the row returned last; start: offset of the start of the next row */
    framemap_str after; /* the text after the address of the next row */
};
struct fm_android_rows fm_android_rows_of(framemap_str text);
/* Returns the next row, and in *before the text between the previous row and this one. Returns false if there is no
 * further row. All calls together take time linear in the text. */
bool fm_android_rows_next(struct fm_android_rows *rows, framemap_str *before, framemap_str *row);
/* Whether a line has several rows, or one row in a string that ends on the line. Takes linear time. */
bool fm_android_is_one_line(framemap_str text);

/* The values that the header lines of a crash report state. */
struct fm_android_head {
    framemap_str arch, os_version, process, thread_id, thread_name;
    framemap_str guest_arch;  /* the CPU that the app's libraries are for, if they are translated */
    framemap_str signal_text; /* "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0" */
    framemap_str abort_message;
    framemap_str signal_name, signal_code_name;
    /* numbers and address of the signal; its names are in signal_name and signal_code_name */
    framemap_signal signal;
    bool has_process_id;
    uint64_t process_id;
};
enum fm_android_head_kind {
    FM_ANDROID_HEAD_NONE = 0,
    FM_ANDROID_HEAD_REPORT, /* "Build fingerprint: …" */
    FM_ANDROID_HEAD_VALUE,
    FM_ANDROID_HEAD_GUEST,  /* "Guest thread information for tid: 2" */
    FM_ANDROID_HEAD_THREAD, /* "pid: 1, tid: 2, name: main  >>> com.example <<<" */
    FM_ANDROID_HEAD_SIGNAL,
    FM_ANDROID_HEAD_ABORT
};
/* Classifies a trimmed line and reads its contents. If `head` is NULL, only classifies it. Takes linear time. */
enum fm_android_head_kind fm_android_head_read(framemap_str text, struct fm_android_head *head);
/* Reads header lines from a report whose line ends were lost, so that all of them are on one line. Only header lines
 * whose text shows where they end are read: the ABI, process and thread, and the signal, for which *crashed is set.
 * Returns whether a header line was found. Takes linear time. */
bool fm_android_head_within(framemap_str text, struct fm_android_head *head, bool *crashed);
/* Reads a header line above a stack of GrapheneOS: "signal: 11 (SIGSEGV), code …", "threadName: main". Returns false
 * for "type: …", the first line of the header. */
bool fm_android_short_head_read(framemap_str text, struct fm_android_head *head);
/* Reads what Bugly prints above a stack into `trace`: the signal, on a line of its own a few lines above, and thread
 * and process in the header of its log. line: the stack's first row. */
void fm_android_bugly_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);
/* Reads the lines above a stack of HarmonyOS, such as "Tid:9623, Name:main" and
 * "Reason:Signal:SIGSEGV(SEGV_MAPERR)@0x4", if there are such lines. */
void fm_android_harmony_head(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);
/* Copies the values of the header into a trace of the report. */
void fm_android_head_give(const struct fm_android_head *head, framemap_trace *trace);
/* Sets signal, exception and abort message of the thread that crashed, from a header without `signal_text`. The
 * exception has the wording of a tombstone that is text. */
void fm_android_head_give_crash(const struct fm_android_head *head, struct fm_document *doc, framemap_trace *trace);
/* Sets module and path of a frame from the name of its mapping, and its status if the mapping has no file. */
void fm_android_set_map(framemap_frame *frame, framemap_str map);

#endif
