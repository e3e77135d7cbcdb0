/* SPDX-License-Identifier: Apache-2.0 */

/* Turns a launch into the plan of our child. */

#include "run/launch/child_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/launch/helper_report.h"

enum {
	SPEC_MAX = 4096
};

/* RLIMIT_DATA also counts memory that is reserved and never used. It is set
 * only where no control group counts what is used. */
size_t
w_child_command_limits(const struct w_launch *launch,
    const struct w_limit_group *group,
    struct w_child_limit out_limits[W_CHILD_LIMITS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < launch->limit_count; i++) {
		if (launch->limits[i].resource != RLIMIT_DATA ||
		    (group->counts & W_COUNTS_MEMORY) == 0)
			out_limits[count++] = launch->limits[i];
	}
	return count;
}

/* Role, background flag, terminal flag, identity: "l:1000:1000:4,24", "kbt". */
static void
write_spec(struct w_buf *spec, char role, const struct w_launch *launch)
{
	const struct w_identity *identity = launch->identity;

	w_buf_add_char(spec, role);
	if (role == W_ROLE_SUBREAPER && launch->keeps_background)
		w_buf_add_char(spec, 'b');
	if (role == W_ROLE_SUBREAPER && launch->pty != NULL)
		w_buf_add_char(spec, 't');
	if (identity->is_set)
		w_buf_add_fmt(spec, ":%u:%u:", identity->uid, identity->gid);
	for (size_t i = 0; i < identity->group_count; i++)
		w_buf_add_fmt(
		    spec, "%s%u", i > 0 ? "," : "", identity->groups[i]);
}

/* The helper's arguments, then the command's. The group's name follows the role
 * in the same buffer, after its NUL. */
static char **
helper_argv(const struct w_launch *launch, char *spec, size_t group_at)
{
	static char name[] = "writ", none[] = "";
	size_t count = 0;

	while (launch->argv[count] != NULL)
		count++;
	char **argv = calloc(count + 5, sizeof(*argv));
	if (argv == NULL)
		return NULL;
	argv[0] = name;
	argv[1] = spec;
	argv[2] = launch->program->is_script ? launch->program->path : none;
	argv[3] = spec + group_at;
	memcpy(argv + 4, launch->argv, count * sizeof(*argv));
	return argv;
}

static writ_status
go_through_helper(struct w_child_command *command,
    const struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_helper_setup *helper_setup, writ_error *err)
{
	struct w_child_plan *plan = &command->plan;
	struct w_buf *spec = &command->spec;
	bool has_group = *helper_setup->group_name != '\0';

	write_spec(spec, helper_setup->role, launch);
	w_buf_add_char(spec, '\0');
	size_t group_at = spec->len;
	w_buf_add_str(spec, helper_setup->group_name);
	if (!spec->failed)
		command->argv = helper_argv(launch, spec->data, group_at);
	if (command->argv == NULL)
		return w_fail_nomem(err, "helper");
	int error = w_fd_pipe(&command->report, &command->report_out, 0);
	if (error == 0 && helper_setup->role == W_ROLE_SUBREAPER)
		error = w_fd_pair(&command->socket, &command->socket_out);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "helper", error,
		    "cannot make a pipe for the helper");
	plan->program_fd = launcher->helper_fd;
	plan->path = NULL;
	plan->argv = command->argv;
	plan->pass[0] = command->socket_out;
	plan->pass[1] = launcher->engine_fd;
	plan->pass[2] = launch->program->fd;
	plan->pass[3] = has_group ? launcher->groups.parent_fd : -1;
	plan->pass[4] = has_group ? helper_setup->group_fd : -1;
	plan->pass[5] = command->report_out;
	plan->pass_count = W_CHILD_PASS_MAX;
	return WRIT_OK;
}

writ_status
w_child_command_init(struct w_child_command *command,
    const struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_limit_group *limits,
    const struct w_helper_setup *helper_setup, writ_error *err)
{
	static const struct w_helper_setup launching = {
	    .role = W_ROLE_SETUID_STUB, .group_fd = -1, .group_name = ""};

	struct w_child_plan *plan = &command->plan;

	*command = (struct w_child_command){
	    .report = -1, .report_out = -1, .socket = -1, .socket_out = -1};
	w_buf_init(&command->spec, SPEC_MAX);
	*plan = (struct w_child_plan){
	    .program_fd = launch->program->fd,
	    .path = launch->program->is_script ? launch->program->path : NULL,
	    .argv = launch->argv,
	    .envp = launch->envp,
	    .cwd_fd = launch->cwd_fd,
	    .stdio = {launch->stdio[0], launch->stdio[1], launch->stdio[2]},
	    .nice = launch->nice,
	    .umask = launch->umask,
	};
	plan->limit_count =
	    w_child_command_limits(launch, limits, plan->limits);
	plan->limit_procs_count =
	    w_limit_group_procs(limits, plan->limit_procs);
	if (helper_setup == NULL && !launch->identity->is_set)
		return WRIT_OK;

	writ_status status = go_through_helper(command, launcher, launch,
	    helper_setup == NULL ? &launching : helper_setup, err);
	if (status != WRIT_OK)
		w_child_command_done(command);
	return status;
}

void
w_child_command_done(struct w_child_command *command)
{
	w_buf_done(&command->spec);
	free(command->argv);
	command->argv = NULL;
	w_close(&command->report);
	w_close(&command->report_out);
	w_close(&command->socket);
	w_close(&command->socket_out);
}

int
w_child_command_await(struct w_child_command *command)
{
	struct w_helper_report report;

	if (command->report < 0)
		return 0;
	w_close(&command->report_out);
	int error = w_helper_report_await(command->report, &report);
	command->plan.failed_step = report.step;
	return error;
}
