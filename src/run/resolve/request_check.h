/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_REQUEST_CHECK_H
#define W_RUN_REQUEST_CHECK_H

#include <writ/run.h>

#include "base/error.h"
#include "sandbox/profile/profile.h"

enum {
	W_REQUEST_PATHS_MAX = 256 /* of each of read, write and hide */
};

/*
 * Checks a request from outside and copies it, with today's size and every
 * default filled in: 0 then means none, and WRIT_ZERO occurs no more.
 * Pointers stay borrowed.
 */
writ_status w_run_check_request(
    const writ_request *request, writ_request *out_checked, writ_error *err);

/* Whether it asks for a profile other than "none". A request that was not
 * checked yet may be an older caller's, and end before it. */
bool w_run_wants_sandbox(const writ_request *request);

/* The part of it that is about the sandbox. */
writ_status w_run_check_sandbox(const writ_request *request, writ_error *err);

/* Refuses what the walls of the profile, once it is known, could not keep:
 * paths, a network, explanations without any. */
writ_status w_run_check_walls(
    const writ_request *request, enum w_walls walls, writ_error *err);

#endif /* W_RUN_REQUEST_CHECK_H */
