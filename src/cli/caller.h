/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALLER_H
#define W_CLI_CALLER_H

#include <stdbool.h>

#include <writ/run.h>

/*
 * Whether this command line is trusted. It is, unless this process is a
 * descendant of a run of writ: then a confined command wrote it, and it must
 * not get around its sandbox that way.
 */
writ_caller w_cli_caller(void);

/* The same for a request. Not trusted: a request that names an agent, and one
 * that needs no trust while stderr is no terminal (/proc is not read then). */
writ_caller w_cli_caller_of(const writ_request *request);

/* Whether another process descends from a run of writ, or is in the control
 * group of one. */
bool w_cli_is_beneath_run(int pid);

/* Checks whether --raw is allowed, that is, unfiltered output to a terminal.
 * Fails for agents and inside a run. agent: the name given; NULL: none. */
writ_status w_cli_check_raw(const char *agent, writ_error *err);

#endif /* W_CLI_CALLER_H */
