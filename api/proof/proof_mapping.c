/* Queries an index of renamed classes for everything that the mapping has. */
#include "api/proof/proof_classes.h"

static framemap_status ask_class(struct fm_proof_classes *c, const struct fm_proof_class *owner)
{
    struct fm_view_class found;
    const framemap_str residual = fm_proof_text(c->proof, owner->residual);
    framemap_status status;
    c->proof->counts.questions++;
    if (fm_view_class(fm_proof_view(c->proof), residual, &found)) {
        status = fm_proof_class_records(c, owner, &found);
    } else {
        fm_buf_str(&c->proof->place, residual);
        fm_buf_str(&c->proof->said, fm_proof_name(c, owner->original));
        status = fm_proof_differs(c->proof, "class", "answer");
    }
    if (status == FRAMEMAP_OK) status = fm_proof_class_lines(c, owner);
    return status == FRAMEMAP_OK ? fm_proof_step(c->proof, 1) : status;
}

/* Queries the source files of all original classes, even of classes that are not renamed. */
static framemap_status ask_sources(struct fm_proof_classes *c)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; i < c->names.count && status == FRAMEMAP_OK; i++) {
        if (c->sources[i] == FM_NONE) continue;
        framemap_str found = {NULL, 0};
        const framemap_str name = fm_proof_name(c, i);
        (void)fm_view_source_of(fm_proof_view(c->proof), name, &found);
        status = fm_proof_compare_text(c->proof, "class", "source file", name, fm_proof_text(c->proof, c->sources[i]),
                                       found);
    }
    return status;
}

static void count_records(struct fm_proof_classes *c)
{
    uint64_t records = c->numbers.count;
    for (uint32_t i = 0; i < c->numbers.count; i++) {
        const struct fm_proof_class *owner = &c->classes[i];
        records += owner->method_count + owner->field_count;
        for (size_t k = 0; k < owner->method_count; k++) records += c->methods[owner->first_method + k].span_count;
    }
    c->proof->counts.records += records;
    c->proof->total = c->numbers.count;
}

framemap_status fm_proof_classes_ask(struct fm_proof_classes *c)
{
    struct fm_classes_about about = {.class_count = 0};
    count_records(c);
    fm_view_classes(fm_proof_view(c->proof), &about);
    framemap_status status = fm_proof_compare_number(c->proof, "class", "number of classes", (framemap_str){NULL, 0},
                                                     c->numbers.count, about.class_count);
    if (status == FRAMEMAP_OK) status = ask_sources(c);
    for (uint32_t i = 0; i < c->numbers.count && status == FRAMEMAP_OK; i++) status = ask_class(c, &c->classes[i]);
    return status;
}
