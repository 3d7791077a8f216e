/* Tests that the parts of names, paths, images and messages that differ from build to build are removed. */
#include "api/group/name_key.h"
#include "tests/testing.h"

struct key_case {
    const char *name, *want, *why;
};

static void check_names(const struct key_case *rows, size_t count, bool native)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t i = 0; i < count; i++) {
        fm_buf_clear(&out);
        fm_put_name_key(&out, framemap_str_of(rows[i].name), native);
        assert_str(fm_buf_view(&out), rows[i].want);
    }
    fm_buf_free(&out);
}

static void names(void **state)
{
    (void)state;
    static const struct key_case rows[] = {
        {"pay", "pay", "nothing is generated"},
        {"pay2", "pay2", "a number of the programmer"},
        {"com.example.Shop$$Lambda$14/0x0000800100066a88", "com.example.Shop$$Lambda", "a class of Java's lambdas"},
        {"com.example.Shop$$ExternalSyntheticLambda3", "com.example.Shop$$ExternalSyntheticLambda", "of D8's"},
        {"lambda$pay$3", "lambda$pay$", "its method"},
        {"pay$lambda-2", "pay$lambda", "Kotlin's, up to 1.9"},
        {"pay$lambda$2", "pay$lambda", "Kotlin's, from 1.9 on"},
        {"com.example.Shop$1", "com.example.Shop$", "an anonymous class"},
        {"com.example.Shop$Cart", "com.example.Shop$Cart", "a named one"},
        {"access$000", "access$", "javac's accessor"},
        {"$Proxy12", "$Proxy", "a proxy class"},
        {"GeneratedMethodAccessor41", "GeneratedMethodAccessor", "of reflection"},
        {"Shop$$EnhancerBySpringCGLIB$$1ebe4e09", "Shop$$EnhancerBySpringCGLIB$$", "of Spring"},
        {"<Main>b__0_1", "<Main>b__", "a lambda of C#"},
        {"main.main.func1.2", "main.main.func", "a closure of Go"},
        {"closure #1 in Shop.pay()", "closure # in Shop.pay()", "a closure of Swift"},
        {"__17-[Shop payWith:]_block_invoke_2", "__17-[Shop payWith:]_block_invoke", "a block"},
    };
    check_names(rows, COUNT_OF(rows), false);
}

static void native_names(void **state)
{
    (void)state;
    static const struct key_case rows[] = {
        {"shop::pay(int, char const*) const", "shop::pay", "parameters"},
        {"shop::pay<std::pair<int, int>>(int)", "shop::pay<std::pair<int, int>>", "types of templates stay"},
        {"(anonymous namespace)::pay(int)", "(anonymous namespace)::pay", "brackets of another meaning"},
        {"shop::operator()(int)", "shop::operator()", "of an operator"},
        {"pay.cold", "pay", "a part that is seldom run"},
        {"pay.part.0.isra.3", "pay", "several suffixes"},
        {"pay.llvm.1234567890", "pay", "LLVM's"},
        {"pay(int) [clone .cold]", "pay", "as demanglers print it"},
        {"shop::pay::h0123456789abcdef", "shop::pay", "the hash of a Rust function"},
        {"shop::pay::{{closure}}::h0123456789abcdef", "shop::pay::{{closure}}", "of a closure"},
        {"shop::pay::h0123", "shop::pay::h0123", "a name that begins like one"},
        {"main::{lambda(int)#2}::operator()(int) const", "main::{lambda(int)#}::operator()", "a lambda"},
        {"main::$_3::operator()() const", "main::$_::operator()", "clang's"},
        {"-[Shop pay:(now)]", "-[Shop pay:(now)]", "Objective-C has no parameters"},
    };
    check_names(rows, COUNT_OF(rows), true);
}

static void check_others(void put(struct fm_buf *out, framemap_str text), const struct key_case *rows, size_t count)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t i = 0; i < count; i++) {
        fm_buf_clear(&out);
        put(&out, framemap_str_of(rows[i].name));
        assert_str(fm_buf_view(&out), rows[i].want);
    }
    fm_buf_free(&out);
}

static void paths(void **state)
{
    (void)state;
    static const struct key_case rows[] = {
        {"src/cart.js", "src/cart.js", "nothing is generated"},
        {"/home/ci/build/1234/src/cart.js", "src/cart.js", "the last two parts"},
        {"https://shop.example/assets/app.3f2a1c.js?v=7#x", "assets/app.js", "a hash and a query"},
        {"https://shop.example/v1.2.3/index-4sdvL0Xr.js", "index.js", "a version and a hash of letters"},
        {"node_modules/react-dom@18.2.0/index.js", "react-dom/index.js", "a version after a name"},
        {"webpack:///./src/cart.js", "src/cart.js", "a scheme"},
        {"C:\\work\\src\\cart.cpp", "src/cart.cpp", "Windows"},
        {"package:shop/src/cart.dart", "src/cart.dart", "Dart"},
        {"2048.js", "2048.js", "the first part always counts"},
        {"main.js", "main.js", "no folder"},
    };
    check_others(fm_put_path_key, rows, COUNT_OF(rows));
}

static void modules(void **state)
{
    (void)state;
    static const struct key_case rows[] = {
        {"libshop.so", "libshop.so", "nothing"},
        {"/usr/lib/libz.so.1.2.13", "libz.so", "a version after the name"},
        {"libc-2.31.so", "libc.so", "within the name"},
        {"libvpx12.so", "libvpx12.so", "a number of the name"},
    };
    check_others(fm_put_module_key, rows, COUNT_OF(rows));
}

static void messages(void **state)
{
    (void)state;
    static const struct key_case rows[] = {
        {"no order 17 for \"bob\"", "no order * for *", "a number, a quoted text"},
        {"can't pay 0x7f32 now", "can't pay * now", "an apostrophe is no quote"},
        {"id 123e4567-e89b-12d3-a456-426614174000", "id *-*-*-*-*", "a UUID"},
    };
    check_others(fm_put_message_key, rows, COUNT_OF(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(native_names), cmocka_unit_test(paths),
                                       cmocka_unit_test(modules), cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
