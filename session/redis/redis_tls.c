/* Implements redis_tls.h: runs OpenSSL on two memory buffers, and moves their bytes to and from the non-blocking socket
 * around each call. The trusted certificates come from the system or from a given file. */
#include "session/redis/redis_tls.h"

#include "core/error.h"

#include "session/redis/openssl.h"

#include <limits.h>

struct fm_redis_tls {
    struct fm_heap *heap;
    struct fm_openssl openssl;
    SSL_CTX *context;
};

/* A TLS connection. OpenSSL reads from one memory buffer and writes to another, and the functions here move bytes
 * between these buffers and the socket. If OpenSSL used the socket itself, it would call write(), which may raise
 * SIGPIPE. */
struct fm_redis_tls_stream {
    const struct fm_redis_tls *tls;
    SSL *ssl;
    BIO *in, *out; /* buffers of encrypted bytes, owned by ssl */
    int fd;
    size_t sent, filled; /* number of bytes in `room` that were sent; number of bytes in `room` */
    /* bytes that OpenSSL wrote and that the socket did not accept yet; the array has the size of a TLS record */
    char room[1 << 14];
};

/* --- moving bytes between OpenSSL and the socket --- */

/* Sends the encrypted bytes that OpenSSL wrote. Returns FM_REDIS_IO_WRITE if some of them could not be sent yet. */
static enum fm_redis_io flush(struct fm_redis_tls_stream *stream)
{
    for (;;) {
        size_t sent = 0;
        if (stream->sent == stream->filled) {
            const int size = stream->tls->openssl.BIO_read(stream->out, stream->room, (int)sizeof stream->room);
            stream->sent = 0;
            stream->filled = size > 0 ? (size_t)size : 0;
            if (size <= 0) return FM_REDIS_IO_DONE;
        }
        const enum fm_redis_io result =
            fm_redis_raw_send(stream->fd, stream->room + stream->sent, stream->filled - stream->sent, &sent);
        if (result != FM_REDIS_IO_DONE) return result;
        stream->sent += sent;
    }
}

/* Passes the encrypted bytes that have arrived on the socket to OpenSSL. */
static enum fm_redis_io fill(const struct fm_redis_tls_stream *stream)
{
    char bytes[1 << 14];
    size_t got = 0;
    const enum fm_redis_io result = fm_redis_raw_receive(stream->fd, bytes, sizeof bytes, &got);
    if (result != FM_REDIS_IO_DONE) return result;
    return stream->tls->openssl.BIO_write(stream->in, bytes, (int)got) == (int)got ? FM_REDIS_IO_DONE
                                                                                   : FM_REDIS_IO_FAULT;
}

/* --- opening the state that all connections of a store share --- */

/* Sets which certificates are trusted: those in the file `ca`, or the system's if `ca` is empty. The name of the file
 * is from an arena, so a NUL follows it. */
static framemap_status trust(const struct fm_redis_tls *tls, framemap_str ca, framemap_error *error)
{
    if (ca.size == 0) {
        if (tls->openssl.SSL_CTX_set_default_verify_paths(tls->context) == 1) return FRAMEMAP_OK;
        return fm_error_set(error, FRAMEMAP_E_IO, "the system's certificates of authorities cannot be read");
    }
    if (tls->openssl.SSL_CTX_load_verify_locations(tls->context, ca.data, NULL) == 1) return FRAMEMAP_OK;
    fm_error_set(error, FRAMEMAP_E_IO, "no certificates of authorities can be read from this file");
    fm_error_where(error, ca);
    return FRAMEMAP_E_IO;
}

framemap_status fm_redis_tls_open(struct fm_heap *heap, framemap_str ca, struct fm_redis_tls **out,
                                  framemap_error *error)
{
    struct fm_redis_tls *tls = fm_heap_zalloc(heap, 1, sizeof *tls);
    if (tls == NULL) return fm_error_memory(error);
    const struct fm_openssl *openssl = &tls->openssl;
    tls->heap = heap;
    framemap_status status = fm_openssl_load(&tls->openssl, error);
    if (status == FRAMEMAP_OK) {
        tls->context = openssl->SSL_CTX_new(openssl->TLS_client_method());
        if (tls->context == NULL)
            status = fm_error_memory(error);
        else if (openssl->SSL_CTX_ctrl(tls->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL) != 1)
            status = fm_error_set(error, FRAMEMAP_E_INTERNAL, "OpenSSL does not have TLS 1.2");
    }
    if (status == FRAMEMAP_OK) {
        openssl->SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
        openssl->SSL_CTX_ctrl(tls->context, SSL_CTRL_MODE,
                              SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
        status = trust(tls, ca, error);
    }
    if (tls->context) openssl->ERR_clear_error();
    if (status == FRAMEMAP_OK)
        *out = tls;
    else
        fm_redis_tls_close(tls);
    return status;
}

void fm_redis_tls_close(struct fm_redis_tls *tls)
{
    if (tls == NULL) return;
    if (tls->context) tls->openssl.SSL_CTX_free(tls->context);
    fm_heap_free(tls->heap, tls, sizeof *tls);
}

/* --- opening one connection with TLS --- */

/* Sets the host that the certificate must name. An IP address is compared with the addresses in the certificate, and is
 * not sent as a server name (RFC 6066, section 3). */
static bool expect_host(const struct fm_openssl *openssl, SSL *ssl, const char *host)
{
    if (openssl->X509_VERIFY_PARAM_set1_ip_asc(openssl->SSL_get0_param(ssl), host) == 1) return true;
    openssl->SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    /* OpenSSL copies the name; the cast drops `const`, as OpenSSL's own macro for this call does */
    void *name = (void *)(uintptr_t)host;
    return openssl->SSL_set1_host(ssl, host) == 1 &&
           openssl->SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name) == 1;
}

/* Gives the connection two buffers, which the connection then owns. */
static bool set_buffers(struct fm_redis_tls_stream *stream)
{
    const struct fm_openssl *openssl = &stream->tls->openssl;
    stream->in = openssl->BIO_new(openssl->BIO_s_mem());
    stream->out = openssl->BIO_new(openssl->BIO_s_mem());
    openssl->SSL_set_bio(stream->ssl, stream->in, stream->out); /* OpenSSL owns both buffers from now on */
    if (stream->in == NULL || stream->out == NULL) return false;
    openssl->SSL_set_connect_state(stream->ssl);
    return true;
}

framemap_status fm_redis_tls_stream_open(struct fm_redis_tls *tls, int fd, const char *host,
                                         struct fm_redis_tls_stream **out, framemap_error *error)
{
    struct fm_redis_tls_stream *stream = fm_heap_zalloc(tls->heap, 1, sizeof *stream);
    if (stream == NULL) return fm_error_memory(error);
    stream->tls = tls;
    stream->ssl = tls->openssl.SSL_new(tls->context);
    stream->fd = fd;
    const bool good = stream->ssl && set_buffers(stream) && expect_host(&tls->openssl, stream->ssl, host);
    tls->openssl.ERR_clear_error();
    if (good)
        *out = stream;
    else
        fm_redis_tls_stream_close(stream);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

void fm_redis_tls_stream_close(struct fm_redis_tls_stream *stream)
{
    if (stream == NULL) return;
    if (stream->ssl) stream->tls->openssl.SSL_free(stream->ssl);
    fm_heap_free(stream->tls->heap, stream, sizeof *stream);
}

/* Returns the event that a call of OpenSSL waits for; READ: more bytes in its input buffer. OpenSSL keeps the errors of
 * a thread in a queue, which is emptied before and after each call. */
static enum fm_redis_io io_result(const struct fm_redis_tls_stream *stream, int result)
{
    const int what = stream->tls->openssl.SSL_get_error(stream->ssl, result);
    stream->tls->openssl.ERR_clear_error();
    switch (what) {
    case SSL_ERROR_NONE: return FM_REDIS_IO_DONE;
    case SSL_ERROR_WANT_READ: return FM_REDIS_IO_READ;
    case SSL_ERROR_ZERO_RETURN: return FM_REDIS_IO_CLOSED;
    /* OpenSSL never waits until its own buffer has room, so any other result is a fault */
    default: return FM_REDIS_IO_FAULT;
    }
}

enum fm_redis_io fm_redis_tls_greet(struct fm_redis_tls_stream *stream, const char **why)
{
    const struct fm_openssl *openssl = &stream->tls->openssl;
    for (;;) {
        openssl->ERR_clear_error();
        const enum fm_redis_io result = io_result(stream, openssl->SSL_do_handshake(stream->ssl));
        const enum fm_redis_io sending =
            flush(stream); /* after a fault, an alert with the reason is sent to the server */
        const long verified = openssl->SSL_get_verify_result(stream->ssl);
        if (result == FM_REDIS_IO_FAULT)
            *why = verified == X509_V_OK ? "no TLS connection could be made"
                                         : openssl->X509_verify_cert_error_string(verified);
        if (result != FM_REDIS_IO_DONE && result != FM_REDIS_IO_READ) return result;
        if (result == FM_REDIS_IO_DONE || sending != FM_REDIS_IO_DONE) return sending;
        const enum fm_redis_io filled = fill(stream);
        if (filled != FM_REDIS_IO_DONE) return filled;
    }
}

enum fm_redis_io fm_redis_tls_send(struct fm_redis_tls_stream *stream, const char *data, size_t size, size_t *sent)
{
    const struct fm_openssl *openssl = &stream->tls->openssl;
    const enum fm_redis_io before = flush(stream);
    if (before != FM_REDIS_IO_DONE) return before;
    openssl->ERR_clear_error();
    const int written = openssl->SSL_write(stream->ssl, data, size > INT_MAX ? INT_MAX : (int)size);
    if (written <= 0) return io_result(stream, written);
    *sent = (size_t)written;
    const enum fm_redis_io after = flush(stream);
    /* the next call sends the bytes that remain in the buffer */
    return after == FM_REDIS_IO_WRITE ? FM_REDIS_IO_DONE : after;
}

enum fm_redis_io fm_redis_tls_receive(struct fm_redis_tls_stream *stream, char *room, size_t size, size_t *got)
{
    const struct fm_openssl *openssl = &stream->tls->openssl;
    for (;;) {
        const enum fm_redis_io sending = flush(stream);
        if (sending != FM_REDIS_IO_DONE && sending != FM_REDIS_IO_WRITE) return sending;
        openssl->ERR_clear_error();
        const int read = openssl->SSL_read(stream->ssl, room, size > INT_MAX ? INT_MAX : (int)size);
        if (read > 0) *got = (size_t)read;
        enum fm_redis_io result = io_result(stream, read);
        if (result != FM_REDIS_IO_READ) return result;
        result = fill(stream);
        if (result == FM_REDIS_IO_READ) return sending == FM_REDIS_IO_WRITE ? sending : result;
        if (result != FM_REDIS_IO_DONE) return result;
    }
}
