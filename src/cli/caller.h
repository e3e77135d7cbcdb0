/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALLER_H
#define W_CLI_CALLER_H

#include <writ/run.h>

/*
 * Whose words a command line has. They are a person's, and trusted, unless it
 * runs beneath a run of writ: then somebody has put them together who has to
 * keep to the policy's walls.
 */
writ_caller w_cli_caller(void);

/* The same for a request. One that names an agent is not trusted; nor is one
 * that asks for nothing which needs trust, and whose warnings no person sees.
 */
writ_caller w_cli_caller_of(const writ_request *request);

/* Whether output may go to a terminal as it is: only a person says so. Fails
 * with words for everybody else. agent: NULL, or the one that is named. */
writ_status w_cli_caller_raw(const char *agent, writ_error *err);

#endif /* W_CLI_CALLER_H */
