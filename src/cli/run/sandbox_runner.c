/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ --internal-sandbox-runner ID`: this process calls one module for its
 * parent.
 *
 * Standard output carries the result and nothing else. So it is moved at once
 * to a descriptor that no command inherits, and descriptor 1 becomes a copy of
 * standard error.
 */

#include "cli/run/sandbox_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <writ/module.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"

/* Above the numbers that a child uses for its own streams. */
#define PRIVATE_FD_MIN 16

int
w_cli_runner_run(int argc, char *const *argv)
{
	writ_error err;

	if (argc < 3) {
		(void)w_fail(&err, WRIT_E_INVALID, "runner", 0,
		    "sandbox runner: missing module_id argument");
		w_suggest(&err, "writ %s ID", WRIT_ISOLATED_FLAG);
		w_print_error(&err, NULL);
		return writ_status_exit(WRIT_E_INVALID);
	}
	if (argc > 3) {
		w_print_note("%s takes the id of a module and nothing else",
		    WRIT_ISOLATED_FLAG);
		return writ_status_exit(WRIT_E_INVALID);
	}

	W_AUTO_FD int result_fd =
	    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, PRIVATE_FD_MIN);
	if (result_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "runner", errno,
		    "cannot keep the standard output");
		w_print_error(&err, NULL);
		return writ_status_exit(WRIT_E_SYSTEM);
	}
	return writ_isolated_serve(argv[2], STDIN_FILENO, result_fd);
}
