/* Implements info_print.h: prints what is known of a symbol file or an index: ids, addresses, parts and counts, as
 * lines of text or as one JSON object, with hints on where a missing debug file is searched for. */
#include "cli/commands/info_print.h"

#include "cli/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing values in two forms: lines " key value", or members of one JSON object --- */

static void member(struct fm_info_job *job, const char *name)
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

static void member_end(struct fm_info_job *job)
{
    if (!job->json) fm_put_char(&job->out, '\n');
}

static void text_member(struct fm_info_job *job, const char *name, framemap_str value)
{
    if (value.size == 0) return;
    member(job, name);
    if (job->json)
        fm_put_json(&job->out, value);
    else
        fm_put_str(&job->out, value);
    member_end(job);
}

static void number_member(struct fm_info_job *job, const char *name, uint64_t value)
{
    member(job, name);
    fm_put_dec(&job->out, value);
    member_end(job);
}

static void address_member(struct fm_info_job *job, const char *name, uint64_t value)
{
    member(job, name);
    fm_put_text(&job->out, job->json ? "\"0x" : "0x");
    fm_put_hex(&job->out, value, 1);
    fm_put_text(&job->out, job->json ? "\"" : "");
    member_end(job);
}

static void object_begin(struct fm_info_job *job)
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

static void object_end(struct fm_info_job *job)
{
    if (job->json) fm_put_text(&job->out, "}\n");
}

/* --- printing images of symbol files --- */

static void list_parts(struct fm_info_job *job, const char *name, const framemap_image_info *image, bool wanted)
{
    const struct {
        bool has;
        const char *what;
    } parts[] = {{image->has_debug_info, "debug info"},
                 {image->has_line_table, "line table"},
                 {image->has_symbols, image->is_stripped && wanted ? "exported symbols" : "symbol table"},
                 {image->has_go_table, "Go's table of functions and lines"}};
    /* the last part is listed for Go programs only */
    const size_t count = sizeof parts / sizeof *parts - (image->has_go_table ? 0 : 1);
    bool any = false;

    for (size_t i = 0; i < count; i++) {
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

static bool has_note(const struct fm_info_job *job, const framemap_image_info *image)
{
    const framemap_image_info *of = &job->note.of;
    return job->note.text[0] && of->index_kind == image->index_kind && strcmp(of->type, image->type) == 0 &&
           of->is_stripped == image->is_stripped && !image->has_debugdata;
}

static void keep_note(struct fm_info_job *job, const framemap_image_info *image, const framemap_error *why)
{
    job->note.of = *image;
    snprintf(job->note.text, sizeof job->note.text, "%s", why->message);
}

/* For a native image without debug info: prints its debug link, and the path of the debug file or, if it was not
 * found, what to search for. */
static void put_whereabouts(struct fm_info_job *job, const framemap_image_info *image)
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
static void put_relations(struct fm_info_job *job, const framemap_image_info *image)
{
    if (is_split_off(image)) text_member(job, "use", framemap_str_of("with its program: it has no addresses"));
    text_member(job, "alternate", image->alternate);
    text_member(job, "alternate_id", framemap_str_of(image->alternate_id));
}

/* Prints the ids under which crash reporting services and symbol servers list the file. */
static void put_ids(struct fm_info_job *job, const framemap_image_info *image)
{
    text_member(job, "id", framemap_str_of(image->id));
    text_member(job, "debug_id", framemap_str_of(image->debug_id));
    if (strcmp(image->code_id, image->id) != 0) text_member(job, "code_id", framemap_str_of(image->code_id));
}

/* Describes a file of a kind that framemap does not read. Returns false if its bytes do not show what it is. */
bool fm_info_put_foreign(struct fm_info_job *job, framemap_str bytes, const framemap_error *error)
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

void fm_info_put_image(struct fm_info_job *job, const framemap_image_info *image)
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

/* --- printing indexes --- */

static void put_source_map(struct fm_info_job *job, const framemap_index_info *info)
{
    number_member(job, "lines", info->scope_count);
    number_member(job, "segments", info->position_count);
    number_member(job, "sources", info->file_count);
    number_member(job, "names", info->function_count);
    if (info->function_range_count) number_member(job, "functions", info->function_range_count);
    if (info->has_content) text_member(job, "has", framemap_str_of("texts of sources"));
}

/* Prints the counts of an index; for mappings the members have other names. */
static void put_counts(struct fm_info_job *job, const framemap_index_info *info)
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

void fm_info_put_index(struct fm_info_job *job, const framemap_index_info *info)
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
