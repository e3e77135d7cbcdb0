/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_DISK_H
#define W_CLI_AUDIT_DISK_H

#include <stdint.h>

#include <writ/audit.h>
#include <writ/config.h>

#include "base/buf.h"

/* A rounded size such as "1.5GiB". */
#define W_AUDIT_SIZE_MAX 32
void w_cli_audit_disk_size(uint64_t bytes, char out[W_AUDIT_SIZE_MAX]);

/* Appends the members "disk" and "settings", and closes the object. */
void w_cli_audit_disk_json(
    struct w_buf *buf, const writ_audit_disk *disk, const writ_config *config);

/* Appends the same as two sections of text. */
void w_cli_audit_disk_text(
    struct w_buf *buf, const writ_audit_disk *disk, const writ_config *config);

#endif /* W_CLI_AUDIT_DISK_H */
