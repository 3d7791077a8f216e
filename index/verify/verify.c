/* Verifies an index: first the header and the checksums, then the records of its form. It makes only linear passes and
 * searches, so the time for a damaged file is bounded by the file's size. */
#include "index/verify/verify_parts.h"

#include "core/hash/hash.h"

/* Checks that sections are adjacent in the order of their ids, from the directory to the tail, and that their checksums
 * match. */
static bool check_sections(const struct fm_checker *checker)
{
    const unsigned char *data = (const unsigned char *)checker->view->bytes.data;
    const uint32_t sections = fm_load32(data + FMX_AT_SECTIONS);
    uint64_t expected = FMX_HEADER + (uint64_t)FMX_ENTRY * sections;
    unsigned before = 0;
    for (uint32_t i = 0; i < sections; i++) {
        const unsigned char *entry = data + FMX_HEADER + FMX_ENTRY * i;
        const unsigned id = entry[FMX_ENTRY_ID];
        const uint64_t size = fm_load64(entry + FMX_ENTRY_SIZE);
        if (id <= before) return fm_check_fails(checker, id < FMX_SECTION_END ? id : 0, 0, "sections out of order");
        before = id;
        if (id >= FMX_SECTION_END) { /* this section is one that a later version of the format has added */
            expected += size;
            continue;
        }
        if (fm_load64(entry + FMX_ENTRY_OFFSET) != expected)
            return fm_check_fails(checker, id, 0, "a section at an unexpected offset");
        if (fm_hash64(data + expected, (size_t)size, 0) != fm_load64(entry + FMX_ENTRY_HASH))
            return fm_check_fails(checker, id, 0, "checksum");
        expected += size;
    }
    if (expected + FMX_TAIL != checker->view->bytes.size)
        return fm_check_fails(checker, 0, 0, "bytes outside any section");
    return true;
}

static bool check_header(const struct fm_checker *checker)
{
    const unsigned char *data = (const unsigned char *)checker->view->bytes.data;
    if (checker->view->flags & ~FMX_FLAGS_ALL) return fm_check_fails(checker, 0, 0, "an unknown flag");
    for (unsigned i = FMX_AT_FLAGS + 1; i < FMX_AT_BASE + 24; i++)
        if (data[i] != 0) return fm_check_fails(checker, 0, 0, "a reserved byte that is not zero");
    if (fm_load64(data + checker->view->bytes.size - FMX_TAIL) != 0)
        return fm_check_fails(checker, 0, 0, "a tail that is not zero");
    return true;
}

framemap_status fm_view_check_sums(const struct fm_view *view, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const struct fm_checker checker = {view, error, &status};
    return check_header(&checker) && check_sections(&checker) ? FRAMEMAP_OK : status;
}

framemap_status fm_view_verify(const struct fm_view *view, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const struct fm_checker checker = {view, error, &status};
    const bool sound = check_header(&checker) && check_sections(&checker) && fm_check_records(&checker) &&
                       ((view->flags & FMX_FLAG_HEAD) != 0 ? fm_check_head(&checker)
                        : fm_is_segments(view)             ? fm_check_segments(&checker)
                        : fm_is_classes(view)              ? fm_check_classes(&checker)
                                                           : fm_check_scopes(&checker) && fm_check_blocks(&checker));
    return sound ? FRAMEMAP_OK : status;
}
