/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The helper's entry: reads its role from the arguments and goes there.
 *
 * Its arguments come from the engine only; whatever does not look as agreed
 * ends it at once with status 125.
 */

#include <linux/prctl.h>

#include "exec/helper/helper.h"
#include "os/syscall.h"

void helper_main(long *stack);

_Noreturn void
quit(int status)
{
	for (;;)
		(void)w_sys1(__NR_exit_group, status);
}

void
tell(const struct w_tell *message)
{
	enum {
		NO_SIGNAL = 0x4000
	};

	(void)w_sys6(__NR_sendto, W_HELPER_SOCKET_FD, (long)message,
	    sizeof(*message), NO_SIGNAL, 0, 0);
}

void
tell_failed(enum w_step step, long ret)
{
	const struct w_tell message = {
	    .kind = W_TELL_FAILED,
	    .step = (int32_t)step,
	    .sys_errno = (int32_t)-ret,
	};

	tell(&message);
}

/* Reads decimal digits; *at stops behind them. */
static uint32_t
number(const char **at)
{
	uint32_t value = 0;

	while (**at >= '0' && **at <= '9')
		value = value * 10 + (uint32_t)(*(*at)++ - '0');
	return value;
}

/* ":uid:gid:group,group" */
static void
read_identity(const char *at, struct identity *out)
{
	if (*at++ != ':')
		quit(125);
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

static _Noreturn void
launch(long argc, char **argv)
{
	static struct identity identity;
	enum w_step step = W_STEP_EXEC;

	if (argc < 4)
		quit(125);
	read_identity(argv[1] + 1, &identity);
	const struct command command = {
	    .identity = &identity,
	    .path = argv[2],
	    .argv = argv + 3,
	    .envp = argv + argc + 1,
	};
	long ret = become(&command, &step);
	tell_failed(step, ret);
	quit(127);
}

void
helper_main(long *stack)
{
	long argc = stack[0];
	char **argv = (char **)(stack + 1);

	if (argc < 3)
		quit(125);

	/* Not even its owner may look into it or attach to it. */
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	char role = argv[1][0];
	if (role == W_ROLE_LAUNCH)
		launch(argc, argv);

	/* Long-lived: under a name, and in nobody's way. */
	(void)w_sys5(__NR_prctl, PR_SET_NAME, "writ-helper", 0, 0, 0);
	(void)w_sys1(__NR_chdir, "/");
	if (role == W_ROLE_GUARD)
		guard(argv[2]);
	if (argc < 4 || (role != W_ROLE_INIT && role != W_ROLE_KEEPER))
		quit(125);
	const char *pid_text = argv[2];
	int pid = (int)number(&pid_text);
	supervise(role, argv[1][1] == 'b', pid, argv[3]);
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
