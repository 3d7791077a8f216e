/* Implements notice.h: examines the start of a text without stacks, by magic numbers and by the library's detection of
 * symbol files and profiles. Prints what the file is, and which command to use for it. */
#include "cli/notice.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdio.h>
#include <string.h>

/* A kind of file, recognized by bytes with which no text starts. */
struct unreadable_kind {
    size_t offset, size;
    const char *bytes;
    const char *what;
    const char *tool; /* the command that converts the file to text; NULL: the file is a symbol file */
};

static const struct unreadable_kind kinds[] = {
    {0, 3, "\x1f\x8b\x08", "compressed with gzip", "zcat"},
    {0, 4, "\x28\xb5\x2f\xfd", "compressed with zstd", "zstdcat"},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     "compressed with xz", "xzcat"},
    {4, 6, "1AY&SY", "compressed with bzip2", "bzcat"},
    {0, 4, "PK\3\4", "a zip archive", "unzip -p"},
    {0, 4, "\xff\xfe\0\0", "text in UTF-32", "iconv -f UTF-32 -t UTF-8"},
    {0, 2, "\xff\xfe", "text in UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {0, 2, "\xfe\xff", "text in UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {0, 4,
     "\x7f"
     "ELF",
     "an ELF file", NULL},
    {0, 4, "\xfe\xed\xfa\xce", "a Mach-O file", NULL},
    {0, 4, "\xfe\xed\xfa\xcf", "a Mach-O file", NULL},
    {0, 4, "\xce\xfa\xed\xfe", "a Mach-O file", NULL},
    {0, 4, "\xcf\xfa\xed\xfe", "a Mach-O file", NULL},
    {0, 4, "\xca\xfe\xba\xbe", "a Mach-O file or a Java class", NULL},
    {0, 4, "MDMP", "a minidump", "minidump_stackwalk"},
    {0, 8, "PERFILE2", "a recording of perf", "perf script -i"},
};

/* UTF-16 without a byte order mark: reports are mostly ASCII, so nearly every second byte is zero. */
static const struct unreadable_kind little = {0, 0, "", "text in UTF-16", "iconv -f UTF-16LE -t UTF-8"};
static const struct unreadable_kind big = {0, 0, "", "text in UTF-16", "iconv -f UTF-16BE -t UTF-8"};

static const struct unreadable_kind *unmarked(framemap_str head)
{
    enum { LOOKED_AT = 256, LEAST = 8 };
    const size_t pairs = (head.size < LOOKED_AT ? head.size : LOOKED_AT) / 2;
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < 2 * pairs; i++)
        if (head.data[i] == '\0') zeros[i % 2]++;
    if (pairs < LEAST / 2) return NULL;
    if (zeros[0] == 0 && zeros[1] * 4 >= pairs * 3) return &little;
    return zeros[1] == 0 && zeros[0] * 4 >= pairs * 3 ? &big : NULL;
}

static const struct unreadable_kind *unreadable_kind_of(framemap_str head)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct unreadable_kind *kind = &kinds[i];
        if (head.size >= kind->offset + kind->size && memcmp(head.data + kind->offset, kind->bytes, kind->size) == 0)
            return kind;
    }
    return unmarked(head);
}

/* Whether framemap restore itself can read files of this kind. */
static bool is_unpacked(const struct unreadable_kind *kind)
{
    static const char *const read[] = {"compressed with gzip", "compressed with zstd", "compressed with xz",
                                       "text in UTF-16"};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (strcmp(kind->what, read[i]) == 0) return true;
    return false;
}

/* Returns the file name as it can be used in a shell command; "FILE" if it would have to be quoted. */
static const char *in_shell(const char *file)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+,@%:=-";
    return file && file[0] != '-' && file[0] && file[strspn(file, safe)] == '\0' ? file : "FILE";
}

static const char *input_name(const char *file) { return file && strcmp(file, "-") != 0 ? file : "standard input"; }

static void say_symbols(const struct fm_notice_words *words, const char *file, const char *what)
{
    fm_message("%s is %s, not a text with stacks: give a symbol file %s", input_name(file), what, words->symbols);
}

bool fm_notice_unreadable(const struct fm_notice_words *words, const char *file, framemap_str head)
{
    const struct unreadable_kind *kind = unreadable_kind_of(head);
    if (kind && words->unpacks && is_unpacked(kind)) return false;
    if (kind && kind->tool) {
        fm_message("%s is %s, which is not read: %s %s | %s", input_name(file), kind->what, kind->tool, in_shell(file),
                   words->command);
        return true;
    }
    framemap_index *index = NULL;
    const bool is_index = framemap_index_open(head, NULL, &index, NULL) != FRAMEMAP_E_FORMAT;
    framemap_index_close(index);
    if (kind || is_index) say_symbols(words, file, is_index ? "an index" : kind->what);
    return kind || is_index;
}

/* If a text is itself a symbol file (such as a mapping), reports that. The text is parsed for this as a symbol file,
 * unless it is larger than MOST_LOOKED_AT. */
static bool say_mapping(const struct fm_notice_words *words, const char *file, framemap_str head)
{
    enum { MOST_LOOKED_AT = 64 << 20 };
    framemap_image_info image = {.kind = ""};
    char what[64];
    size_t count = 0;
    if (head.size > MOST_LOOKED_AT) return false;
    const framemap_str name = fm_base_name(framemap_str_of(input_name(file)));
    if (framemap_file_inspect(head, name, &image, 1, &count, NULL) != FRAMEMAP_OK || count == 0) return false;
    snprintf(what, sizeof what, "a symbol file of the kind %s", image.kind);
    say_symbols(words, file, what);
    return true;
}

/* Only so many bytes at the start of a text are examined, so that a large log is not read again. */
enum { LOOKED_AT = 1 << 16 };

/* Reports that a text is a profile: it has samples, but no stacks in a format of texts. */
static bool say_profile(const char *file, framemap_str head)
{
    if (head.size > LOOKED_AT) head.size = LOOKED_AT;
    size_t count = 0;
    const framemap_format_info *const *formats = framemap_format_list(&count);
    const char *name = framemap_sample_format_of(head);
    if (name[0] == '\0' || strcmp(name, "traces") == 0) return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(formats[i]->name, name) == 0) return false;
    fm_message("%s is a profile (%s): 'framemap top' and 'framemap convert --to' read its samples", input_name(file),
               name);
    return true;
}

bool fm_notice_no_stack(const struct fm_notice_words *words, const char *file, bool named, framemap_str head,
                        const char *format)
{
    if (fm_notice_unreadable(words, file, head)) return true;
    const bool packed = words->unpacks && unreadable_kind_of(head) != NULL;
    const bool has_nul =
        !packed && memchr(head.data ? head.data : "", '\0', head.size < LOOKED_AT ? head.size : LOOKED_AT);
    if (!named) return has_nul;
    if (head.size == 0) {
        fm_message("%s is empty", input_name(file));
    } else if (say_mapping(words, file, head)) {
        return true;
    } else if (words->prefix == NULL && say_profile(file, head)) {
        return has_nul;
    } else if (has_nul) {
        fm_message("no %s was found in %s, which is not a text: it contains NUL bytes", words->stacks,
                   input_name(file));
    } else if (format) {
        fm_message("no %s of the format %s was found in %s; without --format every format is read", words->stacks,
                   format, input_name(file));
    } else {
        fm_message("no %s was found in %s%s", words->stacks, input_name(file),
                   words->prefix ? "" : "; 'framemap list' shows the supported formats");
    }
    return has_nul;
}

enum stacks { NO_STACK, OTHER_STACKS, STACKS };

/* Searches the text for stacks that the command reads. */
static enum stacks find_stacks(const struct fm_notice_words *words, framemap_str text)
{
    const framemap_parse_options options = {.size = sizeof options};
    framemap_trace_list list = {0};
    /* If the text cannot be parsed, it is not known whether it has stacks. The result STACKS makes the caller report
     * nothing. */
    if (framemap_trace_parse(text, &options, &list, NULL)) return STACKS;
    enum stacks found = list.count > 0 ? OTHER_STACKS : NO_STACK;
    const size_t size = strlen(words->prefix);
    for (size_t i = 0; i < list.count && found != STACKS; i++) {
        const framemap_str format = list.traces[i].format;
        if (format.size >= size && memcmp(format.data, words->prefix, size) == 0) found = STACKS;
    }
    framemap_trace_list_free(&list);
    return found;
}

bool fm_notice_file_without_stack(const struct fm_notice_words *words, const char *file)
{
    struct fm_file opened;
    if (fm_file_open_beside(file, &opened, NULL)) return false;
    const enum stacks found = find_stacks(words, opened.bytes);
    if (found == OTHER_STACKS)
        fm_message("no %s was found in %s; 'framemap restore' reads the other stacks in it", words->stacks, file);
    else if (found == NO_STACK)
        (void)fm_notice_no_stack(words, file, true, opened.bytes, NULL);
    fm_file_close(&opened);
    return found != STACKS;
}

/* --- filtering output --- */

static bool is_next(struct fm_unchanged *unchanged, char byte)
{
    framemap_str *rest = &unchanged->rest;
    const bool cr = rest->size > 0 && rest->data[0] == '\r' && byte == '\n';
    /* Where the input has CR LF or CR, the output has LF. */
    const size_t end = cr && rest->size > 1 && rest->data[1] == '\n' ? 2 : 1;
    if (rest->size == 0) return byte == '\n';
    if (!cr && rest->data[0] != byte) return false;
    *rest = (framemap_str){rest->data + end, rest->size - end};
    return true;
}

bool fm_unchanged_write(void *context, const char *data, size_t size)
{
    struct fm_unchanged *unchanged = context;
    framemap_str *rest = &unchanged->rest;
    if (!unchanged->changed && size <= rest->size && memcmp(rest->data, data, size) == 0)
        *rest = (framemap_str){rest->data + size, rest->size - size};
    else
        for (size_t i = 0; i < size && !unchanged->changed; i++) unchanged->changed = !is_next(unchanged, data[i]);
    if (unchanged->changed && unchanged->is_lost && unchanged->is_lost(unchanged->lost_context)) unchanged->lost = true;
    return !unchanged->lost && fm_out_write(unchanged->out, data, size);
}
