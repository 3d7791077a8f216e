/* Declares the rows of all formats. Each row is defined in the format's own file; format_registry.c lists them in
 * order. */
#ifndef FM_FORMATS_PARSERS_H
#define FM_FORMATS_PARSERS_H

#include "formats/format.h"

extern const struct fm_format fm_java;
extern const struct fm_format fm_leak_trace;
extern const struct fm_format fm_android_anr, fm_android_pbtxt, fm_android_protobuf, fm_android_tombstone,
    fm_android_short;
extern const struct fm_format fm_apple_crash, fm_apple_ips, fm_apple_panic, fm_apple_sample, fm_apple_short;
extern const struct fm_format fm_apple_one_line, fm_apple_spindump, fm_apple_symbols, fm_instruments, fm_metrickit;
extern const struct fm_format fm_microdump, fm_minidump, fm_minidump_machine, fm_minidump_json, fm_sos,
    fm_visual_studio, fm_windbg, fm_error_event;
extern const struct fm_format fm_backward, fm_boost, fm_chromium, fm_coredump, fm_execinfo, fm_gdb, fm_glog, fm_hotspot,
    fm_kernel, fm_kernel_fault, fm_valgrind;
extern const struct fm_format fm_bsd_kernel, fm_clickhouse, fm_drmemory, fm_lldb, fm_mongodb, fm_mozilla,
    fm_perf_script, fm_tizen, fm_wine, fm_xorg, fm_zig;
extern const struct fm_format fm_glibc, fm_samples, fm_sanitizer, fm_symbolizer_markup;
extern const struct fm_format fm_js_v8, fm_hermes, fm_js_other, fm_js_devtools, fm_js_dump, fm_js_one_line, fm_js_opera;
extern const struct fm_format fm_js_console, fm_js_spidermonkey, fm_js_jsc;
extern const struct fm_format fm_dart, fm_dart_crash, fm_dart_symbolic, fm_dart_terse;
extern const struct fm_format fm_aspnet, fm_beam, fm_clojure, fm_dotnet, fm_go, fm_godot, fm_haskell, fm_ipython,
    fm_lua, fm_perl, fm_php, fm_pytest, fm_python;
extern const struct fm_format fm_actionscript, fm_gamemaker, fm_garmin, fm_haxe, fm_roku;
extern const struct fm_format fm_julia, fm_native_image, fm_ocaml, fm_r, fm_ruby, fm_rust, fm_swift, fm_unity,
    fm_unreal;
extern const struct fm_format fm_async_profiler, fm_dtrace, fm_folded, fm_pprof_traces, fm_simpleperf;
extern const struct fm_format fm_chrome_trace, fm_cpuprofile, fm_firefox, fm_speedscope;
extern const struct fm_format fm_sentry_event, fm_bugsnag_event, fm_measure_event, fm_crashlytics_export;
extern const struct fm_format fm_cdp_call_frames, fm_react_native_frames;
extern const struct fm_format fm_json_output, fm_markdown_output, fm_native_output, fm_text_output;
extern const struct fm_format fm_json_document_output, fm_plain_output;
extern const struct fm_format fm_otlp_output, fm_sentry_output;

#endif
