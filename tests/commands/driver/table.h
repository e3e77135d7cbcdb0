/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMANDS_TABLE_H
#define COMMANDS_TABLE_H

#include <stdbool.h>

#include "command/analysis/analysis.h"

/* The descriptions of a directory, which find each other by name. */
struct descriptions;

struct descriptions *descriptions_open(const char *dir);
void descriptions_close(struct descriptions *all);
struct w_command_source descriptions_source(struct descriptions *all);

/* How many could not be read; each was reported on standard error. */
size_t descriptions_bad(const struct descriptions *all);

/* Reads a file without NUL; exits if that fails. The caller frees it. */
char *read_whole(const char *path, size_t *out_len);

/* One line of TAP for each expectation of a table. */
struct tap {
	unsigned count;
	unsigned failed;
};

void tap_ok(struct tap *tap, const char *what);
void tap_skip(struct tap *tap, const char *what, const char *why);
void tap_fail(struct tap *tap, const char *what, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

enum verdict {
	UNDERSTOOD,
	REFUSED,   /* not understood, with a reason */
	DANGEROUS, /* anything, but it must not look harmless */
};

/* A command line of a table. */
struct line {
	const char *text; /* for people */
	const char *const *argv;
	const char *const *env; /* NAME=value; NULL-ended */
	yyjson_val *entry;
	const char *setup;
};

/* Compares its analysis with what the table expects. */
void judge(struct tap *tap, const struct w_command_source *source,
    const struct line *line, enum verdict verdict);

/* Runs it in a directory made for it, and compares how it ends, and which file
 * exists afterwards (makes) or does not (spares). */
void execute(struct tap *tap, const struct line *line);

#endif /* COMMANDS_TABLE_H */
