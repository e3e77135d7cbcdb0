/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_REQUEST_CHECK_H
#define W_EXEC_REQUEST_CHECK_H

#include <writ/run.h>

#include "base/error.h"

/*
 * Checks a request from outside and copies it, with today's size and every
 * default filled in: 0 then means none, and WRIT_ZERO occurs no more.
 * Pointers stay borrowed.
 */
writ_status w_request_check(
    const writ_request *request, writ_request *out_checked, writ_error *err);

#endif /* W_EXEC_REQUEST_CHECK_H */
