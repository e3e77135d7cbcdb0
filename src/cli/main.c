/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The `writ` program: finds the command and runs it.
 */

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <writ/module.h>

#include "cli/cli_command.h"
#include "cli/help/usage.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"
#include "cli/run/sandbox_runner.h"
#include "cli/trigger_notice.h"

/*
 * A program may be started with standard descriptors closed. The next file
 * that writ opens would then become its "standard output". Each closed one is
 * replaced by /dev/null opened read-only: reads see end of file and writes
 * fail, as they would have on the closed one. Returns -1 on failure.
 */
static int
open_closed_stdio(void)
{
	struct pollfd fds[3] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};

	if (poll(fds, 3, 0) <= 0)
		return 0;
	for (int i = 0; i < 3; i++) {
		if ((fds[i].revents & POLLNVAL) == 0)
			continue;
		/* open() takes the lowest free number, which is i. */
		if (open("/dev/null", O_RDONLY) != i)
			return -1;
	}
	return 0;
}

/* `writ` with an option first, without a command, or with an unknown one. */
static int
run_writ(int argc, char **argv)
{
	static char version[] = "version";
	char *version_argv[] = {version, NULL};
	bool wants_version = false;
	writ_error err;

	int status =
	    w_cli_command_begin(&w_cmd_writ, argc, argv, &wants_version);
	if (status >= 0)
		return status;
	if (wants_version)
		return w_cmd_version.run(1, version_argv);
	w_usage_print_short();
	(void)w_usage_fail(&w_cmd_writ, &err, "no command given");
	w_print_error(&err, NULL);
	return w_cmd_writ.usage_exit;
}

int
main(int argc, char **argv)
{
	const struct w_cli_command *command = NULL;

	if (open_closed_stdio() < 0)
		return 125;
	if (argc > 1 && strcmp(argv[1], WRIT_ISOLATED_FLAG) == 0)
		return w_cli_runner_run(argc, argv);
	if (argc > 1)
		command = w_cli_command_find(argv[1]);
	if (command == NULL)
		return run_writ(argc, argv);
	if (!command->is_hidden)
		w_cli_trigger_notice();
	if (command->subs != NULL)
		return w_subcommand_run(command, argc - 1, argv + 1);
	return command->run(argc - 1, argv + 1);
}
