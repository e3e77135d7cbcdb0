/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where the next run of a connection starts: in the directory and with the
 * variables that the last shell left behind.
 *
 * There is no shell in between: each run is started and judged by itself, with
 * that directory as its own. The variables are the engine's to add, after the
 * decision.
 */

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "mcp/runs/run_table_state.h"

static char **
copy_list(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		count++;
	char **copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy != NULL && i < count; i++) {
		copy[i] = strdup(list[i]);
		if (copy[i] == NULL)
			break;
	}
	return copy;
}

static void
free_list(char **list)
{
	for (char **at = list; at != NULL && *at != NULL; at++)
		free(*at);
	free(list);
}

/* Once: a question is about the request as it was. */
bool
w_mcp_run_recall(struct w_mcp_run *run)
{
	const struct w_connection *connection = run->connection;

	run->request->wants_state = run->remembers;
	if (!run->remembers)
		return true;
	run->remembers = false;
	/* What somebody was asked about starts where the server did. */
	if (run->approval[0] != '\0')
		return true;
	if (connection->left_cwd != NULL) {
		run->cwd = strdup(connection->left_cwd);
		if (run->cwd == NULL)
			return false;
		run->request->cwd = run->cwd;
	}
	if (connection->left_env != NULL)
		run->env = copy_list((const char *const *)connection->left_env);
	run->request->session_env = (const char *const *)run->env;
	return true;
}

void
w_mcp_run_forget(struct w_mcp_run *run)
{
	if (run->request != NULL && run->cwd != NULL)
		run->request->cwd = run->server->cwd;
	if (run->request != NULL)
		run->request->session_env = NULL;
	free(run->cwd);
	free_list(run->env);
	run->cwd = NULL;
	run->env = NULL;
}

/* The variables of before stay, where this run has not changed them. */
static char **
merge(char *const *before, const char *const *left)
{
	struct w_words merged = {.items = NULL};
	bool has_all = true;

	for (size_t i = 0; left != NULL && left[i] != NULL; i++)
		has_all =
		    w_words_add(&merged, left[i], strlen(left[i])) && has_all;
	for (size_t i = 0; before != NULL && before[i] != NULL; i++) {
		const size_t len = strcspn(before[i], "=") + 1;
		bool is_new = true;

		for (size_t j = 0; left != NULL && left[j] != NULL; j++)
			is_new =
			    is_new && strncmp(left[j], before[i], len) != 0;
		if (is_new)
			has_all = w_words_add(
				      &merged, before[i], strlen(before[i])) &&
				  has_all;
	}
	if (has_all)
		return merged.items;
	w_words_done(&merged);
	return NULL;
}

void
w_mcp_run_remember(struct w_mcp_run *run)
{
	struct w_connection *connection = run->connection;
	const writ_result *result = run->result;

	if (connection == NULL || result->left_cwd == NULL)
		return;
	const char *before = connection->left_cwd != NULL ? connection->left_cwd
							  : run->server->cwd;
	char *cwd = strdup(result->left_cwd);
	char **env = merge(connection->left_env, result->left_env);
	if (cwd == NULL) {
		free_list(env);
		return;
	}
	if (strcmp(before, cwd) != 0)
		run->new_cwd = strdup(cwd);
	w_connection_forget(connection);
	connection->left_cwd = cwd;
	connection->left_env = env;
}
