/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TERMINAL_RELAY_H
#define W_CLI_TERMINAL_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "cli/run/watch.h"

/*
 * The keyboard and the window of a run with a pty (--pty).
 *
 * Standard input is typed into the pty. If our terminal shows the output, it is
 * put into raw mode, so Ctrl-C and Ctrl-Z go to the command, and the pty
 * follows its size. When the command stops, we restore our terminal and stop
 * too; when we continue, so does the command. Ctrl-] three times within a
 * second ends a command that does not react.
 *
 * However writ exits by itself, the terminal settings are restored.
 */
enum {
	W_TERMINAL_KEYS,
	W_TERMINAL_SIGNALS,
	W_TERMINAL_POLLS,
	W_TERMINAL_TYPED_MAX = 4096
};

struct w_terminal {
	bool is_typing;    /* standard input goes to the command */
	bool is_shown;     /* the output goes to our terminal */
	bool is_sized;     /* the pty follows the size of our terminal */
	bool is_size_held; /* another terminal sets the size */
	bool is_raw;
	int signal_fd; /* -1: not open */
	struct termios saved;
	char typed[W_TERMINAL_TYPED_MAX]; /* read from standard input */
	size_t len;
	size_t at;          /* bytes of typed that the pty took */
	bool has_ended;     /* end of standard input */
	unsigned ends;      /* how often VEOF was typed */
	uint64_t end_ms;    /* when to type it next; UINT64_MAX: never */
	unsigned escapes;   /* Ctrl-] in a row */
	uint64_t escape_ms; /* when the first of them was typed */
	int stop;           /* the signal that stopped the command; 0: none */
	uint64_t stop_ms;   /* when we stop in any case; 0: not set */
};

/* Before the start: copies the size of our terminal into the request. */
void w_terminal_init(
    struct w_terminal *terminal, const struct w_watch_options *options);

/* Whether a person uses the command: input and output are terminals. */
bool w_terminal_is_used(const struct w_terminal *terminal);

/* Call it after the command has started. */
void w_terminal_open(struct w_terminal *terminal, writ_job *job);

/* For poll(): the descriptors, and the timeout (-1: none). */
void w_terminal_fill(
    const struct w_terminal *terminal, struct pollfd polls[W_TERMINAL_POLLS]);
int w_terminal_wait_ms(const struct w_terminal *terminal);

/* Call it after poll(). job: NULL if it has ended. is_busy: more output may
 * come. */
void w_terminal_step(struct w_terminal *terminal, writ_job *job, bool is_busy,
    const struct pollfd polls[W_TERMINAL_POLLS]);

/* Another terminal sets the size of the pty, until it is ours again. */
void w_terminal_hold_size(
    struct w_terminal *terminal, writ_job *job, bool is_held);

/* Restores the terminal. */
void w_terminal_close(struct w_terminal *terminal);

#endif /* W_CLI_TERMINAL_RELAY_H */
