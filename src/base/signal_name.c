/* SPDX-License-Identifier: Apache-2.0 */

/* Signal names, as used in results and records. */

#include "base/signal_name.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
w_signal_name(int signal, char out[W_SIGNAL_NAME_MAX])
{
	const char *name = sigabbrev_np(signal);

	if (name != NULL)
		(void)snprintf(out, W_SIGNAL_NAME_MAX, "SIG%s", name);
	else if (signal == SIGRTMIN)
		(void)snprintf(out, W_SIGNAL_NAME_MAX, "SIGRTMIN");
	else if (signal > SIGRTMIN && signal <= SIGRTMAX)
		(void)snprintf(
		    out, W_SIGNAL_NAME_MAX, "SIGRTMIN+%d", signal - SIGRTMIN);
	else
		(void)snprintf(out, W_SIGNAL_NAME_MAX, "SIG%d", signal);
	return out;
}

/* The number at the end of a name; 0: none. */
static int
numbered(const char *text, int base)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end == text || *end != '\0' || number < 0 ||
	    number > SIGRTMAX - base)
		return 0;
	return base + (int)number;
}

int
w_signal_find(const char *name)
{
	if (strncmp(name, "SIG", 3) != 0)
		return 0;
	if (strcmp(name, "SIGRTMIN") == 0)
		return SIGRTMIN;
	if (strncmp(name, "SIGRTMIN+", 9) == 0)
		return numbered(name + 9, SIGRTMIN);
	for (int signal = 1; signal < NSIG; signal++) {
		const char *known = sigabbrev_np(signal);

		if (known != NULL && strcmp(known, name + 3) == 0)
			return signal;
	}
	return numbered(name + 3, 0);
}
