/* Parses the lines before and between the rows of a Java stack: exceptions, threads, classes of locks. Called by
 * java_trace.c and java_line.c. */
#ifndef FM_FORMATS_JAVA_JAVA_HEADING_H
#define FM_FORMATS_JAVA_JAVA_HEADING_H

#include "formats/format.h"

enum fm_java_head_kind {
    FM_JAVA_HEAD_NONE = 0,
    FM_JAVA_HEAD_WORD,    /* a name of few letters without dots that could be a renamed exception: "b0", "b0: message",
                             "b0$a" */
    FM_JAVA_HEAD_TITLE,   /* an exception that starts a stack: "a.b.c: message", "Exception in thread "main" a.b.c" */
    FM_JAVA_HEAD_CAUSE,   /* an exception that continues a stack: "Caused by: …", "Suppressed: …", "[CIRCULAR REFERENCE:
                             …]" */
    FM_JAVA_HEAD_THREAD,  /* the title of a thread: "FATAL EXCEPTION: main", ""main" prio=5 tid=1 Native" */
    FM_JAVA_HEAD_CLASS,   /* a line that names a class which is not an exception: "- locked <0x0d3a2f0a> (a bl.q)" */
    FM_JAVA_HEAD_MAP_ID,  /* a line such as "# pg_map_id: 1a2b3c4" */
    FM_JAVA_HEAD_PROCESS, /* a line such as "Process: com.example, PID: 4369" */
    FM_JAVA_HEAD_STATE,   /* a line such as "java.lang.Thread.State: WAITING (on object monitor)" */
    FM_JAVA_HEAD_MORE,    /* a line such as "... 12 more" */
    FM_JAVA_HEAD_COMPOSED, /* "ComposedException 1 :", before an exception in a list of RxJava */
    FM_JAVA_HEAD_GAP       /* the line "(Coroutine boundary)" */
};

struct fm_java_head {
    enum fm_java_head_kind kind;
    framemap_str name;             /* the class without loader and module, or the map id */
    framemap_str text;             /* for TITLE, CAUSE and WORD: class and message */
    framemap_str thread;           /* set for TITLE and THREAD: name of the thread */
    framemap_str thread_id, state; /* set for THREAD and STATE: id and state of the thread */
    framemap_str process;          /* set for PROCESS: name of the process */
    uint64_t number;               /* PROCESS: id of the process, 0 if unknown; MORE: the number of frames */
    framemap_role role;            /* for CAUSE: whether the exception is a cause or was suppressed */
    /* for CAUSE: the line is "Wrapped by: …", so the exception above it is the cause of this exception */
    bool wraps;
    bool is_named_fault; /* the class name ends in "Exception", "Error" or a similar word */
    bool crashed;        /* for THREAD: the thread crashed */
};
/* Classifies the body of a line. Takes time linear in the body. */
void fm_java_head_parse(framemap_str body, struct fm_java_head *out);

#endif
