/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_REQUEST_CHECK_H
#define W_RUN_REQUEST_CHECK_H

#include <writ/run.h>

#include "base/error.h"
#include "sandbox/profile/profile.h"

/* The bounds of a request, for callers in C and for its JSON keys. */
enum {
	W_REQUEST_PATHS_MAX = 256, /* of each of read, write and hide */
	W_REQUEST_HOSTS_MAX = 256,
	W_REQUEST_NICE_MIN = -20,
	W_REQUEST_NICE_MAX = 19,
	/* Of texts, in characters. */
	W_REQUEST_TRACE_ID_MAX = 128,
	W_REQUEST_DESCRIPTION_MAX = 300,
	W_REQUEST_AGENT_MAX = 128,
	W_REQUEST_MODULE_MAX = 192,
	W_REQUEST_APPROVAL_MAX = 32,
	W_REQUEST_SESSION_MAX = 128,
};

/*
 * Checks a request and copies it, with today's size and every default filled
 * in: 0 then means none, and WRIT_ZERO does not occur. Pointers stay borrowed.
 */
writ_status w_run_check_request(
    const writ_request *request, writ_request *out_checked, writ_error *err);

/* Whether it requests a profile other than "none". An unchecked request may
 * come from an older caller and be too short for the member. */
bool w_run_wants_sandbox(const writ_request *request);

/* Checks the sandbox options of a request. */
writ_status w_run_check_sandbox(const writ_request *request, writ_error *err);

/* Fails if the request has options that the profile cannot enforce: paths, a
 * network, explanations without a sandbox. */
writ_status w_run_check_walls(
    const writ_request *request, enum w_walls walls, writ_error *err);

#endif /* W_RUN_REQUEST_CHECK_H */
