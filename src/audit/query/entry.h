/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_ENTRY_H
#define W_AUDIT_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/buf.h"
#include "base/encode.h"
#include "base/words.h"
#include "log/log_format.h"

/*
 * The content of a line of the trail, flat. record.h has the members. Missing,
 * mistyped and unknown members are skipped: kinds and members are added as writ
 * grows, and verification decides whether a line can be trusted.
 */
enum w_entry_kind {
	W_ENTRY_OTHER,
	W_ENTRY_BEGIN,
	W_ENTRY_END,
	W_ENTRY_REFUSED,
};

struct w_entry {
	yyjson_doc *doc;      /* owns most of the strings */
	struct w_words texts; /* owns the decoded ones */
	enum w_entry_kind kind;
	const char *word; /* the kind as written */
	const char *run;  /* NULL: none or not a valid id */
	const char *agent;
	const char *door;
	const char *program;
	const char *asked; /* first word of the command */
	const char *shell; /* NULL: argv */
	const char *module;
	const char *cwd;
	const char *sandbox;
	const char *outcome; /* or the error code */
	int exit_code;       /* -1: none */
	int signal;          /* 0: none */
	uint64_t duration_ms;
	uint64_t cpu_ms;
	uint64_t uid;
	int pid;
	uint64_t pidns;
	uint64_t out_bytes[2];
	const char *sha256[2];
	const char *kept; /* file name of the recorded output; NULL: none */
	uint64_t kept_bytes;
	bool is_kept_whole;
	yyjson_val *argv; /* of doc */
	bool is_full;     /* out of memory */
};

/* false: not a JSON object, or is_full; nothing needs to be freed. */
bool w_entry_read(const struct w_log_line *line, struct w_entry *out_entry);
void w_entry_done(struct w_entry *entry);

/* The line as JSON only; NULL: invalid or no memory. */
yyjson_doc *w_entry_parse(const struct w_log_line *line, bool *out_is_full);

/* The command as a shell would read it; the module for a call with invalid
 * arguments, which has no command. */
void w_entry_command(const struct w_entry *entry, struct w_buf *buf);

/* The outcome is exit code 0. */
bool w_entry_is_ok(const struct w_entry *entry);

/* The kind of a line and its run, without parsing all of it. Empty: no run. */
enum w_entry_kind w_entry_kind_of(const struct w_log_line *line);
void w_entry_run_of(const struct w_log_line *line, char out_run[W_ID_LEN + 1]);

/* Whether it can be a run's id: letters and digits, bounded length. */
bool w_entry_is_run_id(const char *text, size_t len);

#endif /* W_AUDIT_ENTRY_H */
