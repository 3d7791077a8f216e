/* Implements breakpad_module.h. Sources: Breakpad's docs/symbol_files.md; FileID::ConvertIdentifierToUUIDString in
 * Breakpad's src/common/linux/file_id.cc for the ids of ELF files. */
#include "mappers/native/breakpad/breakpad_module.h"

#include "core/text/guid.h"
#include "mappers/native/breakpad/breakpad_scan.h"

/* Maximum number of digits of an id: a GUID and an age of 32 bits. */
enum { ID_MOST = FM_GUID_DIGITS + 8 };
/* Number of bytes and of lines at the start of a file in which INFO and FILE are searched. dump_syms writes FILE
 * directly after INFO. */
enum { HEAD_BYTES = 64 << 10, HEAD_LINES = 64 };

/* --- parsing the records --- */

static bool read_module_line(struct fm_scan *s, struct fm_breakpad_module *out)
{
    struct fm_scan t = *s;
    if (!fm_breakpad_word(&t, FM_STR("MODULE"))) return false;
    const framemap_str line = fm_breakpad_rest(&t);
    *s = t;
    t = fm_scan_of(line);
    if (!fm_scan_word(&t, &out->os) || !fm_scan_blanks1(&t) || !fm_scan_word(&t, &out->arch) || !fm_scan_blanks1(&t) ||
        !fm_scan_word(&t, &out->id))
        return false;
    fm_scan_blanks(&t);
    out->name = fm_scan_rest(&t);
    return out->id.size >= FM_GUID_DIGITS && out->id.size <= ID_MOST && fm_is_all_hex(out->id);
}

/* Parses "CODE_ID 10FAA6BB…", or with a file name after it. Other records INFO are skipped. */
static void read_info(framemap_str line, struct fm_breakpad_module *out)
{
    struct fm_scan s = fm_scan_of(line);
    framemap_str id;
    if (!fm_breakpad_word(&s, FM_STR("CODE_ID")) || !fm_scan_word(&s, &id) || !fm_is_all_hex(id)) return;
    fm_scan_blanks(&s);
    out->code_id = id;
    out->code_name = fm_scan_rest(&s);
}

static void read_head(struct fm_scan s, struct fm_breakpad_module *out)
{
    const framemap_str file = FM_STR("FILE"), info = FM_STR("INFO");
    if (s.end - s.at > HEAD_BYTES) s.end = s.at + HEAD_BYTES;
    for (size_t i = 0; i < HEAD_LINES && !fm_scan_done(&s) && !out->has_files; i++) {
        const bool is_info = fm_breakpad_word(&s, info);
        out->has_files = !is_info && fm_breakpad_word(&s, file);
        const framemap_str line = fm_breakpad_rest(&s);
        if (is_info) read_info(line, out);
    }
}

bool fm_breakpad_module_read(framemap_str bytes, struct fm_breakpad_module *out)
{
    struct fm_scan s = fm_scan_of(bytes);
    *out = (struct fm_breakpad_module){.body = 0};
    (void)fm_scan_text(&s, FM_STR("\xef\xbb\xbf")); /* a byte order mark */
    if (!read_module_line(&s, out)) return false;
    out->body = (size_t)(s.at - bytes.data);
    read_head(s, out);
    return true;
}

/* --- describing the module --- */

static bool is_windows(const struct fm_breakpad_module *module)
{
    return fm_str_equal_nocase(module->os, FM_STR("windows"));
}

static bool is_apple(const struct fm_breakpad_module *module)
{
    static const framemap_str names[] = {FM_STR_INIT("mac"),  FM_STR_INIT("macos"),   FM_STR_INIT("ios"),
                                         FM_STR_INIT("tvos"), FM_STR_INIT("watchos"), FM_STR_INIT("visionos")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal_nocase(module->os, names[i])) return true;
    return false;
}

framemap_str fm_breakpad_image_name(const struct fm_breakpad_module *module)
{
    const bool stated = is_windows(module) && module->code_name.size > 0;
    return fm_str_basename(stated ? module->code_name : module->name);
}

static void copy_lower(char *out, framemap_str digits)
{
    for (size_t i = 0; i < digits.size; i++) {
        const char c = digits.data[i];
        out[i] = c >= 'A' && c <= 'F' ? (char)(c | 0x20) : c;
    }
    out[digits.size] = '\0';
}

/* Returns the age, which follows the GUID, without zeros at its start; empty: the age is 0. */
static framemap_str age_of(framemap_str id)
{
    size_t at = FM_GUID_DIGITS;
    while (at < id.size && id.data[at] == '0') at++;
    return fm_str_from(id, at);
}

static bool is_zero(framemap_str digits)
{
    for (size_t i = 0; i < digits.size; i++)
        if (digits.data[i] != '0') return false;
    return true;
}

/* Whether the code id is the build id that the first 16 bytes in `digits` come from: these are filled up with zeros if
 * the build id is shorter. */
static bool is_build_id(framemap_str code_id, const char *digits)
{
    enum { LEAST = 8, MOST = 64 };
    char id[MOST + 1];
    if (code_id.size < LEAST || code_id.size > MOST || code_id.size % 2 != 0) return false;
    copy_lower(id, code_id);
    const size_t common = code_id.size < FM_GUID_DIGITS ? code_id.size : FM_GUID_DIGITS;
    const framemap_str given = fm_str(digits, FM_GUID_DIGITS);
    if (is_zero(given)) return true;
    return memcmp(id, digits, common) == 0 && is_zero(fm_str_from(given, common));
}

/* Writes the id of the module as stacks have it: `guid` has the 32 digits of the GUID in lower case. */
static void put_id(const struct fm_breakpad_module *module, const char *guid, framemap_image_info *out)
{
    char digits[FM_GUID_DIGITS + 1];
    memcpy(digits, guid, sizeof digits);
    if (is_windows(module)) {
        const framemap_str age = age_of(module->id);
        memcpy(out->id, digits, FM_GUID_DIGITS);
        copy_lower(out->id + FM_GUID_DIGITS, age.size > 0 ? age : FM_STR("0"));
        if (is_zero(framemap_str_of(out->id))) out->id[0] = '\0';
        return;
    }
    if (!is_apple(module)) fm_guid_swap(digits);
    if (!is_apple(module) && is_build_id(module->code_id, digits))
        copy_lower(out->id, module->code_id);
    else if (!is_zero(framemap_str_of(digits)))
        memcpy(out->id, digits, sizeof digits);
}

static void put_debug_id(const struct fm_breakpad_module *module, const char *guid, framemap_image_info *out)
{
    const framemap_str age = age_of(module->id);
    if (is_zero(module->id)) return;
    const size_t size = fm_guid_put(guid, out->debug_id);
    if (age.size == 0) return;
    out->debug_id[size] = '-';
    copy_lower(out->debug_id + size + 1, age);
}

static void put_code_id(const struct fm_breakpad_module *module, const char *guid, framemap_image_info *out)
{
    if (module->code_id.size > 0 && module->code_id.size < sizeof out->code_id)
        copy_lower(out->code_id, module->code_id);
    else if (is_apple(module) && !is_zero(framemap_str_of(guid)))
        memcpy(out->code_id, guid, FM_GUID_DIGITS + 1);
}

/* Writes the architecture by the name that framemap has for it. */
static void put_arch(framemap_str arch, framemap_image_info *out)
{
    static const struct {
        framemap_str other, ours;
    } names[] = {{FM_STR_INIT("x86"), FM_STR_INIT("i386")},
                 {FM_STR_INIT("amd64"), FM_STR_INIT("x86_64")},
                 {FM_STR_INIT("aarch64"), FM_STR_INIT("arm64")}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(arch, names[i].other)) arch = names[i].ours;
    if (arch.size >= sizeof out->arch || fm_str_equal(arch, FM_STR("unknown"))) return;
    memcpy(out->arch, arch.data, arch.size);
    out->arch[arch.size] = '\0';
}

static unsigned address_bits(framemap_str arch)
{
    static const framemap_str narrow[] = {FM_STR_INIT("x86"),   FM_STR_INIT("i386"),     FM_STR_INIT("arm"),
                                          FM_STR_INIT("ppc"),   FM_STR_INIT("mips"),     FM_STR_INIT("mipsel"),
                                          FM_STR_INIT("sparc"), FM_STR_INIT("arm64_32"), FM_STR_INIT("riscv")};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (fm_str_equal(arch, narrow[i])) return 32;
    return fm_str_starts(arch, FM_STR("armv")) ? 32 : 64;
}

static bool is_big_endian(framemap_str arch)
{
    static const framemap_str names[] = {FM_STR_INIT("ppc"), FM_STR_INIT("ppc64"), FM_STR_INIT("sparc"),
                                         FM_STR_INIT("sparcv9"), FM_STR_INIT("s390x")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(arch, names[i])) return true;
    return false;
}

void fm_breakpad_describe(const struct fm_breakpad_module *module, framemap_image_info *out)
{
    char guid[FM_GUID_DIGITS + 1];
    copy_lower(guid, fm_str_slice(module->id, 0, FM_GUID_DIGITS));
    *out = (framemap_image_info){.kind = FM_BREAKPAD_NAME,
                                 .type = "Breakpad symbols",
                                 .has_debug_info = module->has_files,
                                 .has_line_table = module->has_files,
                                 .has_symbols = true,
                                 .big_endian = is_big_endian(module->arch),
                                 .address_bits = address_bits(module->arch)};
    put_id(module, guid, out);
    put_debug_id(module, guid, out);
    put_code_id(module, guid, out);
    put_arch(module->arch, out);
}
