/* Implements openssl.h: loads OpenSSL's libssl with dlopen(), and stores the addresses of all functions that are needed
 * in a struct. */
#include "session/redis/openssl.h"

#include "core/error.h"

#include <dlfcn.h>
#include <string.h>

/* Finds a function of a library. dlsym returns a pointer to data, which C cannot convert to a pointer to a function, so
 * the bytes of the pointer are copied. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

framemap_status fm_openssl_load(struct fm_openssl *out, framemap_error *error)
{
    void *library = dlopen(FM_OPENSSL_FILE, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                            "TLS needs OpenSSL, and %s cannot be loaded: on Debian and Ubuntu: apt install libssl3",
                            FM_OPENSSL_FILE);
#define FIND(name)                                                                                                 \
    if (!find(library, #name, &out->name))                                                                         \
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "TLS needs OpenSSL, and %s has no %s", FM_OPENSSL_FILE, \
                            #name);
    FM_OPENSSL_FUNCTIONS(FIND)
#undef FIND
    return FRAMEMAP_OK;
}
