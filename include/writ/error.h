/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_ERROR_H
#define WRIT_ERROR_H

#include <writ/api.h>

WRIT_BEGIN_DECLS

/*
 * Every status the library can return. One row has its name, its number, its
 * stable machine word (JSON), the exit status of `writ run`, and a sentence for
 * people.
 */
#define WRIT_STATUS_MAP(X)                                                    \
	X(OK, 0, "ok", 0, "success")                                          \
	X(E_NOMEM, -1, "no_memory", 125, "out of memory")                     \
	X(E_INVALID, -2, "invalid", 125, "invalid argument or document")      \
	X(E_NOTFOUND, -3, "not_found", 127, "no such program")                \
	X(E_NOTEXEC, -4, "not_executable", 126, "cannot be executed")         \
	X(E_SANDBOX, -5, "sandbox", 125, "a wall could not be built")         \
	X(E_SYSTEM, -6, "system", 125, "a system call failed")                \
	X(E_INTERNAL, -7, "internal", 125, "a defect in writ: please report") \
	X(E_TIMEOUT, -8, "timeout", 124, "it ran out of time")                \
	X(E_RUNNER, -9, "runner_failed", 125, "the sandbox runner failed")    \
	X(E_PARSE, -10, "output_parse_failed", 125,                           \
	    "not the output that was expected")                               \
	X(E_DENIED, -11, "denied", 125, "the policy does not allow it")       \
	X(E_APPROVAL, -12, "approval_required", 125, "a person has to agree") \
	X(E_REFUSED, -13, "approval_refused", 125, "a person did not agree")

/*
 * 0 is success, and everything else is negative: compare with WRIT_OK. A
 * status says what kind of failure it is; a program may decide by it:
 *
 *     WRIT_E_DENIED     the policy forbids it; asking again does not help
 *     WRIT_E_APPROVAL   a person can allow it: see <writ/approval.h>
 *     WRIT_E_INVALID    the caller can mend it; nothing was done
 *     WRIT_E_SANDBOX    this machine cannot hold it as it was asked
 *
 * A command that ran and failed is none of these: see <writ/result.h>.
 */
typedef enum writ_status {
#define X(name, value, word, exit_status, text) WRIT_##name = (value),
	WRIT_STATUS_MAP(X)
#undef X
} writ_status;

/*
 * What went wrong, for people and for machines. Lives in the caller's frame:
 * nothing to free, no allocation on the failure path, no thread-local state.
 *
 * Functions write it only if they fail; on success it keeps its old content.
 * Texts that do not fit are truncated.
 */
typedef struct writ_error {
	writ_status status;
	int sys_errno;     /* errno of the failing call; 0: none */
	unsigned line;     /* in the document, from 1; 0: none */
	unsigned column;   /* in bytes, from 1 */
	char stage[24];    /* where it failed, a short word: "cwd", "request" */
	char message[320]; /* what and why, one line, no full stop */
	char suggestion[200]; /* what to do about it; may be empty */
} writ_error;

/* The stable word for a status ("not_found"); never NULL. */
WRIT_API const char *writ_status_word(writ_status status);

/* The sentence for a status; never NULL. */
WRIT_API const char *writ_status_text(writ_status status);

/* The exit status of `writ run` for this status; 125 for an unknown one. */
WRIT_API int writ_status_exit(writ_status status);

WRIT_END_DECLS

#endif /* WRIT_ERROR_H */
