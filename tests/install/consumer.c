/* The program of a user: it calls each part of the library once, and is built against an installed tree. */
#include <framemap/framemap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool to_stdout(void *context, const char *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stdout) == size;
}

/* A buffer for output of up to 8 KB. */
struct text {
    char data[8192];
    size_t size;
};

static bool to_text(void *context, const char *data, size_t size)
{
    struct text *text = context;
    if (size > sizeof text->data - text->size) return false;
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return true;
}

static const char mapping[] = "# pg_map_id: 0badcafe\n"
                              "demo.Cart -> a.b:\n"
                              "    4:4:void demo.Names.check(java.lang.String):31:31 -> a\n"
                              "    4:4:void add(java.lang.String):40 -> a\n"
                              "demo.OutOfStock -> a.c:\n";
static const char stack[] = "a.c: none left of it\n\tat a.b.a(SourceFile:4)\n";
static const char restored[] =
    "demo.OutOfStock: none left of it\n\tat demo.Names.check(Names.java:31)\n\tat demo.Cart.add(Cart.java:40)\n";

/* --- storing a mapping as one value for each class, as a server does in a key-value store --- */

/* The store: lines "key TAB base64" in memory. Values that were opened are kept until the program ends. */
struct store {
    struct text pairs;
    framemap_index *opened[4];
    void *bytes[4];
    size_t count;
};

static size_t decode_base64(const char *text, size_t size, unsigned char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0, bits = 0;
    unsigned long value = 0;
    for (size_t i = 0; i < size && text[i] != '='; i++) {
        value = (value << 6 | (unsigned long)(strchr(digits, text[i]) - digits)) & 0xffffff;
        if ((bits += 6) >= 8) out[count++] = (unsigned char)(value >> (bits -= 8));
    }
    return count;
}

/* A framemap_class_finder: called for each class that the stack names; gets the value of the class from the store
 * and opens it. */
static const framemap_index *find_class(void *context, framemap_str class_name)
{
    struct store *store = context;
    char key[128];
    snprintf(key, sizeof key, "fm1::java:0badcafe:class:%.*s\t", (int)class_name.size, class_name.data);
    const char *pair = strstr(store->pairs.data, key);
    if (pair == NULL || store->count == 4) return NULL;
    const char *value = pair + strlen(key);
    const size_t size = strcspn(value, "\n");
    unsigned char *bytes = malloc(size);
    framemap_index *index = NULL;
    if (bytes == NULL) return NULL;
    const framemap_str whole = {(const char *)bytes, decode_base64(value, size, bytes)};
    if (framemap_index_open(whole, NULL, &index, NULL) != FRAMEMAP_OK) {
        free(bytes);
        return NULL;
    }
    store->bytes[store->count] = bytes;
    return store->opened[store->count++] = index;
}

static bool retrace(const framemap_index *index, const framemap_retrace_options *options)
{
    struct text out = {.size = 0};
    framemap_retracer *retracer = NULL;
    bool good = framemap_retracer_create(index, options, &retracer, NULL) == FRAMEMAP_OK &&
                framemap_retracer_text(retracer, framemap_str_of(stack), to_text, &out, NULL) == FRAMEMAP_OK;
    framemap_retracer_free(retracer);
    return good && out.size == strlen(restored) && memcmp(out.data, restored, out.size) == 0;
}

static int use_mapping(void)
{
    static struct store store; /* static, so that the bytes after the pairs are zero, as strstr requires */
    const framemap_retrace_options whole = {.size = sizeof whole},
                                   split = {.size = sizeof split, .find = find_class, .find_context = &store};
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    if (framemap_index_build(framemap_str_of(mapping), framemap_str_of("mapping.txt"), NULL, &bytes, NULL) !=
        FRAMEMAP_OK)
        return 11;
    if (framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, NULL) != FRAMEMAP_OK) return 12;
    if (!retrace(index, &whole)) return 13;
    if (framemap_index_dump(index, "kv", to_text, &store.pairs, NULL) != FRAMEMAP_OK) return 14;
    if (!retrace(NULL, &split) || store.count == 0) return 15;
    for (size_t i = 0; i < store.count; i++) {
        framemap_index_close(store.opened[i]);
        free(store.bytes[i]);
    }
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    return 0;
}

int main(void)
{
    static const char text[] = "no stack here\n";
    framemap_session *session = NULL;
    framemap_error error;
    framemap_restore_summary summary = {0};
    size_t mappers = 0, formats = 0;
    if (strcmp(framemap_version(), FRAMEMAP_VERSION_STRING) != 0) return 2;
    if (framemap_mapper_list(&mappers) == NULL || framemap_format_list(&formats) == NULL) return 3;
    if (framemap_session_open(NULL, &session, &error) != FRAMEMAP_OK) return 4;
    if (framemap_session_restore(session, framemap_str_of(text), NULL, to_stdout, NULL, &summary, &error) !=
        FRAMEMAP_OK)
        return 5;
    framemap_session_close(session);
    if (mappers == 0 || formats == 0 || summary.frames != 0) return 6;
    return use_mapping();
}
