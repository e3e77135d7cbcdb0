/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The disk usage of the trail, and the settings that limit it.
 */

#include "cli/audit/audit_disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include <writ/undo.h>

#include "base/printable.h"
#include "cli/output/print.h"
#include "data/json.h"

static const char *const settings[] = {"outputs_age", "outputs_size",
    "output_keep", "undo_age", "undo_size", "audit_segment", "audit_durability",
    "audit_failure", NULL};

void
w_cli_audit_disk_size(uint64_t bytes, char out[W_AUDIT_SIZE_MAX])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	uint64_t whole = bytes;
	uint64_t rest = 0;
	size_t unit = 0;

	for (; whole >= 1024 && unit < 4; unit++) {
		rest = whole % 1024;
		whole /= 1024;
	}
	if (unit == 0 || whole >= 100)
		(void)snprintf(
		    out, W_AUDIT_SIZE_MAX, "%" PRIu64 "%s", whole, units[unit]);
	else
		(void)snprintf(out, W_AUDIT_SIZE_MAX,
		    "%" PRIu64 ".%" PRIu64 "%s", whole, rest * 10 / 1024,
		    units[unit]);
}

/* What is kept to take back what runs changed. */
struct audit_disk_undo {
	uint64_t bytes;
	uint64_t runs;
};

static bool
audit_disk_add_run(void *ctx, writ_changes *changes)
{
	struct audit_disk_undo *undo = ctx;

	undo->bytes += changes->kept_bytes;
	undo->runs++;
	return true;
}

static struct audit_disk_undo
audit_disk_undo_of(const writ_config *config)
{
	struct audit_disk_undo undo = {0};

	(void)writ_changes_each(config, audit_disk_add_run, &undo, NULL);
	return undo;
}

void
w_cli_audit_disk_json(
    struct w_buf *buf, const writ_audit_disk *disk, const writ_config *config)
{
	const struct audit_disk_undo undo = audit_disk_undo_of(config);

	w_buf_add_str(buf, ",\"disk\":{");
	w_json_add_path_member(buf, "trail_dir", disk->trail_dir);
	w_json_add_path_member(buf, "output_dir", disk->output_dir);
	w_buf_add_fmt(buf,
	    ",\"trail_bytes\":%" PRIu64 ",\"trail_files\":%" PRIu64
	    ",\"output_bytes\":%" PRIu64 ",\"output_files\":%" PRIu64
	    ",\"undo_bytes\":%" PRIu64 ",\"undo_runs\":%" PRIu64
	    ",\"index_bytes\":%" PRIu64 ",\"free_bytes\":%" PRIu64
	    "},\"settings\":{",
	    disk->trail_bytes, disk->trail_files, disk->output_bytes,
	    disk->output_files, undo.bytes, undo.runs, disk->index_bytes,
	    disk->free_bytes);
	for (size_t i = 0; settings[i] != NULL; i++) {
		const char *value = writ_config_get(config, settings[i]);

		if (value != NULL)
			w_json_add_path_member(buf, settings[i], value);
	}
	w_buf_add_str(buf, "}}\n");
}

static void
add_disk_row(struct w_buf *buf, const char *label, uint64_t bytes,
    uint64_t files, const char *dir)
{
	char size[W_AUDIT_SIZE_MAX];

	w_cli_audit_disk_size(bytes, size);
	w_buf_add_fmt(buf, "  %-16s  %8s", label, size);
	if (dir != NULL) {
		w_buf_add_fmt(buf, " in %" PRIu64 " file%s  ", files,
		    files == 1 ? "" : "s");
		(void)w_printable_add(buf, dir, 0);
	}
	w_buf_add_char(buf, '\n');
}

void
w_cli_audit_disk_text(
    struct w_buf *buf, const writ_audit_disk *disk, const writ_config *config)
{
	const bool has_colour = w_print_has_colour(STDOUT_FILENO);
	const char *on = has_colour ? "\033[1m" : "";
	const char *off = has_colour ? "\033[0m" : "";
	char size[W_AUDIT_SIZE_MAX];

	w_buf_add_fmt(buf, "\n%sdisk%s\n", on, off);
	add_disk_row(buf, "records", disk->trail_bytes, disk->trail_files,
	    disk->trail_dir);
	add_disk_row(buf, "outputs", disk->output_bytes, disk->output_files,
	    disk->output_dir);
	const struct audit_disk_undo undo = audit_disk_undo_of(config);
	w_cli_audit_disk_size(undo.bytes, size);
	w_buf_add_fmt(buf, "  %-16s  %8s of %" PRIu64 " run%s  writ undo\n",
	    "undo", size, undo.runs, undo.runs == 1 ? "" : "s");
	add_disk_row(buf, "index", disk->index_bytes, 0, NULL);
	add_disk_row(buf, "free", disk->free_bytes, 0, NULL);
	w_buf_add_fmt(buf, "\n%ssettings%s\n", on, off);
	for (size_t i = 0; settings[i] != NULL; i++) {
		const char *value = writ_config_get(config, settings[i]);

		if (value != NULL)
			w_buf_add_fmt(
			    buf, "  %-16s  %8s\n", settings[i], value);
	}
}
