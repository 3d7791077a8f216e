#include "formats/skim_marks.h"

#define MARK(word, print, set) {{(word), sizeof(word) - 1}, (print), FM_SKIM_##set}

static const struct fm_skim_word words[] = {
    /* Java: what stands in a file's place. Rows that begin with "at" are found by that. */
    MARK("(SourceFile", 0, OPEN),
    MARK("(Unknown ", 0, OPEN),
    MARK("(PG", 0, OPEN),
    MARK("(Pro", 0, OPEN),
    MARK("(?:?", 0, OPEN),
    MARK("(R8$$", 0, OPEN),
    MARK("(D8$$", 0, OPEN),
    MARK("(<generated>", 0, OPEN),
    MARK("(<Unknown>", 0, OPEN),
    MARK("(unavailable", 0, OPEN),
    MARK("(r8-map-id-", 0, OPEN),
    MARK("(Native ", 0, OPEN),
    MARK("(Coroutine ", 0, OPEN),
    MARK("(Compiled ", 0, OPEN),
    MARK("(Inlined ", 0, OPEN),
    MARK(".java)", 0, DOT),
    MARK(".java:", 0, DOT),
    MARK(".kt)", 0, DOT),
    MARK(".kt:", 0, DOT),
    MARK(".kts)", 0, DOT),
    MARK(".kts:", 0, DOT),
    MARK(".scala)", 0, DOT),
    MARK(".scala:", 0, DOT),
    MARK(".groovy)", 0, DOT),
    MARK(".groovy:", 0, DOT),
    MARK(".clj)", 0, DOT),
    MARK(".clj:", 0, DOT),
    MARK(".jav)", 0, DOT),
    MARK(".jav:", 0, DOT),
    MARK(".aj)", 0, DOT),
    MARK(".aj:", 0, DOT),
    MARK(".Kt)", 0, DOT),
    MARK(".Kt:", 0, DOT),
    /* Dart: headers of traces, threads */
    MARK(" comp: ", 3, COLON),
    MARK(" comp=", 3, COLON),
    MARK("loading_unit", 6, LOW),
    MARK("build_id", 4, LOW),
    MARK("isolate_dso_base", 6, LOW),
    MARK("isolate_instructions", 6, LOW),
    MARK("BuildId: ", 5, COLON),
    MARK("tid: ", 1, COLON),
    /* Android */
    MARK("*** ***", 2, RULE),
    MARK("--- ---", 2, RULE),
    MARK("pid: ", 1, COLON),
    MARK("ABI: ", 1, COLON),
    MARK("signal ", 1, LETTER),
    MARK("Abort message: ", 0, UPPER),
    MARK("backtrace:", 2, CODE),
    MARK("tid=", 1, COLON),
    MARK("Tid=", 1, COLON),
    /* Apple */
    MARK("Thread ", 0, TITLE),
    MARK("Backtrace", 0, UPPER),
    MARK("Binary Image", 0, UPPER),
    MARK("VM Region", 0, UPPER),
    MARK("External Mod", 0, UPPER),
    MARK("Incident Identifier:", 0, UPPER),
    MARK("CrashReporter Key:", 15, COLON),
    MARK("Hardware Model:", 12, COLON),
    MARK("Process:", 5, COLON),
    MARK(" Type:", 3, COLON),
    MARK(" Thread:", 5, COLON),
    MARK("irst throw call stack", 6, LETTER),
    MARK("due to uncaught exception ", 8, LETTER),
    MARK("dSYM UUID", 1, TITLE),
    MARK("Base Address", 0, UPPER),
    MARK("CPU Type", 0, TITLE),
    /* samplers, sanitizers */
    MARK("Frame(pc: ", 5, OPEN),
    MARK("Sanitizer: ", 4, CODE),
    MARK("runtime error: ", 11, COLON),
    /* JavaScript */
    MARK("Call Stack", 5, TITLE),
    MARK("Component Stack", 10, TITLE),
    MARK("[Error] ", 0, UPPER),
    MARK("al code", 3, CODE),
    MARK("le code", 3, CODE),
};

const struct fm_skim_word *fm_skim_words(size_t *count)
{
    *count = sizeof words / sizeof *words;
    return words;
}
