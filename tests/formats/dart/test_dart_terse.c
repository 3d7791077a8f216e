#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"web", "the development compiler",
     "TypeError: Cannot read properties of undefined (reading 'x')\n"
     "dart-sdk/lib/_internal/js_dev_runtime/private/ddc_runtime/errors.dart 266:49  throw_\n"
     "packages/shop/src/cart.dart 12:3                                             get total\n"
     "packages/shop/src/cart.dart 13:3                                             [_firstBuild]\n"
     "...     Normal element mounting (24 frames)\n"
     "packages/shop/main.dart 14:3                                                 main.<anonymous closure>\n",
     "dart-terse 2 exception:TypeError: Cannot read properties of undefined (reading 'x')\n"
     "- f:throw_ at:dart-sdk/lib/_internal/js_dev_runtime/private/ddc_runtime/errors.dart:266:49 not-needed\n"
     "- f:get total at:packages/shop/src/cart.dart:12:3 not-needed\n"
     "- f:[_firstBuild] at:packages/shop/src/cart.dart:13:3 not-needed\n- elided count:24 not-needed\n"
     "- f:main.<anonymous closure> at:packages/shop/main.dart:14:3 not-needed\n"},
    {"chain", "package:stack_trace: a gap, frames without lines, a tag before each line",
     "flutter: package:shop/cart.dart 12:3  Cart.total\n"
     "flutter: dart:async                   _asyncThenWrapperHelper\n"
     "flutter: ===== asynchronous gap ===========================\n"
     "flutter: test/cart_test.dart 9        main.<fn>\n",
     "dart-terse 1\n- f:Cart.total at:package:shop/cart.dart:12:3 not-needed\n"
     "- f:_asyncThenWrapperHelper at:dart:async not-needed\n- async-gap not-needed\n"
     "- f:main.<fn> at:test/cart_test.dart:9 not-needed\n"},
    {"dart2js", "positions in the script are those of JavaScript; parts of a program; a file alone is not a row",
     "Bad state: No element\nmain.dart.js 2522:17                    dart.wrapException\n"
     "https://a.b/main.dart.js_1.part.js 1:20934  minified:tM.gq\nmain.dart.js 12028:23                   <fn>\n"
     "dart:sdk_internal                       _check\nbuild/main.dart.js 1.7 MB\nmain.dart.js  f\n"
     "Compiled main.dart.js 108693 bytes\n",
     "dart-terse 2\n- f:dart.wrapException at:main.dart.js:2522:17\n"
     "- f:minified:tM.gq at:https://a.b/main.dart.js_1.part.js:1:20934\n- f:<fn> at:main.dart.js:12028:23\n"
     "- f:_check at:dart:sdk_internal not-needed\n"},
    {"folded", "the first frame has no line", "dart:core              List.add\npackage:a/b.dart 12:3  f\n",
     "dart-terse 1\n- f:List.add at:dart:core not-needed\n- f:f at:package:a/b.dart:12:3 not-needed\n"},
    {"Crashlytics, Android", "frames in the form of Java's",
     "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: Bad state: No element\n"
     "       at Iterable.lastWhere(dart:core)\n       at new Cart(cart.dart:12)\n"
     "       at CartState.load.<fn>(cart_page.dart:38)\n",
     "dart-terse 2 exception:Bad state: No element\n- f:Iterable.lastWhere at:dart:core not-needed\n"
     "- f:new Cart at:cart.dart:12 not-needed\n- f:CartState.load.<fn> at:cart_page.dart:38 not-needed\n"},
    {"Crashlytics, iOS", "frames in the form of Apple's, without an address; the line is no distance",
     "Fatal Exception: FlutterError\n0  ???                            0x0 ListBase.firstWhere (dart:collection)\n"
     "1  ???                            0x0 Cart.total.<fn> + 255 (cart.dart:255)\n"
     "2  ???                            0x0 (null)._startMicrotaskLoop (dart:async)\n",
     "dart-terse 2\n- f:ListBase.firstWhere at:dart:collection not-needed\n"
     "- f:Cart.total.<fn> at:cart.dart:255 not-needed\n- f:_startMicrotaskLoop at:dart:async not-needed\n"},
    {"Crashlytics, two crashes", "a title, and number 0, begin a trace",
     "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: a\n       at A.f(a.dart:1)\n\n"
     "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: b\n       at B.f(b.dart:1)\n"
     "0  ???  0x0 C.f + 1 (c.dart:1)\n1  ???  0x0 C.g + 2 (c.dart:2)\n0  ???  0x0 D.f + 1 (d.dart:1)\n"
     "Non-fatal Exception: FlutterError\n0  ???  0x0 E.f + 1 (e.dart:1)\n",
     "dart-terse 2 exception:a\n- f:A.f at:a.dart:1 not-needed\ndart-terse 5 exception:b\n"
     "- f:B.f at:b.dart:1 not-needed\n- f:C.f at:c.dart:1 not-needed\n- f:C.g at:c.dart:2 not-needed\n"
     "dart-terse 8\n- f:D.f at:d.dart:1 not-needed\ndart-terse 10\n- f:E.f at:e.dart:1 not-needed\n"},
    {"Crashlytics, iOS, numbered", "the rows of the VM after its own",
     "0  ???                            0x0 (null). #0      Cart.total (/d/cart.dart:12:3)\n"
     "1  ???                            0x0 (null). #1      main (/d/main.dart:4:5)\n",
     "dart-symbolic 1\n#0 f:Cart.total at:/d/cart.dart:12:3 not-needed\n"
     "#1 f:main at:/d/main.dart:4:5 not-needed\n"},
    {"near misses of Crashlytics", "V8's rows have a column, Java's another file, and the middle of a list is none",
     "    at f(main.dart:12:3)\n  at a.b.c(dart.java:1)\n1  ???  0x0 Cart.total + 255 (cart.dart:255)\n"
     "at the end (see cart.dart:12)\n0  Shop  0x0 f + 1 (cart.dart:1)\n",
     "js-v8 1\n- f:f at:main.dart:12:3\njava 2\n- c:a.b f:c at:dart.java:1\n"},
    {"near misses", "prose and other tools",
     "lib/main.dart:12:3 - unused import\n  lib/main.dart 12:3\nlib/main.dart 12:3 was changed by hand\n"
     "dart:async  is a library\npackage:shop/cart.dart  Cart\n===== asynchronous gap ===========================\n",
     ""},
};
static const framemap_frame renamed[] = {{.kind = FRAMEMAP_KIND_DART, .function = {"Shop.sum", 8}, .file = {"a", 1}}};
static const struct text_case looks[] = {
    {"renamed", "only the name is replaced", "package:shop/cart.dart 12:3  ex\n",
     "package:shop/cart.dart 12:3  Shop.sum\n"},
    {"renamed, Android", "the same", "       at ex(cart.dart:12)\n", "       at Shop.sum(cart.dart:12)\n"},
    {"renamed, iOS", "the same", "0  ???    0x0 ex + 12 (cart.dart:12)\n",
     "0  ???    0x0 Shop.sum + 12 (cart.dart:12)\n"}};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, 3, renamed, 1);
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats dart terse", tests, NULL, NULL);
}
