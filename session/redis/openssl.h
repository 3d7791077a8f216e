/* Loads the functions of OpenSSL that TLS needs. The library is loaded only for stores with TLS, because loading it
 * takes as long as everything else at the start of the command. Used by redis_tls.c alone. */
#ifndef FM_SESSION_REDIS_OPENSSL_H
#define FM_SESSION_REDIS_OPENSSL_H

#include <framemap/base.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* clang-format off: one name on each line */
#define FM_OPENSSL_FUNCTIONS(X)         \
    X(BIO_ctrl)                         \
    X(BIO_new)                          \
    X(BIO_read)                         \
    X(BIO_s_mem)                        \
    X(BIO_write)                        \
    X(ERR_clear_error)                  \
    X(SSL_CTX_ctrl)                     \
    X(SSL_CTX_free)                     \
    X(SSL_CTX_load_verify_locations)    \
    X(SSL_CTX_new)                      \
    X(SSL_CTX_set_default_verify_paths) \
    X(SSL_CTX_set_verify)               \
    X(SSL_ctrl)                         \
    X(SSL_do_handshake)                 \
    X(SSL_free)                         \
    X(SSL_get0_param)                   \
    X(SSL_get_error)                    \
    X(SSL_get_verify_result)            \
    X(SSL_new)                          \
    X(SSL_read)                         \
    X(SSL_set1_host)                    \
    X(SSL_set_bio)                      \
    X(SSL_set_connect_state)            \
    X(SSL_set_hostflags)                \
    X(SSL_write)                        \
    X(TLS_client_method)                \
    X(X509_VERIFY_PARAM_set1_ip_asc)    \
    X(X509_verify_cert_error_string)
/* clang-format on */

#define FM_OPENSSL_MEMBER(name) __typeof__(&name) name;
struct fm_openssl {
    FM_OPENSSL_FUNCTIONS(FM_OPENSSL_MEMBER)
};
#undef FM_OPENSSL_MEMBER

/* Finds all functions. The library is never unloaded, because it has a handler that runs when the process ends. Any
 * thread may call. Errors: UNSUPPORTED (OpenSSL is not installed). */
framemap_status fm_openssl_load(struct fm_openssl *out, framemap_error *error);

#endif
