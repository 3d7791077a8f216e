/* The options about which build a text is of: labels of symbol paths ("-s app=shop,build=7:PATH") and the scope of the
 * text (--app, --build, --tenant, --id). Used by the commands that restore texts. */
#ifndef FM_CLI_SCOPE_OPTIONS_H
#define FM_CLI_SCOPE_OPTIONS_H

#include "cli/cli.h"

/* The symbol paths of a command line with their labels, and the scope of its text. Zero-initialise it. */
struct fm_scope_options {
    const char **paths;
    const framemap_scope **labels; /* for each path; NULL: none */
    size_t path_count;
    framemap_scope scope; /* size 0: nothing was given */
    framemap_str *ids;
};

/* Makes room for `most` paths and ids. */
void fm_scope_options_init(struct fm_scope_options *options, size_t most);
void fm_scope_options_free(struct fm_scope_options *options);

/* Adds the value of -s: a path, with labels and a colon before it or not. false: the labels are invalid, which is
 * reported. */
bool fm_scope_take_symbols(struct fm_scope_options *options, const char *value);
/* Sets a part of the scope: "app", "build", "tenant", or adds an "id". false: the value is empty, or a part other than
 * the id is given twice, which is reported. */
bool fm_scope_take(struct fm_scope_options *options, const char *part, const char *value);
/* The scope of the text; NULL: nothing was given. */
const framemap_scope *fm_scope_of(const struct fm_scope_options *options);

#define FM_SYMBOLS_HELP                                                                             \
    "symbol file, index or a directory of them; may be repeated. With labels, app=X,build=Y:PATH, " \
    "for texts with this --app and --build only"
#define FM_APP_HELP "the app that the text is of: use symbols with this label for stacks without ids"
#define FM_BUILD_HELP "the same for the build"
#define FM_TENANT_HELP "the same for the tenant; symbols of other tenants are never used"
#define FM_ID_HELP \
    "use the symbols with this id (build id, UUID, debug id, map id) for stacks without one; may be repeated"
/* The options about which frames are the app's own, and whose. */
#define FM_IN_APP_HELP \
    "which frames are the app's own: lines such as '+package:com.example.' and '-module:libvendor.so'"
#define FM_OWNERS_HELP "who owns which source files, in the syntax of GitHub's CODEOWNERS"

#endif
