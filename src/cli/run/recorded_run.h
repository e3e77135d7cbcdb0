/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RECORDED_RUN_H
#define W_CLI_RECORDED_RUN_H

#include <stdint.h>

#include <writ/audit.h>

#include "base/buf.h"
#include "cli/cli_command.h"

#define W_RUN_ID_SIZE 64

/* The facts of one run from the audit trail, copied. */
struct w_recorded_run {
	char id[W_RUN_ID_SIZE];
	writ_run_state state;
	char outcome[32]; /* "" while it runs */
	int exit_code;
	int signal;
	int pid;
	bool is_served; /* an MCP server runs it */
	uint64_t duration_ms;
	uint64_t out_bytes[2];
	char *recording;  /* its path; NULL: none */
	char *begin_json; /* the exact records; NULL: none */
	char *end_json;
};

void w_recorded_run_done(struct w_recorded_run *recorded);
#define W_AUTO_RECORDED_RUN __attribute__((cleanup(w_recorded_run_done)))

/* Opens the trail of a state directory; NULL: use the setting. */
writ_status w_recorded_runs_open(
    const char *state_dir, writ_audit **out_audit, writ_error *err);
void w_recorded_runs_close(writ_audit **audit);
#define W_AUTO_AUDIT __attribute__((cleanup(w_recorded_runs_close)))

/* Fails as a usage error: no RUN was given. */
writ_status w_recorded_run_unnamed(
    const struct w_cli_command *command, writ_error *err);

/* Finds a run by an id, a prefix of one, or "-" for the newest. Frees what
 * *recorded held, so it must be zeroed at first; untouched on failure. */
writ_status w_recorded_run_find(writ_audit *audit, const char *word,
    struct w_recorded_run *recorded, writ_error *err);

/* Whether it ended, was refused, or is lost. */
bool w_recorded_run_is_over(const struct w_recorded_run *recorded);

/* The exit status that `writ run` gives the run; 125 if its end is not
 * recorded. */
int w_recorded_run_exit(const struct w_recorded_run *recorded);

/* Appends how it ended: "exited with 0 after 1.2s". */
void w_recorded_run_add_end(
    struct w_buf *buf, const struct w_recorded_run *recorded);

#endif /* W_CLI_RECORDED_RUN_H */
