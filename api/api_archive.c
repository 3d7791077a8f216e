/* Implements framemap_archive_symbols: lists the symbol files in an archive, which mappers recognize from their first
 * bytes. */
#include "api/archive_walk.h"

#include "api/index_handle.h"
#include "api/option_structs.h"
#include "core/archive/archive.h"
#include "core/archive/inflate_input.h"
#include "core/archive/kernel_image.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/mapper.h"

enum { HEAD = 4096 }; /* size of the start of a file, which is enough for mappers to recognize their files */

struct archive_walk {
    const framemap_archive_options *options;
    fm_archive_keep *keep; /* receives files that are kept; NULL: nothing is kept */
    struct fm_heap *heap;
    uint64_t left; /* bytes that may still be decompressed */
    /* has_symbols: a symbol file was seen; has_readable: a symbol file was passed on, or the caller declined it */
    bool has_symbols, has_readable;
    /* The error of the first file that is of a known kind but not a symbol file; its code is OK if there was no such
     * file. */
    framemap_error passed;
    /* a sentence that says what the archive is, judged by the names of its files, and which file to give instead; NULL:
     * unknown */
    const char *product;
};

/* One of the archives that are open at the moment. Each of them contains the next one. */
struct archive_level {
    const struct archive_level *outer; /* the archive that contains this one; NULL: the caller passed the archive */
    framemap_str name;                 /* name in the outer archive */
    framemap_str bytes;
    unsigned depth;
    bool is_compressed; /* the archive, or one that contains it, was decompressed */
};

enum member_kind { MEMBER_OTHER, MEMBER_SYMBOLS, MEMBER_ARCHIVE, MEMBER_COMPRESSED };

/* Writes the name of a file in an archive. The names of the archives that contain the file precede it, except the
 * outermost archive: "inner.zip!lib.so". false: out of memory. */
static bool put_name(struct fm_buf *out, const struct archive_level *level, framemap_str name)
{
    framemap_str names[FM_LIMIT_ARCHIVE_DEPTH];
    unsigned count = 0;
    for (; level->outer != NULL; level = level->outer) names[count++] = level->name;
    while (count > 0) {
        fm_buf_str(out, names[--count]);
        fm_buf_byte(out, '!');
    }
    fm_buf_str(out, name);
    return !out->failed;
}

/* Reports a file that cannot be read, and continues with the next. */
static framemap_status pass_over(const struct archive_walk *walk, const struct archive_level *level, framemap_str name,
                                 framemap_error *fault)
{
    struct fm_buf whole;
    fm_buf_init(&whole, walk->heap);
    fault->where[0] = 0;
    fm_error_where(fault, put_name(&whole, level, name) ? fm_buf_view(&whole) : name);
    if (walk->options->warning) walk->options->warning(walk->options->context, fault);
    fm_buf_free(&whole);
    return FRAMEMAP_OK;
}

/* Whether a name can be a part of a path: it is not empty, does not end in '/' as the names of folders do, and has no
 * NUL. */
static bool is_file_name(framemap_str name)
{
    return name.size > 0 && name.data[name.size - 1] != '/' && memchr(name.data, 0, name.size) == NULL;
}

/* Products of builds that contain code, but not its symbols. Each is recognized by a text that the name of one of its
 * files contains. */
static const struct {
    const char *name, *what;
} products[] = {
    {".xcarchive/", "an archive of Xcode without dSYMs: " FM_ADVICE_FOR_XCODE},
    {"Payload/", "an app for iOS: give the dSYMs of its .xcarchive"},
    {"AndroidManifest.xml", "an app or library for Android: give the mapping.txt of its build, and for native code its "
                            "native-debug-symbols.zip or the unstripped libraries"},
};

/* Sets walk->product if the name of a file shows what the archive is. */
static void note_product(struct archive_walk *walk, framemap_str name)
{
    for (size_t i = 0; walk->product == NULL && i < sizeof products / sizeof *products; i++)
        if (fm_str_find(name, framemap_str_of(products[i].name)) != FM_NOT_FOUND) walk->product = products[i].what;
}

/* Sets walk->passed if a file is not a symbol file, but of a known kind. */
static void note_passed(struct archive_walk *walk, framemap_str head, framemap_str name)
{
    if (walk->passed.code != FRAMEMAP_OK || !fm_mapper_recognise(head, &walk->passed)) return;
    walk->passed.where[0] = 0;
    fm_error_where(&walk->passed, fm_str_basename(name));
}

static void report_nothing(const struct archive_walk *walk, framemap_error *nothing)
{
    *nothing = (framemap_error){0};
    if (walk->has_readable) return;
    if (walk->has_symbols)
        fm_error_set(nothing, FRAMEMAP_E_EMPTY, "the symbol files in this archive can't be read");
    else if (walk->product != NULL)
        fm_error_set(nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this archive, which is %s", walk->product);
    else if (walk->passed.code != FRAMEMAP_OK)
        fm_error_set(nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this archive; %s: %s", walk->passed.where,
                     walk->passed.message);
    else
        fm_error_set(nothing, FRAMEMAP_E_EMPTY,
                     "there is no symbol file in this archive: give one that has ELF or Mach-O files, dSYMs, mappings, "
                     "source maps or indexes");
}

static enum member_kind kind_of(framemap_str head, framemap_str name)
{
    struct fm_archive archive;
    if (head.size == 0) return MEMBER_OTHER;
    if (fm_view_is_index(head) || fm_mapper_for(head, fm_str_basename(name), NULL) != NULL) return MEMBER_SYMBOLS;
    if (fm_is_compressed(head) || fm_is_kernel_image(head)) return MEMBER_COMPRESSED;
    return fm_archive_open(head, &archive, NULL) == FRAMEMAP_E_FORMAT ? MEMBER_OTHER : MEMBER_ARCHIVE;
}

static framemap_status look_at_head(struct archive_walk *walk, const struct fm_archive_member *member,
                                    enum member_kind *kind, framemap_error *error)
{
    char head[HEAD];
    size_t size;
    *kind = MEMBER_OTHER;
    walk->left -= walk->left < HEAD ? walk->left : HEAD;
    const framemap_status status = fm_member_head(member, walk->heap, head, sizeof head, &size, error);
    if (status != FRAMEMAP_OK) return status;
    *kind = kind_of(fm_str(head, size), member->name);
    walk->has_symbols |= *kind == MEMBER_SYMBOLS;
    if (*kind == MEMBER_OTHER && !walk->has_symbols) {
        note_product(walk, member->name);
        note_passed(walk, fm_str(head, size), member->name);
    }
    return FRAMEMAP_OK;
}

static framemap_status visit_archive(struct archive_walk *walk, const struct archive_level *level,
                                     framemap_error *error);

/* One member of an archive while it is visited. */
struct member_visit {
    struct archive_walk *walk;
    const struct archive_level *level; /* the archive that the file is in */
    const struct fm_archive_member *member;
    enum member_kind kind;
    framemap_str name;  /* the name of the file, preceded by the names of the archives that contain it */
    framemap_str bytes; /* the decompressed bytes */
};

static framemap_status pass_on(const struct member_visit *visit, framemap_error *error)
{
    const framemap_archive_options *options = visit->walk->options;
    visit->walk->has_readable = true;
    const bool is_stored = visit->member->packing == FM_MEMBER_STORED;
    const framemap_archive_member found = {
        .name = visit->name,
        .bytes = visit->bytes,
        .is_compressed = visit->level->is_compressed || !is_stored,
        .within = visit->name.size - visit->member->name.size,
        .offset = is_stored ? (uint64_t)(visit->bytes.data - visit->level->bytes.data) : 0};
    return options->each(options->context, &found, error);
}

static framemap_status go_into(const struct member_visit *visit, framemap_error *error)
{
    const struct archive_level level = {.outer = visit->level,
                                        .name = visit->member->name,
                                        .bytes = visit->bytes,
                                        .depth = visit->level->depth + 1,
                                        .is_compressed =
                                            visit->level->is_compressed || visit->member->packing != FM_MEMBER_STORED};
    framemap_error fault = {0};
    if (level.depth < FM_LIMIT_ARCHIVE_DEPTH) return visit_archive(visit->walk, &level, error);
    fm_error_set(&fault, FRAMEMAP_E_LIMIT, "archives in archives are opened to a depth of %u",
                 (unsigned)FM_LIMIT_ARCHIVE_DEPTH);
    return pass_over(visit->walk, visit->level, visit->member->name, &fault);
}

static framemap_status visit_member(struct archive_walk *walk, const struct archive_level *level,
                                    const struct fm_archive_member *member, bool in_stream, framemap_error *error);

/* Decompresses a compressed file in the archive, which is then used as if it were stored decompressed. */
static framemap_status unpack(const struct member_visit *visit, framemap_error *error)
{
    struct fm_archive archive;
    struct fm_archive_member inner;
    framemap_error fault = {0};
    bool more;
    framemap_status status = fm_archive_open(visit->bytes, &archive, &fault);
    if (status == FRAMEMAP_OK) status = fm_archive_next(&archive, &inner, &more, &fault);
    if (status != FRAMEMAP_OK) return pass_over(visit->walk, visit->level, visit->member->name, &fault);
    inner.name = visit->member->name;
    return visit_member(visit->walk, visit->level, &inner, true, error);
}

static framemap_status use_bytes(const struct member_visit *visit, framemap_error *error)
{
    switch (visit->kind) {
    case MEMBER_SYMBOLS: return pass_on(visit, error);
    case MEMBER_ARCHIVE: return go_into(visit, error);
    default: return unpack(visit, error);
    }
}

static framemap_status read_member(struct member_visit *visit, framemap_error *error)
{
    struct archive_walk *walk = visit->walk;
    framemap_error fault = {0};
    visit->bytes = visit->member->stored;
    if (visit->member->packing == FM_MEMBER_STORED) return use_bytes(visit, error);
    const framemap_status inflated = fm_member_inflate(visit->member, walk->heap, walk->left, &visit->bytes, &fault);
    if (fm_heap_fault(walk->heap, inflated, &fault) != FRAMEMAP_OK)
        return pass_over(walk, visit->level, visit->member->name, &fault);
    walk->left -= visit->bytes.size;
    const framemap_status status = use_bytes(visit, error);
    if (status == FRAMEMAP_OK && visit->kind == MEMBER_SYMBOLS && walk->keep != NULL &&
        walk->keep(walk->options->context, visit->bytes))
        return status;
    if (visit->bytes.size > 0) fm_heap_free(walk->heap, (char *)(uintptr_t)visit->bytes.data, visit->bytes.size);
    return status;
}

/* Visits one file of an archive. in_stream: the file is the content of a compressed file. It is then used only if it is
 * a symbol file; it is neither decompressed again nor read as an archive. */
static framemap_status visit_member(struct archive_walk *walk, const struct archive_level *level,
                                    const struct fm_archive_member *member, bool in_stream, framemap_error *error)
{
    const framemap_archive_options *options = walk->options;
    struct member_visit visit = {.walk = walk, .level = level, .member = member};
    framemap_error fault = {0};
    struct fm_buf name;
    if (!is_file_name(member->name) || member->refused != NULL) return FRAMEMAP_OK;
    framemap_status status = look_at_head(walk, member, &visit.kind, &fault);
    if (status != FRAMEMAP_OK) return pass_over(walk, level, member->name, &fault);
    if (visit.kind == MEMBER_OTHER || (in_stream && visit.kind != MEMBER_SYMBOLS)) return FRAMEMAP_OK;
    fm_buf_init(&name, walk->heap);
    if (!put_name(&name, level, member->name)) status = fm_error_memory(error);
    visit.name = fm_buf_view(&name);
    const bool wanted = status == FRAMEMAP_OK && (visit.kind != MEMBER_SYMBOLS || options->wants == NULL ||
                                                  options->wants(options->context, visit.name));
    if (wanted)
        status = read_member(&visit, error);
    else
        walk->has_readable |= status == FRAMEMAP_OK;
    fm_buf_free(&name);
    return status;
}

static framemap_status visit_members(struct archive_walk *walk, const struct archive_level *level,
                                     struct fm_archive *archive, framemap_error *fault, framemap_error *error)
{
    for (;;) {
        struct fm_archive_member member;
        bool more;
        fault->code = fm_archive_next(archive, &member, &more, fault);
        if (fault->code != FRAMEMAP_OK || !more) return FRAMEMAP_OK;
        const framemap_status status = visit_member(walk, level, &member, false, error);
        if (status != FRAMEMAP_OK) return status;
    }
}

/* Visits an archive in another one. If the inner archive is damaged, the caller only gets a warning. */
static framemap_status visit_archive(struct archive_walk *walk, const struct archive_level *level,
                                     framemap_error *error)
{
    struct fm_archive archive;
    framemap_error fault = {0};
    framemap_status status = FRAMEMAP_OK;
    fault.code = fm_archive_open(level->bytes, &archive, &fault);
    if (fault.code == FRAMEMAP_OK &&
        archive.kind ==
            /* the files that a thin archive names are outside of the archive, so only a session reads them */
            FM_ARCHIVE_THIN_AR)
        fault.code = fm_error_set(&fault, FRAMEMAP_E_FORMAT, "the archive is thin: its files are not in it");
    if (fault.code == FRAMEMAP_OK) status = visit_members(walk, level, &archive, &fault, error);
    if (status != FRAMEMAP_OK || fault.code == FRAMEMAP_OK) return status;
    if (level->outer != NULL) return pass_over(walk, level->outer, level->name, &fault);
    if (error) *error = fault;
    return fault.code;
}

framemap_status fm_archive_symbols_kept(framemap_str bytes, const framemap_archive_options *options,
                                        fm_archive_keep *keep, struct fm_heap *heap, framemap_error *error)
{
    struct archive_walk walk = {.options = options, .keep = keep, .heap = heap, .left = fm_limit_inflated(bytes.size)};
    const struct archive_level level = {.bytes = bytes};
    const framemap_status status = visit_archive(&walk, &level, error);
    if (options->nothing != NULL) report_nothing(&walk, options->nothing);
    return status;
}

framemap_status framemap_archive_symbols(framemap_str bytes, const framemap_archive_options *options,
                                         framemap_error *error)
{
    framemap_archive_options given;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (given.each == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_heap_init(&heap, given.allocator, given.max_memory);
    return fm_archive_symbols_kept(bytes, &given, NULL, &heap, error);
}
