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
 * What a line of the trail says, flat. record.h has the members; whatever is
 * missing, of another type or not known is left out: kinds and members are
 * added as writ grows, and whether a line may be believed is the business of
 * verification.
 */
enum w_entry_kind {
	W_ENTRY_OTHER,
	W_ENTRY_BEGIN,
	W_ENTRY_END,
	W_ENTRY_REFUSED,
};

struct w_entry {
	yyjson_doc *doc;      /* owns most of the texts */
	struct w_words texts; /* owns those that had to be decoded */
	enum w_entry_kind kind;
	const char *word; /* the kind as it is written */
	const char *run;  /* NULL: none, or no run's id */
	const char *agent;
	const char *door;
	const char *program;
	const char *asked; /* first word of the command */
	const char *shell; /* NULL: argv */
	const char *module;
	const char *cwd;
	const char *sandbox;
	const char *outcome; /* or the code of the error */
	int exit_code;       /* -1: none */
	int signal;          /* 0: none */
	uint64_t duration_ms;
	uint64_t cpu_ms;
	uint64_t uid;
	int pid;
	uint64_t pidns;
	uint64_t out_bytes[2];
	const char *sha256[2];
	const char *kept; /* file name of the kept output; NULL: none */
	uint64_t kept_bytes;
	bool is_kept_whole;
	yyjson_val *argv; /* of doc */
	bool is_full;     /* it could not be read for lack of memory */
};

/* false: it is no JSON object, or is_full; there is nothing to release. */
bool w_entry_read(const struct w_log_line *line, struct w_entry *out_entry);
void w_entry_done(struct w_entry *entry);

/* The line as JSON alone; NULL: it is none, or there is no memory. */
yyjson_doc *w_entry_parse(const struct w_log_line *line, bool *out_is_full);

/* The command as a shell would read it; of a call whose arguments were not in
 * order, so that it has none, the module. */
void w_entry_command(const struct w_entry *entry, struct w_buf *buf);

/* The outcome is exit code 0. */
bool w_entry_is_ok(const struct w_entry *entry);

/* The kind of a line and the run it belongs to, without reading all of it.
 * Empty: of no run. */
enum w_entry_kind w_entry_kind_of(const struct w_log_line *line);
void w_entry_run_of(const struct w_log_line *line, char out_run[W_ID_LEN + 1]);

/* A run's id: letters and digits, not too many. */
bool w_entry_is_run_id(const char *text, size_t len);

#endif /* W_AUDIT_ENTRY_H */
