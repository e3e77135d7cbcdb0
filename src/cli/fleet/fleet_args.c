/* SPDX-License-Identifier: Apache-2.0 */

/* The command line of `writ fleet`, and how writ becomes writ-fleet. */

#include "cli/fleet/fleet_args.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

#define PROGRAM "writ-fleet"

/* clang-format off */
const struct w_exit_row w_cli_fleet_exits[] = {
	{"0", "success; of hosts that were asked: all of them did it"},
	{"1", "it could not be done or asked: no server, no key, no such host"},
	{"2", "wrong usage"},
	{"4", "some hosts failed or refused"},
	{"5", "some hosts have not answered"},
	{.status = ""},
};
/* clang-format on */

int
w_cli_fleet_begin(struct w_fleet_args *args,
    const struct w_cli_command *command, int argc, char **argv)
{
	writ_error err;

	*args = (struct w_fleet_args){.command = command};
	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_print_failure(&err, false, 1);
	return w_cli_command_begin(command, argc, argv, args);
}

void
w_cli_fleet_done(struct w_fleet_args *args)
{
	w_words_done(&args->words);
	w_words_done(&args->tags);
	w_words_done(&args->hosts);
	w_words_done(&args->env);
	writ_config_free(args->config);
}

/* Beside this program (in a build), or where it is installed. */
static void
fleet_become(char **argv)
{
	static const char *const places[] = {"", "/../libexec/writ"};
	char own[PATH_MAX], path[PATH_MAX + 64];
	const ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len > 0) {
		own[len] = '\0';
		*strrchr(own, '/') = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]);
		     i++) {
			(void)snprintf(path, sizeof(path), "%s%s/" PROGRAM, own,
			    places[i]);
			(void)execv(path, argv);
		}
	}
	(void)execv(WRIT_LIBEXECDIR "/" PROGRAM, argv);
}

int
w_cli_fleet_run(int argc, char **argv)
{
	static char name[] = PROGRAM;
	const struct w_cli_command *command =
	    w_subcommand_find(&w_cmd_fleet, argv[0]);
	struct w_fleet_args args;
	writ_error err;

	int status = w_cli_fleet_begin(&args, command, argc, argv);
	w_cli_fleet_done(&args);
	if (status >= 0)
		return status;
	char **words = calloc((size_t)argc + 2, sizeof(*words));
	if (words == NULL)
		return 1;
	words[0] = name;
	memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
	fleet_become(words);
	(void)w_fail(&err, WRIT_E_NOTFOUND, "fleet", errno,
	    "this writ has no fleet: the program " PROGRAM
	    " cannot be started");
	w_suggest(
	    &err, "build writ where libnats-dev and libssl-dev are installed");
	free(words);
	return w_print_failure(&err, false, 1);
}
