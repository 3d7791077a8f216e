/* Classifies the source in a Java row, such as "Main.java", by its spelling. Called by java_row_split.c and
 * java_frame.c. */
#include "formats/java/java_file_name.h"
#include "core/text/scan.h"
#include "formats/java/java_name.h"

#define WORD(text) {(text), sizeof(text) - 1}

static const framemap_str none[] = {WORD("SourceFile"),
                                    WORD("Unknown Source"),
                                    WORD("PG"),
                                    WORD("Proguard"),
                                    WORD("ProGuard"),
                                    WORD("?:?"),
                                    WORD("R8$$SyntheticClass"),
                                    WORD("D8$$SyntheticClass"),
                                    WORD("<generated>"),
                                    WORD("<Unknown>"),
                                    WORD("unavailable"),
                                    WORD("Unknown File"),
                                    WORD("lambda")};
static const framemap_str vague[] = {WORD("Unknown"), WORD("unknown"), WORD("null"), WORD("?")};
static const framemap_str marks[] = {WORD("Native Method"), WORD("Native method"), WORD("Coroutine boundary"),
                                     WORD("Compiled Code"), WORD("Inlined Compiled Code")};
static const framemap_str own[] = {WORD("java"), WORD("kt"),  WORD("kts"), WORD("scala"), WORD("groovy"),
                                   WORD("clj"),  WORD("jav"), WORD("aj"),  WORD("Kt")};
static const framemap_str foreign[] = {
    WORD("js"),   WORD("jsx"),    WORD("ts"),       WORD("tsx"), WORD("mjs"),  WORD("cjs"), WORD("bundle"),
    WORD("vue"),  WORD("dart"),   WORD("jsbundle"), WORD("php"), WORD("rb"),   WORD("py"),  WORD("go"),
    WORD("html"), WORD("svelte"), WORD("hbc"),      WORD("cs"),  WORD("vb"),   WORD("fs"),  WORD("cc"),
    WORD("cpp"),  WORD("c"),      WORD("h"),        WORD("rs"),  WORD("swift")};

static bool any_of(framemap_str text, const framemap_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].size == text.size && words[i].data[0] == text.data[0] &&
            memcmp(words[i].data, text.data, text.size) == 0)
            return true;
    return false;
}
#define ANY_OF(text, words) any_of((text), (words), sizeof(words) / sizeof *(words))

framemap_str fm_java_file(framemap_str source)
{
    size_t at = source.size;
    while (at && fm_is_digit(source.data[at - 1])) at--;
    if (at == source.size || at < 2 || source.data[at - 1] != '-' || source.data[at - 2] != ':') return source;
    return fm_str(source.data, at - 2);
}

/* Whether the text can be a file's name: it has no blanks, parentheses, quotes, commas or colons. Texts such as
 * "X::class.java" and "x, Y.java" are code. */
static bool is_file_name(framemap_str source)
{
    for (size_t i = fm_java_run_end(source, 0); i < source.size; i++)
        if (fm_java_bytes[(unsigned char)source.data[i]] >= FM_JAVA_STOPS) return false;
    return true;
}

static enum fm_java_source_kind kind_of_file(framemap_str source)
{
    size_t dot = fm_str_find_last_byte(source, '.');
    if (dot == FM_NOT_FOUND) return FM_JAVA_SOURCE_OTHER;
    framemap_str extension = fm_str_from(source, dot + 1);
    if (extension.size == 0) return FM_JAVA_SOURCE_OTHER;
    if (ANY_OF(extension, own)) return is_file_name(source) ? FM_JAVA_SOURCE_FILE : FM_JAVA_SOURCE_OTHER;
    return ANY_OF(extension, foreign) ? FM_JAVA_SOURCE_FOREIGN : FM_JAVA_SOURCE_OTHER;
}

/* Whether the text is an IP address such as "10.0.0.1": four numbers up to 255. A version that is printed in place
 * of a file has fewer or larger numbers. */
static bool is_ip_address(framemap_str source)
{
    struct fm_scan s = fm_scan_of(source);
    uint64_t number;
    for (int part = 0; part < 4; part++) {
        if (part && !fm_scan_byte(&s, '.')) return false;
        if (!fm_scan_dec(&s, &number, NULL) || number > 255) return false;
    }
    return fm_scan_done(&s);
}

/* Whether the text is a version that Google's libraries print in place of a file:
 * "com.google.android.gms:play-services-ads@@22.1.0", ":com.google.android.gms@23.41.16 (190400-0)",
 * "com.google.android.gms.policy_ads_fdr_dynamite@20290004@20290004.249178941". */
static bool is_version(framemap_str source)
{
    if (fm_str_starts(source, FM_STR(":com.google.android.gms"))) return true;
    const size_t at = fm_str_find_byte(source, '@');
    if (at == FM_NOT_FOUND || at + 2 >= source.size) return false;
    if (fm_str_starts(source, FM_STR("com.google.android.gms.")) && fm_is_digit(source.data[at + 1])) return true;
    const size_t colon = fm_str_find_byte(fm_str_slice(source, 0, at), ':');
    return colon != FM_NOT_FOUND && colon != 0 && colon + 1 < at && source.data[at + 1] == '@' &&
           fm_is_digit(source.data[at + 2]);
}

framemap_str fm_java_map_id(framemap_str source)
{
    static const framemap_str before[] = {FM_STR_INIT("r8-map-id-"), FM_STR_INIT("go/retraceme ")};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (fm_str_starts(source, before[i])) return fm_str_from(source, before[i].size);
    return fm_str(NULL, 0);
}

enum fm_java_source_kind fm_java_source_kind_of(framemap_str source)
{
    /* this ending is tested first, because nearly all sources end in ".java" */
    if (fm_str_ends(source, FM_STR(".java"))) return is_file_name(source) ? FM_JAVA_SOURCE_FILE : FM_JAVA_SOURCE_OTHER;
    /* Nearly all sources that do not end in ".java" are "SourceFile". */
    if (fm_str_equal(source, FM_STR("SourceFile"))) return FM_JAVA_SOURCE_NONE;
    source = fm_java_file(source);
    if (fm_java_map_id(source).data) return FM_JAVA_SOURCE_NONE;
    if (is_version(source)) return FM_JAVA_SOURCE_NONE;
    if (source.size &&
        /* a position of JavaScript ends in a digit, and is not a placeholder for a file */
        fm_is_digit(source.data[source.size - 1]))
        return fm_is_digit(source.data[0]) && is_ip_address(source) ? FM_JAVA_SOURCE_FOREIGN : FM_JAVA_SOURCE_OTHER;
    if (source.size == 0 || ANY_OF(source, vague)) return FM_JAVA_SOURCE_VAGUE;
    if (ANY_OF(source, none)) return FM_JAVA_SOURCE_NONE;
    if (ANY_OF(source, marks)) return FM_JAVA_SOURCE_MARK;
    return kind_of_file(source);
}
