/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit replay`: plays the recorded output of a run with its timing.
 */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/audit/audit_args.h"
#include "cli/caller.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/sanitizer.h"
#include "cli/output/signals.h"
#include "cli/run/recorded_run.h"
#include "data/json.h"
#include "log/log_format.h"

#define US_PER_S  UINT64_C(1000000)
#define PIECE_MAX ((size_t)4 << 20)
#define DEPTH_MAX 16

/* clang-format off */
static const struct w_option options[] = {
	{.name = "speed", .arg = "FACTOR", W_TO(MILLI, struct w_audit_args, speed_milli),
	 .standard = "1 on a terminal, without pauses in a pipe",
	 .help = "Play this many times as fast: 2, 0.5; 0: without pauses."},
	{.name = "max-pause", .arg = "DURATION", W_TO(DURATION, struct w_audit_args, max_pause_ms),
	 .help = "Shorten longer pauses to this, like 1s."},
	{.name = "stdout", W_TO(FLAG, struct w_audit_args, only_stream[WRIT_STDOUT]),
	 .help = "Only standard output."},
	{.name = "stderr", W_TO(FLAG, struct w_audit_args, only_stream[WRIT_STDERR]),
	 .help = "Only standard error."},
	{.name = "safe", W_TO(FLAG, struct w_audit_args, is_safe),
	 .help = "Remove all control sequences but colours, also in a pipe or "
	         "a file.",
	 .standard = "on a terminal"},
	{.name = "raw", W_TO(FLAG, struct w_audit_args, is_raw),
	 .help = "Pass the output to a terminal unchanged, with all control "
	         "sequences."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	W_AUDIT_JSON_ROW("Print a JSON object for each piece, without pauses: "
	    "at_us, stream, data."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit replay -", "the newest run, as it went"},
	{"writ audit replay --speed 4 --max-pause 1s 01KA5QX7P2",
	 "four times as fast, and no pause longer than a second"},
	{"writ audit replay --raw -",
	 "a program with a screen, from a run that you trust"},
	{"writ audit replay --stdout - | sha256sum",
	 "what it wrote, to compare with the record"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "there is no such run, its output is not kept, or it could not "
	      "be read"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{.status = ""},
};
/* clang-format on */

struct replay {
	const struct w_audit_args *args;
	int signal_fd; /* -1: without pauses */
	int signal;
	uint64_t speed_milli;
	uint64_t max_pause_us;
	uint64_t at_us;    /* in the recording */
	uint64_t clock_us; /* since the replay began */
	struct timespec start;
	struct w_sanitizer sanitizers[2]; /* by writ_stream */
	int sys_errno;
};

/* Waits until the next piece is due. false: a signal came. */
static bool
wait_for_piece(struct replay *replay, uint64_t at_us)
{
	uint64_t pause_us = at_us > replay->at_us ? at_us - replay->at_us : 0;
	struct pollfd polled = {.fd = replay->signal_fd, .events = POLLIN};
	struct signalfd_siginfo info;
	struct timespec now;

	replay->at_us = at_us;
	if (replay->signal_fd < 0)
		return true;
	if (replay->max_pause_us > 0 && pause_us > replay->max_pause_us)
		pause_us = replay->max_pause_us;
	replay->clock_us += pause_us * 1000 / replay->speed_milli;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	const uint64_t now_us =
	    (uint64_t)(now.tv_sec - replay->start.tv_sec) * US_PER_S +
	    (uint64_t)(now.tv_nsec / 1000) -
	    (uint64_t)(replay->start.tv_nsec / 1000);
	const uint64_t left_us =
	    replay->clock_us > now_us ? replay->clock_us - now_us : 0;
	const struct timespec left = {
	    .tv_sec = (time_t)(left_us / US_PER_S),
	    .tv_nsec = (long)(left_us % US_PER_S * 1000),
	};
	if (ppoll(&polled, 1, &left, NULL) <= 0 ||
	    read(replay->signal_fd, &info, sizeof(info)) !=
		(ssize_t)sizeof(info))
		return true;
	replay->signal = (int)info.ssi_signo;
	return false;
}

static int
fd_of(const struct replay *replay, writ_stream stream)
{
	return stream == WRIT_STDERR && !replay->args->is_json ? STDERR_FILENO
							       : STDOUT_FILENO;
}

/* false: it cannot be written. */
static bool
put_out(struct replay *replay, writ_stream stream, const struct w_buf *out)
{
	const int fd = fd_of(replay, stream);

	if (out->failed)
		replay->sys_errno = ENOMEM;
	else if (w_print_bytes(fd, out->data, out->len) < 0)
		replay->sys_errno = errno;
	return replay->sys_errno == 0;
}

/* false: it cannot be written, or a signal came. */
static bool
play_piece(struct replay *replay, const writ_piece *piece)
{
	const struct w_audit_args *args = replay->args;
	const bool has_choice = args->only_stream[0] || args->only_stream[1];
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, PIECE_MAX);
	if (has_choice && !args->only_stream[piece->stream])
		return true;
	if (!wait_for_piece(replay, piece->at_us))
		return false;
	if (args->is_json) {
		w_buf_add_fmt(&out,
		    "{\"at_us\":%" PRIu64 ",\"stream\":\"%s\",\"data\":",
		    piece->at_us,
		    piece->stream == WRIT_STDERR ? "stderr" : "stdout");
		w_json_add_bytes(&out, piece->bytes, piece->len);
		w_buf_add_str(&out, "}\n");
	} else if (args->is_safe ||
		   (!args->is_raw &&
		       isatty(fd_of(replay, piece->stream)) == 1)) {
		w_sanitizer_add(&replay->sanitizers[piece->stream], &out,
		    piece->bytes, piece->len);
	} else {
		w_buf_add(&out, piece->bytes, piece->len);
	}
	return put_out(replay, piece->stream, &out);
}

/* Writes held bytes and resets colours. */
static void
play_rest(struct replay *replay)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf out;

		w_buf_init(&out, PIECE_MAX);
		w_sanitizer_end(&replay->sanitizers[i], &out);
		if (out.len > 0 && !put_out(replay, (writ_stream)i, &out))
			return;
	}
}

static writ_status
play(struct replay *replay, const char *path, writ_error *err)
{
	writ_recording *recording = NULL;
	writ_status status = writ_recording_open(path, &recording, err);
	writ_piece piece = {.len = 0};

	while (status == WRIT_OK) {
		status = writ_recording_next(recording, &piece, err);
		if (status != WRIT_OK || piece.len == 0 ||
		    !play_piece(replay, &piece))
			break;
	}
	if (status == WRIT_OK)
		play_rest(replay);
	writ_recording_free(recording);
	return status;
}

/* Says so if the recording is incomplete. */
static void
audit_replay_note_missing(const struct w_recorded_run *recorded)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;

	if (recorded->end_json == NULL ||
	    w_json_read(recorded->end_json, strlen(recorded->end_json), &limits,
		&json, NULL) != WRIT_OK)
		return;
	yyjson_val *kept = yyjson_obj_get(w_json_root(json), "kept");
	if (yyjson_is_false(yyjson_obj_get(kept, "whole")))
		w_print_note("of %" PRIu64 " bytes of output the first %" PRIu64
			     " were kept",
		    recorded->out_bytes[0] + recorded->out_bytes[1],
		    yyjson_get_uint(yyjson_obj_get(kept, "bytes")));
	w_json_free(json);
}

static writ_status
no_output(const struct w_recorded_run *recorded, writ_error *err)
{
	if (recorded->out_bytes[0] + recorded->out_bytes[1] == 0) {
		w_print_note("the run wrote nothing");
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
	    "the output of run %s is not kept", recorded->id);
	w_suggest(err,
	    "see output_keep, outputs_age and outputs_size in writ config "
	    "show");
	return WRIT_E_NOTFOUND;
}

static writ_status
audit_replay_start(struct replay *replay, writ_error *err)
{
	const struct w_audit_args *args = replay->args;
	const bool is_timed = !args->is_json && args->speed_milli > 0;

	replay->signal_fd = -1;
	replay->speed_milli = args->speed_milli;
	replay->max_pause_us = args->max_pause_ms * 1000;
	(void)clock_gettime(CLOCK_MONOTONIC, &replay->start);
	if (!is_timed)
		return WRIT_OK;
	replay->signal_fd = w_signals_open(err);
	return replay->signal_fd < 0 ? err->status : WRIT_OK;
}

static int
audit_replay_finish(const struct replay *replay)
{
	if (replay->signal > 0)
		return 128 + replay->signal;
	if (replay->sys_errno == EPIPE)
		return 128 + SIGPIPE;
	if (replay->sys_errno == 0)
		return 0;
	w_print_note(
	    "cannot write the output: %s", strerror(replay->sys_errno));
	return 1;
}

static int
run_replay(struct w_audit_args *args, writ_audit *audit)
{
	static const char plain[] = "\033[0m\033[?25h";
	struct replay replay = {.args = args, .signal_fd = -1};
	W_AUTO_RECORDED_RUN struct w_recorded_run recorded = {.pid = 0};
	writ_status status = WRIT_OK;
	writ_error err;

	if (args->is_raw && args->is_safe)
		status = w_usage_fail(args->command, &err,
		    "--raw and --safe cannot be used together");
	else if (args->is_raw)
		status = w_cli_check_raw(NULL, &err);
	if (status != WRIT_OK)
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	status = w_recorded_run_find(audit, args->operand, &recorded, &err);
	if (status == WRIT_OK && recorded.recording == NULL)
		status = no_output(&recorded, &err);
	else if (status == WRIT_OK)
		status = audit_replay_start(&replay, &err);
	if (status == WRIT_OK && recorded.recording != NULL) {
		status = play(&replay, recorded.recording, &err);
		/* After --raw: an interrupted replay may leave colours on and
		 * the cursor hidden. The sanitizer resets its own output. */
		if (args->is_raw && !args->is_json &&
		    isatty(STDOUT_FILENO) == 1)
			(void)w_print_bytes(
			    STDOUT_FILENO, plain, sizeof(plain) - 1);
	}
	w_close(&replay.signal_fd);
	if (status == WRIT_E_NOTFOUND && recorded.recording != NULL)
		status = no_output(&recorded, &err);
	if (status != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	audit_replay_note_missing(&recorded);
	return audit_replay_finish(&replay);
}

static int
audit_replay_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_replay,
	    .operand_name = "RUN",
	    .needs_operand = true,
	    .speed_milli = isatty(STDOUT_FILENO) == 1 ? 1000 : 0,
	};

	return w_cli_audit_begin(&args, argc, argv, run_replay);
}

const struct w_cli_command w_cmd_audit_replay = {
    .name = "audit replay",
    .summary = "Show a run again, as it went",
    .usage = "audit replay [OPTION]... RUN",
    .about = "Plays the kept output of a run, with its pauses on a terminal. "
	     "What it wrote to standard output and standard error goes "
	     "there again, byte for byte; of what goes to a terminal only "
	     "text and colours, unless --raw is given.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@run",
	W_TO(TEXT, struct w_audit_args, operand)},
    .usage_exit = 2,
    .run = audit_replay_run,
};
