/* SPDX-License-Identifier: Apache-2.0 */

/*
 * This terminal at another process's run.
 *
 * Output goes through the sanitizer that live output of a run with a terminal
 * goes through: a program can draw, but not ask the terminal for an answer that
 * would be typed, nor set its title or the clipboard. No output is read while
 * the terminal does not take it, and nothing is typed while the run does not.
 */

#include "cli/attach/attach_seat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/attach/attach_keys.h"
#include "cli/attach/attach_socket.h"
#include "cli/output/print.h"
#include "cli/output/sanitizer.h"
#include "cli/output/signals.h"
#include "cli/output/terminal_guard.h"

/* What is read from the keyboard at once. */
#define KEYS_MAX  (W_ATTACH_TYPED_MAX / 2)
#define TYPED_MAX W_ATTACH_TYPED_MAX
#define SHOWN_MAX (4 * (size_t)W_ATTACH_PACKET_MAX)

/* For a terminal whose writ was killed: colours, the cursor, the screen, the
 * mouse, pasting, line breaks. */
#define RESTORE                                                        \
	"\033[0m\033[?25h\033[?1049l\033[?1000l\033[?1002l\033[?1003l" \
	"\033[?1006l\033[?2004l\033[?7h\033[?1l\033>\033(B"

enum {
	BY_SIGNAL = 128
};

enum {
	AT_RUN,
	AT_KEYS,
	AT_SIGNAL,
	AT_WINDOW,
	AT_COUNT,
};

struct attach_seat {
	int fd;
	int signal_fd;
	int window_fd;
	bool is_read_only;
	bool is_raw;
	bool is_over;
	bool owes_size; /* the run does not know the window's size yet */
	enum w_attach_end end;
	int exit_status;
	struct termios saved;
	struct w_sanitizer sanitizer;
	struct w_attach_keys keys;
	struct w_buf typed; /* not sent yet */
};

static uint64_t
attach_seat_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
attach_seat_leave(
    struct attach_seat *seat, enum w_attach_end end, int exit_status)
{
	seat->is_over = true;
	seat->end = end;
	seat->exit_status = exit_status;
}

/* ---- to the run ---- */

static void
send_size(struct attach_seat *seat, enum w_attach_kind kind)
{
	struct winsize size = {.ws_row = 0};
	char packet[W_ATTACH_SHORT_MAX];

	(void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	const struct w_attach_packet about = {
	    .kind = kind,
	    .rows = size.ws_row,
	    .columns = size.ws_col,
	    .number = kind == W_ATTACH_HELLO && seat->is_read_only
			  ? W_ATTACH_READ_ONLY
			  : 0,
	};
	const size_t len = w_attach_packet_format(&about, packet);
	/* Of many sizes the last one applies. The first packet has room. */
	const int flags = kind == W_ATTACH_HELLO ? 0 : MSG_DONTWAIT;
	seat->owes_size =
	    send(seat->fd, packet, len, MSG_NOSIGNAL | flags) < 0 &&
	    kind != W_ATTACH_HELLO && (errno == EAGAIN || errno == EINTR);
}

static void
send_typed(struct attach_seat *seat)
{
	char packet[1 + TYPED_MAX];
	struct w_buf *typed = &seat->typed;

	if (typed->len == 0)
		return;
	packet[0] = (char)W_ATTACH_INPUT;
	memcpy(packet + 1, typed->data, typed->len);
	if (send(seat->fd, packet, typed->len + 1,
		MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;
	w_buf_done(typed);
	w_buf_init(typed, TYPED_MAX);
}

static void
attach_seat_read_keys(struct attach_seat *seat)
{
	char bytes[KEYS_MAX];
	const ssize_t len = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (len <= 0) {
		attach_seat_leave(seat, W_ATTACH_DETACHED, BY_SIGNAL + SIGHUP);
		return;
	}
	if (w_attach_keys_add(&seat->keys, &seat->typed, bytes, (size_t)len,
		attach_seat_now_ms()))
		attach_seat_leave(seat, W_ATTACH_DETACHED, 0);
	if (seat->is_read_only)
		seat->typed.len = 0;
	send_typed(seat);
}

/* ---- to the terminal ---- */

static void
attach_seat_show(struct attach_seat *seat, const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, SHOWN_MAX);
	if (seat->is_raw)
		w_buf_add(&shown, bytes, len);
	else
		w_sanitizer_add(&seat->sanitizer, &shown, bytes, len);
	if (w_print_bytes(STDOUT_FILENO, shown.data, shown.len) < 0)
		attach_seat_leave(seat, W_ATTACH_DETACHED, BY_SIGNAL + SIGHUP);
}

static void
attach_seat_receive(struct attach_seat *seat)
{
	char bytes[W_ATTACH_PACKET_MAX];
	struct w_attach_packet packet;
	const ssize_t len = recv(seat->fd, bytes, sizeof(bytes), 0);

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (len <= 0 || !w_attach_packet_parse(bytes, (size_t)len, &packet))
		attach_seat_leave(seat, W_ATTACH_LOST, 0);
	else if (packet.kind == W_ATTACH_OUTPUT)
		attach_seat_show(seat, packet.bytes, packet.len);
	else if (packet.kind == W_ATTACH_END)
		attach_seat_leave(seat, W_ATTACH_ENDED, (int)packet.number);
}

/* ---- the loop ---- */

static void
attach_seat_read_signals(struct attach_seat *seat)
{
	struct signalfd_siginfo info;

	while (
	    read(seat->window_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		continue;
	while (read(seat->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			attach_seat_leave(seat, W_ATTACH_DETACHED,
			    BY_SIGNAL + (int)info.ssi_signo);
	}
}

static writ_status
attach_seat_step(struct attach_seat *seat, writ_error *err)
{
	const bool has_typed = seat->typed.len > 0;
	const bool sends = has_typed || seat->owes_size;
	struct pollfd polls[AT_COUNT] = {
	    [AT_RUN] = {.fd = seat->fd,
		.events = (short)(sends ? POLLIN | POLLOUT : POLLIN)},
	    [AT_KEYS] = {.fd = has_typed ? -1 : STDIN_FILENO, .events = POLLIN},
	    [AT_SIGNAL] = {.fd = seat->signal_fd, .events = POLLIN},
	    [AT_WINDOW] = {.fd = seat->window_fd, .events = POLLIN},
	};

	if (poll(polls, AT_COUNT,
		w_attach_keys_wait_ms(&seat->keys, attach_seat_now_ms())) < 0 &&
	    errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "attach", errno,
		    "cannot wait for the run");
	w_attach_keys_wake(&seat->keys, &seat->typed, attach_seat_now_ms());
	if (seat->is_read_only)
		seat->typed.len = 0;
	send_typed(seat);
	/* The signal is taken before the size is read: a change in between
	 * sends another. */
	if (polls[AT_SIGNAL].revents != 0 || polls[AT_WINDOW].revents != 0)
		attach_seat_read_signals(seat);
	if (polls[AT_WINDOW].revents != 0 || seat->owes_size)
		send_size(seat, W_ATTACH_SIZE);
	if (!seat->is_over && polls[AT_KEYS].revents != 0)
		attach_seat_read_keys(seat);
	if (!seat->is_over && (polls[AT_RUN].revents & ~POLLOUT) != 0)
		attach_seat_receive(seat);
	return WRIT_OK;
}

static writ_status
attach_seat_open(struct attach_seat *seat, writ_error *err)
{
	sigset_t window;

	seat->signal_fd = w_signals_open(err);
	if (seat->signal_fd < 0)
		return WRIT_E_SYSTEM;
	(void)sigemptyset(&window);
	(void)sigaddset(&window, SIGWINCH);
	(void)sigprocmask(SIG_BLOCK, &window, NULL);
	seat->window_fd = signalfd(-1, &window, SFD_CLOEXEC | SFD_NONBLOCK);
	if (seat->window_fd < 0 || tcgetattr(STDIN_FILENO, &seat->saved) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "attach", errno,
		    "cannot use the terminal");
	return WRIT_OK;
}

writ_status
w_attach_seat(int fd, bool is_read_only, bool is_raw,
    enum w_attach_end *out_end, int *out_exit, writ_error *err)
{
	struct attach_seat seat = {
	    .fd = fd,
	    .signal_fd = -1,
	    .window_fd = -1,
	    .is_read_only = is_read_only,
	    .is_raw = is_raw,
	    .sanitizer = {.is_screen = true},
	};
	struct w_terminal_guard guard;
	struct w_buf rest;

	writ_status status = attach_seat_open(&seat, err);
	if (status == WRIT_OK) {
		struct termios raw = seat.saved;

		w_buf_init(&seat.typed, TYPED_MAX);
		w_terminal_guard_open(
		    &guard, STDOUT_FILENO, &seat.saved, RESTORE);
		cfmakeraw(&raw);
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
		send_size(&seat, W_ATTACH_HELLO);
		while (status == WRIT_OK && !seat.is_over)
			status = attach_seat_step(&seat, err);
		w_buf_init(&rest, SHOWN_MAX);
		w_sanitizer_end(&seat.sanitizer, &rest);
		(void)w_print_bytes(STDOUT_FILENO, rest.data, rest.len);
		w_buf_done(&rest);
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &seat.saved);
		w_terminal_guard_close(&guard);
		w_buf_done(&seat.typed);
	}
	w_close(&seat.signal_fd);
	w_close(&seat.window_fd);
	if (status != WRIT_OK)
		return status;
	*out_end = seat.end;
	*out_exit = seat.exit_status;
	return WRIT_OK;
}
