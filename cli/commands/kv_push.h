/* framemap kv push: stores symbol files in a store, each as a build. Called by cmd_kv.c. */
#ifndef FM_CLI_COMMANDS_KV_PUSH_H
#define FM_CLI_COMMANDS_KV_PUSH_H

#include "cli/cli_io.h"

/* Runs `framemap kv push`; argv[0] is "push". Returns an exit code. */
int fm_kv_push(int argc, char **argv);

/* State while builds of a store are printed, each in one line of text or as a JSON object. */
struct fm_kv_print {
    struct fm_out *out;
    bool json;
    size_t count; /* builds printed so far */
};
void fm_kv_print(void *print, const framemap_redis_build *build);

#endif
