#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "formats/native/apple/apple.h"
#include "formats/scan/document.h"

/* Cases for the forms of frame lines that are listed at the start of apple_row.c: one for each form, and texts that
 * resemble it. */
static const struct {
    const char *name, *row, *want; /* want: the expected frame; NULL: the text is not a frame line */
    bool loose;
} rows[] = {
    {"load", "0   App   0x0000000107933b74 0x107930000 + 15220", "#0 m:App absolute:0x107933b74 load:0x107930000\n",
     false},
    {"load in hex", "0   App   0x107933b74 0x107930000 + 0x3b74\t// -[A b] + 0x10",
     "#0 m:App absolute:0x107933b74 load:0x107930000 f:-[A b]+16\n", false},
    {"load and symbol", "3   A   0x0000f6d9 0x8000 + 30425 (-[C t:] + 101)",
     "#3 m:A absolute:0xf6d9 load:0x8000 f:-[C t:]+101\n", false},
    {"no image", "7   ???   0x000000010c957407 0x0 + 4506088455",
     "#7 m:??? absolute:0x10c957407 load:0x0 unknown-image\n", false},
    {"null image", "2   (null)   0x0000000102b4d3a4 0x0 + 4340372388",
     "#2 m:(null) absolute:0x102b4d3a4 load:0x0 unknown-image\n", false},
    {"distance from an image that has no name", "7   App   0x0000000102b4d3a4 + 5028",
     "#7 m:App absolute:0x102b4d3a4 "
     "load:0x102b4c000\n",
     false},
    {"distance from a name that a web page dropped", "7   App   0x0000000185cb12f8 + 396",
     "#7 m:App "
     "absolute:0x185cb12f8\n",
     false},
    {"negative distance", "3   App   0x0000000102b4d3a0 App + -123", "#3 m:App absolute:0x102b4d3a0\n", false},
    {"negative distance of a name", "3   App   0x0000000102b4d3a0 main + -12", "#3 m:App absolute:0x102b4d3a0 f:main\n",
     false},
    {"symbol", "1   a b   0x00007fff711285bf f(int) const + 48", "#1 m:a b absolute:0x7fff711285bf f:f(int) const+48\n",
     false},
    {"file", "1   A   0x00007fff711285bf main (main.m:14)",
     "#1 m:A absolute:0x7fff711285bf f:main at:main.m:14 not-needed\n", false},
    {"distance and file", "1   A   0x00007fff711285bf main + 4 (main.m:14)",
     "#1 m:A absolute:0x7fff711285bf f:main+4 at:main.m:14 not-needed\n", false},
    {"atos", "1   A   0x00007fff711285bf main (in A) (main.m:14)",
     "#1 m:A absolute:0x7fff711285bf f:main at:main.m:14 not-needed\n", false},
    {"atos without file", "1   A   0x00007fff711285bf main (in A) + 4", "#1 m:A absolute:0x7fff711285bf f:main+4\n",
     false},
    {"no line", "1   A   0x00007fff711285bf main (a.swift:0)", "#1 m:A absolute:0x7fff711285bf f:main at:a.swift\n",
     false},
    {"generated", "1   A   0x00007fff711285bf main (<compiler-generated>)", "#1 m:A absolute:0x7fff711285bf f:main\n",
     false},
    {"generated, with the address for a line",
     "1   A   0x00007fff711285bf f + 4388917356 (<compiler-generated>:4388917356)",
     "#1 m:A absolute:0x7fff711285bf f:f\n", false},
    {"distance above 4 GiB", "1   A   0x00007fff711285bf f + 4294967296", "#1 m:A absolute:0x7fff711285bf f:f\n",
     false},
    {"no file", "1   A   0x00007fff711285bf -[B c] + 8 (:-1)", "#1 m:A absolute:0x7fff711285bf f:-[B c]+8\n", false},
    {"no file, line 0", "1   A   0x00007fff711285bf f(_:) (:0)", "#1 m:A absolute:0x7fff711285bf f:f(_:)\n", false},
    {"not a place", "1   A   0x00007fff711285bf f (:-)", "#1 m:A absolute:0x7fff711285bf f:f (:-)\n", false},
    {"bold", "4   A   0x000000010028b12c -[A f:] + 1408 (A.mm:135)**",
     "#4 m:A absolute:0x10028b12c f:-[A f:]+1408 at:A.mm:135 not-needed\n", false},
    {"start of a function", "5   A   0x199de4f18     0x000000018b5d0f17 + 1271", "#5 m:A absolute:0x199de4f18+1271\n",
     false},
    {"link", "9   A   0x003250bf -[D f:](D.m:2255)", "#9 m:A absolute:0x3250bf f:-[D f:] at:D.m:2255 not-needed\n",
     false},
    {"no link", "9   A   0x003250bf -[D f:](a)", "#9 m:A absolute:0x3250bf f:-[D f:](a)\n", false},
    {"wrapped", "1   A   0x0000000107a94d1c f + 60 (", "#1 m:A absolute:0x107a94d1c f:f+60\n", false},
    {"inlined", "7   A   0x0000000107a94d1c f(_:) + 740 (a.swift:43) [inlined]",
     "#7 m:A absolute:0x107a94d1c f:f(_:)+740 at:a.swift:43 not-needed\n", false},
    {"Sentry, no name", "1   libA.so   0x781334d1f8        <unknown> + 515718304248",
     "#1 m:libA.so absolute:0x781334d1f8\n", false},
    {"Sentry, inlined", "7   a.apk   0x770ff059b4        [inlined] a::B<T>::c (b.cc:12)",
     "#7 m:a.apk absolute:0x770ff059b4 f:a::B<T>::c at:b.cc:12 not-needed\n", false},
    {"module again", "1   My App   0x0000000107933b74 My App + 15220",
     "#1 m:My App absolute:0x107933b74 load:0x107930000\n", false},
    {"uuid", "1   A   0x0000000107933b74 8C17697F-2E84-39E5-B491-FCF5169106FF + 15220",
     "#1 m:A absolute:0x107933b74 load:0x107930000 id:8c17697f2e8439e5b491fcf5169106ff\n", false},
    {"windows", "0 electron.exe.pdb 0x00007ff68e2d395b () + 0", "#0 m:electron.exe.pdb absolute:0x7ff68e2d395b+0\n",
     false},
    {"glitch", "2   L   0x00000001ad6f564c f+ 169548 (_:line:) + 32",
     "#2 m:L absolute:0x1ad6f564c load:0x1ad6cc000 f:f(_:line:)+32\n", false},
    {"bad distance", "2   A   0x0000000000001000 A + 4097", "#2 m:A absolute:0x1000\n", false},
    {"huge distance", "2   A   0x0000000000001000 f + 99999999999999999999999",
     "#2 m:A absolute:0x1000 f:f + 99999999999999999999999\n", false},
    {"long load", "2   A   0x0000000000001000 0x11111111111111111 + 1", "#2 m:A malformed\n", false},
    {"marked", "12    + App (*)             \t0x100878430 0x100870000 + 0x8430",
     "#12 m:App absolute:0x100878430 load:0x100870000\n", false},
    {"no module", "6       0x7fff5288b015 start + 1", "#6 absolute:0x7fff5288b015 f:start+1\n", false},
    {"no module nor name", "6 0x10 0x20 + 1", NULL, false},
    {"no address", "0   CoreFoundation   f + 124", "#0 m:CoreFoundation f:f+124 malformed\n", true},
    {"no address, alone", "0   CoreFoundation   f + 124", NULL, false},
    {"no index", "App   0x0000000107933b74 f + 1", NULL, false},
    {"glued", "0   App0x0000000107933b74 f + 1", NULL, false},
    {"short number", "0   App   0x12 f + 1", NULL, false},
    {"empty", "", NULL, true},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed parsed;
        struct fm_buf got;
        framemap_frame frame = FM_FRAME_INIT;
        parse(&parsed, (framemap_str){NULL, 0});
        struct fm_document doc = {.arena = &parsed.arena};
        fm_buf_init(&got, &parsed.heap);
        bool taken = fm_apple_row(text_of(rows[i].row), rows[i].loose, &doc, &frame);
        if (taken != (rows[i].want != NULL)) fail_msg("%s: taken %d", rows[i].name, taken);
        if (taken) describe_frame(&got, &frame);
        if (taken) same_text(rows[i].name, "frame", fm_buf_view(&got), text_of(rows[i].want));
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests_name("formats apple rows", tests, NULL, NULL);
}
