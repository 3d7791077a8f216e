#include "session/redis/redis_tls.h"

#include "core/error.h"
#include "core/text/text.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

struct fm_redis_tls {
    struct fm_heap *heap;
    SSL_CTX *context;
    BIO_METHOD *method; /* sockets without signals: OpenSSL's own BIO calls write() */
};

struct fm_redis_tls_stream {
    struct fm_heap *heap;
    SSL *ssl;
    int fd;
};

/* --- the socket below OpenSSL --- */

static int bio_result(BIO *bio, enum fm_redis_io result, size_t moved)
{
    BIO_clear_retry_flags(bio);
    switch (result) {
    case FM_REDIS_IO_DONE: return (int)moved;
    case FM_REDIS_IO_READ: BIO_set_retry_read(bio); return -1;
    case FM_REDIS_IO_WRITE: BIO_set_retry_write(bio); return -1;
    case FM_REDIS_IO_CLOSED: return 0;
    default: return -1;
    }
}

static int write_bio(BIO *bio, const char *data, int size)
{
    const struct fm_redis_tls_stream *stream = BIO_get_data(bio);
    size_t sent = 0;
    if (size <= 0) return 0;
    const enum fm_redis_io result = fm_redis_raw_send(stream->fd, data, (size_t)size, &sent);
    return bio_result(bio, result, sent);
}

static int read_bio(BIO *bio, char *room, int size)
{
    const struct fm_redis_tls_stream *stream = BIO_get_data(bio);
    size_t got = 0;
    if (size <= 0) return 0;
    const enum fm_redis_io result = fm_redis_raw_receive(stream->fd, room, (size_t)size, &got);
    return bio_result(bio, result, got);
}

static long control_bio(BIO *bio, int command, long number, void *pointer)
{
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

static BIO_METHOD *make_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "framemap socket");
    if (method && BIO_meth_set_write(method, write_bio) && BIO_meth_set_read(method, read_bio) &&
        BIO_meth_set_ctrl(method, control_bio))
        return method;
    BIO_meth_free(method);
    return NULL;
}

/* --- what connections share --- */

/* ca: from an arena, so it ends with a NUL. */
static framemap_status trust(SSL_CTX *context, framemap_str ca, framemap_error *error)
{
    if (ca.size == 0) {
        if (SSL_CTX_set_default_verify_paths(context) == 1) return FRAMEMAP_OK;
        return fm_error_set(error, FRAMEMAP_E_IO, "the system's certificates of authorities cannot be read");
    }
    if (SSL_CTX_load_verify_locations(context, ca.data, NULL) == 1) return FRAMEMAP_OK;
    fm_error_set(error, FRAMEMAP_E_IO, "no certificates of authorities can be read from this file");
    fm_error_where(error, ca);
    return FRAMEMAP_E_IO;
}

framemap_status fm_redis_tls_open(struct fm_heap *heap, framemap_str ca, struct fm_redis_tls **out,
                                  framemap_error *error)
{
    struct fm_redis_tls *tls = fm_heap_zalloc(heap, 1, sizeof *tls);
    if (tls == NULL) return fm_error_memory(error);
    tls->heap = heap;
    tls->context = SSL_CTX_new(TLS_client_method());
    tls->method = make_method();
    framemap_status status = FRAMEMAP_OK;
    if (tls->context == NULL || tls->method == NULL)
        status = fm_error_memory(error);
    else if (SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION) != 1)
        status = fm_error_set(error, FRAMEMAP_E_INTERNAL, "OpenSSL does not have TLS 1.2");
    if (status == FRAMEMAP_OK) {
        SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_mode(tls->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        status = trust(tls->context, ca, error);
    }
    ERR_clear_error();
    if (status == FRAMEMAP_OK)
        *out = tls;
    else
        fm_redis_tls_close(tls);
    return status;
}

void fm_redis_tls_close(struct fm_redis_tls *tls)
{
    if (tls == NULL) return;
    SSL_CTX_free(tls->context);
    BIO_meth_free(tls->method);
    fm_heap_free(tls->heap, tls, sizeof *tls);
}

/* --- one connection --- */

/* Sets what the certificate must be for. An address is compared with the certificate's addresses, and is not a server
 * name (RFC 6066, section 3). */
static bool expect_host(SSL *ssl, const char *host)
{
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1) return true;
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    void *name = (void *)(uintptr_t)host; /* it is copied; OpenSSL's macro for this call drops the const, too */
    return SSL_set1_host(ssl, host) == 1 &&
           SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name) == 1;
}

framemap_status fm_redis_tls_stream_open(struct fm_redis_tls *tls, int fd, const char *host,
                                         struct fm_redis_tls_stream **out, framemap_error *error)
{
    struct fm_redis_tls_stream *stream = fm_heap_zalloc(tls->heap, 1, sizeof *stream);
    if (stream == NULL) return fm_error_memory(error);
    *stream = (struct fm_redis_tls_stream){tls->heap, SSL_new(tls->context), fd};
    BIO *bio = stream->ssl ? BIO_new(tls->method) : NULL;
    if (bio) {
        BIO_set_data(bio, stream);
        BIO_set_init(bio, 1);
        SSL_set_bio(stream->ssl, bio, bio); /* owned by it from here on */
        SSL_set_connect_state(stream->ssl);
    }
    const bool good = bio && expect_host(stream->ssl, host);
    ERR_clear_error();
    if (good)
        *out = stream;
    else
        fm_redis_tls_stream_close(stream);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

void fm_redis_tls_stream_close(struct fm_redis_tls_stream *stream)
{
    if (stream == NULL) return;
    SSL_free(stream->ssl);
    fm_heap_free(stream->heap, stream, sizeof *stream);
}

/* The errors of a thread are in a queue of OpenSSL's, so it is emptied before and after each call. */
static enum fm_redis_io io_result(const struct fm_redis_tls_stream *stream, int result)
{
    const int what = SSL_get_error(stream->ssl, result);
    ERR_clear_error();
    switch (what) {
    case SSL_ERROR_NONE: return FM_REDIS_IO_DONE;
    case SSL_ERROR_WANT_READ: return FM_REDIS_IO_READ;
    case SSL_ERROR_WANT_WRITE: return FM_REDIS_IO_WRITE;
    case SSL_ERROR_ZERO_RETURN: return FM_REDIS_IO_CLOSED;
    case SSL_ERROR_SYSCALL: return result == 0 ? FM_REDIS_IO_CLOSED : FM_REDIS_IO_FAULT;
    default: return FM_REDIS_IO_FAULT;
    }
}

enum fm_redis_io fm_redis_tls_greet(struct fm_redis_tls_stream *stream, const char **why)
{
    ERR_clear_error();
    const enum fm_redis_io result = io_result(stream, SSL_do_handshake(stream->ssl));
    const long verified = SSL_get_verify_result(stream->ssl);
    if (result == FM_REDIS_IO_FAULT)
        *why = verified == X509_V_OK ? "no TLS connection could be made" : X509_verify_cert_error_string(verified);
    return result;
}

enum fm_redis_io fm_redis_tls_send(struct fm_redis_tls_stream *stream, const char *data, size_t size, size_t *sent)
{
    ERR_clear_error();
    const int result = SSL_write(stream->ssl, data, size > INT_MAX ? INT_MAX : (int)size);
    if (result > 0) *sent = (size_t)result;
    return io_result(stream, result);
}

enum fm_redis_io fm_redis_tls_receive(struct fm_redis_tls_stream *stream, char *room, size_t size, size_t *got)
{
    ERR_clear_error();
    const int result = SSL_read(stream->ssl, room, size > INT_MAX ? INT_MAX : (int)size);
    if (result > 0) *got = (size_t)result;
    return io_result(stream, result);
}
