/* Opens an index: checks header, directory and the sizes of tables, in constant time. Records are not read. Implements
 * the calls of view.h that open, close and describe a view. */
#include "core/checked.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "index/read/positions/function_range_decoder.h"
#include "index/read/positions/lookup_fast.h"
#include "index/read/positions/scope_decoder.h"
#include "index/read/positions/view_cache.h"
#include "index/read/segments/segment_block_decoder.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"

/* The number of fields in a row of each section; 0: a section of bytes. */
static const uint8_t field_counts[FMX_SECTION_END] = {[FMX_ATTRIBUTES] = 4,
                                                      [FMX_SCOPES] = 4,
                                                      [FMX_SCOPE_HASH] = 1,
                                                      [FMX_RANGES] = 2,
                                                      [FMX_BUCKETS] = 1,
                                                      [FMX_BLOCKS] = 0,
                                                      [FMX_NODES] = 5,
                                                      [FMX_WIDES] = 5,
                                                      [FMX_ROOTS] = 3,
                                                      [FMX_EXTRAS] = 4,
                                                      [FMX_FUNCTIONS] = 7,
                                                      [FMX_FILES] = 4,
                                                      [FMX_TEXTS] = 2,
                                                      [FMX_GROUPS] = 1,
                                                      [FMX_PLACES] = 6,
                                                      [FMX_STRINGS] = 0,
                                                      [FMX_NAMES] = 4,
                                                      [FMX_NAME_HASH] = 1,
                                                      [FMX_CLASSES] = 6,
                                                      [FMX_CLASS_HASH] = 1,
                                                      [FMX_METHODS] = 3,
                                                      [FMX_CLASS_FIELDS] = 3,
                                                      [FMX_SPANS] = 0,
                                                      [FMX_MEMBERS] = 7,
                                                      [FMX_NOTE_LISTS] = 1,
                                                      [FMX_NOTES] = 6,
                                                      [FMX_SOURCES] = 7,
                                                      [FMX_LINES] = 2,
                                                      [FMX_SEGMENT_BLOCKS] = 2,
                                                      [FMX_SEGMENT_GUIDE] = 1,
                                                      [FMX_SEGMENTS] = 0,
                                                      [FMX_SOURCE_STRETCHES] = 6,
                                                      [FMX_GENERATED_STRETCHES] = 7,
                                                      [FMX_OFFSET_LISTS] = 3,
                                                      [FMX_OFFSETS] = 1,
                                                      [FMX_CALL_SITES] = 7,
                                                      [FMX_SEGMENT_RANGES] = 2,
                                                      [FMX_SORTED_TEXTS] = 1,
                                                      [FMX_SYMBOLS] = 0,
                                                      [FMX_NODE_RANKS] = 2,
                                                      [FMX_ROOT_GROUPS] = 1,
                                                      [FMX_DETAILS] = 5,
                                                      [FMX_PAGES] = 3,
                                                      [FMX_CLASS_CHECKS] = 1};

static framemap_status corrupt(framemap_error *error, uint64_t offset, unsigned id, const char *what)
{
    framemap_status status = fm_error_at(error, FRAMEMAP_E_CORRUPT, offset, "the index is damaged: %s", what);
    const char *name = fm_section_name(id);
    fm_error_where(error, fm_str(name, strlen(name)));
    return status;
}

bool fm_view_is_index(framemap_str bytes) { return bytes.size >= 4 && memcmp(bytes.data, FMX_MAGIC, 4) == 0; }

static framemap_status check_header(framemap_str bytes, framemap_error *error)
{
    const unsigned char *data = (const unsigned char *)bytes.data;
    if (!fm_view_is_index(bytes))
        return fm_error_set(error, FRAMEMAP_E_FORMAT, "not an index: it does not start with FMX");
    if (bytes.size < 8) return fm_error_at(error, FRAMEMAP_E_TRUNCATED, bytes.size, "the index ends in its header");
    const uint32_t version = fm_load32(data + FMX_AT_VERSION);
    if (version < FMX_VERSION_PLAIN || version > FMX_VERSION)
        return fm_error_at(error, FRAMEMAP_E_VERSION, FMX_AT_VERSION,
                           "version %u of the index format is not supported: rebuild the index", version);
    if (bytes.size < FMX_HEADER)
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, bytes.size, "the index ends in its header");
    const uint64_t size = fm_load64(data + FMX_AT_FILE_SIZE);
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS), head_size = fm_load32(data + FMX_AT_HEADER_SIZE);
    if (sections > FMX_SECTIONS_MOST || head_size != FMX_HEADER + FMX_ENTRY * sections ||
        size < (uint64_t)head_size + FMX_TAIL)
        return corrupt(error, FMX_AT_HEADER_SIZE, 0, "the sizes in its header are inconsistent");
    if (bytes.size < head_size)
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, bytes.size, "the index ends in its header");
    if (fm_header_check(data, head_size) != fm_load64(data + FMX_AT_CHECK))
        return corrupt(error, FMX_AT_CHECK, 0, "the checksum of its header does not match");
    if (bytes.size < size)
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, bytes.size, "the index is shorter than its header states");
    if (bytes.size > size) return corrupt(error, size, 0, "extra bytes after its end");
    return FRAMEMAP_OK;
}

/* Whether a field may be wider than the 57 bits of one load, as positions and numbers of scopes may. */
static bool may_be_wide(unsigned id, unsigned field)
{
    return id == FMX_RANGES || (id == FMX_PAGES && field <= PAGE_COUNT) || (id == FMX_SCOPES && field == SCOPE_KEY) ||
           (id == FMX_ROOTS && field <= ROOT_SIZE) || (id == FMX_NOTES && field == NOTE_COUNT) ||
           (id == FMX_NODE_RANKS && field == RANK_BITS);
}

/* Reads a directory entry into a table. Returns the fault, or NULL. */
static const char *read_entry(const unsigned char *entry, framemap_str bytes, unsigned id, unsigned version,
                              struct fm_packed *table)
{
    const unsigned fields = id == FMX_ROOTS && version != FMX_VERSION_PLAIN ? 0 : field_counts[id];
    const uint64_t offset = fm_load64(entry + FMX_ENTRY_OFFSET);
    table->count = fm_load64(entry + FMX_ENTRY_COUNT);
    table->size = fm_load64(entry + FMX_ENTRY_SIZE);
    if (!fm_range_fits(offset, table->size, bytes.size - FMX_TAIL)) return "a section outside the file";
    table->data = (const unsigned char *)bytes.data + offset;
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        const unsigned width = entry[FMX_ENTRY_WIDTHS + f];
        if (width > (may_be_wide(id, f) ? 64 : 57) || (f >= fields && width != 0)) return "an invalid field width";
        table->at[f] = (uint16_t)table->row_bits;
        table->width[f] = (uint8_t)width;
        table->mask[f] = fm_bits_mask(width);
        table->row_bits += width;
    }
    uint64_t bits;
    if (fields == 0) return table->count == table->size ? NULL : "an invalid section size";
    if (table->row_bits == 0 || !fm_mul_u64(table->count, table->row_bits, &bits) ||
        bits / 8 + (bits % 8 != 0) != table->size)
        return "an invalid section size";
    return NULL;
}

static framemap_status read_directory(struct fm_view *view, framemap_error *error)
{
    const unsigned char *data = (const unsigned char *)view->bytes.data;
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++) {
        const uint64_t at = FMX_HEADER + (uint64_t)FMX_ENTRY * i;
        const unsigned id = data[at + FMX_ENTRY_ID];
        if (id == 0 || id >= FMX_SECTION_END) continue;
        if (view->tables[id].data != NULL) return corrupt(error, at, id, "a duplicate section");
        const char *wrong = read_entry(data + at, view->bytes, id, view->version, &view->tables[id]);
        if (wrong) return corrupt(error, at, id, wrong);
    }
    return FRAMEMAP_OK;
}

static framemap_status read_header(struct fm_view *view, framemap_error *error)
{
    const unsigned char *data = (const unsigned char *)view->bytes.data;
    view->version = fm_load32(data + FMX_AT_VERSION);
    view->face.about.base = fm_load64(data + FMX_AT_BASE);
    view->position_count = fm_load64(data + FMX_AT_POSITIONS);
    view->shift = data[FMX_AT_SHIFT];
    view->address_bits = data[FMX_AT_ADDRESS_BITS];
    view->flags = data[FMX_AT_FLAGS];
    if (view->shift > FMX_SHIFT_MOST) return corrupt(error, FMX_AT_SHIFT, 0, "an invalid bucket size");
    return FRAMEMAP_OK;
}

/* Counts out-of-line functions and nodes. false: damaged. */
static bool count_nodes(struct fm_view *view)
{
    const struct fm_packed *t = view->tables;
    uint64_t begin, end;
    uint32_t last = 0;
    view->node_count = t[FMX_NODES].count;
    view->root_count = t[FMX_ROOTS].count;
    view->details_from = FUNCTION_CLASS;
    view->function_width = fm_bits_for(t[FMX_FUNCTIONS].count);
    if (view->version == FMX_VERSION_PLAIN) return true;
    const uint64_t groups = t[FMX_ROOT_GROUPS].count, functions = t[FMX_FUNCTIONS].count;
    if (groups > UINT32_MAX || t[FMX_NODES].count > UINT32_MAX || functions > UINT32_MAX) return false;
    if (groups > 0 && !fm_function_range_group_extent(view, groups - 1, &begin, &end, &last)) return false;
    view->root_count = groups == 0 ? 0 : ((groups - 1) << FM_FUNCTION_RANGE_GROUP_BITS) + last;
    view->node_count += view->root_count;
    view->details_from = 0;
    if (t[FMX_NODE_RANKS].count == 0)
        /* without ranks, all nodes are out-of-line functions, so there must be no rows for inlined ones */
        return t[FMX_NODES].count == 0;
    return t[FMX_NODE_RANKS].count == view->node_count / 64 + (view->node_count % 64 != 0);
}

/* Whether the tables of the class form have sizes that its readers can handle: row numbers must fit 32 bits, since
 * readers return them so, and since the upper 32 bits of a span's number are the number of its method. The number of
 * rows of a hash table must be a power of two. */
static bool class_tables_fit(const struct fm_packed *t)
{
    static const unsigned numbered[] = {FMX_NAMES,   FMX_CLASSES,    FMX_METHODS, FMX_CLASS_FIELDS,
                                        FMX_MEMBERS, FMX_NOTE_LISTS, FMX_NOTES};
    for (unsigned i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (t[numbered[i]].count >= UINT32_MAX) return false;
    const uint64_t names = t[FMX_NAME_HASH].count, classes = t[FMX_CLASS_HASH].count;
    return (names & (names - 1)) == 0 && (classes & (classes - 1)) == 0;
}

static framemap_status check_tables(struct fm_view *view, framemap_error *error)
{
    const struct fm_packed *t = view->tables;
    if (!count_nodes(view)) return corrupt(error, FMX_HEADER, FMX_NODES, "an inconsistent size");
    if (view->node_count > UINT32_MAX - 2 || t[FMX_GROUPS].count > UINT32_MAX - 2 - view->node_count)
        return corrupt(error, FMX_HEADER, FMX_NODES, "too many nodes");
    if (t[FMX_TEXTS].count > UINT32_MAX - 2) return corrupt(error, FMX_HEADER, FMX_TEXTS, "too many texts");
    if (t[FMX_SCOPE_HASH].count & (t[FMX_SCOPE_HASH].count - 1))
        return corrupt(error, FMX_HEADER, FMX_SCOPE_HASH, "a size that is not a power of two");
    if (t[FMX_SCOPES].count > 0 && t[FMX_RANGES].count == 0) return corrupt(error, FMX_HEADER, FMX_RANGES, "no ranges");
    if (fm_is_classes(view) && t[FMX_SCOPES].count > 0)
        return corrupt(error, FMX_HEADER, FMX_CLASSES, "both scopes and classes");
    if (!class_tables_fit(t)) return corrupt(error, FMX_HEADER, FMX_CLASSES, "an inconsistent size");
    if (fm_is_segments(view) && (fm_is_classes(view) || t[FMX_SCOPES].count > 0))
        return corrupt(error, FMX_HEADER, FMX_SEGMENTS, "both segments and another form");
    if (fm_is_segments(view) && !fm_segments_open(view))
        return corrupt(error, FMX_HEADER, FMX_SEGMENTS, "an inconsistent size");
    const uint64_t groups = t[FMX_GROUPS].count ? t[FMX_GROUPS].count - 1 : 0;
    view->node_width = fm_bits_for(view->node_count + groups);
    view->text_width = t[FMX_TEXTS].count ? fm_bits_for(t[FMX_TEXTS].count - 1) : 0;
    view->one_range_each = t[FMX_SCOPES].width[SCOPE_RANGE] == 0 && t[FMX_RANGES].count == t[FMX_SCOPES].count + 1;
    return FRAMEMAP_OK;
}

/* A view and its caches, in one allocation. */
struct opened {
    struct fm_view view;
    struct fm_string_table texts;
    struct fm_view_cache cache;
};

static void open_string_cache(const struct fm_view *view, struct fm_string_table *texts)
{
    fm_string_table_open(texts, view->heap, view->tables[FMX_SORTED_TEXTS].count,
                         FM_LIMIT_UNPACKED_LEAST + FM_LIMIT_UNPACKED * view->bytes.size);
}

/* Prepares the sorted strings; none is read yet. */
static framemap_status open_texts(struct fm_view *view, struct fm_string_table *texts, framemap_error *error)
{
    const struct fm_packed *t = view->tables;
    if (view->version == FMX_VERSION_PLAIN || t[FMX_SORTED_TEXTS].count == 0) return FRAMEMAP_OK;
    view->sorted_texts = texts;
    open_string_cache(view, texts);
    if (fm_string_table_symbols(t[FMX_SYMBOLS].data, t[FMX_SYMBOLS].size, &texts->symbols)) return FRAMEMAP_OK;
    return corrupt(error, FMX_HEADER, FMX_SYMBOLS, "an inconsistent size");
}

bool fm_view_attribute(const struct fm_view *view, framemap_str key, framemap_str *out)
{
    const struct fm_packed *rows = &view->tables[FMX_ATTRIBUTES];
    uint64_t row;
    if (!fm_text_row(view, rows, ATTRIBUTE_KEY, key, &row)) return false;
    *out = fm_text_field(view, rows, row, ATTRIBUTE_VALUE);
    return true;
}

static framemap_str attribute_or_absent(const struct fm_view *view, framemap_str key)
{
    framemap_str value = {NULL, 0};
    fm_view_attribute(view, key, &value);
    return value;
}

static void read_attributes(struct fm_view *view)
{
    struct fm_view_identity *about = &view->face.about;
    about->kind = attribute_or_absent(view, FM_STR(FMX_KEY_KIND));
    about->id = attribute_or_absent(view, FM_STR(FMX_KEY_ID));
    about->arch = attribute_or_absent(view, FM_STR(FMX_KEY_ARCH));
    about->name = attribute_or_absent(view, FM_STR(FMX_KEY_NAME));
    about->form = fm_is_segments(view) ? FM_FORM_SEGMENTS : fm_is_classes(view) ? FM_FORM_CLASSES : FM_FORM_POSITIONS;
    about->arch_is_arm = fm_str_starts(about->arch, FM_STR("arm")) || fm_str_starts(about->arch, FM_STR("thumb"));
    about->has_addresses = view->address_bits != 0;
    about->numbered_scopes = (view->flags & FMX_FLAG_NUMBERED) != 0;
    about->kind_row = fm_kind_named(about->kind);
    about->family = about->kind_row->family;
    if (about->kind_row->code == FRAMEMAP_INDEX_OTHER && about->has_addresses) about->family = FRAMEMAP_KIND_NATIVE;
}

static void measure_room(struct fm_view *view)
{
    const struct fm_packed *strings = &view->tables[FMX_STRINGS];
    if (strings->data == NULL) return;
    const uint64_t left = view->bytes.size - (uint64_t)(strings->data - (const unsigned char *)view->bytes.data);
    const uint64_t begins = left < FM_VIEW_ROOM ? 0 : left - FM_VIEW_ROOM + 1;
    view->face.roomy = (uintptr_t)strings->data;
    view->face.roomy_size = begins < strings->size ? begins : strings->size;
}

framemap_status fm_view_open(framemap_str bytes, struct fm_heap *heap, struct fm_view **out, framemap_error *error)
{
    framemap_status status = check_header(bytes, error);
    if (status != FRAMEMAP_OK) return status;
    struct opened *opened = fm_heap_zalloc(heap, 1, sizeof *opened);
    if (opened == NULL) return fm_error_memory(error);
    struct fm_view *view = &opened->view;
    view->heap = heap;
    view->cache = &opened->cache;
    view->bytes = bytes;
    status = read_header(view, error);
    if (status == FRAMEMAP_OK) status = read_directory(view, error);
    if (status == FRAMEMAP_OK) status = check_tables(view, error);
    if (status == FRAMEMAP_OK) status = open_texts(view, &opened->texts, error);
    if (status != FRAMEMAP_OK) {
        fm_view_close(view);
        return status;
    }
    read_attributes(view);
    measure_room(view);
    fm_scopes_open(view);
    fm_lookup_fast_open(view);
    fm_view_cache_open(view);
    *out = view;
    return FRAMEMAP_OK;
}

void fm_view_drop_kept(struct fm_view *view)
{
    struct fm_string_table *texts = view->sorted_texts;
    fm_view_cache_close(view);
    fm_view_cache_open(view);
    if (texts == NULL) return;
    fm_string_table_close(texts);
    open_string_cache(view, texts);
}

void fm_view_close(struct fm_view *view)
{
    if (view == NULL) return;
    if (view->sorted_texts) fm_string_table_close(view->sorted_texts);
    fm_view_cache_close(view);
    fm_heap_free(view->heap, view, sizeof(struct opened));
}

void fm_view_about(const struct fm_view *view, struct fm_view_about *out)
{
    const struct fm_packed *t = view->tables;
    *out = (struct fm_view_about){.format_version = view->version,
                                  .kind = view->face.about.kind,
                                  .id = view->face.about.id,
                                  .arch = view->face.about.arch,
                                  .name = view->face.about.name,
                                  .base = view->face.about.base,
                                  .address_bits = view->address_bits,
                                  .big_endian = (view->flags & FMX_FLAG_BIG_ENDIAN) != 0,
                                  .numbered_scopes = (view->flags & FMX_FLAG_NUMBERED) != 0,
                                  .has_lines = (view->flags & FMX_FLAG_LINES) != 0,
                                  .size_bytes = view->bytes.size,
                                  .scope_count = t[FMX_SCOPES].count,
                                  .position_count = view->position_count,
                                  .function_count = t[FMX_FUNCTIONS].count,
                                  .file_count = t[FMX_FILES].count,
                                  .string_bytes = t[FMX_STRINGS].size,
                                  .node_count = view->node_count};
    if (fm_is_classes(view)) {
        out->class_count = t[FMX_CLASSES].count;
        out->scope_count = t[FMX_METHODS].count;
        out->function_count = t[FMX_MEMBERS].count;
        out->file_count = t[FMX_NAMES].count;
    }
    if (fm_is_segments(view)) {
        out->is_segments = true;
        out->scope_count = fm_segment_lines(view);
        out->function_count = t[FMX_TEXTS].count;
        out->file_count = t[FMX_SOURCES].count;
    }
}
