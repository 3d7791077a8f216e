/* Searches the list of symbol files by id, name and architecture. Implements the searches of catalog.h. */
#include "session/catalog/catalog.h"

#include "core/text/text.h"

#include <stdlib.h>

/* Compares two files of one build for the order of preference. A file with more debug info comes first; then the bigger
 * file, since a complete symbol table is bigger than the part that the dynamic linker needs; then the file that was
 * found first. */
static int compare_rank(const struct fm_entry *a, const struct fm_entry *b)
{
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    if (a->stamp.size != b->stamp.size) return a->stamp.size > b->stamp.size ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_id(const void *left, const void *right)
{
    const struct fm_entry *a = *(const struct fm_entry *const *)left, *b = *(const struct fm_entry *const *)right;
    int order = fm_str_compare(a->id, b->id);
    return order ? order : compare_rank(a, b);
}

static int compare_name(const void *left, const void *right)
{
    const struct fm_entry *a = *(const struct fm_entry *const *)left, *b = *(const struct fm_entry *const *)right;
    int order = fm_str_compare(a->name, b->name);
    return order ? order : compare_rank(a, b);
}

/* Lists the best file of each build. In by_id, the best file of a build precedes the others. Each mapping without an id
 * counts as a build of its own. */
static void pick_mappings(struct fm_catalog *catalog)
{
    catalog->mapping_count = 0;
    for (size_t i = 0; i < catalog->plain_count; i++) {
        const struct fm_entry *entry = catalog->by_id[i],
                              *last = catalog->mapping_count ? catalog->mappings[catalog->mapping_count - 1] : NULL;
        if (entry->is_mapping && !(last && entry->id.size && fm_str_equal(last->id, entry->id)))
            catalog->mappings[catalog->mapping_count++] = entry;
    }
}

static bool sort_entries(struct fm_catalog *catalog)
{
    size_t count = catalog->count;
    if (catalog->sorted == count) return true;
    if (!FM_GROW(catalog->heap, catalog->by_id, catalog->by_id_capacity, count) ||
        !FM_GROW(catalog->heap, catalog->by_name, catalog->by_name_capacity, count) ||
        !FM_GROW(catalog->heap, catalog->mappings, catalog->mapping_capacity, count))
        return false;
    const size_t size = sizeof(const struct fm_entry *);
    size_t plain = 0;
    for (size_t i = 0; i < count; i++)
        if (!catalog->entries[i]->is_source_map && !catalog->entries[i]->is_script)
            catalog->by_id[plain++] = catalog->entries[i];
    if (plain > 0) memcpy(catalog->by_name, catalog->by_id, plain * size);
    if (plain > 1) qsort(catalog->by_id, plain, size, compare_id);
    if (plain > 1) qsort(catalog->by_name, plain, size, compare_name);
    catalog->plain_count = plain;
    pick_mappings(catalog);
    catalog->sorted = count;
    return true;
}

/* Returns the first entry of a sorted list whose key is not below the given one (lower bound). */
static size_t lower_bound(const struct fm_entry *const *list, size_t count, bool by_id, framemap_str key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        framemap_str have = by_id ? list[middle]->id : list[middle]->name;
        if (fm_str_compare(have, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether an entry is at or below the path in the query. */
static bool under_path(const struct fm_entry *entry, framemap_str path)
{
    framemap_str have = framemap_str_of(entry->path);
    if (path.size == 0) return true;
    if (!fm_str_starts(have, path)) return false;
    if (have.size == path.size || have.data[path.size] == '/' || path.data[path.size - 1] == '/') return true;
    return entry->in_archive && have.data[path.size] == '!';
}

bool fm_catalog_has_under(const struct fm_catalog *catalog, const char *path)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (under_path(catalog->entries[i], framemap_str_of(path))) return true;
    return false;
}

static bool same_file(const struct fm_entry *a, const struct fm_entry *b)
{
    return a->stamp.device == b->stamp.device && a->stamp.inode == b->stamp.inode && fm_str_equal(a->arch, b->arch);
}

#define LEAST_ID_DIGITS 8 /* a shorter text is not accepted as the start of an id */

/* Whether an entry whose id shares its start with the wanted one has the age that is wanted, if it has an age. Programs
 * of one GUID and other ages are other builds. */
static bool age_fits(const struct fm_entry *entry, framemap_str wanted)
{
    return !entry->has_age || wanted.size == FM_GUID_DIGITS || fm_str_equal(entry->id, wanted);
}

/* Searches the entries whose id equals `part` or starts with it. If all of them have the same id, finds the best file;
 * else returns FM_FOUND_SEVERAL. `part` is made of the id in the query. */
static enum fm_found best_of_id(const struct fm_catalog *catalog, framemap_str part, bool begins,
                                const framemap_image_query *want, const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    for (size_t i = lower_bound(catalog->by_id, catalog->plain_count, true, part); i < catalog->plain_count; i++) {
        const struct fm_entry *entry = catalog->by_id[i];
        if (begins ? !fm_str_starts(entry->id, part) : !fm_str_equal(entry->id, part)) break;
        if (!under_path(entry, want->path) || !age_fits(entry, want->id)) continue;
        if (best && !fm_str_equal(best->id, entry->id)) return FM_FOUND_SEVERAL;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    *out = best;
    return best ? FM_FOUND : FM_FOUND_NOTHING;
}

/* Finds a file that has no build id, by the id that is computed from its code. Such files come first in the list
 * by id. */
static enum fm_found find_code(const struct fm_catalog *catalog, framemap_str digits, framemap_str path,
                               const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    for (size_t i = 0; i < catalog->plain_count && catalog->by_id[i]->id.size == 0; i++) {
        const struct fm_entry *entry = catalog->by_id[i];
        if (!fm_str_equal(entry->code_id, digits) || !under_path(entry, path)) continue;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    *out = best;
    return best ? FM_FOUND : FM_FOUND_NOTHING;
}

/* Removes the bytes of 0 at the end of an id, which Breakpad adds to build ids shorter than 16 bytes. */
static framemap_str without_zeros(framemap_str id)
{
    while (id.size >= 2 && id.data[id.size - 1] == '0' && id.data[id.size - 2] == '0') id.size -= 2;
    return id;
}

/* Searches for an ELF file by Breakpad's id. This id consists of the start of the build id, written as a GUID (its
 * first three numbers have the other byte order), and an age. */
static enum fm_found find_guid(const struct fm_catalog *catalog, const framemap_image_query *want,
                               const struct fm_entry **out)
{
    static const unsigned char order[] = {6, 7, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 14, 15, 12, 13};
    enum { GUID = 32, MOST = GUID + 8 };
    char begin[GUID];
    if (want->id.size == GUID) return find_code(catalog, want->id, want->path, out);
    if (want->id.size < GUID || want->id.size > MOST) return FM_FOUND_NOTHING;
    for (size_t i = 0; i < GUID; i++) begin[i] = want->id.data[i < sizeof order ? order[i] : i];
    enum fm_found found = best_of_id(catalog, fm_str(begin, GUID), true, want, out);
    const framemap_str short_id = without_zeros(fm_str(begin, GUID));
    if (found == FM_FOUND_NOTHING && short_id.size >= LEAST_ID_DIGITS && short_id.size < GUID)
        found = best_of_id(catalog, short_id, false, want, out);
    return found == FM_FOUND_NOTHING ? find_code(catalog, fm_str(begin, GUID), want->path, out) : found;
}

/* Searches for an image by its id. Some tools cut off the end of ids, and some files have shortened ids, so either id
 * may be the start of the other. */
static enum fm_found find_id(const struct fm_catalog *catalog, const framemap_image_query *want,
                             const struct fm_entry **out)
{
    if (want->id.size < LEAST_ID_DIGITS) return FM_FOUND_NOTHING;
    enum fm_found found = best_of_id(catalog, want->id, false, want, out);
    if (found == FM_FOUND_NOTHING) found = best_of_id(catalog, want->id, true, want, out);
    for (size_t digits = want->id.size - 1; found == FM_FOUND_NOTHING && digits >= LEAST_ID_DIGITS; digits--)
        found = best_of_id(catalog, fm_str_slice(want->id, 0, digits), false, want, out);
    return found == FM_FOUND_NOTHING ? find_guid(catalog, want, out) : found;
}

/* Whether two entries come from one build. Compares their ids; if an entry has no id, compares the files. */
static bool same_build(const struct fm_catalog *catalog, const struct fm_entry *a, const struct fm_entry *b)
{
    if (a->id.size > 0 && b->id.size > 0) return fm_str_equal(a->id, b->id);
    return same_file(a, b) || (catalog->same_build != NULL && catalog->same_build(catalog->same_build_context, a, b));
}

/* Chooses the best of the listed files for a query without an id. All of them must belong to one build. */
static enum fm_found choose_entry(const struct fm_catalog *catalog, const struct fm_entry *const *list, size_t count,
                                  const framemap_image_query *want, const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    bool other_arch = false;
    for (size_t i = 0; i < count; i++) {
        const struct fm_entry *entry = list[i];
        if (!under_path(entry, want->path) || (entry->is_script && !entry->is_source_map)) continue;
        if (!fm_arch_matches(entry->arch, want->arch)) {
            other_arch = true;
            continue;
        }
        if (best == NULL) {
            best = entry;
            continue;
        }
        bool exact = fm_str_equal(entry->arch, want->arch), best_exact = fm_str_equal(best->arch, want->arch);
        if (want->arch.size && exact != best_exact)
            best = exact ? entry : best;
        else if (!same_build(catalog, entry, best))
            return FM_FOUND_SEVERAL;
        else if (compare_rank(entry, best) < 0)
            best = entry;
    }
    *out = best;
    if (best) return FM_FOUND;
    return other_arch ? FM_FOUND_OTHER_ARCH : FM_FOUND_NOTHING;
}

static size_t name_run(const struct fm_catalog *catalog, framemap_str name, size_t *first)
{
    *first = lower_bound(catalog->by_name, catalog->plain_count, false, name);
    size_t end = *first;
    while (end < catalog->plain_count && fm_str_equal(catalog->by_name[end]->name, name)) end++;
    return end - *first;
}

const struct fm_entry *const *fm_catalog_named(struct fm_catalog *catalog, framemap_str name, size_t *count)
{
    size_t first = 0;
    *count = 0;
    if (!sort_entries(catalog)) return NULL;
    *count = name_run(catalog, name, &first);
    return *count > 0 ? catalog->by_name + first : NULL;
}

const struct fm_entry *const *fm_catalog_of_id(struct fm_catalog *catalog, framemap_str id, size_t *count)
{
    *count = 0;
    if (id.size == 0 || !sort_entries(catalog)) return NULL;
    const size_t first = lower_bound(catalog->by_id, catalog->plain_count, true, id);
    while (first + *count < catalog->plain_count && fm_str_equal(catalog->by_id[first + *count]->id, id)) ++*count;
    return *count > 0 ? catalog->by_id + first : NULL;
}

/* Returns the reason why no file with a name is used for a stack with an id. */
static enum fm_found why_not(const struct fm_entry *const *list, size_t count, const struct fm_entry **out)
{
    *out = list[0];
    for (size_t i = 0; i < count; i++) {
        if (list[i]->id.size == 0) continue;
        *out = list[i];
        return FM_FOUND_OTHER_ID;
    }
    return FM_FOUND_NO_ID;
}

/* Finds the source map with an id under a path. Walks over all entries, because source maps are not in the list by
 * id. */
static bool find_map_of_id(const struct fm_catalog *catalog, const framemap_image_query *want,
                           const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!entry->is_source_map || !fm_str_equal(entry->id, want->id) || !under_path(entry, want->path)) continue;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    if (best) *out = best;
    return best != NULL;
}

/* Whether a name in brackets is a module of the kernel, such as perf's "[nf_conntrack]". Other names in brackets are
 * parts of a process. */
static bool is_kernel_module(framemap_str name)
{
    static const char *const others[] = {"[vdso", "[vsyscall", "[vvar", "[heap", "[stack", "[anon", "[unknown"};
    if (name.size < 3 || name.data[0] != '[' || name.data[name.size - 1] != ']') return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (fm_str_starts(name, framemap_str_of(others[i]))) return false;
    return true;
}

/* Whether an entry is the file at an offset of an archive: Android prints a library that it loads from an APK as
 * "base.apk" and that offset. */
static bool holds_offset(const struct fm_entry *entry, framemap_str archive, uint64_t offset)
{
    if (offset < entry->offset || offset - entry->offset >= entry->stamp.size) return false;
    framemap_str path = fm_str_slice(framemap_str_of(entry->path), 0, entry->archive_size);
    const size_t inside = fm_str_find_last_byte(path, '!');
    if (inside != FM_NOT_FOUND) path = fm_str_from(path, inside + 1);
    return fm_str_equal(fm_str_basename(path), archive);
}

static enum fm_found find_stored(const struct fm_catalog *catalog, framemap_str archive,
                                 const framemap_image_query *want, const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    for (size_t i = 0; i < catalog->stored_count; i++) {
        const struct fm_entry *entry = catalog->stored[i];
        if (!holds_offset(entry, archive, want->file_offset) || !fm_arch_matches(entry->arch, want->arch)) continue;
        if (best && !same_build(catalog, entry, best)) return FM_FOUND_SEVERAL;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    if (best) *out = best;
    return best ? FM_FOUND : FM_FOUND_NOTHING;
}

/* Returns the number of files with a name that is `stem` and one of two endings. The first ending that a file has is
 * used. */
static size_t run_with(const struct fm_catalog *catalog, framemap_str stem, const char *const endings[2], size_t *first)
{
    char whole[128];
    size_t count = 0;
    for (size_t i = 0; i < 2 && count == 0; i++) {
        const framemap_str ending = framemap_str_of(endings[i]);
        if (stem.size + ending.size > sizeof whole) break;
        memcpy(whole, stem.data, stem.size);
        memcpy(whole + stem.size, ending.data, ending.size);
        count = name_run(catalog, fm_str(whole, stem.size + ending.size), first);
    }
    return count;
}

/* Returns the number of files with a name. If no file has exactly this name, searches for the name with other endings.
 * .NET prints "libfoo" for libfoo.so or libfoo.dylib. Breakpad's symbols of a program of Windows are named after its
 * PDB. Unity's symbol files are named "libil2cpp.dbg.so" or, if they have only a symbol table, "libil2cpp.sym.so". */
static size_t named_run(const struct fm_catalog *catalog, framemap_str name, size_t *first)
{
    static const char *const of_dotnet[2] = {".so", ".dylib"}, *const of_unity[2] = {".dbg.so", ".sym.so"},
                             *const of_windows[2] = {".pdb", ".PDB"};
    const size_t count = name.size ? name_run(catalog, name, first) : 0;
    if (count == 0 && (fm_str_ends(name, FM_STR(".exe")) || fm_str_ends(name, FM_STR(".dll"))))
        return run_with(catalog, fm_str_slice(name, 0, name.size - 4), of_windows, first);
    if (count > 0 || !fm_str_starts(name, FM_STR("lib"))) return count;
    if (fm_str_find_byte(name, '.') == FM_NOT_FOUND) return run_with(catalog, name, of_dotnet, first);
    if (!fm_str_ends(name, FM_STR(".so"))) return 0;
    return run_with(catalog, fm_str_slice(name, 0, name.size - 3), of_unity, first);
}

enum fm_found fm_catalog_find(struct fm_catalog *catalog, const framemap_image_query *want, const struct fm_entry **out)
{
    size_t first = 0, count = 0;
    if (!sort_entries(catalog)) return FM_FOUND_NO_MEMORY;
    framemap_str name = fm_module_name(want->name);
    count = named_run(catalog, name, &first);
    if (count == 0 && is_kernel_module(name)) count = name_run(catalog, FM_STR(FM_KERNEL_NAME), &first);
    if (want->id.size) {
        enum fm_found found = find_id(catalog, want, out);
        if (found != FM_FOUND_NOTHING) return found;
        if (want->path.size == 0) return count ? why_not(catalog->by_name + first, count, out) : FM_FOUND_NOTHING;
        if (find_map_of_id(catalog, want, out)) return FM_FOUND;
        /* No map has the id. Searches for a file under the path that has another id or none, since the result depends
         * on it. */
        framemap_image_query any = {.path = want->path};
        const enum fm_found other = choose_entry(catalog, catalog->entries, catalog->count, &any, out);
        if (other == FM_FOUND && (*out)->id.size == 0) return FM_FOUND_NO_ID;
        return other == FM_FOUND_NOTHING ? FM_FOUND_NOTHING : FM_FOUND_OTHER_ID;
    }
    if (want->path.size) return choose_entry(catalog, catalog->entries, catalog->count, want, out);
    if (count > 0) return choose_entry(catalog, catalog->by_name + first, count, want, out);
    return want->file_offset > 0 ? find_stored(catalog, name, want, out) : FM_FOUND_NOTHING;
}

bool fm_catalog_mappings(struct fm_catalog *catalog, const struct fm_entry *const **out, size_t *count)
{
    if (!sort_entries(catalog)) return false;
    *out = catalog->mappings;
    *count = catalog->mapping_count;
    return true;
}

/* Finds a Dart program without an id. Dart's compiler writes symbol files for iOS and macOS as ELF files without an id,
 * while the program, which Apple's tools link, has one. */
static enum fm_found find_dart_without_id(const struct fm_catalog *catalog, framemap_str arch,
                                          const struct fm_entry **out)
{
    const struct fm_entry *best = NULL, *other = NULL;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!entry->is_dart) continue;
        const bool fits = fm_arch_matches(entry->arch, arch);
        if (entry->id.size > 0 && (other == NULL || (fits && !fm_arch_matches(other->arch, arch)))) other = entry;
        if (entry->id.size > 0 || !fits) continue;
        if (best && !same_file(entry, best)) return FM_FOUND_SEVERAL;
        best = entry;
    }
    *out = best ? best : other;
    return best ? FM_FOUND : FM_FOUND_OTHER_ID;
}

enum fm_found fm_catalog_find_dart(struct fm_catalog *catalog, framemap_str id, framemap_str arch,
                                   const struct fm_entry **out)
{
    const framemap_image_query want = {.id = id};
    const struct fm_entry *best = NULL;
    *out = NULL;
    if (!catalog->has_dart) return FM_FOUND_NOTHING;
    if (id.size) {
        const enum fm_found found = fm_catalog_find(catalog, &want, out);
        return found == FM_FOUND_NOTHING ? find_dart_without_id(catalog, arch, out) : found;
    }
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!entry->is_dart || !fm_arch_matches(entry->arch, arch)) continue;
        if (best && !same_build(catalog, best, entry)) return FM_FOUND_SEVERAL;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    *out = best;
    return best ? FM_FOUND : FM_FOUND_OTHER_ARCH;
}

enum fm_found fm_catalog_find_names(const struct fm_catalog *catalog, const struct fm_entry **out)
{
    *out = NULL;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!entry->is_names) continue;
        if (*out && !same_file(*out, entry)) return FM_FOUND_SEVERAL;
        *out = entry;
    }
    return *out ? FM_FOUND : FM_FOUND_NOTHING;
}

/* Returns the name of a module without its endings: "app" for "app.wasm", "app.debug.wasm" and
 * "app.wasm.debug.wasm". */
static framemap_str wasm_stem(framemap_str name)
{
    static const char *const tails[] = {".wasm", ".debug", ".wasm"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const framemap_str tail = framemap_str_of(tails[i]);
        if (name.size > tail.size && fm_str_ends(name, tail)) name = fm_str_slice(name, 0, name.size - tail.size);
    }
    return name;
}

enum fm_found fm_catalog_find_wasm(const struct fm_catalog *catalog, framemap_str name, const struct fm_entry **out)
{
    const struct fm_entry *best = NULL;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!fm_str_equal(entry->arch, FM_STR("wasm32")) || entry->is_source_map || entry->is_script) continue;
        if (name.size && !fm_str_equal(wasm_stem(entry->name), wasm_stem(name))) continue;
        if (best && !same_build(catalog, best, entry)) return FM_FOUND_SEVERAL;
        if (best == NULL || compare_rank(entry, best) < 0) best = entry;
    }
    if (best) *out = best;
    return best ? FM_FOUND : FM_FOUND_NOTHING;
}
