/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The smallest use of libwrit: run one command, wait, look at the result.
 *
 *     cc embed.c $(pkg-config --cflags --libs writ) && ./a.out ls -l
 */

#include <inttypes.h>
#include <stdio.h>

#include <writ/writ.h>

static int
report(const writ_error *err)
{
	(void)fprintf(stderr, "embed: %s\n", err->message);
	if (err->suggestion[0] != '\0')
		(void)fprintf(stderr, "embed: %s\n", err->suggestion);
	return writ_status_exit(err->status);
}

/* Of long output the first and the last bytes are kept. */
static void
show_output(const writ_output *out, FILE *file)
{
	(void)fwrite(out->head, 1, out->head_len, file);
	if (out->truncated)
		(void)fprintf(file, "\n[...]\n");
	(void)fwrite(out->tail, 1, out->tail_len, file);
}

static void
show(const writ_result *result)
{
	show_output(&result->out[WRIT_STDOUT], stdout);
	show_output(&result->out[WRIT_STDERR], stderr);
	(void)printf("%s with code %d after %" PRIu64 " ms, tree %s\n",
	    writ_outcome_word(result->outcome), result->exit_code,
	    result->duration_ms, writ_tree_word(result->tree));
}

int
main(int argc, char **argv)
{
	static const char *const standard[] = {
	    "echo", "hello from a child", NULL};
	writ_engine *engine;
	writ_result *result;
	writ_error err;

	if (writ_engine_new(NULL, &engine, &err) != WRIT_OK)
		return report(&err);

	writ_request request = WRIT_REQUEST_INIT;
	request.argv = argc > 1 ? (const char *const *)argv + 1 : standard;
	request.timeout_ms = 30000;

	/* A negative status: the command did not run. A command that ran and
	 * failed is WRIT_OK, and its exit status is in the result. */
	writ_status status = writ_run(engine, &request, &result, &err);
	int code = status == WRIT_OK ? writ_result_exit(result) : report(&err);
	if (status == WRIT_OK) {
		show(result);
		writ_result_free(result);
	}
	writ_engine_free(engine);
	return code;
}
