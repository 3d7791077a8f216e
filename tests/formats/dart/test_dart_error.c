/* Tests which words in error messages of Dart are recognized as names. */
#include "tests/testing.h"

#include "formats/dart/dart_error.h"

/* want: the names that are found in the line, separated by blanks; the name of the error's type has an exclamation mark
 * after it */
static const struct {
    const char *why, *line;
    bool leads;
    const char *want;
} rows[] = {
    {"an object without a text of its own", "Instance of 'ex'", false, "ex"},
    {"and thrown", "Instance of 'ex'", true, "ex!"},
    {"a type with arguments", "Instance of 'ex<ey, ez<fa>>'", true, "ex! ey ez fa"},
    {"the error's type", "ex: it went wrong", true, "ex!"},
    {"alone", "ex", true, "ex!"},
    {"with nothing after the colon", "ex:", true, "ex!"},
    {"with type arguments", "ex<ey, ez<fa>>: it went", true, "ex! ey ez fa"},
    {"arguments that do not end are none of a type", "ex<ey: it", true, ""},
    {"after blanks", "  ex: it", true, "ex!"},
    {"no error is told here", "ex: it went wrong", false, ""},
    {"a sentence", "ex it went wrong", true, ""},
    {"as Crashlytics writes it", "ex. Error thrown null.", true, "ex!"},
    {"a sentence of one word", "ex. It went wrong", true, ""},
    {"types of a failed cast", "type 'ex' is not a subtype of type 'ey?' in type cast", true, "ex ey"},
    {"a record's fields are names too", "type '(ex, {ey fa})' is not a subtype of type 'int'", false, "ex ey fa int"},
    {"a method", "NoSuchMethodError: The method 'fa' was called on null.", true, "NoSuchMethodError! fa"},
    {"a getter that is no word of its class", "Class 'ex' has no instance getter 'fb'.", false, "ex fb"},
    {"a setter", "The setter 'fb=' was called on null.", false, "fb"},
    {"what was called", "Tried calling: fa(Instance of 'ex', ey)", false, "fa ex"},
    {"what was set", "Tried calling: fb=Instance of 'ex'", false, "fb ex"},
    {"a constructor", "Tried calling: new ex.fc()", false, "new ex fc"},
    {"fields and variables", "LateInitializationError: Field 'fa' has already been initialized. Local 'fb' has not.",
     false, "fa fb"},
    {"text of the program's own", "Bad state: the value 'ex' of 'ey' is 'fa'", false, ""},
    {"an ending of another word", "prototype 'ex' and subclass 'ey'", false, ""},
    {"an apostrophe is no quotation mark", "The getter 'fa' isn't defined for the class 'ex'. Can't find type 'ey'",
     false, "fa ex ey"},
    {"nor is one after a word", "the boys' type 'ex'", false, "ex"},
    {"a quotation that nothing ends", "type 'ex", false, ""},
    {"quotations that nothing announces, one that something does", "'a' 'b' type 'ex' 'c'", false, "ex"},
    {"an empty one", "type '' and type 'ex'", false, "ex"},
    {"digits begin no name", "type '3ex' or type 'e3x'", false, "e3x"},
    {"Flutter's head of an error", "The following ex was thrown building ey(dirty, state: ez#1a2b3):", false, "ex! ey"},
    {"of a type with arguments", "The following ex<ey> was thrown during performLayout():", false, "ex! ey"},
    {"not its usual words", "The following was thrown", false, ""},
    {"where it was thrown, after a quotation", "Instance of 'ex'. Error thrown building ey(dirty).", true, "ex! ey"},
    {"nothing is built", "thrown building ", false, ""},
    {"nothing", "", true, ""},
    {"blanks", "   ", true, ""},
    {"no text at all that matters", "\xff\xfe '' '", true, ""},
};

static void walk(struct fm_dart_names names, struct fm_buf *out)
{
    framemap_str name;
    size_t last = 0;
    while (fm_dart_names_next(&names, &name)) {
        const size_t from = (size_t)(name.data - names.line.data);
        assert_true(name.size > 0 && from >= last &&
                    from + name.size <= names.line.size); /* the names are slices of the line, in ascending order */
        last = from + name.size;
        if (out->size) fm_buf_byte(out, ' ');
        fm_buf_str(out, name);
        if (names.is_error) fm_buf_byte(out, '!');
    }
    assert_false(fm_dart_names_next(&names, &name)); /* after the last name, further calls return false */
}

static void test_names(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        walk((struct fm_dart_names){.line = framemap_str_of(rows[i].line), .leads = rows[i].leads}, &out);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(rows[i].want)))
            fail_msg("%s: %s: got \"%.*s\", wanted \"%s\"", rows[i].why, rows[i].line, (int)out.size, out.data,
                     rows[i].want);
        fm_buf_free(&out);
    }
}

/* Tests each prefix of each line, in a memory block of exactly its size. */
static void test_prefixes(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t size = 0; size <= strlen(rows[i].line); size++) {
            struct fm_buf out;
            framemap_str error;
            char *line = malloc(size + !size);
            memcpy(line, rows[i].line, size);
            fm_buf_init(&out, &heap);
            walk((struct fm_dart_names){.line = fm_str(line, size), .leads = rows[i].leads}, &out);
            fm_dart_announces(fm_str(line, size), &error);
            fm_buf_free(&out);
            free(line);
        }
}

static const struct {
    const char *why, *line;
    bool announces;
    const char *error;
} heads[] = {
    {"the VM's own, the error in the next line", "Unhandled exception:", true, ""},
    {"Flutter's in a log of Android",
     "[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: ex: it went", true, "ex: it went"},
    {"of the framework, for all but the first", "Another exception was thrown: Instance of 'ex'", true,
     "Instance of 'ex'"},
    {"Crashlytics", "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: ex. Error thrown null.",
     true, "ex. Error thrown null."},
    {"Crashlytics of an app of Java", "Fatal Exception: java.lang.IllegalStateException: a.b", false, ""},
    {"the framework's first", "The following ex was thrown building ey:", true, ""},
    {"a crash report of Flutter's tool", "## exception", true, ""},
    {"another part of it", "## exceptions", false, ""},
    {"a sentence", "The following was said, and ex was thrown.", false, ""},
    {"words within others", "Another exception was thrown", false, ""},
    {"nothing", "", false, ""},
};

static void test_heads(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        framemap_str error = {NULL, 0};
        const bool announces = fm_dart_announces(framemap_str_of(heads[i].line), &error);
        if (announces != heads[i].announces || (announces && !fm_str_equal(error, framemap_str_of(heads[i].error))))
            fail_msg("%s: %d \"%.*s\"", heads[i].why, announces, (int)error.size, error.data);
    }
}

/* Tests a line that would take a quadratic parser noticeably long. */
static void test_long(void **state)
{
    (void)state;
    enum { PIECES = 1 << 20 };
    static const char *const pieces[] = {"' ", "type '", "thrown building ", "ex<", "Unhandled "};
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        const size_t size = strlen(pieces[i]);
        char *line = malloc(PIECES * size);
        struct fm_dart_names names = {.line = fm_str(line, PIECES * size), .leads = true};
        framemap_str name;
        for (size_t at = 0; at < PIECES; at++) memcpy(line + at * size, pieces[i], size);
        while (fm_dart_names_next(&names, &name)) assert_true(name.size > 0);
        fm_dart_announces(names.line, &name);
        free(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_prefixes),
                                       cmocka_unit_test(test_heads), cmocka_unit_test(test_long)};
    return cmocka_run_group_tests_name("names in errors of Dart", tests, NULL, NULL);
}
