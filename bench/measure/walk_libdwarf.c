/* walk_libdwarf FILE: reads all debug entries and line rows of a file with libdwarf alone; prints their numbers.
 *
 * It shows the cost of the library itself, with which framemap's libdwarf backend is compared. Trusted files only. */
#include <libdwarf.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Opens the debug info of a file. In versions 0.x of libdwarf, whose header defines the version, dwarf_init_b has one
 * parameter less. */
static int start_reading(int file, Dwarf_Debug *debug, Dwarf_Error *error)
{
#ifdef DW_LIBDWARF_VERSION_MAJOR
    return dwarf_init_b(file, DW_GROUPNUMBER_ANY, NULL, NULL, debug, error);
#else
    return dwarf_init_b(file, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, debug, error);
#endif
}

struct counts {
    unsigned long long units, entries, rows;
};

/* Walks depth first without recursion: the next entry is the child, or else the sibling of the entry or of its nearest
 * ancestor that has one. */
static void walk_entries(Dwarf_Debug debug, Dwarf_Die unit, struct counts *counts)
{
    Dwarf_Error error = NULL;
    enum { DEEPEST = 512 };
    static Dwarf_Die above[DEEPEST];
    size_t depth = 0;
    Dwarf_Die entry = unit;
    while (entry != NULL) {
        Dwarf_Die child = NULL, sibling = NULL;
        counts->entries++;
        if (depth < DEEPEST && dwarf_child(entry, &child, &error) == DW_DLV_OK) {
            above[depth++] = entry;
            entry = child;
            continue;
        }
        while (entry != NULL &&
               (entry == unit || dwarf_siblingof_b(debug, entry, true, &sibling, &error) != DW_DLV_OK)) {
            if (entry != unit) dwarf_dealloc(debug, entry, DW_DLA_DIE);
            entry = depth > 0 ? above[--depth] : NULL;
        }
        if (entry != NULL) dwarf_dealloc(debug, entry, DW_DLA_DIE);
        entry = entry != NULL ? sibling : NULL;
    }
}

static void count_rows(Dwarf_Die unit, struct counts *counts)
{
    Dwarf_Error error = NULL;
    Dwarf_Line_Context context = NULL;
    Dwarf_Line *rows = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Unsigned version = 0;
    Dwarf_Small tables = 0;
    if (dwarf_srclines_b(unit, &version, &tables, &context, &error) != DW_DLV_OK) return;
    if (dwarf_srclines_from_linecontext(context, &rows, &count, &error) == DW_DLV_OK)
        counts->rows += (unsigned long long)count;
    dwarf_srclines_dealloc_b(context);
}

static bool next_unit(Dwarf_Debug debug)
{
    Dwarf_Error error = NULL;
    Dwarf_Unsigned header_length, abbrev_offset, type_offset, next;
    Dwarf_Half version, address_size, offset_size, extension_size, header_type;
    Dwarf_Sig8 signature;
    return dwarf_next_cu_header_d(debug, true, &header_length, &version, &abbrev_offset, &address_size, &offset_size,
                                  &extension_size, &signature, &type_offset, &next, &header_type, &error) == DW_DLV_OK;
}

int main(int argc, char **argv)
{
    struct counts counts = {0};
    Dwarf_Debug debug = NULL;
    Dwarf_Error error = NULL;
    const int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || start_reading(file, &debug, &error) != DW_DLV_OK) {
        fprintf(stderr, "usage: walk_libdwarf FILE, which must contain DWARF\n");
        return 2;
    }
    while (next_unit(debug)) {
        Dwarf_Die unit = NULL;
        if (dwarf_siblingof_b(debug, NULL, true, &unit, &error) != DW_DLV_OK) break;
        counts.units++;
        count_rows(unit, &counts);
        walk_entries(debug, unit, &counts);
        dwarf_dealloc(debug, unit, DW_DLA_DIE);
    }
    printf("%llu units, %llu entries, %llu rows\n", counts.units, counts.entries, counts.rows);
#ifdef DW_LIBDWARF_VERSION_MAJOR
    dwarf_finish(debug);
#else
    dwarf_finish(debug, &error);
#endif
    close(file);
    return 0;
}
