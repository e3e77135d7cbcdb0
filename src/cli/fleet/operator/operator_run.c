/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ fleet run`: one order, handed to the hosts at once or in batches. The
 * order is the same for all of them; a batch that has not begun was not handed
 * over.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "data/json.h"

#define STAGE     "run"
#define NOW_MS    (UINT64_C(60) * 1000)
#define QUEUED_MS (UINT64_C(24) * 3600 * 1000)
#define AFTER_MS  (UINT64_C(2) * 1000)
#define FOR_EVER  UINT64_MAX

struct rollout {
	struct w_operator *operator;
	struct operator_order order;
	struct operator_results results;
	size_t batch;
	size_t failures_max;
	size_t sent;
	uint64_t until_ms;
	bool is_stopped;
};

/* ---- the command line ---- */

static void
add_env(struct w_buf *run, const struct w_words *env)
{
	w_json_add_name(run, "env");
	w_buf_add_char(run, '{');
	for (size_t i = 0; i < env->count; i++) {
		const char *equals = strchr(env->items[i], '=');

		w_buf_add_str(run, i > 0 ? "," : "");
		w_json_add_string(
		    run, env->items[i], (size_t)(equals - env->items[i]));
		w_buf_add_char(run, ':');
		w_json_add_text(run, equals + 1);
	}
	w_buf_add_char(run, '}');
}

static void
add_run(struct w_buf *run, const struct w_fleet_args *args)
{
	w_buf_add_char(run, '{');
	if (args->shell != NULL)
		w_json_add_text_member(run, "shell", args->shell);
	else
		w_json_add_list_member(
		    run, "argv", (const char *const *)args->words.items);
	if (args->cwd != NULL)
		w_json_add_text_member(run, "cwd", args->cwd);
	if (args->env.count > 0)
		add_env(run, &args->env);
	if (args->timeout_ms > 0)
		w_json_add_number_member(run, "timeout_ms", args->timeout_ms);
	if (args->sandbox != NULL)
		w_json_add_text_member(run, "sandbox", args->sandbox);
	w_buf_add_char(run, '}');
}

/* What is wrong with the words; NULL: nothing. */
static const char *
find_wrong(const struct w_fleet_args *args)
{
	if (!args->is_all && args->hosts.count == 0 && args->where == NULL)
		return "say which hosts: --all, --host NAME or --where EXPR";
	if (args->is_all && args->hosts.count > 0)
		return "--all and --host cannot be used together";
	if ((args->shell == NULL) == (args->words.count == 0))
		return "it wants a PROGRAM, or --shell TEXT";
	for (size_t i = 0; i < args->env.count; i++) {
		if (strchr(args->env.items[i], '=') == NULL ||
		    args->env.items[i][0] == '=')
			return "--env wants NAME=VALUE";
	}
	if (args->pauses && args->canary == 0)
		return "--pause needs --canary";
	return NULL;
}

static writ_status
read_number(const char *text, const char *name, size_t *out, writ_error *err)
{
	char *end = NULL;
	const unsigned long number = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' ||
	    number > W_FLEET_HOSTS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "--%s wants a number up to %d, not '%s'", name,
		    W_FLEET_HOSTS_MAX, text);
	*out = number;
	return WRIT_OK;
}

static writ_status
read_batch(struct rollout *rollout, size_t hosts, writ_error *err)
{
	const struct w_fleet_args *args = rollout->operator->args;
	const char *text = args->batch;
	char number[16];
	writ_status status = WRIT_OK;
	size_t len = text == NULL ? 0 : strlen(text);

	rollout->batch = hosts;
	if (len > 1 && len < sizeof(number) && text[len - 1] == '%') {
		memcpy(number, text, len - 1);
		number[len - 1] = '\0';
		status = read_number(number, "batch", &rollout->batch, err);
		rollout->batch = (hosts * rollout->batch + 99) / 100;
	} else if (text != NULL) {
		status = read_number(text, "batch", &rollout->batch, err);
	}
	if (status == WRIT_OK && rollout->batch == 0)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "--batch wants at least one host at a time");
	rollout->failures_max =
	    text != NULL || args->canary > 0 ? 0 : hosts + 1;
	if (status == WRIT_OK && args->failures_max_text != NULL)
		status = read_number(args->failures_max_text, "max-failures",
		    &rollout->failures_max, err);
	return status;
}

/* ---- the order ---- */

/* The hosts that are asked. Those that are off are asked only if it is
 * queued; else they are named as missing. */
static writ_status
choose_hosts(struct rollout *rollout, writ_error *err)
{
	struct operator_hosts hosts = {.count = 0};

	writ_status status =
	    w_operator_hosts_load(rollout->operator, & hosts, err);
	if (status == WRIT_OK)
		status =
		    w_operator_hosts_select(rollout->operator, & hosts, err);
	if (status == WRIT_OK && hosts.count > W_FLEET_HOSTS_MAX)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "an order has at most %d hosts: use --host or --limit",
		    W_FLEET_HOSTS_MAX);
	for (size_t i = 0; status == WRIT_OK && i < hosts.count; i++) {
		if (!w_words_add(&rollout->order.hosts, hosts.items[i].name,
			strlen(hosts.items[i].name)))
			status = w_fail_nomem(err, STAGE);
	}
	w_operator_hosts_done(&hosts);
	return status;
}

static writ_status
make_order(struct rollout *rollout, writ_error *err)
{
	const struct w_fleet_args *args = rollout->operator->args;
	struct operator_order *order = &rollout->order;

	order->kind = W_FLEET_RUN;
	order->where = args->where;
	order->deliver = args->is_queued ? W_FLEET_QUEUED : W_FLEET_NOW;
	order->options.is_idempotent = args->is_idempotent;
	order->lives_ms = args->expires_ms > 0 ? args->expires_ms
			  : args->is_queued    ? QUEUED_MS
					       : NOW_MS;
	add_run(&order->run, args);
	writ_status status = choose_hosts(rollout, err);
	if (status == WRIT_OK)
		status = read_batch(rollout, order->hosts.count, err);
	if (status == WRIT_OK)
		status = w_operator_order_make(rollout->operator, order, err);
	if (status == WRIT_OK)
		status = w_operator_order_keep(rollout->operator, order, err);
	if (status == WRIT_OK)
		status = w_operator_results_init(
		    &rollout->results, order->id, &order->hosts, err);
	return status;
}

/* ---- rolling ---- */

static writ_status
send_batch(struct rollout *rollout, size_t count, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < count &&
			   rollout->sent < rollout->order.hosts.count;
	     i++)
		status =
		    w_operator_order_send(rollout->operator, & rollout->order,
			rollout->order.hosts.items[rollout->sent++], err);
	return status;
}

/* Until when results are awaited: as long as hosts may still begin or be at it.
 * Those that are off cannot be waited for without end. */
static uint64_t
find_until(const struct rollout *rollout)
{
	const struct w_fleet_args *args = rollout->operator->args;
	const uint64_t now_ms = w_fleet_now_ms();

	return args->wait_ms > 0 ? now_ms + args->wait_ms : FOR_EVER;
}

/* Whether all that is still missing of what was sent is off: then nothing more
 * comes for now. */
static bool
are_missing_off(struct rollout *rollout)
{
	struct operator_hosts hosts = {.count = 0};
	bool are_off = true;
	writ_error err;

	if (w_operator_hosts_load(rollout->operator, & hosts, &err) != WRIT_OK)
		return false;
	for (size_t i = 0; i < rollout->sent; i++) {
		const struct operator_result *result =
		    &rollout->results.items[i];
		const struct operator_host *host =
		    w_operator_hosts_find(&hosts, result->host);

		if (result->json == NULL && host != NULL && host->is_there)
			are_off = false;
	}
	w_operator_hosts_done(&hosts);
	return are_off;
}

static writ_status
wait_batch(struct rollout *rollout, writ_error *err)
{
	const uint64_t until_ms = rollout->until_ms;

	for (;;) {
		uint64_t step_ms = w_fleet_now_ms() + AFTER_MS;
		size_t before = rollout->results.missing;
		writ_status status = w_operator_results_wait(
		    rollout->operator, & rollout->results, rollout->sent,
		    step_ms < until_ms ? step_ms : until_ms,
		    &rollout->is_stopped, err);
		size_t missing = 0;

		if (status != WRIT_OK || rollout->is_stopped)
			return status;
		for (size_t i = 0; i < rollout->sent; i++)
			missing += rollout->results.items[i].json == NULL;
		if (missing == 0 || w_fleet_now_ms() >= until_ms)
			return WRIT_OK;
		if (before == rollout->results.missing &&
		    are_missing_off(rollout))
			return WRIT_OK;
	}
}

/* At the terminal, whatever standard input is. */
static bool
ask_to_go_on(const struct rollout *rollout)
{
	char answer[16] = "";
	W_AUTO_FD int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	(void)dprintf(fd,
	    "%zu canaries have done it; go on with %zu hosts? [y/N] ",
	    rollout->sent, rollout->order.hosts.count - rollout->sent);
	ssize_t got = read(fd, answer, sizeof(answer) - 1);
	return got > 0 && (answer[0] == 'y' || answer[0] == 'Y');
}

static void
say_stopped(const struct rollout *rollout, const char *why)
{
	const size_t left = rollout->order.hosts.count - rollout->sent;

	if (!rollout->operator->args->is_quiet && left> 0)
		w_print_note("stopped: %s; %zu hosts were not handed the order",
		    why, left);
}

/* Whether the next batch begins. */
static bool
goes_on(struct rollout *rollout)
{
	const struct w_fleet_args *args = rollout->operator->args;
	const struct operator_results *results = &rollout->results;
	const bool is_canary = rollout->sent == args->canary;
	size_t missing = 0;

	if (rollout->is_stopped) {
		say_stopped(rollout, "interrupted");
		return false;
	}
	for (size_t i = 0; i < rollout->sent; i++)
		missing += results->items[i].json == NULL;
	if (results->failed + missing >
	    (is_canary ? 0 : rollout->failures_max)) {
		say_stopped(rollout,
		    is_canary ? "not all canaries have done it"
			      : "too many hosts failed or did not answer");
		return false;
	}
	if (is_canary && args->pauses && !ask_to_go_on(rollout)) {
		say_stopped(rollout, "nobody said to go on");
		return false;
	}
	return true;
}

static writ_status
roll(struct rollout *rollout, writ_error *err)
{
	const struct w_fleet_args *args = rollout->operator->args;
	const size_t count = rollout->order.hosts.count;
	writ_status status = WRIT_OK;

	rollout->until_ms = find_until(rollout);
	while (status == WRIT_OK && rollout->sent < count) {
		const bool is_first = rollout->sent == 0;
		const size_t next = is_first && args->canary > 0
					? args->canary
					: rollout->batch;

		status = send_batch(rollout, next, err);
		if (status == WRIT_OK &&
		    (!args->is_detached || rollout->sent < count))
			status = wait_batch(rollout, err);
		if (status == WRIT_OK && rollout->sent < count &&
		    !goes_on(rollout))
			break;
	}
	return status;
}

static int
finish(struct rollout *rollout)
{
	const struct w_fleet_args *args = rollout->operator->args;

	if (args->is_detached) {
		(void)printf("%s\n", rollout->order.id);
		return 0;
	}
	int status =
	    w_operator_results_print(rollout->operator, & rollout->results);
	if (rollout->results.missing > 0 && !args->is_quiet)
		w_print_note("later: writ fleet results %s", rollout->order.id);
	return status;
}

int
w_operator_run(struct w_operator *operator)
{
	struct rollout rollout = {.operator= operator};
	const char *wrong = find_wrong(operator->args);
	writ_error err;

	if (wrong != NULL)
		return w_operator_usage(operator, wrong);
	w_operator_signals_open();
	w_operator_order_init(&rollout.order);
	writ_status status = w_operator_connect(operator, & err);
	if (status == WRIT_OK)
		status = make_order(&rollout, &err);
	if (status == WRIT_OK)
		status = roll(&rollout, &err);
	int exit_status = status == WRIT_OK ? finish(&rollout)
					    : w_operator_fail(operator, & err);
	w_operator_results_done(&rollout.results);
	w_operator_order_done(&rollout.order);
	return exit_status;
}
