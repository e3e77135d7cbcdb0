/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An agent's loop that looks at its own record: each step is run, the next
 * one is chosen by what the trail says of the last, and at the end the trail
 * is proved.
 *
 *     cc agent.c $(pkg-config --cflags --libs writ) && ./a.out
 *
 * The trail is that of the settings (`writ config show`); WRIT_STATE_DIR in
 * the environment puts it elsewhere.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <writ/writ.h>

#define AGENT "example"

/* What an agent may want to do: a step, and one to take if that failed. */
static const struct step {
	const char *const argv[4];
	const char *const instead[4];
} steps[] = {
    {{"true"}, {NULL}},
    {{"ls", "/no/such/place"}, {"ls", "/"}},
    {{"no-such-program"}, {"echo", "done without it"}},
};

static int
complain(const writ_error *err)
{
	(void)fprintf(stderr, "agent: %s\n", err->message);
	if (err->suggestion[0] != '\0')
		(void)fprintf(stderr, "agent: %s\n", err->suggestion);
	return 1;
}

/* What did not run is a step that failed; the record says which of both. */
static void
take_step(writ_engine *engine, const char *const *argv)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error err;

	request.argv = argv;
	request.agent = AGENT;
	request.timeout_ms = 30000;
	if (writ_run(engine, &request, &result, &err) != WRIT_OK)
		(void)complain(&err);
	writ_result_free(result);
}

struct memory {
	bool has_failed;
	int runs;
};

/* Everything in a run is borrowed for the time of this call. */
static bool
remember(void *ctx, const writ_audit_run *run)
{
	struct memory *memory = ctx;

	memory->runs++;
	memory->has_failed =
	    run->state != WRIT_RUN_ENDED || run->exit_code != 0;
	(void)printf("%-9s %3d  %s\n",
	    run->outcome == NULL ? writ_run_state_word(run->state)
				 : run->outcome,
	    run->exit_code, run->command);
	return true;
}

static writ_status
look_back(writ_audit *audit, struct memory *memory, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	filter.agent = AGENT;
	filter.limit = 1; /* the newest */
	return writ_audit_runs(audit, &filter, remember, memory, err);
}

static void
on_finding(void *ctx, const writ_audit_finding *finding)
{
	(void)ctx;
	(void)fprintf(stderr, "%s: %s\n", finding->severity, finding->text);
}

static int
prove(writ_audit *audit, int runs)
{
	writ_audit_proof proof;
	writ_error err;

	if (writ_audit_verify(audit, NULL, on_finding, NULL, &proof, &err) !=
	    WRIT_OK)
		return complain(&err);
	(void)printf("%d steps; %" PRIu64 " records, %s\n", runs, proof.records,
	    proof.bad == 0 ? "sound" : "NOT sound");
	return proof.bad == 0 ? 0 : 1;
}

static int
work(writ_engine *engine, writ_audit *audit)
{
	struct memory memory = {0};
	writ_error err;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		take_step(engine, steps[i].argv);
		if (look_back(audit, &memory, &err) != WRIT_OK)
			return complain(&err);
		if (!memory.has_failed || steps[i].instead[0] == NULL)
			continue;
		take_step(engine, steps[i].instead);
		if (look_back(audit, &memory, &err) != WRIT_OK)
			return complain(&err);
	}
	return prove(audit, memory.runs);
}

int
main(void)
{
	writ_engine *engine = NULL;
	writ_audit *audit = NULL;
	writ_error err;

	if (writ_engine_new(NULL, &engine, &err) != WRIT_OK)
		return complain(&err);
	int code = writ_audit_open(NULL, &audit, &err) == WRIT_OK
		       ? work(engine, audit)
		       : complain(&err);
	writ_audit_free(audit);
	writ_engine_free(engine);
	return code;
}
