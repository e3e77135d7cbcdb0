/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_ERROR_H
#define W_BASE_ERROR_H

#include <writ/error.h>

/* Fills *err (when not NULL) and returns status, so callers write
 * `return w_fail(err, ...)`. sys_errno 0 means no system call was involved;
 * otherwise its description is appended to the message. */
writ_status w_fail(writ_error *err, writ_status status, const char *stage,
    int sys_errno, const char *fmt, ...)
    __attribute__((format(printf, 5, 6), cold));

/* For every failed allocation. */
writ_status w_fail_nomem(writ_error *err, const char *stage)
    __attribute__((cold));

/* Adds a suggestion to an error just filled by w_fail(). */
void w_suggest(writ_error *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Adds the position in the document that was parsed. */
void w_locate(writ_error *err, unsigned line, unsigned column)
    __attribute__((cold));

/* An analyzer that does not see their bodies must know that they never return
 * WRIT_OK. */
#ifdef __clang_analyzer__
#define w_fail(...)       ((void)w_fail(__VA_ARGS__), WRIT_E_SYSTEM)
#define w_fail_nomem(...) ((void)w_fail_nomem(__VA_ARGS__), WRIT_E_NOMEM)
#endif

#endif /* W_BASE_ERROR_H */
