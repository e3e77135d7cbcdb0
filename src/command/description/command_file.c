/* SPDX-License-Identifier: Apache-2.0 */

/* Descriptions from text and from files, with the places of errors. */

#include <stdlib.h>
#include <string.h>

#include "command/description/command_builder.h"
#include "command/description/command_sets.h"
#include "command/description/trusted_file.h"

/* The start of a line of the text, counted from 1. */
static const char *
line_of(const char *text, unsigned line)
{
	while (--line > 0) {
		const char *end = strchr(text, '\n');

		if (end == NULL)
			break;
		text = end + 1;
	}
	return text;
}

void
w_command_locate(const struct w_command *command,
    const struct w_command_fault *fault, writ_error *err)
{
	/* Looking up places changes it, and several threads may do so at
	 * once. */
	struct w_source_document source = command->source;
	unsigned line;
	unsigned column;

	if (source.root == NULL || fault->at == NULL || err == NULL)
		return;
	w_source_document_place(&source,
	    w_command_sets_origin(&command->sets, fault->at), &line, &column);
	const char *at = line_of(command->text, line);
	if (fault->offset > 0 && strnlen(at, column) == column) {
		at += column - 1;
		column += (unsigned)fault->offset + (*at == '"' || *at == '\'');
	}
	w_locate(err, line, column);
}

static writ_status
read_source(struct w_command *holder, size_t len, bool is_thorough,
    struct w_command **out_command, writ_error *err)
{
	struct w_command_builder builder = {.err = err};
	writ_status status =
	    w_source_document_init(&holder->source, holder->text, len, err);

	if (status != WRIT_OK)
		return status;
	status =
	    w_command_sets_init(&holder->sets, holder->source.root, &builder);
	if (status == WRIT_OK)
		status = w_command_make(holder->sets.root, is_thorough,
		    out_command, &builder.fault, err);
	if (status == WRIT_E_INVALID)
		w_command_locate(holder, &builder.fault, err);
	return status;
}

writ_status
w_command_read_text(const char *text, size_t len, bool is_thorough,
    struct w_command **out_command, writ_error *err)
{
	/* What the command will own once it exists. */
	struct w_command holder = {.text = NULL};
	struct w_command *command = NULL;

	if (len > W_COMMAND_BYTES_MAX)
		return w_fail(err, WRIT_E_INVALID, W_COMMAND_STAGE, 0,
		    "a description of more than %d bytes", W_COMMAND_BYTES_MAX);
	holder.text = malloc(len + 1);
	if (holder.text == NULL)
		return w_fail_nomem(err, W_COMMAND_STAGE);
	memcpy(holder.text, text, len);
	holder.text[len] = '\0';
	writ_status status =
	    read_source(&holder, len, is_thorough, &command, err);
	if (status != WRIT_OK) {
		w_command_sets_done(&holder.sets);
		w_source_document_done(&holder.source);
		free(holder.text);
		return status;
	}
	command->source = holder.source;
	command->sets = holder.sets;
	command->text = holder.text;
	*out_command = command;
	return WRIT_OK;
}

static writ_status
check_file_name(
    const struct w_command *command, const char *name, writ_error *err)
{
	const struct w_command_node *root = w_command_root(command);
	const char *program = root->name;
	size_t len = strlen(program);
	const struct w_command_fault fault = {
	    .at = w_command_node_facts(root)->vals[W_NODE_COMMAND]};

	if (strncmp(name, program, len) == 0 &&
	    strcmp(name + len, W_COMMAND_SUFFIX) == 0)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, W_COMMAND_STAGE, 0,
	    "'%.64s' describes the command '%.64s'", name, program);
	w_suggest(err, "call the file '%s" W_COMMAND_SUFFIX "'", program);
	w_command_locate(command, &fault, err);
	return WRIT_E_INVALID;
}

writ_status
w_command_read_file(int dir_fd, const char *name, bool is_thorough,
    struct w_command **out_command, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	struct w_command *command = NULL;

	w_buf_init(&text, W_COMMAND_BYTES_MAX);
	writ_status status = w_trusted_file_read(dir_fd, name, &text, err);
	if (status == WRIT_OK)
		status = w_command_read_text(
		    text.data, text.len, is_thorough, &command, err);
	if (status != WRIT_OK || command == NULL)
		return status;
	status = check_file_name(command, name, err);
	if (status != WRIT_OK) {
		w_command_free(command);
		return status;
	}
	*out_command = command;
	return WRIT_OK;
}
