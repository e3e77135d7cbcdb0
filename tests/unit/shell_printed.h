/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SHELL_PRINTED_H
#define W_TEST_SHELL_PRINTED_H

/* A parsed shell text as one line: "A=1 [cat] [a b] >out && [true]". What is
 * known only when it runs stands in "<>", what is substituted in "$()". */

#include "base/buf.h"
#include "command/shell/shell.h"
#include "command/shell/shell_expansion.h"

static void print_list(
    struct w_buf *buf, struct w_arena *arena, const struct w_shell_node *list);

static inline void
print_bytes(struct w_buf *buf, const struct w_expanded *words, const char *text)
{
	for (const char *at = text; *at != '\0';) {
		const struct w_unseen *here = NULL;

		for (size_t i = 0; i < words->unseen_count; i++) {
			if (words->unseen[i].at == at)
				here = &words->unseen[i];
		}
		if (here == NULL) {
			w_buf_add_char(buf, *at++);
			continue;
		}
		w_buf_add_fmt(buf, here->is_many ? "<%.*s..>" : "<%.*s>",
		    (int)here->len, at);
		at += here->len;
	}
}

static inline void
print_words(struct w_buf *buf, struct w_arena *arena,
    const struct w_shell_word *list, const char *around)
{
	struct w_shell_expander expander = {
	    .arena = arena, .is_home_known = true, .is_ifs_known = true};
	struct w_expanded words;

	assert_true(w_shell_expand(&expander, list, around[0] == ' ', &words));
	for (size_t i = 0; i < words.argc; i++) {
		if (buf->len > 0 && strchr(" <>({", w_buf_last(buf)) == NULL)
			w_buf_add_char(buf, ' ');
		if (around[0] != ' ')
			w_buf_add_char(buf, around[0]);
		print_bytes(buf, &words, words.argv[i]);
		if (around[0] != ' ')
			w_buf_add_char(buf, around[1]);
	}
	for (; list != NULL; list = list->next) {
		for (const struct w_shell_node *one = list->commands;
		     one != NULL; one = one->next) {
			w_buf_add_str(buf, " $(");
			print_list(buf, arena, one);
			w_buf_add_str(buf, ")");
		}
	}
}

static inline void
print_node(
    struct w_buf *buf, struct w_arena *arena, const struct w_shell_node *node)
{
	static const char *const names[] = {[W_NODE_LIST] = "list",
	    [W_NODE_SIMPLE] = "",
	    [W_NODE_SUBSHELL] = "subshell",
	    [W_NODE_GROUP] = "group",
	    [W_NODE_IF] = "if",
	    [W_NODE_LOOP] = "loop",
	    [W_NODE_FOR] = "for",
	    [W_NODE_CASE] = "case",
	    [W_NODE_FUNCTION] = "function",
	    [W_NODE_TEST] = "test",
	    [W_NODE_OTHER] = "other"};
	static const char *const arrows[] = {[W_REDIRECT_READ] = "<",
	    [W_REDIRECT_WRITE] = ">",
	    [W_REDIRECT_APPEND] = ">>",
	    [W_REDIRECT_READ_WRITE] = "<>",
	    [W_REDIRECT_HERE] = "<<"};

	w_buf_add_str(buf, node->is_negated ? "! " : "");
	w_buf_add_str(buf, names[node->kind]);
	if (node->name != NULL)
		w_buf_add_fmt(buf, " %.*s", (int)node->name_len, node->name);
	print_words(buf, arena, node->assignments, " ");
	print_words(buf, arena, node->words, "[]");
	if (node->kind != W_NODE_SIMPLE)
		w_buf_add_str(buf, " {");
	for (const struct w_shell_node *one = node->first; one != NULL;
	     one = one->next) {
		if (one != node->first)
			w_buf_add_str(buf, " / ");
		print_words(buf, arena, one->words, "||");
		if (one->words != NULL)
			w_buf_add_char(buf, ' ');
		if (one->kind == W_NODE_LIST)
			print_list(buf, arena, one);
		else
			print_node(buf, arena, one);
	}
	if (node->kind != W_NODE_SIMPLE)
		w_buf_add_str(buf, "}");
	for (const struct w_redirection *one = node->redirections; one != NULL;
	     one = one->next) {
		w_buf_add_fmt(buf, "%s%s",
		    buf->len > 0 && w_buf_last(buf) != ' ' ? " " : "",
		    arrows[one->kind]);
		print_words(buf, arena, one->word, " ");
	}
}

static inline void
print_list(
    struct w_buf *buf, struct w_arena *arena, const struct w_shell_node *list)
{
	static const char *const joints[] = {[W_CONTROL_END] = "",
	    [W_CONTROL_PIPE] = " | ",
	    [W_CONTROL_AND] = " && ",
	    [W_CONTROL_OR] = " || ",
	    [W_CONTROL_THEN] = " ; ",
	    [W_CONTROL_BACKGROUND] = " & "};

	for (const struct w_shell_node *node = list->first; node != NULL;
	     node = node->next) {
		print_node(buf, arena, node);
		w_buf_add_str(buf, joints[node->control]);
	}
}

#endif /* W_TEST_SHELL_PRINTED_H */
