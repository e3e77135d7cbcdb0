/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SCRIPT_READER_H
#define W_COMMAND_SCRIPT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "command/script/script.h"

/* A script while it is read. Its text has no NUL and is UTF-8. */
struct w_script_reader {
	const char *text;
	size_t len;
	size_t at;
	const struct w_script_sink *sink;
	size_t fault; /* where it is not understood */
	writ_error *err;
};

/* The byte there; NUL: the end. */
char w_script_peek(const struct w_script_reader *in, size_t ahead);

bool w_script_is_one_of(char c, const char *set);

/* Fails: the script is not understood from there on. */
writ_status w_script_refuse(
    struct w_script_reader *in, size_t where, const char *why);

/* Report to the sink. A NULL path or command is computed at run time. */
writ_status w_script_touches(
    struct w_script_reader *in, unsigned effect, const char *path, size_t len);
writ_status w_script_runs(
    struct w_script_reader *in, const char *command, size_t len);

/* The languages. */
writ_status w_script_read_sed(struct w_script_reader *in);
writ_status w_script_read_awk(struct w_script_reader *in);
writ_status w_script_read_jq(struct w_script_reader *in);

#endif /* W_COMMAND_SCRIPT_READER_H */
