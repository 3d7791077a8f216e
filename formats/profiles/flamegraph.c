/* Writes a flame graph as an SVG document that needs no other file: a rectangle for each frame of the tree, as wide as
 * its weight. A caller is drawn below the functions that it calls; siblings are in the order of their names. The
 * document's script (flamegraph_page.c) zooms and searches. */
#include "formats/profiles/flamegraph_page.h"
#include "formats/profiles/profile_format.h"

#include "core/text/escape.h"
#include "core/text/merge_sort.h"
#include "core/text/utf8.h"

#define LEAST_PART 20000 /* a frame with less than 1/20000 of the whole weight (0.06 pixels) is not drawn */
#define LETTER 7         /* approximate width of a letter in pixels */

struct flame {
    struct fm_profile_out *out;
    framemap_sample_set flat;
    int64_t *totals;            /* for each node: the weight of the node and of all nodes below it */
    struct fm_sort_item *order; /* all nodes, sorted by parent, then by name */
    uint32_t *first;            /* children of node n are at first[n + 1] to first[n + 2], exclusive, in `order` */
    int64_t whole;
    uint32_t deepest;
    uint64_t omitted;
};

/* Writes a text into XML. Characters with a meaning in XML are escaped. Control characters, and characters that XML
 * cannot contain, are replaced by U+FFFD. */
static void put_xml(struct fm_buf *buf, framemap_str text)
{
    for (size_t at = 0; at < text.size;) {
        const unsigned char *p = (const unsigned char *)text.data + at;
        const size_t size = fm_character_size(p, text.size - at);
        const bool noncharacter = size == 3 && p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE;
        if (size == 0 || noncharacter || (size > 1 && fm_control_point(p, size)))
            fm_buf_str(buf, FM_STR("\xEF\xBF\xBD"));
        else if (*p == '<')
            fm_buf_str(buf, FM_STR("&lt;"));
        else if (*p == '>')
            fm_buf_str(buf, FM_STR("&gt;"));
        else if (*p == '&')
            fm_buf_str(buf, FM_STR("&amp;"));
        else if (*p == '"')
            fm_buf_str(buf, FM_STR("&quot;"));
        else
            fm_buf_add(buf, p, size);
        at += size ? size : 1;
    }
}

static framemap_str name_of(const framemap_sample_set *flat, uint32_t node)
{
    return fm_samples_text(flat, flat->frames[flat->nodes[node].frame].function);
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    return fm_str_compare(name_of(context, a), name_of(context, b));
}

static void add_totals(struct flame *flame)
{
    const framemap_sample_set *flat = &flame->flat;
    for (size_t i = 0; i < flat->row.count; i++) {
        const int64_t value = fm_samples_value(flat, i, 0);
        if (value <= 0) continue;
        flame->whole = fm_samples_sum(flame->whole, value);
        if (flat->rows[i].node != FM_NO_ID)
            flame->totals[flat->rows[i].node] = fm_samples_sum(flame->totals[flat->rows[i].node], value);
    }
    /* The loop visits children before their parents, because parents have lower numbers. */
    for (size_t i = flat->node.count; i-- > 0;) {
        const uint32_t parent = flat->nodes[i].parent;
        if (parent != FM_NO_ID) flame->totals[parent] = fm_samples_sum(flame->totals[parent], flame->totals[i]);
    }
}

static bool sort_children(struct flame *flame)
{
    const framemap_sample_set *flat = &flame->flat;
    const size_t count = flat->node.count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t parent = flat->nodes[i].parent;
        flame->order[i] =
            (struct fm_sort_item){fm_sort_prefix(name_of(flat, i)), parent == FM_NO_ID ? 0 : parent + 1, i};
        flame->first[flame->order[i].group + 1]++;
    }
    for (size_t i = 0; i <= count; i++) flame->first[i + 1] += flame->first[i];
    return fm_sort(flame->out->heap, flame->order, count, compare_names, flat);
}

/* Writes a warm colour that depends on the name only. */
static void put_colour(struct fm_buf *buf, framemap_str name)
{
    const uint64_t hash = fm_hash64(name.data, name.size, 0);
    fm_buf_printf(buf, "rgb(%u,%u,%u)", 205 + (unsigned)(hash % 50), 80 + (unsigned)(hash >> 8) % 150,
                  (unsigned)(hash >> 16) % 55);
}

static void put_percent(struct fm_profile_out *out, int64_t part, int64_t whole)
{
    /* the value computed below is in thousandths of a percent; large numbers are divided first, so that they do not
     * overflow */
    const int64_t unit = whole > INT64_MAX / 100000 ? whole / 100000 : 1;
    const int64_t share = unit > 1 ? part / unit : part * 100000 / (whole ? whole : 1);
    fm_profile_put_fraction(out, share / 10 * 10, 1000);
}

static uint64_t pixels(int64_t value, int64_t whole) /* Returns the width in thousandths of a pixel. */
{
    const uint64_t most = (uint64_t)FM_FLAME_WIDTH * 1000;
    uint64_t v = (uint64_t)value, w = whole ? (uint64_t)whole : 1;
    while (v > UINT64_MAX / most) {
        v /= 2;
        w = w / 2 ? w / 2 : 1;
    }
    return v * most / w;
}

static void put_label(struct fm_profile_out *out, framemap_str name, uint64_t thousandths)
{
    const size_t room = (size_t)(thousandths / 1000 / LETTER);
    if (room < 3) return;
    size_t at = 0, letters = 0;
    while (at < name.size && letters < room - 1) {
        const size_t size = fm_character_size((const unsigned char *)name.data + at, name.size - at);
        at += size ? size : 1;
        letters++;
    }
    put_xml(&out->buf, fm_str(name.data, at));
    if (at < name.size) fm_profile_put(out, "\xE2\x80\xA6");
}

static void put_rectangle(struct flame *flame, framemap_str name, int64_t x, int64_t value, uint32_t depth)
{
    struct fm_profile_out *out = flame->out;
    const uint64_t left = pixels(x, flame->whole), width = pixels(value, flame->whole);
    const unsigned top = FM_FLAME_HEAD + (flame->deepest - depth) * FM_FLAME_ROW;
    fm_buf_printf(&out->buf, "<g data-d=\"%u\" data-x=\"%lld\" data-w=\"%lld\"><title>", depth, (long long)x,
                  (long long)value);
    put_xml(&out->buf, name);
    fm_buf_printf(&out->buf, " (%lld ", (long long)value);
    put_xml(&out->buf, fm_samples_text(&flame->flat, flame->flat.columns[0].type));
    fm_profile_put(out, ", ");
    put_percent(out, value, flame->whole);
    fm_profile_put(out, "%)</title><rect x=\"");
    fm_profile_put_fraction(out, (int64_t)left, 1000);
    fm_buf_printf(&out->buf, "\" y=\"%u\" width=\"", top);
    fm_profile_put_fraction(out, (int64_t)width, 1000);
    fm_buf_printf(&out->buf, "\" height=\"%d\" fill=\"", FM_FLAME_ROW - 1);
    put_colour(&out->buf, name);
    fm_profile_put(out, "\"/><text x=\"");
    fm_profile_put_fraction(out, (int64_t)left + 3000, 1000);
    fm_buf_printf(&out->buf, "\" y=\"%u\">", top + FM_FLAME_ROW - 5);
    put_label(out, name, width);
    fm_profile_put(out, "</text></g>\n");
    fm_profile_spill(out);
}

/* A frame whose children are being drawn. */
struct open_frame {
    uint32_t next, end; /* range in `order` of the children that were not drawn yet */
    int64_t x;          /* x position of the next child */
};

static bool is_drawn(const struct flame *flame, int64_t value)
{
    return value > 0 && value >= flame->whole / LEAST_PART;
}

static void measure(struct flame *flame, uint32_t *depths)
{
    const uint64_t most = fm_profile_most(flame->out->set, 0);
    uint64_t names = 0;
    for (size_t i = 0; i < flame->flat.node.count; i++) {
        const uint32_t parent = flame->flat.nodes[i].parent;
        depths[i] = parent == FM_NO_ID ? 1 : depths[parent] + 1;
        if (!is_drawn(flame, flame->totals[i])) {
            if (flame->totals[i] > 0) flame->omitted++;
            continue;
        }
        if (depths[i] > flame->deepest) flame->deepest = depths[i];
        if (!fm_profile_within(&names, name_of(&flame->flat, (uint32_t)i).size, most))
            flame->out->status = FRAMEMAP_E_LIMIT;
    }
}

static void put_frames(struct flame *flame, struct open_frame *open)
{
    size_t depth = 0;
    open[0] = (struct open_frame){flame->first[0], flame->first[1], 0};
    put_rectangle(flame, FM_STR("all"), 0, flame->whole, 0);
    while (flame->out->status == FRAMEMAP_OK) {
        struct open_frame *top = &open[depth];
        if (top->next == top->end) {
            if (depth-- == 0) return;
            continue;
        }
        const uint32_t node = flame->order[top->next++].id;
        const int64_t value = flame->totals[node], x = top->x;
        top->x = fm_samples_sum(x, value);
        if (!is_drawn(flame, value)) continue;
        put_rectangle(flame, name_of(&flame->flat, node), x, value, (uint32_t)++depth);
        open[depth] = (struct open_frame){flame->first[node + 1], flame->first[node + 2], x};
    }
}

static void put_document(struct flame *flame, struct open_frame *open)
{
    struct fm_profile_out *out = flame->out;
    const unsigned height = FM_FLAME_HEAD + (flame->deepest + 1) * FM_FLAME_ROW + FM_FLAME_FOOT;
    fm_buf_printf(&out->buf, fm_flame_begin, FM_FLAME_WIDTH, height, FM_FLAME_WIDTH, height);
    fm_profile_put(out, fm_flame_style);
    fm_profile_put(out, "<text class=\"t\" x=\"600\" y=\"20\">Flame graph: ");
    put_xml(&out->buf, fm_samples_text(&flame->flat, flame->flat.columns[0].type));
    fm_buf_printf(&out->buf, ", %lld ", (long long)flame->whole);
    put_xml(&out->buf, fm_samples_text(&flame->flat, flame->flat.columns[0].unit));
    if (flame->omitted)
        fm_buf_printf(&out->buf, " (%llu frames are too narrow to be drawn)", (unsigned long long)flame->omitted);
    fm_profile_put(out, "</text>\n");
    fm_buf_printf(&out->buf, fm_flame_controls, height - 8);
    fm_profile_put(out, "<g id=\"frames\">\n");
    put_frames(flame, open);
    fm_profile_put(out, "</g>\n");
    for (size_t i = 0; fm_flame_script[i]; i++) fm_profile_put(out, fm_flame_script[i]);
    fm_profile_put(out, "</svg>\n");
}

static void draw(struct flame *flame)
{
    struct fm_profile_out *out = flame->out;
    const size_t count = flame->flat.node.count;
    uint32_t *depths = fm_profile_alloc(out, count, sizeof *depths);
    flame->totals = fm_profile_alloc(out, count, sizeof *flame->totals);
    flame->order = fm_profile_alloc(out, count, sizeof *flame->order);
    flame->first = fm_profile_alloc(out, count + 2, sizeof *flame->first);
    struct open_frame *open = NULL;
    if (out->status == FRAMEMAP_OK) {
        add_totals(flame);
        measure(flame, depths);
        if (!sort_children(flame)) out->status = FRAMEMAP_E_MEMORY;
        open = fm_profile_alloc(out, (size_t)flame->deepest + 2, sizeof *open);
        if (open) put_document(flame, open);
    }
    if (open) fm_heap_free(out->heap, open, ((size_t)flame->deepest + 2) * sizeof *open);
    fm_heap_free(out->heap, depths, (count ? count : 1) * sizeof *depths);
    fm_heap_free(out->heap, flame->totals, (count ? count : 1) * sizeof *flame->totals);
    fm_heap_free(out->heap, flame->order, (count ? count : 1) * sizeof *flame->order);
    fm_heap_free(out->heap, flame->first, (count + 2) * sizeof *flame->first);
}

static void flamegraph_write(struct fm_profile_out *out)
{
    struct flame flame = {.out = out};
    if (fm_profile_flatten(out, &flame.flat, true)) draw(&flame);
    fm_samples_free(&flame.flat);
}

const struct fm_profile_format fm_profile_flamegraph = {
    .info = {"flamegraph", "a flame graph, as an SVG document with search and zoom", false, true, 0},
    .write = flamegraph_write,
    .flattens = true};
