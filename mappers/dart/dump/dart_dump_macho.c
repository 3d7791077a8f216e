/* Prints the Mach-O header and load commands. */
#include "mappers/dart/dump/dart_dump_macho.h"

#include "core/byte_reader.h"

enum {
    LC_SEGMENT = 0x1,
    LC_SYMTAB = 0x2,
    LC_SEGMENT_64 = 0x19,
    SECTIONS_MOST = 255 /* no file has more sections, since the section number of a symbol has one byte */
};

static framemap_str fixed_name(struct fm_byte_reader *r) { return fm_dart_dump_until_nul(fm_read_bytes(r, 16)); }

struct dart_macho_section {
    framemap_str name;
    uint64_t size, offset;
};

static struct dart_macho_section read_section(struct fm_byte_reader *r, unsigned word)
{
    struct dart_macho_section section = {.name = fixed_name(r)};
    fm_byte_reader_skip(r, 16 + word);
    section.size = fm_read_uint(r, word);
    section.offset = fm_read_u32(r);
    fm_byte_reader_skip(r, word == 8 ? 28 : 24);
    return section;
}

static void dump_section(struct fm_dart_dump *dump, const struct dart_macho_section *section)
{
    fm_buf_str(&dump->out, FM_STR("Section \""));
    fm_dart_dump_latin(dump, section->name);
    fm_buf_printf(&dump->out, "\" of size %lld at offset 0x", (long long)section->size);
    fm_dart_dump_hex(dump, section->offset, 8);
    fm_buf_byte(&dump->out, '\n');
}

/* Prints the sections. If two sections have the same name, the later one is printed in the place of the earlier one. */
static bool dump_sections(struct fm_dart_dump *dump, struct fm_byte_reader *r, unsigned word, uint32_t count)
{
    struct dart_macho_section sections[SECTIONS_MOST];
    uint32_t kept = 0;
    if (count > SECTIONS_MOST)
        return fm_dart_dump_fault(dump, FRAMEMAP_E_CORRUPT, "a segment with more than 255 sections");
    for (uint32_t i = 0; i < count; i++) {
        const struct dart_macho_section section = read_section(r, word);
        uint32_t at = 0;
        while (at < kept && !fm_str_equal(sections[at].name, section.name)) at++;
        sections[at] = section;
        if (at == kept) kept++;
    }
    for (uint32_t i = 0; i < kept; i++) dump_section(dump, &sections[i]);
    return true;
}

static bool dump_segment(struct fm_dart_dump *dump, struct fm_byte_reader *r, unsigned word)
{
    const framemap_str name = fixed_name(r);
    fm_byte_reader_skip(r, 2 * word);
    const uint64_t offset = fm_read_uint(r, word), size = fm_read_uint(r, word);
    fm_byte_reader_skip(r, 8);
    const uint32_t count = fm_read_u32(r);
    fm_byte_reader_skip(r, 4);
    fm_buf_str(&dump->out, FM_STR("Segment \""));
    fm_dart_dump_latin(dump, name);
    fm_buf_printf(&dump->out, "\" of size %lld at offset 0x", (long long)size);
    fm_dart_dump_hex(dump, offset, 0);
    fm_buf_str(&dump->out, FM_STR("\nSections:\n"));
    return dump_sections(dump, r, word, count);
}

static bool dump_command(struct fm_dart_dump *dump, struct fm_byte_reader *commands, unsigned word)
{
    const size_t start = commands->at;
    const uint32_t command = fm_read_u32(commands), size = fm_read_u32(commands);
    struct fm_byte_reader body = fm_byte_reader_sub(commands, start, size);
    bool good = true;
    fm_byte_reader_skip(&body, 8);
    if (commands->bad || body.bad)
        return fm_dart_dump_fault(dump, FRAMEMAP_E_CORRUPT, "a load command does not fit its table");
    if (command == LC_SEGMENT || command == LC_SEGMENT_64) {
        good = dump_segment(dump, &body, word);
    } else if (command == LC_SYMTAB) {
        fm_byte_reader_skip(&body, 4);
        fm_buf_printf(&dump->out, "Symbol table with %u symbols of size %u\n", (unsigned)fm_read_u32(&body),
                      (unsigned)size);
    } else {
        fm_buf_printf(&dump->out, "Uninterpreted command 0x%x of size %u\n", (unsigned)command, (unsigned)size);
    }
    fm_buf_byte(&dump->out, '\n');
    if (body.bad) return fm_dart_dump_fault(dump, FRAMEMAP_E_TRUNCATED, "a load command is cut short");
    fm_byte_reader_seek(commands, start + size);
    return good && fm_dart_dump_more(dump);
}

static uint32_t dump_header(struct fm_dart_dump *dump, struct fm_byte_reader *r, bool is64, uint32_t magic)
{
    static const char *const labels[] = {"Cpu Type: 0x", "Cpu Subtype: 0x", "Filetype: 0x"};
    static const char rule[] = "----------------------------------------\n";
    fm_buf_printf(&dump->out, "%s               Header\n%s\n", rule, rule);
    fm_dart_dump_hex_line(dump, "Magic: 0x", magic, 8);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        fm_dart_dump_hex_line(dump, labels[i], fm_read_u32(r), 8);
    fm_dart_dump_dec_line(dump, "Number of commands: ", fm_read_u32(r));
    const uint32_t size = fm_read_u32(r);
    fm_dart_dump_dec_line(dump, "Size of commands: ", size);
    fm_dart_dump_hex_line(dump, "Flags: 0x", fm_read_u32(r), 8);
    if (is64) fm_dart_dump_hex_line(dump, "Reserved: 0x", fm_read_u32(r), 8);
    fm_buf_printf(&dump->out, "\n\n%s            Load commands\n%s\n", rule, rule);
    return size;
}

bool fm_dart_dump_macho(struct fm_dart_dump *dump, framemap_str bytes)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    const uint32_t magic = fm_read_u32(&r);
    const bool is64 = magic == 0xfeedfacfu || magic == 0xcffaedfeu;
    r.big_endian = magic == 0xcefaedfeu || magic == 0xcffaedfeu;
    const uint32_t size = dump_header(dump, &r, is64, magic);
    struct fm_byte_reader commands = fm_byte_reader_sub(&r, r.at, size);
    if (r.bad || commands.bad)
        return fm_dart_dump_fault(dump, FRAMEMAP_E_TRUNCATED,
                                  "this Mach-O file ends inside its load commands: fetch it again");
    while (commands.at < commands.size)
        if (!dump_command(dump, &commands, is64 ? 8 : 4)) return false;
    return true;
}
