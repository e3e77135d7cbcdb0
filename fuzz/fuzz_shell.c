/* SPDX-License-Identifier: Apache-2.0 */

/* Shell texts: places are inside, what is nested is in order, and whatever is
 * read is expanded without harm. The first byte says whether bash runs it. */

#include "command/shell/shell.h"

#include "check.h"
#include "command/shell/shell_expansion.h"

struct reading {
	struct w_arena arena;
	size_t size;
	size_t commands;
	size_t depth;
};

static void check_list(
    struct reading *reading, const struct w_shell_node *list);

static void
check_words(struct reading *reading, const struct w_shell_word *words,
    bool are_assignments)
{
	static const struct w_shell_value value = {
	    .name = "a", .name_len = 1, .value = "a/*", .names_at = 2};
	struct w_shell_expander expander = {.arena = &reading->arena,
	    .values = &value,
	    .is_home_known = true,
	    .is_ifs_known = true};
	struct w_expanded out;
	const char *last = NULL;

	CHECK(w_shell_expand(&expander, words, are_assignments, &out));
	CHECK(out.argv[out.argc] == NULL);
	for (size_t i = 0; i < out.unseen_count; i++) {
		CHECK(last == NULL || out.unseen[i].at >= last);
		CHECK(out.unseen[i].len > 0);
		last = out.unseen[i].at + out.unseen[i].len;
	}
	for (; words != NULL; words = words->next) {
		CHECK(words->offset <= words->end);
		CHECK(words->end <= reading->size);
		for (const struct w_shell_node *one = words->commands;
		     one != NULL; one = one->next)
			check_list(reading, one);
	}
}

static void
check_node(struct reading *reading, const struct w_shell_node *node)
{
	CHECK(node->offset <= node->end);
	CHECK(node->end <= reading->size);
	reading->commands +=
	    node->kind == W_NODE_SIMPLE || node->kind == W_NODE_TEST;
	check_words(reading, node->assignments, true);
	check_words(reading, node->words, false);
	for (const struct w_redirection *one = node->redirections; one != NULL;
	     one = one->next) {
		CHECK(one->offset < reading->size);
		check_words(reading, one->word, true);
	}
	check_list(reading, node);
}

static void
check_list(struct reading *reading, const struct w_shell_node *list)
{
	CHECK(++reading->depth <= 4 * W_SHELL_DEPTH_MAX);
	for (const struct w_shell_node *node = list->first; node != NULL;
	     node = node->next)
		check_node(reading, node);
	reading->depth--;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *exact = copy_exact(data, size);
	const bool is_bash = size > 0 && exact[0] == '#';
	const struct w_shell_input input = {
	    .text = exact, .len = size, .is_bash = is_bash};
	struct reading reading = {.size = size};
	struct w_shell shell;
	writ_error err;

	CHECK(w_shell_parse(&input, &shell, &err) == WRIT_OK);
	CHECK(shell.list != NULL);
	check_list(&reading, shell.list);
	CHECK(reading.commands <= W_SHELL_COMMANDS_MAX + 1);
	if (shell.has_fault) {
		CHECK(shell.fault_offset <= size);
		CHECK(shell.fault.line > 0 && shell.fault.column > 0);
		check_error(&shell.fault, WRIT_E_INVALID);
	} else {
		CHECK(!shell.is_syntax_error);
		CHECK(reading.commands == shell.command_count);
	}
	w_shell_done(&shell);
	w_arena_done(&reading.arena);
	free(exact);
	return 0;
}
