/* Prefixes that builds, containers, and the tools that show their output put before lines. Called by log_prefix.c
 * and log_shapes.c. Each function moves over a prefix on success, and stores its fields in `log`. Source: the output
 * of the services named here. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_TOOLS_H
#define FM_FORMATS_SCAN_PREFIX_LOG_TOOLS_H

#include "core/text/scan.h"
#include "formats/scan/prefix/log_fields.h"

/* --- parsing the prefixes of containers --- */

/* Parses the name of a service: "web-1  | " of docker compose, or "0|app  | " of PM2, with or without a time
 * after it. */
bool fm_log_service(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "stderr F ", with which a line begins in the files where Kubernetes stores the output of containers. */
bool fm_log_stream(struct fm_scan *s);
/* Parses "web-7d4b9c8f5d-abcde web " of stern: the name of a pod, which ends in two random parts, and of its
 * container. */
bool fm_log_pod(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "[APP/PROC/WEB/0] ERR " of Cloud Foundry, after a time. */
bool fm_log_cloud_foundry(struct fm_scan *s);
/* Parses "2026-01-02T10:00:00.123Z\tID\tERROR\t" of AWS Lambda. */
bool fm_log_lambda(struct fm_scan *s);

/* --- parsing the prefixes of build tools and other tools --- */

/* Parses a name in brackets: a severity "[ERROR] ", a stream "[stderr] ", "[pod/web-0/web] " of kubectl, or "[error]: "
 * of winston. */
bool fm_log_bracketed_name(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "##[error]" of Azure and GitHub. */
bool fm_log_hash_command(struct fm_scan *s);
/* Parses "::error::", "::error file=a.js,line=1::" of GitHub. */
bool fm_log_colon_command(struct fm_scan *s);
/* Parses "JOB\tSTEP\t2026-01-02T10:00:00.1234567Z " of gh run view --log; the time is not consumed. */
bool fm_log_job_step(struct fm_scan *s);
/* Parses "[   +1 ms] " and "[        ] " of Flutter's tool, when it is verbose. */
bool fm_log_elapsed(struct fm_scan *s);
/* Parses "2026-01-02T10:00:00.123Z\t" of the tables in which consoles of clouds show logs. */
bool fm_log_time_tab(struct fm_scan *s);
/* Parses "00O " of GitLab, after a time: the number of the stream, and 'O' or 'E' for its kind; "00O+" continues a
 * line. */
bool fm_log_gitlab(struct fm_scan *s);
/* Parses "12: " of ctest --verbose, the number of a test, if the start of a crash report's line follows. */
bool fm_log_ctest(struct fm_scan *s);
/* Parses "npm ERR! ", "flutter: ". After the words of Dart's tools, the blank is not consumed: it belongs to Dart's
 * frames. */
bool fm_log_tool_word(struct fm_scan *s);
/* Parses "21 verbose stack ", "8 error " and "36 silly fetchMetadata " of npm's log files, the last two before an error
 * or a row of V8 only. */
bool fm_log_npm(struct fm_scan *s);
/* Parses "[server] ", "[0] " of concurrently, before a row of V8. */
bool fm_log_numbered_script(struct fm_scan *s);
/* Parses "web:dev: " of Turborepo, "apps/web dev: " of pnpm, "@shop/web: " of Lerna, before an error or a row of V8. */
bool fm_log_script(struct fm_scan *s);
/* Parses the name of the plug-in whose output Terraform or Packer logs, after the time and the severity:
 * "plugin.terraform-provider-aws_v3.4.0_x5: ", "plugin: terraform: ", "terraform-provider-aws: ", "packer: ",
 * "packer-builder-qemu plugin: ". */
bool fm_log_plugin(struct fm_scan *s, struct fm_log_fields *log);
/* Parses " ERROR  ", " WARN  ", " LOG  " of Metro. */
bool fm_log_metro(struct fm_scan *s);
/* Parses " 0:14.35 " of Firefox's mach, minutes and seconds since the start, before "GECKO(". */
bool fm_log_mach(struct fm_scan *s);
/* Parses "GECKO(1234) ", "GECKO(1234) | " and "PID 1234 | ", which mach and Firefox's test harness put before the
 * output of each process. */
bool fm_log_gecko(struct fm_scan *s, struct fm_log_fields *log);

#endif
