/* Tests of opening fat files, which contain Mach-O files for several CPUs. */
#include "tests/mappers/native/image/macho_build.h"

struct slice {
    uint32_t cpu, subtype;
    uint64_t offset, size;
};

/* Builds a fat file that contains two thin files; `slices` is its table. */
static void build_fat(struct file *fat, bool is64, const struct slice *slices, uint32_t count)
{
    *fat = (struct file){.big = true, .is64 = is64};
    put(fat, 4, is64 ? 0xcafebabf : 0xcafebabe);
    put(fat, 4, count);
    for (uint32_t i = 0; i < count; i++) {
        put(fat, 4, slices[i].cpu);
        put(fat, 4, slices[i].subtype);
        put_word(fat, slices[i].offset);
        put_word(fat, slices[i].size);
        put_word(fat, 12); /* the fields align and, in the 64-bit form, reserved */
    }
    const uint32_t kinds[][2] = {{CPU_X86_64, 3}, {CPU_ARM64, 0}};
    for (size_t i = 0; i < 2; i++) {
        struct file thin;
        const struct macho_spec spec = {.is64 = true,
                                        .cpu = kinds[i][0],
                                        .subtype = kinds[i][1],
                                        .type = T_DYLIB,
                                        .segment = "__TEXT",
                                        .text_address = 0x1000 * (i + 1),
                                        .sections = code,
                                        .section_count = 3};
        macho_build(&thin, &spec);
        assert_true(fat->size <= 0x400 + i * 0x800);
        fat->size = 0x400 + i * 0x800;
        put_bytes(fat, thin.data, thin.size);
    }
    fat->size = 0x1400;
}

static const struct slice good[] = {{CPU_X86_64, 3, 0x400, 0x800}, {CPU_ARM64, 0, 0xc00, 0x800}};

static void slices(void **state)
{
    (void)state;
    for (int is64 = 0; is64 < 2; is64++) {
        struct file fat;
        struct opened opened;
        struct fm_heap heap;
        framemap_image_info infos[2];
        framemap_error error;
        size_t count;
        build_fat(&fat, is64, good, 2);
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(fm_image_inspect(file_view(&fat), &heap, infos, 2, &count, &error), FRAMEMAP_OK);
        assert_int_equal(count, 2);
        assert_string_equal(infos[0].arch, "x86_64");
        assert_string_equal(infos[1].arch, "arm64");
        assert_int_equal(infos[1].base, 0x2000);
        assert_int_equal(infos[1].offset, 0xc00);
        assert_int_equal(infos[1].size, 0x800);
        assert_string_equal(infos[1].kind, "macho");
        assert_int_equal(fm_image_inspect(file_view(&fat), &heap, NULL, 0, &count, &error), FRAMEMAP_OK);
        assert_int_equal(count, 2);
        assert_int_equal(heap.used, 0);
        open_file(&opened, file_view(&fat), "arm64");
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_int_equal(opened.image.base, 0x2000);
        close_file(&opened);
        open_file(&opened, file_view(&fat), NULL);
        assert_int_equal(opened.status, FRAMEMAP_E_MISMATCH);
        assert_non_null(strstr(opened.error.message, "x86_64, arm64"));
        close_file(&opened);
        open_file(&opened, file_view(&fat), "armv7");
        assert_int_equal(opened.status, FRAMEMAP_E_MISMATCH);
        assert_non_null(strstr(opened.error.message, "x86_64, arm64"));
        close_file(&opened);
    }
}

static void bad_slices(void **state)
{
    static const struct {
        const char *why;
        struct slice slices[2];
        uint32_t count;
        framemap_status status;
        const char *says;
    } rows[] = {
        {"none", {{0}}, 0, FRAMEMAP_E_CORRUPT, "without slices"},
        {"past the end",
         {{CPU_X86_64, 3, 0x400, 0x800}, {CPU_ARM64, 0, 0xc00, 0x801}},
         2,
         FRAMEMAP_E_TRUNCATED,
         "arm64 slice of this fat file is past its end"},
        {"begins past the end", {{CPU_X86_64, 3, 0xfffffff0, 0x800}}, 1, FRAMEMAP_E_TRUNCATED, "x86_64 slice"},
        {"overlap",
         {{CPU_X86_64, 3, 0x400, 0x801}, {CPU_ARM64, 0, 0xc00, 0x800}},
         2,
         FRAMEMAP_E_CORRUPT,
         "x86_64 and arm64 slices of this fat file overlap"},
        {"the file itself", {{CPU_X86_64, 3, 0, 0x1400}}, 1, FRAMEMAP_E_CORRUPT, "overlaps the table of slices"},
        {"no object file in it", {{CPU_X86_64, 3, 0x1300, 0x10}}, 1, FRAMEMAP_E_FORMAT, "not a symbol file"},
        {"empty", {{CPU_X86_64, 3, 0x1300, 0}}, 1, FRAMEMAP_E_FORMAT, "empty"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file fat;
        struct opened opened;
        build_fat(&fat, false, rows[i].slices, rows[i].count);
        open_file(&opened, file_view(&fat), "x86_64");
        if (opened.status != rows[i].status || strstr(opened.error.message, rows[i].says) == NULL)
            fail_msg("%s: %d, %s", rows[i].why, (int)opened.status, opened.error.message);
        close_file(&opened);
    }
}

static void static_libraries_in_a_fat_file(void **state)
{
    struct file fat;
    struct opened opened;
    (void)state;
    build_fat(&fat, false, good, 2);
    memcpy(fat.data + 0xc00, "!<arch>\n", 8);
    open_file(&opened, file_view(&fat), "arm64");
    assert_int_equal(opened.status, FRAMEMAP_E_FORMAT);
    assert_non_null(strstr(opened.error.message, "lipo -thin arm64"));
    close_file(&opened);
}

/* Checks a fat file that is a slice of a fat file. Only a hostile file has such a slice, and the nesting could be
 * endless. */
static void a_fat_file_in_a_fat_file(void **state)
{
    struct file fat, outer;
    struct opened opened;
    const struct slice one[] = {{CPU_X86_64, 3, 0x400, 0x1400}};
    (void)state;
    build_fat(&fat, false, good, 2);
    build_fat(&outer, false, one, 1);
    outer.size = 0x400;
    put_bytes(&outer, fat.data, fat.size);
    open_file(&opened, file_view(&outer), NULL);
    assert_int_equal(opened.status, FRAMEMAP_E_FORMAT);
    close_file(&opened);
}

static void too_many_slices(void **state)
{
    struct file fat = {.big = true};
    struct opened opened;
    (void)state;
    put(&fat, 4, 0xcafebabf);
    put(&fat, 4, 65);
    open_file(&opened, file_view(&fat), NULL);
    assert_int_equal(opened.status, FRAMEMAP_E_LIMIT);
    close_file(&opened);
    set_at(&fat, 4, 4, 64);
    open_file(&opened, file_view(&fat), NULL);
    assert_int_equal(opened.status, FRAMEMAP_E_TRUNCATED);
    close_file(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices),
        cmocka_unit_test(bad_slices),
        cmocka_unit_test(static_libraries_in_a_fat_file),
        cmocka_unit_test(a_fat_file_in_a_fat_file),
        cmocka_unit_test(too_many_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
