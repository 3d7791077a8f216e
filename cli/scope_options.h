/* The options that state which build a text comes from: labels of symbol paths ("-s app=shop,build=7:PATH"), and the
 * scope of the text (--app, --build, --tenant, --id). Used by the commands that restore texts. */
#ifndef FM_CLI_SCOPE_OPTIONS_H
#define FM_CLI_SCOPE_OPTIONS_H

#include "cli/cli.h"

/* The symbol paths of a command line with their labels, and the scope of its text. Zero-initialise it. */
struct fm_scope_options {
    const char **paths;
    const framemap_scope **labels; /* labels of each path; NULL: no path has labels */
    size_t path_count;
    framemap_scope scope; /* scope of the options; size 0: none was given */
    framemap_str *ids;
};

/* Makes room for `most` paths and ids. */
void fm_scope_options_init(struct fm_scope_options *options, size_t most);
void fm_scope_options_free(struct fm_scope_options *options);

/* Ids of the options; they differ from the ids that commands define. */
enum { FM_SCOPE_SYMBOLS = 1000, FM_SCOPE_APP, FM_SCOPE_BUILD, FM_SCOPE_TENANT, FM_SCOPE_ID };
/* Rows of the options for scopes in the table of a command. */
#define FM_SYMBOLS_ROW {FM_SCOPE_SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH", FM_SYMBOLS_HELP}
#define FM_SCOPE_ROWS                                                        \
    {FM_SCOPE_APP, 0, "app", FM_TAKES_VALUE, "X", FM_APP_HELP},              \
        {FM_SCOPE_BUILD, 0, "build", FM_TAKES_VALUE, "Y", FM_BUILD_HELP},    \
        {FM_SCOPE_TENANT, 0, "tenant", FM_TAKES_VALUE, "T", FM_TENANT_HELP}, \
    {                                                                        \
        FM_SCOPE_ID, 0, "id", FM_TAKES_VALUE, "ID", FM_ID_HELP               \
    }

/* Applies an option for scopes. Returns false if the id belongs to another option. *good: false if the value is
 * invalid, which is reported. */
bool fm_scope_take_option(struct fm_scope_options *options, int id, const char *value, bool *good);
/* Passes the symbol paths on to a session that is to be opened. *store: the store among the paths, which must be
 * closed after the session; NULL: none. false: the store cannot be opened, which is reported. */
bool fm_scope_set_paths(struct fm_scope_options *options, framemap_session_options *session, framemap_redis **store);
/* Returns the scope of the text; NULL: no option for it was given. */
const framemap_scope *fm_scope_of(const struct fm_scope_options *options);

#define FM_SYMBOLS_HELP                                                                                   \
    "symbol file, index or a directory of them, or redis://HOST, a store; may be repeated. With labels, " \
    "app=X,build=Y:PATH, for texts with this --app and --build only"
#define FM_APP_HELP "the app that the text comes from: use symbols with this label for stacks without ids"
#define FM_BUILD_HELP "the build that the text comes from; used in the same way"
#define FM_TENANT_HELP "the tenant that the text comes from; symbols of other tenants are never used"
#define FM_ID_HELP \
    "use the symbols with this id (build id, UUID, debug id, map id) for stacks without one; may be repeated"

#endif
