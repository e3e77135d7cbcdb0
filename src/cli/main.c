/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The `writ` program: finds the command and hands over.
 */

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/sandbox_runner.h"
#include "cli/trigger_notice.h"

/*
 * A program may be started with standard descriptors closed. The next file
 * that writ opens would then become its "standard output". Each hole is
 * filled with a descriptor that reads as empty and cannot be written, which
 * is what a closed one would have done. Returns -1 when that fails.
 */
static int
fill_holes(void)
{
	struct pollfd fds[3] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};

	if (poll(fds, 3, 0) <= 0)
		return 0;
	for (int i = 0; i < 3; i++) {
		if ((fds[i].revents & POLLNVAL) == 0)
			continue;
		/* The lowest free number is this one: those below are open. */
		if (open("/dev/null", O_RDONLY) != i)
			return -1;
	}
	return 0;
}

static writ_status
take_global(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	bool *wants_version = ctx;

	if (option != NULL)
		*wants_version = true;
	else if (!*wants_version && w_cli_command_find(value) == NULL)
		return w_cli_command_unknown(value, err);
	return WRIT_OK;
}

/* An option before the command, no command, or an unknown one. */
static int
run_writ(int argc, char **argv)
{
	static char version[] = "version";
	char *version_argv[] = {version, NULL};
	bool wants_version = false;
	writ_error err;

	int status = w_cli_command_begin(
	    &w_cmd_writ, argc, argv, take_global, &wants_version);
	if (status >= 0)
		return status;
	if (wants_version)
		return w_cmd_version.run(1, version_argv);
	(void)w_usage_fail(&w_cmd_writ, &err, "no command given");
	w_print_error(&err, NULL);
	return w_cmd_writ.usage_exit;
}

int
main(int argc, char **argv)
{
	const struct w_cli_command *command = NULL;

	if (fill_holes() < 0)
		return 125;
	if (w_cli_runner_is_asked(argc, argv))
		return w_cli_runner_run(argc, argv);
	if (argc > 1)
		command = w_cli_command_find(argv[1]);
	if (command == NULL)
		return run_writ(argc, argv);
	w_cli_trigger_notice();
	return w_cli_command_run(command, argc - 1, argv + 1);
}
