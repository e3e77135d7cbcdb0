/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shows elapsed seconds on a terminal. The library that does the work does not
 * know of it, so a signal handler writes the line. It is async-signal-safe:
 * the text is prepared before, and only write() is called.
 */

#include "cli/output/elapsed_line.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#define DIGITS_MAX 12

static const char wipe[] = "\r\033[K";
static char ready_text[W_ELAPSED_TEXT_MAX + sizeof(wipe)];
static volatile sig_atomic_t seconds;

static void
tick(int signal)
{
	const int saved_errno = errno;
	char line[sizeof(ready_text) + DIGITS_MAX + 1];
	char digits[DIGITS_MAX] = {0};
	size_t len = 0;
	size_t count = 0;

	(void)signal;
	seconds = seconds + 1;
	for (; ready_text[len] != '\0'; len++)
		line[len] = ready_text[len];
	for (int rest = seconds; rest > 0 && count < DIGITS_MAX; rest /= 10)
		digits[count++] = (char)('0' + rest % 10);
	while (count > 0)
		line[len++] = digits[--count];
	line[len++] = 's';
	(void)!write(STDERR_FILENO, line, len);
	errno = saved_errno;
}

static void
set_timer(int every_s)
{
	const struct itimerval timer = {
	    .it_interval = {.tv_sec = every_s},
	    .it_value = {.tv_sec = every_s},
	};

	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

void
w_elapsed_start(const char *text)
{
	const struct sigaction action = {
	    .sa_handler = tick, .sa_flags = SA_RESTART};

	if (isatty(STDERR_FILENO) != 1)
		return;
	(void)snprintf(ready_text, sizeof(ready_text), "%s%s", wipe, text);
	if (sigaction(SIGALRM, &action, NULL) == 0)
		set_timer(1);
}

void
w_elapsed_wipe(void)
{
	if (seconds > 0)
		(void)!write(STDERR_FILENO, wipe, sizeof(wipe) - 1);
}

void
w_elapsed_stop(void)
{
	set_timer(0);
	w_elapsed_wipe();
}
