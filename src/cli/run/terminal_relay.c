/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Connects the user's terminal to the pty of a run: keys, window size, job
 * control.
 */

#include "cli/run/terminal_relay.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"

#define ESCAPE       '\035' /* Ctrl-] */
#define ESCAPE_TIMES 3
#define ESCAPE_MS    1000

/* When to write again after the pty was full. */
#define RETRY_MS 10

/* End of input is a character (VEOF). A program that is just changing the
 * terminal settings loses it, so it is typed again, with doubled delays. */
#define ENDS_MAX 8
#define END_MS   UINT64_C(50)

/* After the command stopped, its output must be silent for this long before we
 * stop too: on a busy machine the kernel needs time to carry bytes across a
 * pty, and cannot be asked whether some are on the way. */
#define STOP_MS 20

/* Other processes of the run may keep writing: then we stop after this time.
 * It is time and not a number of loops, since our reader may be slow. */
#define STOP_MAX_MS UINT64_C(2000)

#define NEVER       UINT64_MAX

/* The terminal that at_exit() restores; NULL: none is raw. */
static struct w_terminal *raw_one;

static uint64_t
terminal_relay_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- our terminal ---- */

static void
make_plain(struct w_terminal *terminal)
{
	if (!terminal->is_raw)
		return;
	terminal->is_raw = false;
	raw_one = NULL;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &terminal->saved);
}

static void
at_exit(void)
{
	if (raw_one != NULL)
		make_plain(raw_one);
}

/* In the background tcsetattr() stops us (SIGTTOU) until we are in the
 * foreground again. */
static void
set_raw(struct w_terminal *terminal)
{
	struct termios raw = terminal->saved;

	cfmakeraw(&raw);
	terminal->is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
	raw_one = terminal->is_raw ? terminal : NULL;
}

static void
make_raw(struct w_terminal *terminal)
{
	static bool is_registered;

	if (!terminal->is_typing || !terminal->is_shown ||
	    tcgetattr(STDIN_FILENO, &terminal->saved) < 0)
		return;
	if (!is_registered)
		(void)atexit(at_exit);
	is_registered = true;
	set_raw(terminal);
}

static bool
get_size(struct winsize *out_size)
{
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, out_size) == 0 &&
	       out_size->ws_row > 0 && out_size->ws_col > 0;
}

static void
follow_size(const struct w_terminal *terminal, writ_job *job)
{
	struct winsize size;

	if (terminal->is_sized && !terminal->is_size_held && get_size(&size))
		writ_job_resize(job, size.ws_row, size.ws_col);
}

void
w_terminal_hold_size(struct w_terminal *terminal, writ_job *job, bool is_held)
{
	if (terminal->is_size_held == is_held)
		return;
	terminal->is_size_held = is_held;
	if (!is_held && job != NULL)
		follow_size(terminal, job);
}

void
w_terminal_init(
    struct w_terminal *terminal, const struct w_watch_options *options)
{
	writ_request *request = options->request;
	struct winsize size;

	*terminal = (struct w_terminal){.signal_fd = -1, .end_ms = NEVER};
	if (!request->pty || options->is_detached)
		return;
	terminal->is_typing = request->stdin_kind == WRIT_STDIN_PIPE;
	terminal->is_shown = !options->is_json && isatty(STDOUT_FILENO) == 1;
	if (terminal->is_shown && request->rows == 0 && request->columns == 0 &&
	    get_size(&size)) {
		terminal->is_sized = true;
		request->rows = size.ws_row;
		request->columns = size.ws_col;
	}
}

bool
w_terminal_is_used(const struct w_terminal *terminal)
{
	return terminal->is_typing && terminal->is_shown &&
	       isatty(STDIN_FILENO) == 1;
}

/* ---- stop and continue ---- */

static void
note_stop(void *ctx, writ_job *job, int signal)
{
	struct w_terminal *terminal = ctx;

	(void)job;
	terminal->stop = signal;
}

/* Returns whether SIGCONT was among the pending signals. */
static bool
drain_signals(struct w_terminal *terminal)
{
	struct signalfd_siginfo info;
	bool has_continued = false;

	while (read(terminal->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		has_continued |= info.ssi_signo == SIGCONT;
	return has_continued;
}

/*
 * Stops this process group as Ctrl-Z would. The kernel ignores SIGTSTP in an
 * orphaned process group, which nobody could continue. Then a command that
 * Ctrl-Z stopped continues at once; one stopped by another signal does not.
 */
static void
suspend(struct w_terminal *terminal, writ_job *job)
{
	const int signal = terminal->stop;
	sigset_t stop;

	terminal->stop = 0;
	terminal->stop_ms = 0;
	make_plain(terminal);
	(void)drain_signals(terminal);
	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTSTP);
	(void)sigprocmask(SIG_UNBLOCK, &stop, NULL);
	(void)kill(0, SIGTSTP);
	(void)sigprocmask(SIG_BLOCK, &stop, NULL);
	const bool was_stopped = drain_signals(terminal);
	make_raw(terminal);
	if (job == NULL)
		return;
	follow_size(terminal, job);
	if (was_stopped || signal == SIGTSTP)
		writ_job_signal(job, SIGCONT);
}

static void
terminal_relay_open_signals(struct w_terminal *terminal)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGWINCH);
	(void)sigaddset(&set, SIGCONT);
	(void)sigaddset(&set, SIGTSTP);
	terminal->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (terminal->signal_fd >= 0)
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

void
w_terminal_open(struct w_terminal *terminal, writ_job *job)
{
	if (!terminal->is_typing && !terminal->is_shown)
		return;
	terminal_relay_open_signals(terminal);
	if (terminal->signal_fd >= 0 && terminal->is_typing)
		writ_job_on_stop(job, note_stop, terminal);
	make_raw(terminal);
	/* The size may have changed while the user was asked. */
	follow_size(terminal, job);
}

void
w_terminal_close(struct w_terminal *terminal)
{
	make_plain(terminal);
	w_close(&terminal->signal_fd);
	terminal->is_typing = false;
}

/* ---- the keyboard ---- */

void
w_terminal_fill(
    const struct w_terminal *terminal, struct pollfd polls[W_TERMINAL_POLLS])
{
	const bool reads = terminal->is_typing && !terminal->has_ended &&
			   terminal->at == terminal->len;

	polls[W_TERMINAL_KEYS] =
	    (struct pollfd){.fd = reads ? STDIN_FILENO : -1, .events = POLLIN};
	polls[W_TERMINAL_SIGNALS] =
	    (struct pollfd){.fd = terminal->signal_fd, .events = POLLIN};
}

int
w_terminal_wait_ms(const struct w_terminal *terminal)
{
	if (terminal->stop != 0)
		return STOP_MS;
	if (terminal->at < terminal->len)
		return RETRY_MS;
	if (terminal->end_ms == NEVER)
		return -1;
	uint64_t now = terminal_relay_now_ms();
	return terminal->end_ms > now ? (int)(terminal->end_ms - now) : 0;
}

/* The escape keys are passed to the command as well: it may use them. */
static void
look_for_escape(struct w_terminal *terminal, writ_job *job)
{
	for (size_t i = terminal->at; i < terminal->len; i++) {
		uint64_t now = terminal_relay_now_ms();

		if (terminal->typed[i] != ESCAPE) {
			terminal->escapes = 0;
			continue;
		}
		if (terminal->escapes == 0 ||
		    now - terminal->escape_ms > ESCAPE_MS) {
			terminal->escapes = 0;
			terminal->escape_ms = now;
		}
		if (++terminal->escapes == ESCAPE_TIMES) {
			terminal->escapes = 0;
			writ_job_cancel(job, SIGTERM);
		}
	}
}

static void
read_keys(struct w_terminal *terminal, writ_job *job)
{
	ssize_t n = read(STDIN_FILENO, terminal->typed, W_TERMINAL_TYPED_MAX);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		terminal->has_ended = true;
		terminal->end_ms = terminal_relay_now_ms();
		return;
	}
	terminal->at = 0;
	terminal->len = (size_t)n;
	if (terminal->is_raw)
		look_for_escape(terminal, job);
}

static void
type(struct w_terminal *terminal, writ_job *job)
{
	size_t n = 0;

	if (terminal->at == terminal->len)
		return;
	if (writ_job_write(job, terminal->typed + terminal->at,
		terminal->len - terminal->at, &n) != WRIT_OK)
		n = terminal->len - terminal->at;
	terminal->at += n;
}

static void
type_end(struct w_terminal *terminal, writ_job *job)
{
	if (terminal->at < terminal->len ||
	    terminal->end_ms > terminal_relay_now_ms())
		return;
	writ_job_close_stdin(job);
	terminal->end_ms =
	    ++terminal->ends < ENDS_MAX
		? terminal_relay_now_ms() + (END_MS << terminal->ends)
		: NEVER;
}

static void
terminal_relay_take_signals(struct w_terminal *terminal, writ_job *job)
{
	struct signalfd_siginfo info;

	while (read(terminal->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGWINCH)
			follow_size(terminal, job);
		else if (info.ssi_signo == SIGTSTP)
			terminal->stop = SIGTSTP;
		/* The shell has used the terminal meanwhile. */
		else if (info.ssi_signo == SIGCONT && terminal->is_raw)
			set_raw(terminal);
	}
}

void
w_terminal_step(struct w_terminal *terminal, writ_job *job, bool is_busy,
    const struct pollfd polls[W_TERMINAL_POLLS])
{
	if (job == NULL || (!terminal->is_typing && !terminal->is_shown))
		return;
	if (polls[W_TERMINAL_SIGNALS].revents != 0)
		terminal_relay_take_signals(terminal, job);
	if (polls[W_TERMINAL_KEYS].revents != 0)
		read_keys(terminal, job);
	if (terminal->is_typing) {
		type(terminal, job);
		type_end(terminal, job);
	}
	if (terminal->stop == 0)
		return;
	const uint64_t now = terminal_relay_now_ms();
	if (terminal->stop_ms == 0)
		terminal->stop_ms = now + STOP_MAX_MS;
	/* First show what the command wrote before it stopped. */
	if (!is_busy || now >= terminal->stop_ms)
		suspend(terminal, job);
}
