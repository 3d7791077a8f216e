/* Implements restore_missing.h: prints, on stderr, the images and scripts that had no symbols, at most 100 of them, and
 * then one hint for each reason, such as which option to add. */
#include "cli/commands/restore_missing.h"

#include "cli/cli.h"

#include <inttypes.h>

struct missing_list {
    /* Numbers of images and scripts without symbols, in total and by reason. over: their symbols were not read because
     * of --max-memory. */
    size_t count, with_id, scripts, labeled, several, over;
    uint64_t frames;
};

enum { MOST_LISTED = 100 }; /* most rows listed: a web app's log can name a script of each browser extension in use */

static void list_missing_image(void *context, const framemap_missing *missing)
{
    struct missing_list *list = context;
    if (list->count++ == 0) fm_message("no symbols for:");
    list->frames += missing->frames;
    if (missing->why == FRAMEMAP_WHY_OVER_MEMORY)
        list->over++;
    else if (missing->why == FRAMEMAP_WHY_OTHER_LABELS)
        list->labeled++;
    else if (missing->why == FRAMEMAP_WHY_SEVERAL_FIT)
        list->several++;
    else if (missing->kind == FRAMEMAP_KIND_JS)
        list->scripts++;
    else if (missing->id.size)
        list->with_id++;
    if (list->count > MOST_LISTED) return;
    if (missing->name.size == 0 && missing->id.size == 0) {
        fm_message("  others: %" PRIu64 " frames (%s)", missing->frames, missing->reason);
        return;
    }
    fm_message("  %.*s%s%.*s%s%.*s: %" PRIu64 " %s%s%s%s", (int)missing->name.size, missing->name.data,
               missing->arch.size ? " " : "", (int)missing->arch.size, missing->arch.data,
               missing->id.size ? " id " : "", (int)missing->id.size, missing->id.data, missing->frames,
               missing->frames == 1 ? "frame" : "frames", missing->reason ? " (" : "",
               missing->reason ? missing->reason : "", missing->reason ? ")" : "");
}

uint64_t fm_report_missing(framemap_session *session, bool has_paths)
{
    struct missing_list list = {0};
    framemap_session_missing(session, list_missing_image, &list);
    if (list.count > MOST_LISTED) fm_message("  and %zu more", list.count - MOST_LISTED);
    if (list.over > 0) fm_message("use a larger --max-memory for those marked over-memory");
    if (list.labeled > 0)
        fm_message(
            "say which build the text is of: --app, --build and --tenant must have the values of the labels in -s");
    if (list.several > 0)
        fm_message("give the symbols of one build only, or say which build the text is of: with --id=ID, or with "
                   "labels, -s build=X:PATH and --build=X");
    if (list.count > list.scripts + list.labeled + list.several + list.over) {
        if (!has_paths)
            fm_message("give symbol files or a directory of them with -s PATH");
        else if (list.with_id)
            fm_message("add the files with these ids with -s PATH; 'framemap info FILE' shows a file's id");
        else
            fm_message("add the unstripped files, dSYMs or mappings of these names with -s PATH");
    }
    if (list.scripts)
        fm_message("%s the scripts' source maps, or the directory that the bundler writes, with -s PATH: -s dist/",
                   has_paths ? "add" : "give");
    return list.frames;
}

void fm_report_strangers(const framemap_restore_summary *summary, uint64_t listed)
{
    if (summary->restored > 0) return;
    if (summary->unplaced > 0)
        fm_message("%" PRIu64
                   " %s not looked up: the text does not say which image or file %s in, or where that starts in memory",
                   summary->unplaced, summary->unplaced == 1 ? "frame is" : "frames are",
                   summary->unplaced == 1 ? "it is" : "they are");
    const uint64_t explained = listed + summary->malformed + summary->unplaced;
    if (summary->unmapped <= explained) return;
    const uint64_t count = summary->unmapped - explained;
    fm_message("%" PRIu64
               " %s not in the symbols that were given: these may be of another build; -o json has the reason "
               "for each frame",
               count, count == 1 ? "frame is" : "frames are");
}
