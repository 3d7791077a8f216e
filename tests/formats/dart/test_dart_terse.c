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
    {"folded", "the first frame has no line", "dart:core              List.add\npackage:a/b.dart 12:3  f\n",
     "dart-terse 1\n- f:List.add at:dart:core not-needed\n- f:f at:package:a/b.dart:12:3 not-needed\n"},
    {"near misses", "prose and other tools",
     "lib/main.dart:12:3 - unused import\n  lib/main.dart 12:3\nlib/main.dart 12:3 was changed by hand\n"
     "dart:async  is a library\npackage:shop/cart.dart  Cart\n===== asynchronous gap ===========================\n",
     ""},
};
static const framemap_frame renamed[] = {{.kind = FRAMEMAP_KIND_DART, .function = {"Shop.sum", 8}, .file = {"a", 1}}};
static const struct text_case looks[] = {{"renamed", "only the name is replaced", "package:shop/cart.dart 12:3  ex\n",
                                          "package:shop/cart.dart 12:3  Shop.sum\n"}};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, 1, renamed, 1);
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats dart terse", tests, NULL, NULL);
}
