/* SPDX-License-Identifier: Apache-2.0 */

/* Starting a command beneath, or by way of, the helper. */

#include "exec/helper_start.h"

#include <linux/sched.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"

/* The helper answers within microseconds; a machine that swaps may need
 * longer, one that never answers must not hang the engine. */
enum { ANSWER_MS = 30000, SPEC_MAX = 4096 };

void
w_launch_plan(const struct w_launch *launch, struct w_child_plan *plan)
{
	*plan = (struct w_child_plan){
	    .program_fd = launch->program->fd,
	    .path = launch->program->is_script ? launch->program->path : NULL,
	    .argv = launch->argv,
	    .envp = launch->envp,
	    .cwd_fd = launch->cwd_fd,
	    .stdio = {launch->stdio[0], launch->stdio[1], launch->stdio[2]},
	    .limit_count = launch->limit_count,
	    .nice = launch->nice,
	    .umask = launch->umask,
	};
	memcpy(plan->limits, launch->limits, sizeof(plan->limits));
}

/* The helper's first argument: role, keeping, identity. */
static writ_status
write_spec(const struct w_launch *launch, char role, struct w_buf *spec,
    writ_error *err)
{
	const struct w_identity *identity = launch->identity;

	w_buf_add_char(spec, role);
	if (launch->keeps_background && role != W_ROLE_LAUNCH)
		w_buf_add_char(spec, 'b');
	if (identity->is_set)
		w_buf_add_fmt(spec, ":%u:%u:", identity->uid, identity->gid);
	for (size_t i = 0; i < identity->group_count; i++)
		w_buf_add_fmt(
		    spec, "%s%u", i > 0 ? "," : "", identity->groups[i]);
	return spec->failed ? w_fail_nomem(err, "helper") : WRIT_OK;
}

/* Puts the helper's own words before the command's. The list is for free();
 * its elements are borrowed. */
static char **
helper_argv(const struct w_launch *launch, char *words[4])
{
	size_t count = 0;

	while (launch->argv[count] != NULL)
		count++;
	char **argv = calloc(count + 5, sizeof(*argv));
	if (argv == NULL)
		return NULL;
	memcpy(argv, words, 4 * sizeof(*argv));
	memcpy(argv + 4, launch->argv, count * sizeof(*argv));
	return argv;
}

/* Waits for the helper's word. 0: started; else the errno, with the step. */
static int
await_started(int socket, enum w_step *out_step)
{
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	struct w_tell told = {0};
	int ready;

	*out_step = W_STEP_EXEC;
	do {
		ready = poll(&poll_in, 1, ANSWER_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;

	ssize_t n = recv(socket, &told, sizeof(told), MSG_DONTWAIT);
	/* The launcher role says nothing when it has become the command: its
	 * end of the socket closes with the exec. */
	if (n == 0 || (n == (ssize_t)sizeof(told) && told.kind == W_TELL_STARTED))
		return 0;
	if (n != (ssize_t)sizeof(told) || told.kind != W_TELL_FAILED)
		return EPROTO;
	*out_step = (enum w_step)told.step;
	return told.sys_errno == 0 ? EPROTO : told.sys_errno;
}

static struct w_attempt
spawn_helper(struct w_launcher *launcher, struct w_child_plan *plan,
    const struct w_helper_start *start, struct w_tree *tree)
{
	struct w_attempt attempt = {0};

	attempt.error = w_spawn(&launcher->spawner, plan, start->flags,
	    start->group_fd, &tree->child);
	attempt.is_step = plan->failed_errno != 0;
	attempt.step = plan->failed_step;
	return attempt;
}

static struct w_attempt
start_helper(struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_helper_start *start, char **argv, struct w_tree *tree)
{
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;
	struct w_child_plan plan;
	struct w_attempt attempt = {.error = w_fd_pair(&ours, &theirs)};

	if (attempt.error != 0)
		return attempt;
	w_launch_plan(launch, &plan);
	plan.program_fd = launcher->helper_fd;
	plan.path = NULL;
	plan.argv = argv;
	plan.pass[0] = theirs;
	plan.pass[1] = launcher->engine_fd;
	plan.pass[2] = launch->program->fd;
	plan.pass[3] = *start->group_name != '\0' ? launcher->groups.parent_fd
	                                          : -1;
	plan.pass[4] = *start->group_name != '\0' ? start->group_fd : -1;
	plan.pass_count = W_CHILD_PASS_MAX;
	if ((start->flags & CLONE_NEWUSER) != 0) {
		plan.uid_map = launcher->uid_map;
		plan.gid_map = launcher->gid_map;
	}
	attempt = spawn_helper(launcher, &plan, start, tree);
	if (attempt.error != 0)
		return attempt;

	w_close(&theirs);
	attempt.error = await_started(ours, &attempt.step);
	attempt.is_step = true;
	if (attempt.error != 0) {
		w_kill_and_reap(&tree->child);
		return attempt;
	}
	if (start->role != W_ROLE_LAUNCH)
		tree->socket = w_take_fd(&ours);
	return attempt;
}

writ_status
w_helper_start(struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_helper_start *start, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err)
{
	W_AUTO_BUF struct w_buf spec;
	char name[] = "writ", none[] = "";

	w_buf_init(&spec, SPEC_MAX);
	writ_status status = write_spec(launch, start->role, &spec, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE char *group_name = strdup(start->group_name);
	char *path = launch->program->is_script ? launch->program->path : none;
	char *words[4] = {name, spec.data, path, group_name};
	W_AUTO_FREE char **argv = helper_argv(launch, words);
	if (group_name == NULL || argv == NULL)
		return w_fail_nomem(err, "helper");
	*out_attempt = start_helper(launcher, launch, start, argv, tree);
	return WRIT_OK;
}
