/* Prints the ELF header, segments, sections, and the contents of those sections that the Dart package reads. */
#include "mappers/dart/dump/dart_dump_elf.h"

#include "core/byte_reader.h"

#include <inttypes.h>

enum { SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_DYNAMIC = 6, SHT_NOTE = 7, SHT_DYNSYM = 11 };
enum {
    DYNAMIC_MOST = 1024
    /* maximum number of entries of all dynamic tables together. Dart's tables have six entries; each entry is compared
     * with all earlier ones, so the limit keeps the time short. */
};

struct dart_elf {
    struct fm_dart_dump *dump;
    struct fm_byte_reader file;
    unsigned word, digits;
    uint64_t entry, segments_at, sections_at;
    uint32_t flags;
    uint16_t type, segment_size, segment_count, section_size, section_count, names;
    uint32_t dynamic_seen;
};

struct elf_table {
    uint32_t name, type, link, info;
    uint64_t flags, address, offset, size, align, entry_size;
};

static bool elf_fail_truncated(const struct dart_elf *elf, const char *what)
{
    return fm_dart_dump_fault(elf->dump, FRAMEMAP_E_TRUNCATED, what);
}

static const char *type_name(const char *const *names, size_t count, uint32_t type)
{
    return type < count ? names[type] : NULL;
}

static void put_type(struct dart_elf *elf, const char *name, uint32_t type)
{
    if (name)
        fm_buf_printf(&elf->dump->out, "Type: %s\n", name);
    else
        fm_buf_printf(&elf->dump->out, "Type: unknown (%08x)\n", (unsigned)type);
}

/* --- reading and printing the ELF header --- */

static bool read_elf_header(struct dart_elf *elf)
{
    struct fm_byte_reader *r = &elf->file;
    fm_byte_reader_seek(r, 4);
    elf->word = fm_read_u8(r) == 1 ? 4 : 8;
    elf->digits = 2 * elf->word;
    r->big_endian = fm_read_u8(r) == 2;
    fm_byte_reader_seek(r, 16);
    elf->type = fm_read_u16(r);
    fm_byte_reader_skip(r, 6);
    elf->entry = fm_read_uint(r, elf->word);
    elf->segments_at = fm_read_uint(r, elf->word);
    elf->sections_at = fm_read_uint(r, elf->word);
    elf->flags = fm_read_u32(r);
    fm_byte_reader_skip(r, 2);
    elf->segment_size = fm_read_u16(r), elf->segment_count = fm_read_u16(r);
    elf->section_size = fm_read_u16(r), elf->section_count = fm_read_u16(r);
    elf->names = fm_read_u16(r);
    return !r->bad || elf_fail_truncated(elf, "this ELF file ends inside its header: fetch it again");
}

static void dump_header(struct dart_elf *elf)
{
    struct fm_dart_dump *dump = elf->dump;
    fm_buf_printf(&dump->out, "Format is %u bits and %s-endian\n", 8 * elf->word,
                  elf->file.big_endian ? "big" : "little");
    fm_dart_dump_hex_line(dump, "Type: 0x", elf->type, 4);
    /* printing the type here is not a mistake: the Dart package prints it in place of the machine, too */
    fm_dart_dump_hex_line(dump, "Machine: 0x", elf->type, 4);
    fm_dart_dump_hex_line(dump, "Entry point: 0x", elf->entry, elf->digits);
    fm_dart_dump_hex_line(dump, "Flags: 0x", elf->flags, 8);
    fm_dart_dump_hex_line(dump, "Program header offset: 0x", elf->segments_at, elf->digits);
    fm_dart_dump_dec_line(dump, "Program header entry size: ", elf->segment_size);
    fm_dart_dump_dec_line(dump, "Program header entry count: ", elf->segment_count);
    fm_dart_dump_hex_line(dump, "Section header offset: 0x", elf->sections_at, elf->digits);
    fm_dart_dump_dec_line(dump, "Section header entry size: ", elf->section_size);
    fm_dart_dump_dec_line(dump, "Section header entry count: ", elf->section_count);
    fm_dart_dump_dec_line(dump, "Section header strings index: ", elf->names);
}

/* --- printing segments --- */

static const char *segment_type(uint32_t type)
{
    static const char *const names[] = {"PT_NULL", "PT_LOAD", "PT_DYNAMIC", NULL, "PT_NOTE", NULL, "PT_PHDR"};
    switch (type) {
    case 0x6474e550: return "PT_GNU_EH_FRAME";
    case 0x6474e551: return "PT_GNU_STACK";
    case 0x6474e552: return "PT_GNU_RELRO";
    default: return type_name(names, sizeof names / sizeof *names, type);
    }
}

static void dump_segment(struct dart_elf *elf, struct fm_byte_reader *r)
{
    struct fm_dart_dump *dump = elf->dump;
    const unsigned word = elf->word;
    const uint32_t type = fm_read_u32(r);
    uint32_t flags = word == 8 ? fm_read_u32(r) : 0;
    const uint64_t offset = fm_read_uint(r, word), address = fm_read_uint(r, word), physical = fm_read_uint(r, word);
    const uint64_t stored = fm_read_uint(r, word), size = fm_read_uint(r, word);
    if (word == 4) flags = fm_read_u32(r);
    const uint64_t align = fm_read_uint(r, word);
    put_type(elf, segment_type(type), type);
    fm_dart_dump_hex_line(dump, "Flags: 0x", flags, 8);
    fm_dart_dump_hex_line(dump, "Offset: 0x", offset, elf->digits);
    fm_dart_dump_hex_line(dump, "Virtual address: 0x", address, elf->digits);
    fm_dart_dump_hex_line(dump, "Physical address: 0x", physical, elf->digits);
    fm_dart_dump_dec_line(dump, "Size in file: ", stored);
    fm_dart_dump_dec_line(dump, "Size in memory: ", size);
    fm_dart_dump_hex_line(dump, "Alignment: 0x", align, elf->digits);
}

static bool dump_segments(struct dart_elf *elf)
{
    struct fm_byte_reader r =
        fm_byte_reader_sub(&elf->file, elf->segments_at, (uint64_t)elf->segment_size * elf->segment_count);
    for (unsigned i = 0; !r.bad && r.at < r.size; i++) {
        if (i) fm_buf_byte(&elf->dump->out, '\n');
        fm_buf_printf(&elf->dump->out, "Entry %u:\n", i);
        dump_segment(elf, &r);
        if (!fm_dart_dump_more(elf->dump)) return false;
    }
    if (r.size == 0) fm_buf_byte(&elf->dump->out, '\n');
    return !r.bad || elf_fail_truncated(elf, "this ELF file ends inside its program header: fetch it again");
}

/* --- printing section headers --- */

static uint64_t entry_bytes(const struct dart_elf *elf) { return elf->word == 8 ? 64 : 40; }
static uint64_t section_count(const struct dart_elf *elf)
{
    return (uint64_t)elf->section_size * elf->section_count / entry_bytes(elf);
}

static bool entry_at(struct dart_elf *elf, uint64_t number, struct elf_table *out)
{
    const unsigned word = elf->word;
    const bool there = number < section_count(elf);
    struct fm_byte_reader r =
        fm_byte_reader_sub(&elf->file, elf->sections_at + number * entry_bytes(elf), there ? entry_bytes(elf) : 0);
    out->name = fm_read_u32(&r), out->type = fm_read_u32(&r);
    out->flags = fm_read_uint(&r, word), out->address = fm_read_uint(&r, word);
    out->offset = fm_read_uint(&r, word), out->size = fm_read_uint(&r, word);
    out->link = fm_read_u32(&r), out->info = fm_read_u32(&r);
    out->align = fm_read_uint(&r, word), out->entry_size = fm_read_uint(&r, word);
    return !r.bad || elf_fail_truncated(elf, "a section is not in the section header table, or the table is cut short");
}

static struct fm_byte_reader contents_of(const struct dart_elf *elf, const struct elf_table *entry)
{
    return fm_byte_reader_sub(&elf->file, entry->offset, entry->size);
}

/* Prints a name from the string table in quotation marks. */
static bool put_elf_name(struct dart_elf *elf, const struct fm_byte_reader *strings, uint64_t index)
{
    if (strings->bad || index >= strings->size)
        return fm_dart_dump_fault(elf->dump, FRAMEMAP_E_CORRUPT, "a name is not in its string table");
    fm_buf_byte(&elf->dump->out, '"');
    fm_dart_dump_latin(
        elf->dump, fm_dart_dump_until_nul(fm_str((const char *)strings->data + index, strings->size - (size_t)index)));
    fm_buf_byte(&elf->dump->out, '"');
    return true;
}

static bool dump_entry(struct dart_elf *elf, const struct elf_table *entry, const struct fm_byte_reader *names)
{
    static const char *const types[] = {"SHT_NULL",    "SHT_PROGBITS", "SHT_SYMTAB", "SHT_STRTAB", NULL, "SHT_HASH",
                                        "SHT_DYNAMIC", "SHT_NOTE",     "SHT_NOBITS", NULL,         NULL, "SHT_DYNSYM"};
    struct fm_dart_dump *dump = elf->dump;
    fm_buf_str(&dump->out, FM_STR("Name: "));
    if (!put_elf_name(elf, names, entry->name)) return false;
    fm_buf_printf(&dump->out, " (@ %u)\n", (unsigned)entry->name);
    put_type(elf, type_name(types, sizeof types / sizeof *types, entry->type), entry->type);
    fm_dart_dump_hex_line(dump, "Flags: 0x", entry->flags, elf->digits);
    fm_dart_dump_hex_line(dump, "Address: 0x", entry->address, elf->digits);
    fm_dart_dump_hex_line(dump, "Offset: 0x", entry->offset, elf->digits);
    fm_dart_dump_dec_line(dump, "Size: ", entry->size);
    fm_dart_dump_dec_line(dump, "Link: ", entry->link);
    fm_dart_dump_hex_line(dump, "Info: 0x", entry->info, 8);
    fm_dart_dump_hex_line(dump, "Address alignment: 0x", entry->align, elf->digits);
    fm_dart_dump_dec_line(dump, "Entry size: ", entry->entry_size);
    return fm_dart_dump_more(dump);
}

static bool dump_entries(struct dart_elf *elf, const struct fm_byte_reader *names)
{
    const uint64_t count = section_count(elf);
    struct elf_table entry;
    for (uint64_t i = 0; i < count; i++) {
        if (i) fm_buf_byte(&elf->dump->out, '\n');
        fm_buf_printf(&elf->dump->out, "Entry %u:\n", (unsigned)i);
        if (!entry_at(elf, i, &entry) || !dump_entry(elf, &entry, names)) return false;
    }
    return true;
}

/* --- printing the contents of sections --- */

static bool dump_strings(struct dart_elf *elf, struct fm_byte_reader *r)
{
    struct fm_dart_dump *dump = elf->dump;
    while (r->at < r->size) {
        const framemap_str text = fm_dart_dump_until_nul(fm_str((const char *)r->data + r->at, r->size - r->at));
        fm_buf_printf(&dump->out, "  %zu => ", r->at);
        fm_dart_dump_latin(dump, text);
        fm_buf_byte(&dump->out, '\n');
        r->at += text.size + (text.size < r->size - r->at);
        if (!fm_dart_dump_more(dump)) return false;
    }
    return true;
}

static bool dump_symbol(struct dart_elf *elf, struct fm_byte_reader *r, const struct fm_byte_reader *strings)
{
    static const char *const binds[] = {" a local", " a global", " a weak"}, *const sights[] = {"", " internal",
                                                                                                " hidden",
                                                                                                " protected"};
    struct fm_dart_dump *dump = elf->dump;
    const bool wide = elf->word == 8;
    const uint32_t name = fm_read_u32(r);
    uint64_t value = 0, size = 0;
    if (!wide) value = fm_read_u32(r), size = fm_read_u32(r);
    const unsigned info = fm_read_u8(r), other = fm_read_u8(r);
    const unsigned section = fm_read_u16(r);
    if (wide) value = fm_read_u64(r), size = fm_read_u64(r);
    if (r->bad) return elf_fail_truncated(elf, "a symbol table ends inside a symbol");
    fm_buf_byte(&dump->out, ' ');
    if (!put_elf_name(elf, strings, name)) return false;
    fm_buf_printf(&dump->out, " =>%s%s symbol that points to %" PRId64 " bytes at location 0x",
                  info >> 4 < 3 ? binds[info >> 4] : "", sights[other & 3], (int64_t)size);
    fm_dart_dump_hex(dump, value, elf->digits);
    fm_buf_printf(&dump->out, " in section %u\n", section);
    return fm_dart_dump_more(dump);
}

static bool dump_symbols(struct dart_elf *elf, struct fm_byte_reader *r, uint32_t link)
{
    struct elf_table entry;
    if (!entry_at(elf, link, &entry)) return false;
    const struct fm_byte_reader strings = contents_of(elf, &entry);
    while (r->at < r->size)
        if (!dump_symbol(elf, r, &strings)) return false;
    return true;
}

static bool dump_note(struct dart_elf *elf, struct fm_byte_reader *r)
{
    struct fm_dart_dump *dump = elf->dump;
    fm_byte_reader_skip(r, 4);
    const uint32_t size = fm_read_u32(r), type = fm_read_u32(r);
    const framemap_str name = fm_read_cstr(r), id = fm_read_bytes(r, size);
    if (r->bad) return elf_fail_truncated(elf, "a note is cut short");
    fm_buf_printf(&dump->out, "  Type: %u\n  Name: \"", (unsigned)type);
    fm_dart_dump_latin(dump, name);
    fm_buf_str(&dump->out, FM_STR("\"\n  Description: ["));
    for (size_t i = 0; i < id.size; i++) fm_buf_printf(&dump->out, "%s%u", i ? ", " : "", (unsigned char)id.data[i]);
    fm_buf_str(&dump->out, FM_STR("]\n"));
    return true;
}

struct elf_dynamic {
    uint64_t tag, value;
};

static void dump_dynamic_entry(struct dart_elf *elf, const struct elf_dynamic *entry)
{
    static const char *const tags[] = {"DT_NULL",   "DT_NEEDED", "DT_PLTRELSZ", "DT_PLTGOT", "DT_HASH",  "DT_STRTAB",
                                       "DT_SYMTAB", "DT_RELA",   "DT_RELASZ",   NULL,        "DT_STRSZ", "DT_SYMENT"};
    static const unsigned addresses = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7;
    struct fm_dart_dump *dump = elf->dump;
    if (entry->tag >= sizeof tags / sizeof *tags) {
        fm_buf_printf(&dump->out, " Unknown tag %" PRId64 " => %" PRId64 "\n", (int64_t)entry->tag,
                      (int64_t)entry->value);
        return;
    }
    if (tags[entry->tag])
        fm_buf_printf(&dump->out, " %-11s => ", tags[entry->tag]);
    else
        /* printing "null" is not a mistake: the Dart package has no name for DT_RELAENT */
        fm_buf_str(&dump->out, FM_STR(" null => "));
    if (addresses >> entry->tag & 1)
        fm_dart_dump_hex_line(dump, "0x", entry->value, elf->digits);
    else
        fm_dart_dump_dec_line(dump, "", entry->value);
}

/* Prints the dynamic section. If two entries have the same tag, the value of the later one is printed in the place of
 * the earlier one. */
static bool dump_dynamic(struct dart_elf *elf, struct fm_byte_reader *r)
{
    struct elf_dynamic entries[DYNAMIC_MOST];
    size_t kept = 0;
    for (;;) {
        const struct elf_dynamic entry = {fm_read_uint(r, elf->word), fm_read_uint(r, elf->word)};
        if (r->bad) return elf_fail_truncated(elf, "a dynamic table without an end");
        if (entry.tag == 0) break;
        if (elf->dynamic_seen++ == DYNAMIC_MOST)
            return fm_dart_dump_fault(elf->dump, FRAMEMAP_E_LIMIT, "more dynamic entries than a Dart program has");
        size_t at = 0;
        while (at < kept && entries[at].tag != entry.tag) at++;
        entries[at] = entry;
        if (at == kept) kept++;
    }
    for (size_t i = 0; i < kept; i++) dump_dynamic_entry(elf, &entries[i]);
    return true;
}

static bool dump_contents(struct dart_elf *elf, const struct elf_table *entry)
{
    struct fm_buf *out = &elf->dump->out;
    struct fm_byte_reader r = contents_of(elf, entry);
    const char *what = NULL;
    switch (entry->type) {
    case SHT_STRTAB: what = "string table"; break;
    case SHT_SYMTAB:
    case SHT_DYNSYM: what = "symbol table"; break;
    case SHT_NOTE: what = "note"; break;
    case SHT_DYNAMIC: what = "dynamic table"; break;
    default: fm_buf_printf(out, " is unparsed and %" PRId64 " bytes long.\n", (int64_t)entry->size); return true;
    }
    if (r.bad) return elf_fail_truncated(elf, "a section is past the end of this ELF file: fetch it again");
    fm_buf_printf(out, " is a %s:\n", what);
    if (entry->type == SHT_STRTAB) return dump_strings(elf, &r);
    if (entry->type == SHT_NOTE) return dump_note(elf, &r);
    if (entry->type == SHT_DYNAMIC) return dump_dynamic(elf, &r);
    return dump_symbols(elf, &r, entry->link);
}

static bool dump_sections(struct dart_elf *elf, const struct fm_byte_reader *names)
{
    const uint64_t count = section_count(elf);
    struct elf_table entry;
    for (uint64_t i = 0; i < count; i++) {
        if (!entry_at(elf, i, &entry)) return false;
        fm_buf_str(&elf->dump->out, FM_STR("Section "));
        if (!put_elf_name(elf, names, entry.name) || !dump_contents(elf, &entry)) return false;
        fm_buf_byte(&elf->dump->out, '\n');
        if (!fm_dart_dump_more(elf->dump)) return false;
    }
    return true;
}

static void heading(struct dart_elf *elf, const char *text)
{
    static const char rule[] = "-----------------------------------------------------\n";
    fm_buf_printf(&elf->dump->out, "%s%s\n%s\n", rule, text, rule);
}

bool fm_dart_dump_elf(struct fm_dart_dump *dump, framemap_str bytes)
{
    struct dart_elf elf = {.dump = dump, .file = fm_byte_reader_of(bytes, false)};
    struct elf_table entry;
    if (!read_elf_header(&elf) || !entry_at(&elf, elf.names, &entry)) return false;
    const struct fm_byte_reader names = contents_of(&elf, &entry);
    heading(&elf, "             ELF header information");
    dump_header(&elf);
    fm_buf_byte(&dump->out, '\n');
    heading(&elf, "            Program header information");
    if (!dump_segments(&elf)) return false;
    fm_buf_byte(&dump->out, '\n');
    heading(&elf, "            Section header information");
    if (!dump_entries(&elf, &names)) return false;
    fm_buf_byte(&dump->out, '\n');
    heading(&elf, "                 Section information");
    return dump_sections(&elf, &names);
}
