/* llvm-symbolizer's JSON. Members are in alphabetical order, as written by LLVM's library. Values that framemap does
 * not store (discriminators, the start of inlined code) are written as LLVM writes unknown values: 0 or empty. */
#include "cli/fronts/llvm.h"

static void begin_json_object(struct fm_llvm *llvm)
{
    if (!llvm->in_list) return;
    fm_put_text(&llvm->out, llvm->any ? "," : "");
    llvm->any = true;
}

static void end_json_object(struct fm_llvm *llvm) { fm_put_text(&llvm->out, llvm->in_list ? "}" : "}\n"); }

static void put_json_address(struct fm_llvm *llvm, const struct fm_llvm_request *request)
{
    if (!request->has_address) return;
    fm_put_text(&llvm->out, "\"Address\":\"0x");
    fm_put_hex(&llvm->out, request->address, 1);
    fm_put_text(&llvm->out, "\",");
}

static void put_member(struct fm_llvm *llvm, const char *name, framemap_str value)
{
    fm_put_text(&llvm->out, name);
    fm_put_json(&llvm->out, value);
}

static void put_number(struct fm_llvm *llvm, const char *name, uint64_t value)
{
    fm_put_text(&llvm->out, name);
    fm_put_dec(&llvm->out, value);
}

static void put_json_frame(struct fm_llvm *llvm, const framemap_frame *answer, size_t named, size_t at)
{
    static const framemap_frame nowhere;
    const framemap_frame *place = answer ? &answer->restored.frames[at] : &nowhere;
    const framemap_frame *function = answer ? &answer->restored.frames[named] : &nowhere;

    put_number(llvm, "{\"Column\":", place->column);
    put_member(llvm, ",\"Discriminator\":0,\"FileName\":", fm_llvm_file(llvm, place->file));
    put_member(llvm,
               ",\"FunctionName\":", answer && llvm->functions ? fm_llvm_name(llvm, answer, named) : (framemap_str){0});
    put_number(llvm, ",\"Line\":", place->line);
    if (answer && named + 1 == answer->restored.count && answer->has_function_offset) {
        fm_put_text(&llvm->out, ",\"StartAddress\":\"0x");
        fm_put_hex(&llvm->out, fm_llvm_start(answer), 1);
        fm_put_char(&llvm->out, '"');
    } else {
        fm_put_text(&llvm->out, ",\"StartAddress\":\"\"");
    }
    put_member(llvm, ",\"StartFileName\":", fm_llvm_file(llvm, function->declared_file));
    put_number(llvm, ",\"StartLine\":", function->declared_line);
    fm_put_char(&llvm->out, '}');
}

void fm_llvm_json_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer)
{
    size_t count = answer && llvm->inlines ? answer->restored.count : 1;

    begin_json_object(llvm);
    fm_put_char(&llvm->out, '{');
    put_json_address(llvm, request);
    put_member(llvm, "\"ModuleName\":", request->module);
    fm_put_text(&llvm->out, ",\"Symbol\":[");
    for (size_t i = 0; i < count; i++) {
        if (i) fm_put_char(&llvm->out, ',');
        put_json_frame(llvm, answer,
                       answer && !llvm->inlines && llvm->functions == FM_LLVM_LINKAGE ? answer->restored.count - 1 : i,
                       i);
    }
    fm_put_char(&llvm->out, ']');
    end_json_object(llvm);
}

void fm_llvm_json_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer)
{
    begin_json_object(llvm);
    fm_put_char(&llvm->out, '{');
    put_json_address(llvm, request);
    put_member(llvm, "\"Data\":{\"Name\":",
               answer ? fm_llvm_name(llvm, answer, answer->restored.count - 1) : (framemap_str){0});
    fm_put_text(&llvm->out, ",\"Size\":\"0x");
    fm_put_hex(&llvm->out, answer ? answer->function_size : 0, 1);
    fm_put_text(&llvm->out, "\",\"Start\":\"0x");
    fm_put_hex(&llvm->out, answer ? fm_llvm_start(answer) : 0, 1);
    put_member(llvm, "\"},\"ModuleName\":", request->module);
    if (request->symbol.size) put_member(llvm, ",\"SymName\":", request->symbol);
    end_json_object(llvm);
}

void fm_llvm_json_empty(struct fm_llvm *llvm, const struct fm_llvm_request *request, const char *member)
{
    /* members are in alphabetical order: "Symbol" after "ModuleName", "Frame" and "Loc" before it */
    bool after = member[0] == 'S';

    begin_json_object(llvm);
    fm_put_char(&llvm->out, '{');
    put_json_address(llvm, request);
    if (!after) {
        fm_put_char(&llvm->out, '"');
        fm_put_text(&llvm->out, member);
        fm_put_text(&llvm->out, "\":[],");
    }
    put_member(llvm, "\"ModuleName\":", request->module);
    if (request->symbol.size) put_member(llvm, ",\"SymName\":", request->symbol);
    if (after) fm_put_text(&llvm->out, ",\"Symbol\":[]");
    end_json_object(llvm);
}

void fm_llvm_put_no_frames(struct fm_llvm *llvm, const struct fm_llvm_request *request)
{
    fm_llvm_json_empty(llvm, request, "Symbol");
}

void fm_llvm_put_failure(struct fm_llvm *llvm, const struct fm_llvm_request *request, const char *message)
{
    begin_json_object(llvm);
    fm_put_char(&llvm->out, '{');
    put_json_address(llvm, request);
    put_member(llvm, "\"Error\":{\"Message\":", framemap_str_of(message));
    put_member(llvm, "},\"ModuleName\":", request->module);
    if (request->symbol.size) put_member(llvm, ",\"SymName\":", request->symbol);
    end_json_object(llvm);
}
