/* framemap info: describes symbol files and indexes. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"
#include "cli/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, OUTPUT, VERIFY };

static const struct fm_option table[] = {
    {VERIFY, 0, "verify", FM_TAKES_NOTHING, NULL, "check every checksum and record of an index"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "text (default), or json: one object per image"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

/* Why a file of an archive has no debug info. It is the same for all that have neither an id nor a debug link: for
 * these nothing is searched, since an archive may have thousands. */
struct member_note {
    framemap_image_info of;
    char text[FRAMEMAP_ERROR_MESSAGE_SIZE]; /* empty: there is no note yet */
};

struct info_job {
    const char **files;
    size_t file_count;
    bool verify, json;
    struct fm_out out;
    const char *file; /* the current file */
    bool in_archive;  /* it is in an archive */
    struct member_note note;
};

static int print_info_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out, "usage: framemap info [OPTION]... FILE...\n\nShows what each file is: its images with kind, architecture "
              "and id, and what each has and lacks.\nFILE is a symbol file, a dSYM bundle or an index.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- the two looks: "  key       value" lines, or members of one JSON object --- */

static void member(struct info_job *job, const char *name)
{
    enum { NAME = 12 };
    if (job->json) {
        fm_put_text(&job->out, ",\"");
        fm_put_text(&job->out, name);
        fm_put_text(&job->out, "\":");
    } else {
        size_t size = strlen(name);
        fm_put_text(&job->out, "  ");
        fm_put_text(&job->out, name);
        fm_put_fill(&job->out, ' ', size < NAME ? NAME - size : 1);
    }
}

static void member_end(struct info_job *job)
{
    if (!job->json) fm_put_char(&job->out, '\n');
}

static void text_member(struct info_job *job, const char *name, framemap_str value)
{
    if (value.size == 0) return;
    member(job, name);
    if (job->json)
        fm_put_json(&job->out, value);
    else
        fm_put_str(&job->out, value);
    member_end(job);
}

static void number_member(struct info_job *job, const char *name, uint64_t value)
{
    member(job, name);
    fm_put_dec(&job->out, value);
    member_end(job);
}

static void address_member(struct info_job *job, const char *name, uint64_t value)
{
    member(job, name);
    fm_put_text(&job->out, job->json ? "\"0x" : "0x");
    fm_put_hex(&job->out, value, 1);
    fm_put_text(&job->out, job->json ? "\"" : "");
    member_end(job);
}

static void object_begin(struct info_job *job)
{
    framemap_str path = framemap_str_of(job->file);
    if (job->json) {
        fm_put_text(&job->out, "{\"file\":");
        fm_put_json(&job->out, path);
    } else {
        fm_put_str(&job->out, path);
        fm_put_text(&job->out, "\n");
    }
}

static void object_end(struct info_job *job)
{
    if (job->json) fm_put_text(&job->out, "}\n");
}

/* --- symbol files --- */

static void list_parts(struct info_job *job, const char *name, const framemap_image_info *image, bool wanted)
{
    const struct {
        bool has;
        const char *what;
    } parts[] = {{image->has_debug_info, "debug info"},
                 {image->has_line_table, "line table"},
                 {image->has_symbols, image->is_stripped && wanted ? "exported symbols" : "symbol table"}};
    bool any = false;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].has != wanted) continue;
        if (!any) member(job, name);
        if (job->json) {
            fm_put_char(&job->out, any ? ',' : '[');
            fm_put_json(&job->out, framemap_str_of(parts[i].what));
        } else {
            fm_put_text(&job->out, any ? ", " : "");
            fm_put_text(&job->out, parts[i].what);
        }
        any = true;
    }
    if (!any) return;
    if (job->json) fm_put_char(&job->out, ']');
    member_end(job);
}

static bool has_note(const struct info_job *job, const framemap_image_info *image)
{
    const framemap_image_info *of = &job->note.of;
    return job->note.text[0] && of->index_kind == image->index_kind && strcmp(of->type, image->type) == 0 &&
           of->is_stripped == image->is_stripped && !image->has_debugdata;
}

static void keep_note(struct info_job *job, const framemap_image_info *image, const framemap_error *why)
{
    job->note.of = *image;
    snprintf(job->note.text, sizeof job->note.text, "%s", why->message);
}

/* For a native image without debug info: prints its debug link, and the debug file if it was found, or what to search
 * for. */
static void put_whereabouts(struct info_job *job, const framemap_image_info *image)
{
    framemap_error why = {.code = FRAMEMAP_OK};
    char note[sizeof why.message + sizeof why.where + 64];
    if (image->debug_link.size) {
        text_member(job, "debug link", image->debug_link);
        member(job, "link CRC-32");
        fm_put_text(&job->out, job->json ? "\"0x" : "0x");
        fm_put_hex(&job->out, image->debug_link_crc, 8);
        fm_put_text(&job->out, job->json ? "\"" : "");
        member_end(job);
    }
    const bool is_usual = job->in_archive && !image->id[0] && !image->debug_link.size;
    if (is_usual && has_note(job, image)) {
        text_member(job, "note", framemap_str_of(job->note.text));
        return;
    }
    char *found = fm_debug_file_of(job->file, image->arch, &why);
    if (is_usual && !found && why.code == FRAMEMAP_E_EMPTY) keep_note(job, image, &why);
    if (found) text_member(job, "debug file", framemap_str_of(found));
    const bool refused = why.code == FRAMEMAP_E_MISMATCH && why.where[0];
    snprintf(note, sizeof note, "%s%s%s", refused ? why.where : "", refused ? ": " : "", why.message);
    if (why.code) text_member(job, "note", framemap_str_of(note));
    if (image->has_debugdata && image->is_stripped)
        text_member(job, "unread", framemap_str_of(".gnu_debugdata, an xz-compressed symbol table"));
    free(found);
}

/* Whether the file is a .dwo or .dwp, which is used together with its program. */
static bool is_split_off(const framemap_image_info *image)
{
    return strcmp(image->type, "split debug info") == 0 || strcmp(image->type, "split debug package") == 0;
}

/* Prints how split debug files and their programs are used together. */
static void put_relations(struct info_job *job, const framemap_image_info *image)
{
    if (is_split_off(image)) text_member(job, "use", framemap_str_of("with its program: it has no addresses"));
    text_member(job, "alternate", image->alternate);
    text_member(job, "alternate_id", framemap_str_of(image->alternate_id));
}

/* The ids by which backends and symbol servers know the file. */
static void put_ids(struct info_job *job, const framemap_image_info *image)
{
    text_member(job, "id", framemap_str_of(image->id));
    text_member(job, "debug_id", framemap_str_of(image->debug_id));
    if (strcmp(image->code_id, image->id) != 0) text_member(job, "code_id", framemap_str_of(image->code_id));
}

/* Describes a file that is not read, if it identifies itself. */
static bool put_foreign(struct info_job *job, framemap_str bytes, const framemap_error *error)
{
    framemap_image_info image = {.size = 0};
    if (framemap_file_identify(bytes, &image, NULL) != FRAMEMAP_OK) return false;
    object_begin(job);
    text_member(job, "kind", framemap_str_of(image.kind));
    text_member(job, "arch", framemap_str_of(image.arch));
    put_ids(job, &image);
    number_member(job, "bits", image.address_bits);
    address_member(job, "base", image.base);
    text_member(job, "pdb", image.debug_link);
    text_member(job, "note", framemap_str_of(error->message));
    object_end(job);
    return true;
}

static void put_image(struct info_job *job, const framemap_image_info *image)
{
    object_begin(job);
    text_member(job, "kind", framemap_str_of(image->kind));
    text_member(job, "type", framemap_str_of(image->type));
    text_member(job, "arch", framemap_str_of(image->arch));
    put_ids(job, image);
    if (image->address_bits) {
        number_member(job, "bits", image->address_bits);
        text_member(job, "bytes", framemap_str_of(image->big_endian ? "big-endian" : "little-endian"));
        address_member(job, "base", image->base);
        list_parts(job, "has", image, true);
        if (!is_split_off(image)) list_parts(job, "lacks", image, false);
    }
    if (!image->has_debug_info && !is_split_off(image)) put_whereabouts(job, image);
    put_relations(job, image);
    object_end(job);
}

static framemap_status describe_images(struct info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_str name = framemap_str_of(job->file);
    size_t count;
    framemap_status status = framemap_file_inspect(bytes, name, NULL, 0, &count, error);
    if (status == FRAMEMAP_E_FORMAT && put_foreign(job, bytes, error)) return FRAMEMAP_OK;
    if (status) return status;

    framemap_image_info *images = fm_cli_resize(NULL, count * sizeof *images);
    status = framemap_file_inspect(bytes, name, images, count, &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        status = framemap_file_identify(bytes, &images[i], error);
        if (!status) put_image(job, &images[i]);
    }
    free(images);
    return status;
}

/* --- indexes --- */

static void put_source_map(struct info_job *job, const framemap_index_info *info)
{
    number_member(job, "lines", info->scope_count);
    number_member(job, "segments", info->position_count);
    number_member(job, "sources", info->file_count);
    number_member(job, "names", info->function_count);
    if (info->function_range_count) number_member(job, "functions", info->function_range_count);
    if (info->has_content) text_member(job, "has", framemap_str_of("texts of sources"));
}

/* Prints the counts of an index, under other names for mappings. */
static void put_counts(struct info_job *job, const framemap_index_info *info)
{
    const bool mapping = info->class_count > 0;
    if (info->is_source_map) {
        put_source_map(job, info);
        return;
    }
    if (mapping) number_member(job, "classes", info->class_count);
    number_member(job, mapping ? "methods" : "scopes", info->scope_count);
    number_member(job, mapping ? "ranges" : "positions", info->position_count);
    number_member(job, mapping ? "members" : "functions", info->function_count);
    if (!mapping) number_member(job, "nodes", info->node_count);
    number_member(job, mapping ? "originals" : "files", info->file_count);
}

static void put_index(struct info_job *job, const framemap_index_info *info)
{
    object_begin(job);
    text_member(job, "kind", framemap_str_of("fmx"));
    number_member(job, "version", info->format_version);
    text_member(job, "of", info->kind);
    text_member(job, "name", info->name);
    text_member(job, "arch", info->arch);
    text_member(job, "id", info->id);
    if (info->class_count == 0 && !info->is_source_map) address_member(job, "base", info->base);
    number_member(job, "size", info->size_bytes);
    put_counts(job, info);
    number_member(job, "strings", info->string_bytes);
    if (!info->has_lines && !info->is_source_map) text_member(job, "lacks", framemap_str_of("files and lines"));
    if (job->verify) text_member(job, "verified", framemap_str_of("every checksum and record is sound"));
    object_end(job);
}

static framemap_status describe_index(struct info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_index *index;
    framemap_index_info info;
    framemap_status status = framemap_index_open(bytes, NULL, &index, error);
    if (status) return status;
    if (job->verify) status = framemap_index_verify(index, error);
    if (!status) {
        framemap_index_describe(index, &info);
        put_index(job, &info);
    }
    framemap_index_close(index);
    return status;
}

/* --- */

static framemap_status describe_image(struct info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_error other;
    framemap_status status = describe_index(job, bytes, error);
    if (status != FRAMEMAP_E_FORMAT) return status;
    status = describe_images(job, bytes, &other);
    if (status) {
        *error = other;
    } else if (job->verify) {
        fm_message("%s: --verify applies to indexes; this is a symbol file", job->file);
    }
    return status;
}

/* A symbol file in an archive, described under the path by which other commands open it. */
struct archive_info {
    struct info_job *job;
    const char *path;
    size_t count;
};

static framemap_status describe_member(void *context, const framemap_archive_member *member, framemap_error *error)
{
    struct archive_info *archive = context;
    struct info_job *job = archive->job;
    const size_t room = strlen(archive->path) + member->name.size + 2;
    char *path = fm_cli_resize(NULL, room);
    framemap_error fault;
    (void)error;
    snprintf(path, room, "%s!%.*s", archive->path, (int)member->name.size, member->name.data);
    if (archive->count++ && !job->json) fm_put_char(&job->out, '\n');
    job->file = path;
    job->in_archive = true;
    if (describe_image(job, member->bytes, &fault)) {
        fm_out_flush(&job->out);
        fm_message_error(path, &fault);
    }
    job->file = archive->path;
    job->in_archive = false;
    free(path);
    return FRAMEMAP_OK;
}

static void warn_of_member(void *context, const framemap_error *warning)
{
    const struct archive_info *archive = context;
    fm_message("%s!%s: %s", archive->path, warning->where, warning->message);
}

/* *error: why the bytes are not a symbol file, and kept if they are not an archive either. */
static framemap_status describe_archive(struct info_job *job, framemap_str bytes, framemap_error *error)
{
    struct archive_info archive = {.job = job, .path = job->file};
    framemap_error fault;
    const framemap_archive_options options = {
        .size = sizeof options, .context = &archive, .each = describe_member, .warning = warn_of_member};
    const framemap_status status = framemap_archive_symbols(bytes, &options, &fault);
    if (status == FRAMEMAP_E_FORMAT) return error->code;
    if (status) *error = fault;
    if (status || archive.count) return status;
    snprintf(error->message, sizeof error->message, "there is no symbol file in this archive");
    return error->code;
}

static int describe_file(struct info_job *job, const char *path)
{
    struct fm_file file;
    framemap_error error;
    char *bundled = fm_bundle_file(path);

    job->file = bundled ? bundled : path;
    framemap_status status = fm_symbol_file_open(job->file, 0, &file, &error);
    if (!status) {
        status = describe_image(job, file.bytes, &error);
        if (status == FRAMEMAP_E_FORMAT) status = describe_archive(job, file.bytes, &error);
        if (!status) status = fm_file_check(job->file, &file, &error);
        fm_file_close(&file);
    }
    if (status) {
        fm_out_flush(&job->out); /* print the results for earlier files before the error */
        fm_message_error(job->file, &error);
    }
    free(bundled);
    return status ? FM_EXIT_FAILED : FM_EXIT_DONE;
}

static int run_info(struct info_job *job)
{
    int code = FM_EXIT_DONE;
    if (job->file_count == 0) {
        fm_message("info needs a file");
        return fm_message_usage("info");
    }
    for (size_t i = 0; i < job->file_count; i++) {
        if (i && !job->json) fm_put_char(&job->out, '\n');
        if (describe_file(job, job->files[i])) code = FM_EXIT_FAILED;
    }
    return fm_out_flush(&job->out) ? code : FM_EXIT_FAILED;
}

static bool take_info_option(void *context, int id, const char *value)
{
    struct info_job *job = context;
    switch (id) {
    case VERIFY: job->verify = true; return true;
    case OUTPUT: job->json = strcmp(value, "json") == 0; return true;
    default: job->files[job->file_count++] = value; return true;
    }
}

static const struct fm_command_line command_line = {"info", table, ROWS, print_info_help, take_info_option};

int fm_cmd_info(int argc, char **argv)
{
    struct info_job *job = fm_cli_resize(NULL, sizeof *job); /* too large for the stack */
    memset(job, 0, sizeof *job);
    job->files = fm_cli_resize(NULL, (size_t)argc * sizeof *job->files);
    fm_out_init(&job->out, STDOUT_FILENO);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0) code = run_info(job);
    free(job->files);
    free(job);
    return code;
}
