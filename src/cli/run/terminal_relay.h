/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TERMINAL_RELAY_H
#define W_CLI_TERMINAL_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "cli/run/watch.h"

/*
 * The keyboard and the window of a run that has a terminal of its own.
 *
 * What comes on standard input is typed there. A terminal of ours that shows
 * the output gives every key as it is, so Ctrl-C and Ctrl-Z are the command's,
 * and its size is followed. When the command is stopped we stop, too, with the
 * terminal as it was before; when we go on, so does the command. Ctrl-] three
 * times within a second ends a command that does not listen.
 *
 * However writ ends by itself, the terminal is given back as it was found.
 */
enum {
	W_TERMINAL_KEYS,
	W_TERMINAL_SIGNALS,
	W_TERMINAL_POLLS,
	W_TERMINAL_TYPED_MAX = 4096
};

struct w_terminal {
	bool is_typing; /* standard input goes to the command */
	bool is_shown;  /* the output appears on a terminal of ours */
	bool is_sized;  /* the size follows that one's */
	bool is_raw;
	int signal_fd; /* -1: not open */
	struct termios saved;
	char typed[W_TERMINAL_TYPED_MAX]; /* and not yet taken */
	size_t len;
	size_t at;
	bool has_ended;     /* standard input has */
	unsigned ends;      /* how often the command was told */
	uint64_t end_ms;    /* when it will be again */
	unsigned escapes;   /* keys of the way out, in a row */
	uint64_t escape_ms; /* when the first of them came */
	int stop;           /* what the command was stopped by; 0: nothing */
	uint64_t stop_ms;   /* when we stop in any case; 0: not known yet */
};

/* Before the start: takes the size of our terminal over into the request. */
void w_terminal_init(
    struct w_terminal *terminal, const struct w_watch_options *plan);

/* Whether a person uses the command: what is typed on a terminal goes there,
 * and what it shows comes back to one. */
bool w_terminal_is_used(const struct w_terminal *terminal);

/* The command has started. */
void w_terminal_open(struct w_terminal *terminal, writ_job *job);

/* For poll(): what to wait for, and how long at most (-1: for ever). */
void w_terminal_fill(
    const struct w_terminal *terminal, struct pollfd polls[W_TERMINAL_POLLS]);
int w_terminal_wait_ms(const struct w_terminal *terminal);

/* After poll(). job: NULL when it has ended. is_busy: output may be on its
 * way. */
void w_terminal_step(struct w_terminal *terminal, writ_job *job, bool is_busy,
    const struct pollfd polls[W_TERMINAL_POLLS]);

/* Gives the terminal back. */
void w_terminal_close(struct w_terminal *terminal);

#endif /* W_CLI_TERMINAL_RELAY_H */
