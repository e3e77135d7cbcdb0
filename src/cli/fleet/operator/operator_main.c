/* SPDX-License-Identifier: Apache-2.0 */

/* The program writ-fleet, which writ becomes for `writ fleet`. */

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fleet/operator/operator.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

static const struct {
	const struct w_cli_command *command;
	int (*run)(struct w_operator *operator);
} commands[] = {
    {&w_cmd_fleet_up, w_operator_up},
    {&w_cmd_fleet_down, w_operator_down},
    {&w_cmd_fleet_invite, w_operator_invite},
    {&w_cmd_fleet_join, w_operator_join},
    {&w_cmd_fleet_nodes, w_operator_nodes},
    {&w_cmd_fleet_ping, w_operator_ping},
    {&w_cmd_fleet_facts, w_operator_facts},
    {&w_cmd_fleet_run, w_operator_run},
    {&w_cmd_fleet_status, w_operator_status},
    {&w_cmd_fleet_results, w_operator_results},
    {&w_cmd_fleet_cancel, w_operator_cancel},
    {&w_cmd_fleet_key, w_operator_key},
    {&w_cmd_fleet_doctor, w_operator_doctor},
};

static atomic_bool is_stopped;

static void
stop(int signal)
{
	(void)signal;
	atomic_store(&is_stopped, true);
}

void
w_operator_signals_open(void)
{
	const struct sigaction action = {.sa_handler = stop};

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

bool
w_operator_is_stopped(void)
{
	return atomic_load(&is_stopped);
}

int
w_operator_fail(const struct w_operator *operator, const writ_error * err)
{
	return w_print_failure(err, operator->args->is_json, W_OPERATOR_FAILED);
}

int
w_operator_usage(const struct w_operator *operator, const char * what)
{
	writ_error err;

	(void)w_usage_fail(operator->args->command, &err, "%s", what);
	return w_print_failure(&err, operator->args->is_json, W_OPERATOR_USAGE);
}

static int
run_command(struct w_fleet_args *args)
{
	struct w_operator operator= {
	    .args = args, .state = writ_config_get(args->config, "state_dir")};
	int status = W_OPERATOR_FAILED;

	w_buf_init(&operator.ca, W_FLEET_FILE_MAX);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (commands[i].command == args->command)
			status = commands[i].run(&operator);
	}
	w_operator_done(&operator);
	return status;
}

int
main(int argc, char **argv)
{
	const struct w_cli_command *command =
	    argc < 2 ? NULL : w_subcommand_find(&w_cmd_fleet, argv[1]);
	struct w_fleet_args args;

	if (command == NULL) {
		(void)fprintf(stderr, "writ-fleet: use writ fleet\n");
		return W_OPERATOR_USAGE;
	}
	(void)umask(077);
	int status = w_cli_fleet_begin(&args, command, argc - 1, argv + 1);
	if (status < 0)
		status = run_command(&args);
	w_cli_fleet_done(&args);
	return status;
}
