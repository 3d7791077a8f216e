/* Tests of the functions found in scripts: extents, nesting and names. The expected names are those that Node 20
 * (V8) printed when it ran the text. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "core/limits.h"
#include "mappers/javascript/functions/js_functions.h"
#include <string.h>

static void put_name(const struct fm_js_functions *script, const struct fm_js_function *function, struct fm_buf *out)
{
    for (uint32_t i = 0; i < function->part_count; i++) {
        const struct fm_js_name_part *part = &script->parts[function->first_part + i];
        if (part->renamed) fm_buf_byte(out, '~'); /* '~' marks a name that has to be looked up in the map */
        if (part->if_capital) fm_buf_byte(out, '^');
        fm_buf_str(out, part->text);
    }
}

/* Writes functions as "begin-end(outer)name", separated by blanks; only columns if the script is one line. */
static void spell(const struct fm_js_functions *script, struct fm_buf *out)
{
    for (size_t i = 0; i < script->function_count; i++) {
        const struct fm_js_function *f = &script->functions[i];
        if (i > 0) fm_buf_byte(out, ' ');
        if (f->begin.line0 > 0) fm_buf_printf(out, "%u:", f->begin.line0);
        fm_buf_printf(out, "%u-", f->begin.col0);
        if (f->end.line0 > 0) fm_buf_printf(out, "%u:", f->end.line0);
        fm_buf_printf(out, "%u", f->end.col0);
        if (f->outer != FM_JS_NONE) fm_buf_printf(out, "(%u)", f->outer);
        if (f->part_count > 0) fm_buf_byte(out, ' ');
        put_name(script, f, out);
    }
    fm_buf_byte(out, 0);
}

static framemap_status read_and_spell(framemap_str text, struct fm_heap *heap, struct fm_buf *out,
                                      framemap_error *error)
{
    struct fm_js_functions script;
    const framemap_status status = fm_js_functions_read(text, heap, &script, error);
    if (status == FRAMEMAP_OK) spell(&script, out);
    fm_js_functions_free(&script);
    return status;
}

struct row {
    const char *text, *functions, *why;
};

static const struct row extents[] = {
    {"", "", "nothing"},
    {"function a(b){}", "0-15 ~a", "a declaration"},
    {"x(function(){})", "2-14", "an argument has no name"},
    {"a=>b", "0-4", "without parentheses and braces"},
    {"x(a=>b,c)", "2-6", "its body ends at a comma"},
    {"[a=>b]", "1-5", "at a bracket"},
    {"({k:a=>b})", "4-8 k", "at a brace"},
    {"a=>b;c", "0-4", "at a semicolon"},
    {"a=>b\nc()", "0-4", "at the line's end, if what follows can't go on"},
    {"a=>b\n(c)", "0-1:3", "a call goes on"},
    {"a=>b\n+c", "0-1:2", "so does an operator"},
    {"a=>b\nin c", "0-1:4", "and one that is a word"},
    {"a=>{}\n(c)", "0-5", "an arrow with braces can't be called"},
    {"x?a=>b:c=>d", "2-6 7-11", "at a colon"},
    {"x(a=>b?c:d)", "2-10", "its own conditional does not end it"},
    {"a=>b=>c", "0-7 3-7(0)", "one inside the other, with one end"},
    {"(a,b)=>({c})", "0-12", "an object as the body"},
    {"(a=()=>{},{b=function(){}}={})=>{}", "0-34 3-9(0) ~a 13-25(0) ~b",
     "functions in parameters come after, and are inside"},
    {"async a=>b;async(a)=>b;async function c(){}", "0-10 11-22 23-43 ~c", "async belongs to them"},
    {"async(a=>b)", "6-10", "a function of that name is called"},
    {"async\nfunction a(){}", "1:0-1:14 ~a", "the word by itself"},
    {"function*a(){yield/b/;yield a=>b}", "0-33 ~a 28-32(0)", "generators"},
    {"a/b/c;d=/[/]}/g;function e(){}", "16-30 ~e", "division and regular expressions"},
    {"if(a)/}/.b();function c(){}", "13-27 ~c", "an operand starts after the head of a statement"},
    {"a=b\n/c/d;function e(){}", "1:5-1:19 ~e", "a line's end does not end it before a slash"},
    {"x={}/a/b;function c(){}", "9-23 ~c", "an object is divided"},
    {"{}/a}/;function b(){}", "7-21 ~b", "a block is not"},
    {"a++/b/c;function d(){}", "8-22 ~d", "after a postfix there is a division"},
    {"`${`${a=>`${b}`}`}`;c=>d", "6-15 20-24", "templates in templates"},
    {"a`${b}`;/}/;c=>d", "12-16", "a tagged one"},
    {"'\\'';\"\\\"{\";c=>d", "11-15", "strings"},
    {"/*{*/a=>b//}", "5-9", "comments"},
    {"#!/usr/bin/node {\na=>b", "1:0-1:4", "a line for the shell"},
    {"x={a(){},b:1,get c(){},set d(e){},async f(){},*g(){},async*h(){},[i](){},'j'(){},1(){}}",
     "4-8 a 18-22 get c 28-33 set d 41-45 f 48-52 g 60-64 h 68-72 ~x 76-80 j 82-86 1",
     "methods of objects; what is computed is named as what it is in"},
    {"x={get(){},set(){},async(){},static(){},get:1,if(){}}", "6-10 get 14-18 set 24-28 async 35-39 static 48-52 if",
     "words that mean something else elsewhere"},
    {"class A{b(){}static c(){}#d(){}get e(){}set e(f){}constructor(){}}",
     "9-13 ~A.b 21-25 ~A.c 27-31 ~#d 36-40 get e 45-50 set e 61-65 ~A",
     "methods of classes; private ones are alone in V8"},
    {"class A{}", "0-5 ~A", "an engine says that a constructor that nobody wrote runs at the word"},
    {"class A extends(class{}){b(){}}", "0-5 ~A 16-21 26-30 ~A.b", "an expression for a parent"},
    {"class A extends b({}){c=1}", "0-5 ~A 23-25 <instance_members_initializer>", "a call for a parent"},
    {"class A{b=c=>d;static e=1\nf\ng=h;['i']=j;static{k()}}",
     "0-5 ~A 9-14 <instance_members_initializer> 10-14(1) ~A.b 23-25 <static_initializer> 2:1-2:3 "
     "<instance_members_initializer> "
     "2:9-2:11 <instance_members_initializer> 2:12-2:23 <static_initializer>",
     "fields end at a semicolon or a line, blocks are static"},
    {"class A{static async*b(){}static(){}static static(){}get\nc(){}}",
     "0-5 ~A 22-26 ~A.b 32-36 ~A.static 49-53 ~A.static 1:1-1:5 get c", "modifiers, and members that are called so"},
    {"class A{[`b`](){}[Symbol.iterator](){}}", "0-5 ~A 13-17 34-38 [Symbol.iterator]", "computed keys"},
    {"switch(a){case b?c:d:e=>f;default:g=>h}", "21-25 34-38", "colons of cases"},
    {"a:for(;;){continue a}b=>c", "21-25", "labels"},
    {"do a=>b;while(c)d=>e", "3-7 16-20", "loops"},
    {"for(const a of b=>c);for(let d in e);for await(f of g)h=>i", "15-19 54-58", "heads of loops"},
    {"try{}catch{a=>b}finally{c=>d}", "11-15 24-28", "no parameter"},
    {"export default function(){}export{a as function,b as class};export default class{}", "15-27 75-80",
     "names of modules may be keywords"},
    {"import a,{b as c}from'd';import('e').then(f=>g);import.meta.h", "42-46", "imports"},
    {"return\n{a=>b}", "1:1-1:5", "a statement ends after return"},
    {"x=a?.b?.[c=>d]?.(e=>f);y=g?.5:h=>i", "9-13 17-21 30-34 ~y",
     "optional chains, and a number after a question mark"},
    {"1..a(b=>c);0x1F.d(e=>f);1e+5;g=>h", "5-9 18-22 29-33", "numbers"},
    {"a\xC2\xA0=>b", "0-5", "a blank beyond ASCII"},
    {"\\u{61}=>b;\xC3\xA9=>c", "0-9 10-14", "letters that are escaped or beyond ASCII"},
    {"a=>b\xE2\x80\xA9"
     "c",
     "0-4", "a line end beyond ASCII"},
};

static const struct row names[] = {
    {"x=function(){};let y=()=>{}", "2-14 ~x 21-27 ~y", "what they are bound to"},
    {"x=function y(){}", "2-16 ~y", "a name of its own"},
    {"x=(function(){})", "3-15 ~x", "in parentheses"},
    {"x=function(){}()", "2-14", "called at once: the value has the name"},
    {"x=(function(){})()", "3-15", "the same in parentheses"},
    {"x=(function(){}())", "3-15", "or so"},
    {"x=new function(){}", "6-18", "constructed at once"},
    {"x=function(){}.bind(y)", "2-14", "what is bound is another function"},
    {"a.b.c=function(){}", "6-18 ~a.b.c", "the whole chain"},
    {"A.prototype.b=function(){}", "14-26 ~A.b", "prototype is left out"},
    {"x=a?function(){}:()=>{}", "4-16 ~x 17-23 ~x", "each of two"},
    {"x=y.a=y.b=function(){}", "10-22 ~y.a.~y.b",
     "assignments in a row; of consecutive identifiers the last one is used"},
    {"x=a.b?(y.z=function(){}):0", "11-23 ~a.b.~y.z", "what was read before stays"},
    {"x=[function(){}]", "3-15 ~x", "in an array"},
    {"x={k:[()=>1]}", "6-11 ~x.k", "in an array in an object"},
    {"x={k:{l:a||function(){}}}", "11-23 ~x.k.l", "keys inside each other"},
    {"x={k:function(){}}", "5-17 k", "all of a property's value has the key alone"},
    {"x={A:class{b(){}}}", "5-10 A 12-16 A.b", "a class as well"},
    {"y['s t']=function(){};y[k]=function(){};y[1]=function(){}", "9-21 ~y.s t 27-39 ~y.<computed> 45-57 ~y.<computed>",
     "keys in brackets"},
    {"a(function(){},b.c=1)", "2-14 ~b.c", "what waits gets the next name in the same expression"},
    {"x=a(function(){})", "4-16", "the last argument does not wait"},
    {"x=a(()=>1,()=>2).y", "4-9 ~x 10-15", "but the ones before it do"},
    {"x={a:new A(()=>1)}", "11-16 ~x.a", "nor do those of constructors end"},
    {"function A(){this.b=function(){}}", "0-33 ~A 20-32(0) ~^A.b",
     "a constructor, if a capital letter says so, and its property"},
    {"class A{constructor(){this.b=()=>1}C(){d.e=()=>1}}", "19-35 ~A 29-34(0) ~^A.b 36-49 ~A.C 43-48(2) ^C.~d.e",
     "constructors of classes, and methods that look so"},
    {"y.x=(function(){o.p=function(){}})()", "5-33 20-32(0) ~y.x.~o.p",
     "V8 reads a function in parentheses with its surroundings"},
    {"y.x=function(){o.p=function(){}}()", "4-32 19-31(0) ~o.p", "others for themselves"},
    {"y.x=a||(function(){})", "8-20", "a function in parentheses does not wait"},
    {"({a=()=>1,b:c=()=>2},[d=()=>3])=>0", "0-34 4-9(0) ~a 14-19(0) ~c 24-29(0) ~d", "defaults"},
    {"a?\?=()=>1;b+=()=>1", "4-9 ~a 13-18", "which assignments name"},
    {"x=async()=>1;y.z=async function(){}", "2-12 ~x 17-35 ~y.z", "the word async is not a name"},
    {"a.K=class{m(){}}", "4-9 ~a.K 11-15 ~a.K.m", "a class is named as functions are"},
    {"x=`${a(()=>1)}`", "7-12", "in a template"},
    {"a=function(){return function(){}}", "2-33 ~a 20-32(0)", "what is returned has no name"},
    {"var A=function(){function e(){}return e.prototype.b=function(){},e}()", "6-67 17-31(0) ~e 52-64(0) ~e.b",
     "a class of ES5"},
};

static void check_rows(const struct row *rows, size_t count)
{
    struct fm_heap heap;
    unsigned wrong = 0;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        struct fm_buf got;
        framemap_error error;
        fm_buf_init(&got, &heap);
        if (read_and_spell(framemap_str_of(rows[i].text), &heap, &got, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", rows[i].text, error.message);
        if (strcmp(got.data, rows[i].functions) != 0 && ++wrong)
            print_error("%s (%s):\n     got %s\n  wanted %s\n", rows[i].text, rows[i].why, got.data, rows[i].functions);
        fm_buf_free(&got);
    }
    assert_true(heap.used == 0);
    assert_int_equal(wrong, 0);
}

static void finds_extents(void **state)
{
    (void)state;
    check_rows(extents, COUNT_OF(extents));
}

static void infers_names(void **state)
{
    (void)state;
    check_rows(names, COUNT_OF(names));
}

static void counts_lines_and_columns(void **state)
{
    static const struct row rows[] = {
        {"\xEF\xBB\xBF"
         "a=>b",
         "0-4", "a byte order mark has no column"},
        {"'\xF0\x9F\x98\x80';a=>b", "5-9", "two units"},
        {"'\xE2\x82\xAC\xC3\xA9';a=>b", "5-9", "one unit each"},
        {"\r\n\r\n\ra=>b\n", "3:0-3:4", "CR LF is one end, CR another"},
        {"'\xE2\x80\xA8';a=>b", "4-8", "maps do not count this one as a line's end"},
    };
    char text[2000];
    struct fm_heap heap;
    struct fm_buf got;
    (void)state;
    check_rows(rows, COUNT_OF(rows));
    fm_heap_init(&heap, NULL, 0);
    /* moves the functions across the borders of the blocks in which lines are counted */
    for (size_t before = 0; before < 600; before++) {
        char wanted[40];
        const size_t lines = before / 2;
        memset(text, '\n', lines);
        memset(text + lines, ';', before - lines);
        strcpy(text + before, "a=>b");
        if (lines)
            snprintf(wanted, sizeof wanted, "%zu:%zu-%zu:%zu", lines, before - lines, lines, before - lines + 4);
        else
            snprintf(wanted, sizeof wanted, "%zu-%zu", before, before + 4);
        fm_buf_init(&got, &heap);
        assert_int_equal(read_and_spell(framemap_str_of(text), &heap, &got, NULL), FRAMEMAP_OK);
        assert_string_equal(got.data, wanted);
        fm_buf_free(&got);
    }
}

/* --- testing arbitrary texts --- */

static bool inside(const struct fm_js_function *inner, const struct fm_js_function *outer)
{
    const uint64_t begin = (uint64_t)inner->begin.line0 << 32 | inner->begin.col0,
                   end = (uint64_t)inner->end.line0 << 32 | inner->end.col0;
    return begin >= ((uint64_t)outer->begin.line0 << 32 | outer->begin.col0) &&
           end <= ((uint64_t)outer->end.line0 << 32 | outer->end.col0);
}

static void check_any(framemap_str text)
{
    struct fm_heap heap;
    struct fm_js_functions script;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_js_functions_read(text, &heap, &script, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < script.function_count; i++) {
        const struct fm_js_function *f = &script.functions[i];
        assert_true(f->outer == FM_JS_NONE || (f->outer < i && inside(f, &script.functions[f->outer])));
        assert_true(f->begin.line0 < f->end.line0 || f->begin.col0 <= f->end.col0);
        assert_true(f->first_part + f->part_count <= script.part_count);
    }
    fm_js_functions_free(&script);
    assert_true(heap.used == 0);
}

static void takes_any_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(extents) + COUNT_OF(names); i++) {
        const char *text = i < COUNT_OF(extents) ? extents[i].text : names[i - COUNT_OF(extents)].text;
        const size_t size = strlen(text);
        for (size_t cut = 0; cut <= size; cut++) {
            check_any(fm_str(text, cut));
            check_any(fm_str(text + cut, size - cut));
        }
    }
}

static bool sweep_body(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_js_functions script;
    framemap_error error;
    fm_heap_init(&heap, allocator, 0);
    const framemap_status status = fm_js_functions_read(framemap_str_of(context), &heap, &script, &error);
    fm_js_functions_free(&script);
    if (status == FRAMEMAP_OK) return true;
    assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return false;
}

static void survives_want_of_memory(void **state)
{
    static char text[] =
        "class A{b=c=>d;static{e.f=[()=>1]}g(h=(i=()=>2)=>3){}}x={y:z?`${function(){}}`:class{}};(a=()=>1)=>2";
    (void)state;
    assert_true(sweep_allocations(sweep_body, text) > 8);
}

static void bounds_nesting(void **state)
{
    const size_t size = FM_LIMIT_SCRIPT_DEPTH + 10;
    char *text = malloc(size);
    struct fm_heap heap;
    struct fm_js_functions script;
    framemap_error error;
    (void)state;
    assert_non_null(text);
    memset(text, '(', size);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_js_functions_read(fm_str(text, size), &heap, &script, &error), FRAMEMAP_E_LIMIT);
    assert_non_null(strstr(error.message, "nested deeper"));
    fm_js_functions_free(&script);
    assert_int_equal(fm_js_functions_read(fm_str(text, size - 20), &heap, &script, &error), FRAMEMAP_OK);
    fm_js_functions_free(&script);
    assert_true(heap.used == 0);
    free(text);
}

/* Checks two names that must take memory only once: a name that a million functions share, and a class name that occurs
 * in the names of its members. */
static void shares_names(void **state)
{
    const struct fm_heap none = {.used = 0};
    struct fm_heap heap = none;
    struct fm_js_functions script;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("x"));
    for (unsigned i = 0; i < 30; i++) fm_buf_str(&text, FM_STR(".abcdefgh"));
    fm_buf_str(&text, FM_STR("=["));
    for (unsigned i = 0; i < 1000; i++) fm_buf_str(&text, FM_STR("()=>0,"));
    fm_buf_str(&text, FM_STR("]"));
    assert_int_equal(fm_js_functions_read(fm_buf_view(&text), &heap, &script, NULL), FRAMEMAP_OK);
    assert_int_equal(script.function_count, 1000);
    assert_true(script.part_count < 100);
    assert_int_equal(script.functions[0].part_count, 61);
    assert_int_equal(script.functions[999].first_part, script.functions[0].first_part);
    fm_js_functions_free(&script);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_extents),
        cmocka_unit_test(infers_names),
        cmocka_unit_test(counts_lines_and_columns),
        cmocka_unit_test(takes_any_part),
        cmocka_unit_test(survives_want_of_memory),
        cmocka_unit_test(bounds_nesting),
        cmocka_unit_test(shares_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
