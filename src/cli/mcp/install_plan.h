/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INSTALL_PLAN_H
#define W_CLI_INSTALL_PLAN_H

#include "cli/mcp/install_hosts.h"
#include "cli/mcp/settings_file.h"

struct w_json;

/* A change of a file that writ made: what it takes to take it back. */
struct w_install_edit {
	const char *base; /* absolute */
	const char *below;
	enum w_client_settings_format format;
	bool is_new; /* the file was made for it */
	size_t at;
	const char *was;
	const char *now;
	struct w_client_settings_value value;
};

#define W_INSTALL_EDITS 16

/*
 * The receipt: what writ wrote into the settings of a program, in a file of
 * the state directory. `--remove` takes back this and nothing else.
 */
struct w_install_receipt {
	struct w_client_settings_file file;
	struct w_json *json; /* owns the texts of the edits */
	struct w_install_edit edits[W_INSTALL_EDITS];
	size_t count;
};

/* Reads the receipt of an entry; none is an empty one. Done with
 * w_install_receipt_done(), also after a failure. */
writ_status w_install_receipt_read(struct w_install_receipt *receipt,
    const char *state_dir, const struct w_install_entry *entry,
    writ_error *err);
void w_install_receipt_done(struct w_install_receipt *receipt);

/* Writes the edits that it has, and more; an empty one is removed. */
writ_status w_install_receipt_write(struct w_install_receipt *receipt,
    const struct w_install_edit *more, size_t count, writ_error *err);

#define W_INSTALL_FILES 4

/* A file that is going to be changed. */
struct w_install_file {
	struct w_install_target target;
	struct w_client_settings_file file;
	struct w_buf text; /* as it is going to be */
	bool is_ours;      /* writ made it: it is removed when empty */
};

/* Changes that are shown to a person before they are written. */
struct w_install_plan {
	struct w_install_file files[W_INSTALL_FILES];
	size_t file_count;
	/* The changes of w_install_plan_put(); texts of the plan. */
	struct w_install_edit edits[W_INSTALL_FILES];
	struct w_client_settings_splice splices[W_INSTALL_FILES];
	struct w_buf was[W_INSTALL_FILES];
	struct w_buf json[W_INSTALL_FILES];
	size_t edit_count;
};

void w_install_plan_init(struct w_install_plan *plan);
void w_install_plan_done(struct w_install_plan *plan);

/* Puts a value into a file. whole: the value of the path above it, if there is
 * nothing at that; NULL: only what the path needs. */
writ_status w_install_plan_put(struct w_install_plan *plan,
    const struct w_install_target *target, enum w_client_settings_format format,
    const struct w_client_settings_value *value, const char *whole,
    writ_error *err);

/* Takes a value away. */
writ_status w_install_plan_drop(struct w_install_plan *plan,
    const struct w_install_target *target, enum w_client_settings_format format,
    const struct w_client_settings_value *value, writ_error *err);

/* Takes a change back: byte for byte where the text is still there as it was
 * written, else by its meaning, unless a person has changed the value since. */
writ_status w_install_plan_undo(struct w_install_plan *plan,
    const struct w_install_edit *edit, writ_error *err);

/* Whether a file would change. */
bool w_install_plan_changes(const struct w_install_plan *plan);

/* Prints the changes as a unified diff. Returns an exit status. */
int w_install_plan_show(const struct w_install_plan *plan);

/* Writes the files, and says so. A file that gets empty and that writ made is
 * removed. */
writ_status w_install_plan_write(struct w_install_plan *plan, writ_error *err);

#endif /* W_CLI_INSTALL_PLAN_H */
