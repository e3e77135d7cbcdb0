/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_FAULT_PAGE_H
#define W_CLI_FAULT_PAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/manifest/loaded_manifest.h"

/* The faults of a manifest, for people and for programs. */

/* One line each: "writ: site.yaml:3:9: unknown key 'comand', did you mean
 * 'command'?". Without a file (writ ensure), `command` stands in. */
void w_cli_faults_add(struct w_buf *buf, const struct w_loaded_manifest *loaded,
    const char *command);

/* [{"line":3,"column":9,"message":..,"suggestion":..,"resource":..}] */
void w_cli_faults_add_json(struct w_buf *buf, const struct w_faults *faults);

/* Reports why the manifest cannot be used: its faults, or the one error.
 * is_json: one object with all problems in its details. */
void w_cli_faults_print(const struct w_loaded_manifest *loaded,
    const char *command, const writ_error *err, bool is_json);

/* What is valid, but probably a mistake: lines on standard error. */
void w_cli_warnings_print(
    const struct w_loaded_manifest *loaded, const char *command);

#endif /* W_CLI_FAULT_PAGE_H */
