/* SPDX-License-Identifier: Apache-2.0 */

/* The last steps of the command's own process, up to execve(). */

#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/launch/child_setup.h"
#include "run/launch/same_file.h"

/* Groups first: setgroups() needs the privileges that setresuid() drops. */
long
take_identity(const struct identity *identity)
{
	long ret;

	if (!identity->is_set)
		return 0;
	ret = w_sys2(__NR_setgroups, identity->group_count, identity->groups);
	if (ret == 0)
		ret = w_sys3(__NR_setresgid, identity->gid, identity->gid,
		    identity->gid);
	if (ret == 0)
		ret = w_sys3(__NR_setresuid, identity->uid, identity->uid,
		    identity->uid);
	return ret;
}

/* Descriptors above the standard streams belong to the helper. */
void
close_rest(void)
{
	enum {
		ON_EXEC = 1 << 2
	};

	(void)w_sys3(__NR_close_range, 3, ~0U, ON_EXEC);
}

void
unblock_signals(void)
{
	const uint64_t no_signals = 0;
	enum {
		SET_MASK = 2,
		MASK_BYTES = 8
	};

	(void)w_sys4(
	    __NR_rt_sigprocmask, SET_MASK, &no_signals, NULL, MASK_BYTES);
}

long
take_session(int has_terminal)
{
	enum w_terminal_part part =
	    has_terminal ? W_TERMINAL_JOIN : W_TERMINAL_NONE;

	long ret = w_child_start_session(part);
	return ret < 0 ? ret : w_child_attach_terminal(part);
}

long
become(const void *what, struct fault *out_fault)
{
	const struct helper_command *command = what;

	out_fault->step = W_STEP_TERMINAL;
	long ret =
	    command->is_supervised ? take_session(command->has_terminal) : 0;
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_IDENTITY;
	ret = take_identity(command->identity);
	if (ret < 0)
		return ret;

	/* After setresuid(), which clears it. */
	if (command->is_supervised)
		(void)w_sys5(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	close_rest();
	out_fault->step = W_STEP_PROGRAM;
	ret = command->path[0] == '\0'
		  ? 0
		  : w_same_file(W_HELPER_PROGRAM_FD, command->path);
	if (ret < 0)
		return ret;

	out_fault->step = W_STEP_EXEC;
	unblock_signals();
	if (command->path[0] != '\0')
		return w_sys3(
		    __NR_execve, command->path, command->argv, command->envp);
	return w_sys5(__NR_execveat, W_HELPER_PROGRAM_FD, "", command->argv,
	    command->envp, AT_EMPTY_PATH);
}
