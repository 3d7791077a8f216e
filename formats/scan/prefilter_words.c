#include "formats/scan/prefilter_words.h"

#define MARK(word, print, bin) {{(word), sizeof(word) - 1}, (print), FM_PREFILTER_FIRST_WORD + (bin)}

static const struct fm_prefilter_word words[] = {
    /* Java: what stands in a file's place. Rows that begin with "at" are found by that. */
    MARK("(SourceFile", 7, 7),
    MARK("(Unknown ", 0, 2),
    MARK("(PG", 0, 2),
    MARK("(Pro", 0, 2),
    MARK("(?:?", 0, 2),
    MARK("(R8$$", 0, 2),
    MARK("(D8$$", 0, 2),
    MARK("(<generated>", 0, 2),
    MARK("(<Unknown>", 0, 2),
    MARK("(unavailable", 6, 5),
    MARK("(r8-map-id-", 8, 5),
    MARK("(Native ", 0, 2),
    MARK("(Coroutine ", 0, 2),
    MARK("(Compiled ", 0, 2),
    MARK("(Inlined ", 0, 2),
    MARK(".java)", 3, 0),
    MARK(".java:", 3, 0),
    MARK(".kt)", 0, 6),
    MARK(".kt:", 1, 5),
    MARK(".kts)", 1, 5),
    MARK(".kts:", 1, 5),
    MARK(".scala)", 4, 0),
    MARK(".scala:", 4, 0),
    MARK(".groovy)", 0, 6),
    MARK(".groovy:", 0, 6),
    MARK(".clj)", 1, 5),
    MARK(".clj:", 2, 0),
    MARK(".jav)", 2, 1),
    MARK(".jav:", 2, 1),
    MARK(".aj)", 1, 0),
    MARK(".aj:", 1, 0),
    MARK(".Kt)", 1, 3),
    MARK(".Kt:", 1, 3),
    /* Dart: headers of traces, threads */
    MARK(" comp: ", 3, 1),
    MARK(" comp=", 3, 5),
    MARK("loading_unit", 9, 6),
    MARK("build_id", 4, 0),
    MARK("isolate_dso_base", 6, 0),
    MARK("isolate_instructions", 6, 0),
    MARK("BuildId: ", 4, 0),
    MARK("tid: ", 0, 0),
    /* Android */
    MARK("*** ***", 2, 1),
    MARK("--- ---", 1, 1),
    MARK("pid: ", 1, 5),
    MARK("ABI: ", 1, 3),
    MARK("signal ", 4, 1),
    MARK("Abort message: ", 0, 7),
    MARK("backtrace:", 3, 6),
    MARK("tid=", 0, 0),
    MARK("Tid=", 0, 7),
    /* Apple */
    MARK("Thread ", 0, 7),
    MARK("Backtrace", 0, 3),
    MARK("Binary Image", 0, 3),
    MARK("VM Region", 4, 0),
    MARK("External Mod", 0, 7),
    MARK("Incident Identifier:", 2, 0),
    MARK("CrashReporter Key:", 0, 7),
    MARK("Hardware Model:", 3, 5),
    MARK("Process:", 0, 7),
    MARK(" Type:", 1, 7),
    MARK(" Thread:", 5, 1),
    MARK("irst throw call stack", 0, 5),
    MARK("due to uncaught exception ", 13, 1),
    MARK("dSYM UUID", 1, 7),
    MARK("Base Address", 0, 3),
    MARK("CPU Type", 4, 7),
    /* samplers, sanitizers */
    MARK("Frame(pc: ", 0, 7),
    MARK("Sanitizer: ", 0, 7),
    MARK("runtime error: ", 2, 6),
    /* JavaScript */
    MARK("Call Stack", 0, 7),
    MARK("Component Stack", 10, 5),
    MARK("[Error] ", 1, 7),
    MARK("al code", 0, 1),
    MARK("le code", 3, 0),
};

const uint8_t fm_prefilter_bins[FM_PREFILTER_FIRST_WORD] = {
    [FM_PREFILTER_AT] = 1,  [FM_PREFILTER_SIGN] = 3,   [FM_PREFILTER_NUMBER] = 2, [FM_PREFILTER_HEX] = 7,
    [FM_PREFILTER_END] = 4, [FM_PREFILTER_COLOUR] = 3, [FM_PREFILTER_ESCAPE] = 7};

const struct fm_prefilter_word *fm_prefilter_words(size_t *count)
{
    *count = sizeof words / sizeof *words;
    return words;
}
