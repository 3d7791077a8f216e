/* Compares mappers/native/image with libelf: sections, symbols, notes and decompressed contents of every available
 * ELF file. libelf is an independent implementation, so the same error in both is unlikely. */
#include "core/mapfile.h"
#include "tests/mappers/native/image/image_build.h"

#include <dirent.h>
#include <gelf.h>
#include <sys/stat.h>
#include <zlib.h>

static size_t files_compared;

static const char *current; /* name of the current file, for messages */
#define SAME(what, ours, theirs)                                                                                 \
    do {                                                                                                         \
        const unsigned long long ours_ = (ours), theirs_ = (theirs);                                             \
        if (ours_ != theirs_) fail_msg("%s: %s: ours 0x%llx, libelf's 0x%llx", current, (what), ours_, theirs_); \
    } while (0)

/* libelf returns the stored bytes of a compressed section unless decompression is requested. */
static void compare_contents(const struct fm_image *image, uint32_t number, Elf_Scn *section, const GElf_Shdr *header)
{
    framemap_str ours;
    framemap_error error = {0};
    if (image->sections[number].flags & FM_SECTION_COMPRESSED) {
        const int done =
            header->sh_flags & SHF_COMPRESSED ? elf_compress(section, 0, 0) : elf_compress_gnu(section, 0, 0);
        if (done < 0) return; /* libelf was built without this compression method */
    }
    const Elf_Data *theirs = elf_rawdata(section, NULL);
    if (theirs == NULL || header->sh_type == SHT_NOBITS) return;
    if (header->sh_flags & SHF_COMPRESSED || image->sections[number].flags & FM_SECTION_COMPRESSED)
        theirs = elf_getdata(section, NULL);
    if (fm_image_contents(image, number, &ours, &error) != FRAMEMAP_OK)
        fail_msg("%s: section %u: %s", current, (unsigned)number, error.message);
    SAME("bytes", ours.size, theirs->d_size);
    if (image->relocatable) return; /* fm_image_contents returns relocated bytes, libelf does not */
    if (ours.size > 0 && memcmp(ours.data, theirs->d_buf, ours.size) != 0)
        fail_msg("%s: contents of section %u differ", current, (unsigned)number);
}

static void compare_sections(const struct fm_image *image, Elf *elf)
{
    size_t count, names;
    assert_int_equal(elf_getshdrnum(elf, &count), 0);
    assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
    if (count == 0) return;
    SAME("sections", image->section_count, count);
    for (uint32_t i = 1; i < count; i++) {
        const struct fm_section *ours = &image->sections[i];
        Elf_Scn *section = elf_getscn(elf, i);
        GElf_Shdr header;
        assert_non_null(gelf_getshdr(section, &header));
        const char *name = elf_strptr(elf, names, header.sh_name);
        const bool old_form = strncmp(name, ".zdebug_", 8) == 0;
        if (!(old_form ? fm_str_equal(fm_str_from(ours->name, 1), framemap_str_of(name + 2))
                       : fm_str_equal(ours->name, framemap_str_of(name))))
            fail_msg("%s: section %u is called %s", current, (unsigned)i, name);
        SAME("size", ours->size, header.sh_size);
        SAME("type", ours->type, header.sh_type);
        if (!image->relocatable) SAME("address", ours->address, header.sh_addr);
        SAME("alloc", !(ours->flags & FM_SECTION_ALLOC), !(header.sh_flags & SHF_ALLOC));
        SAME("code", !(ours->flags & FM_SECTION_EXEC), !(header.sh_flags & SHF_EXECINSTR));
        compare_contents(image, i, section, &header);
    }
}

static int by_address_and_table(const void *a, const void *b)
{
    const struct fm_symbol *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    /* The order does not matter, as long as both lists are sorted in the same order. */
    return x->name.data < y->name.data ? -1 : x->name.data > y->name.data;
}

/* Collects those symbols found by libelf that framemap keeps by its rules; returns their number. */
static size_t list_symbols(const struct fm_image *image, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                           struct fm_symbol *out)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = (size_t)(header->sh_size / header->sh_entsize);
    size_t kept = 0;
    GElf_Ehdr file;
    assert_non_null(gelf_getehdr(elf, &file));
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        assert_non_null(gelf_getsym(data, (int)i, &symbol));
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE || name == NULL || name[0] == '\0')
            continue;
        if (type != STT_NOTYPE && type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC) continue;
        if (!(image->sections[symbol.st_shndx].flags & FM_SECTION_ALLOC)) continue;
        if (name[0] == '$' && (file.e_machine == EM_ARM || file.e_machine == EM_AARCH64) &&
            (name[2] == '\0' || name[2] == '.'))
            continue;
        if (file.e_machine == EM_ARM && (type == STT_FUNC || type == STT_GNU_IFUNC)) symbol.st_value &= ~UINT64_C(1);
        const uint64_t base = image->relocatable ? image->sections[symbol.st_shndx].address : 0;
        out[kept++] = (struct fm_symbol){
            .name = framemap_str_of(name), .address = base + symbol.st_value, .size = symbol.st_size};
    }
    return kept;
}

static void compare_symbols(struct fm_image *image, Elf *elf)
{
    struct fm_symbol *theirs = NULL;
    size_t count = 0;
    assert_int_equal(fm_image_symbols(image, NULL), FRAMEMAP_OK);
    /* framemap resolves function descriptors, libelf does not */
    if (fm_image_section(image, FM_STR(".opd")) != UINT32_MAX) return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        assert_non_null(gelf_getshdr(section, &header));
        if ((header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) || header.sh_entsize == 0) continue;
        theirs = realloc(theirs, (count + (size_t)(header.sh_size / header.sh_entsize) + 1) * sizeof *theirs);
        assert_non_null(theirs);
        count += list_symbols(image, elf, section, &header, theirs + count);
    }
    SAME("symbols", image->symbol_count, count);
    for (size_t i = 1; i < count; i++) assert_true(image->symbols[i - 1].address <= image->symbols[i].address);
    struct fm_symbol *ours = malloc((count + 1) * sizeof *ours);
    assert_non_null(ours);
    for (size_t i = 0; i < count; i++) ours[i] = image->symbols[i];
    qsort(ours, count, sizeof *ours, by_address_and_table);
    if (count > 0) qsort(theirs, count, sizeof *theirs, by_address_and_table);
    for (size_t i = 0; i < count; i++) {
        if (!fm_str_equal(ours[i].name, theirs[i].name))
            fail_msg("%s: symbol %zu is %s", current, i, theirs[i].name.data);
        SAME("symbol's address", ours[i].address, theirs[i].address);
        SAME("symbol's size", ours[i].size, theirs[i].size);
    }
    free(ours);
    free(theirs);
}

static void compare_build_id(const struct fm_image *image, Elf *elf)
{
    char wanted[65] = "";
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL && wanted[0] == '\0';) {
        GElf_Shdr header;
        assert_non_null(gelf_getshdr(section, &header));
        if (header.sh_type != SHT_NOTE) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t name, description;
        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &description)) > 0;) {
            const unsigned char *bytes = data->d_buf;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(bytes + name, "GNU", 4) != 0 ||
                note.n_descsz > 32)
                continue;
            for (size_t i = 0; i < note.n_descsz; i++) snprintf(wanted + 2 * i, 3, "%02x", bytes[description + i]);
        }
    }
    if (strcmp(image->id, wanted) != 0) fail_msg("%s: id %s, libelf's %s", current, image->id, wanted);
}

static void compare_file(const char *path)
{
    struct fm_mapfile file;
    struct opened opened;
    current = path;
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) return;
    if (fm_str_starts(file.bytes, FM_STR("\177ELF"))) {
        open_file(&opened, file.bytes, NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%s: %s", path, opened.error.message);
        /* libelf decompresses in place, so it gets a copy of the file. */
        char *copy = malloc(file.bytes.size);
        assert_non_null(copy);
        memcpy(copy, file.bytes.data, file.bytes.size);
        Elf *elf = elf_memory(copy, file.bytes.size);
        assert_non_null(elf);
        compare_build_id(&opened.image, elf);
        compare_symbols(&opened.image, elf);
        compare_sections(&opened.image, elf);
        elf_end(elf);
        free(copy);
        close_file(&opened);
        files_compared++;
    }
    fm_mapfile_close(&file);
}

/* Compares every file of a folder, or only the first `most` of those that are at most `largest` bytes long. */
static void compare_folder(const char *folder, size_t most, off_t largest)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char path[1024];
    struct stat stat_of;
    if (dir == NULL) return;
    for (const size_t before = files_compared; (entry = readdir(dir)) != NULL && files_compared - before < most;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode) && stat_of.st_size <= largest) compare_file(path);
    }
    closedir(dir);
}

static void the_corpus(void **state)
{
    (void)state;
    compare_folder(FM_SOURCE_DIR "/corpus/native", SIZE_MAX, 1 << 24);
    compare_folder(FM_SOURCE_DIR "/corpus/native/split", SIZE_MAX, 1 << 24);
    if (files_compared == 0) skip();
}

static void files_of_this_machine(void **state)
{
    static const char *const folders[] = {"/usr/bin",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu",
                                          "/usr/arm-linux-gnueabihf/lib",
                                          "/usr/powerpc64-linux-gnu/lib",
                                          "/usr/lib/debug/.build-id/00",
                                          "/usr/lib/debug/.build-id/01"};
    const size_t before = files_compared;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(folders); i++) compare_folder(folders[i], 12, 1 << 22);
    if (files_compared == before) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_corpus), cmocka_unit_test(files_of_this_machine)};
    elf_version(EV_CURRENT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
