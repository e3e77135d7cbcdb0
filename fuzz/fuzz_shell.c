/* SPDX-License-Identifier: Apache-2.0 */

/* Shell strings: what was taken apart, written out with everything quoted and
 * taken apart again, is the same. */

#include "command/shell/shell.h"

#include "base/buf.h"
#include "check.h"

static void
add_quoted(struct w_buf *buf, const char *word)
{
	w_buf_add_char(buf, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			w_buf_add_str(buf, "'\\''");
		else
			w_buf_add_char(buf, *word);
	}
	w_buf_add_str(buf, "' ");
}

static void
add_part(struct w_buf *buf, const struct w_simple_command *part)
{
	static const char *const arrows[] = {"<", ">|", ">>", "<>"};
	static const char *const joints[] = {"\n", "|", "&&", "||", ";"};

	for (size_t i = 0;
	     part->assignments != NULL && part->assignments[i] != NULL; i++) {
		const char *value = strchr(part->assignments[i], '=');

		CHECK(value != NULL && value > part->assignments[i]);
		value++;
		w_buf_add(buf, part->assignments[i],
		    (size_t)(value - part->assignments[i]));
		add_quoted(buf, value);
	}
	for (size_t i = 0; i < part->argc; i++)
		add_quoted(buf, part->argv[i]);
	for (size_t i = 0; i < part->redirection_count; i++) {
		w_buf_add_str(buf, arrows[part->redirections[i].kind]);
		add_quoted(buf, part->redirections[i].path);
	}
	/* Only descriptors were redirected. */
	if (part->argc == 0 && part->assignments == NULL &&
	    part->redirection_count == 0)
		w_buf_add_str(buf, "2>&1");
	w_buf_add_str(buf, joints[part->control]);
}

static void
check_same(
    const struct w_simple_command *one, const struct w_simple_command *other)
{
	CHECK(one->argc == other->argc);
	CHECK((one->argv == NULL) == (one->argc == 0));
	CHECK(one->control == other->control);
	for (size_t i = 0; i < one->argc; i++)
		CHECK(strcmp(one->argv[i], other->argv[i]) == 0);
	CHECK(one->argv == NULL || one->argv[one->argc] == NULL);
	CHECK((one->assignments == NULL) == (other->assignments == NULL));
	CHECK(one->redirection_count == other->redirection_count);
	for (size_t i = 0; i < one->redirection_count; i++) {
		CHECK(one->redirections[i].kind == other->redirections[i].kind);
		CHECK(strcmp(one->redirections[i].path,
			  other->redirections[i].path) == 0);
	}
}

static void
check_stable(const struct w_shell *shell, size_t size)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_shell again;

	w_buf_init(&buf, 16 * size + 16);
	for (size_t i = 0; i < shell->count; i++) {
		CHECK(shell->parts[i].offset < size);
		add_part(&buf, &shell->parts[i]);
	}
	CHECK(!buf.failed);
	CHECK(w_shell_parse(buf.data, buf.len, &again, NULL, NULL) == WRIT_OK);
	CHECK(again.count == shell->count);
	for (size_t i = 0; i < shell->count; i++)
		check_same(&shell->parts[i], &again.parts[i]);
	w_shell_done(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *exact = copy_exact(data, size);
	struct w_shell shell;
	writ_error err;
	size_t offset = SIZE_MAX;
	writ_status status = w_shell_parse(exact, size, &shell, &offset, &err);

	if (status == WRIT_OK) {
		CHECK(offset == SIZE_MAX);
		check_stable(&shell, size);
		w_shell_done(&shell);
	} else {
		CHECK(status == WRIT_E_INVALID);
		CHECK(offset <= size);
		CHECK(err.line > 0 && err.column > 0);
		check_error(&err, status);
	}
	free(exact);
	return 0;
}
