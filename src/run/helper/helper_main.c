/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The helper's entry point: dispatches on the role in its arguments.
 *
 * The arguments come from the engine only. Anything unexpected ends the helper
 * with status 125.
 */

#include <errno.h>
#include <linux/prctl.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

void helper_main(long *stack);

_Noreturn void
quit(int status)
{
	for (;;)
		(void)w_sys1(__NR_exit_group, status);
}

void
send_event(const struct w_helper_event *message)
{
	enum {
		NO_SIGNAL = 0x4000
	};

	(void)w_sys6(__NR_sendto, W_HELPER_SOCKET_FD, (long)message,
	    sizeof(*message), NO_SIGNAL, 0, 0);
}

void
report_failed(const struct fault *fault, long ret)
{
	const struct w_helper_event message = {
	    .kind = W_HELPER_EVENT_FAILED,
	    .step = (int32_t)fault->step,
	    .sys_errno = (int32_t)-ret,
	    .detail = fault->detail,
	};

	(void)w_sys3(__NR_write, W_HELPER_REPORT_FD, &message, sizeof(message));
}

/* Reads decimal digits and moves *at past them. */
static uint32_t
number(const char **at)
{
	uint32_t value = 0;

	while (**at >= '0' && **at <= '9')
		value = value * 10 + (uint32_t)(*(*at)++ - '0');
	return value;
}

/* Reads the flag letters after the role and moves *at past them. */
static void
read_letters(const char **at, int *out_may_keep, int *out_has_terminal)
{
	*out_may_keep = **at == 'b';
	*at += *out_may_keep;
	*out_has_terminal = **at == 't';
	*at += *out_has_terminal;
}

/* ":uid:gid:group,group", or empty. */
static void
read_identity(const char *at, struct identity *out)
{
	if (*at == '\0')
		return;
	if (*at++ != ':')
		quit(125);
	out->is_set = 1;
	out->uid = number(&at);
	if (*at++ != ':')
		quit(125);
	out->gid = number(&at);
	if (*at++ != ':')
		quit(125);
	while (*at != '\0') {
		if (out->group_count == HELPER_GROUPS_MAX)
			quit(125);
		out->groups[out->group_count++] = number(&at);
		if (*at == ',')
			at++;
		else if (*at != '\0')
			quit(125);
	}
}

/* For the long-lived roles, which show up in ps. */
static void
set_process_name(void)
{
	(void)w_sys5(__NR_prctl, PR_SET_NAME, "writ-helper", 0, 0, 0);
}

static _Noreturn void
subreaper(
    const struct helper_command *command, int may_keep, const char *group_name)
{
	const struct supervision supervision = {
	    .role = W_ROLE_SUBREAPER,
	    .may_keep = may_keep,
	    .group_name = group_name,
	    .become = become,
	    .what = command,
	    .keeps_privileges = 1,
	    .has_terminal = command->has_terminal,
	};

	/* Without this, orphans would be reparented to init and escape. */
	long ret = w_sys5(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (ret < 0) {
		const struct fault fault = {.step = W_STEP_PROCESS};

		report_failed(&fault, ret);
		quit(127);
	}
	set_process_name();
	supervise(&supervision);
}

static _Noreturn void
helper_main_init(const char *letters, const char *pid_text)
{
	int may_keep, has_terminal;

	read_letters(&letters, &may_keep, &has_terminal);
	const struct supervision supervision = {
	    .role = W_ROLE_INIT,
	    .may_keep = may_keep,
	    .group_name = "",
	    .pid = (int)number(&pid_text),
	    .keeps_privileges = 1,
	    .has_terminal = has_terminal,
	};

	set_process_name();
	supervise(&supervision);
}

/* The roles that execute or start the command themselves. */
static _Noreturn void
with_command(long argc, char **argv)
{
	static struct identity identity;
	char role = argv[1][0];
	const char *spec = argv[1] + 1;
	int may_keep, has_terminal;

	if (argc < 5)
		quit(125);
	read_letters(&spec, &may_keep, &has_terminal);
	read_identity(spec, &identity);
	const struct helper_command command = {
	    .identity = &identity,
	    .is_supervised = role == W_ROLE_SUBREAPER,
	    .has_terminal = has_terminal,
	    .path = argv[2],
	    .argv = argv + 4,
	    .envp = argv + argc + 1,
	};
	if (role == W_ROLE_SETUID_STUB) {
		struct fault fault = {.step = W_STEP_EXEC};

		long ret = become(&command, &fault);
		report_failed(&fault, ret);
		quit(127);
	}
	subreaper(&command, may_keep, argv[3]);
}

static _Noreturn void
helper_main_build(const char *role)
{
	set_process_name();
	if (role[0] == W_ROLE_FORK_SERVER)
		fork_server();

	const struct w_sandbox_plan *sandbox_plan = sandbox_plan_map();
	struct fault fault = {.step = W_STEP_VIEW};
	long ret = sandbox_plan_enter(sandbox_plan, &fault);
	if (ret < 0) {
		report_failed(&fault, ret);
		quit(127);
	}
	take_low_numbers();
	sandbox_init(sandbox_plan, role[1] == 't');
}

void
helper_main(long *stack)
{
	long argc = stack[0];
	char **argv = (char **)(stack + 1);

	if (argc < 3)
		quit(125);

	/* Keeps even its owner from ptrace and /proc/PID/mem. */
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	switch (argv[1][0]) {
	case W_ROLE_INIT:
		helper_main_init(argv[1] + 1, argv[2]);
	case W_ROLE_SUBREAPER:
	case W_ROLE_SETUID_STUB:
		with_command(argc, argv);
	case W_ROLE_SANDBOX_INIT:
	case W_ROLE_FORK_SERVER:
		helper_main_build(argv[1]);
	case W_ROLE_SESSION_MAKER:
		session_maker(argv[1] + 1, argv[2]);
	case W_ROLE_SESSION_HOLDER:
		session_holder();
	case W_ROLE_FORWARDER:
		session_forwarder(argv[1] + 1);
	case W_ROLE_CGROUP_WATCHDOG:
		set_process_name();
		cgroup_watchdog();
	default:
		quit(125);
	}
}

#if defined(__x86_64__)
__asm__(".globl _start\n"
	"_start:\n\t"
	"xorl %ebp, %ebp\n\t"
	"movq %rsp, %rdi\n\t"
	"andq $-16, %rsp\n\t"
	"call helper_main\n\t"
	"hlt\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n"
	"_start:\n\t"
	"mov x29, #0\n\t"
	"mov x0, sp\n\t"
	"bl helper_main\n\t"
	"brk #0\n");
#endif
