/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Documents named on the command line. They may be endless, or not documents at
 * all, so the size is limited before anything is parsed.
 */

#include "cli/schema/cli_document.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/size.h"
#include "cli/output/print.h"
#include "data/json_place.h"

#define STAGE "document"
#define CHUNK 65536

static const struct w_json_limits json_limits = {
    .bytes_max = W_CLI_DOCUMENT_MAX, .depth_max = W_CLI_DOCUMENT_DEPTH_MAX};
static const struct w_json_limits yaml_limits = {
    .bytes_max = W_CLI_DOCUMENT_MAX, .depth_max = W_YAML_DEPTH_MAX};

static writ_status
cli_document_read_all(
    int fd, const char *name, struct w_buf *buf, writ_error *err)
{
	W_AUTO_FREE char *chunk = malloc(CHUNK);

	if (chunk == NULL)
		return w_fail_nomem(err, STAGE);
	for (;;) {
		ssize_t len = read(fd, chunk, CHUNK);

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return w_fail(err, WRIT_E_INVALID, STAGE, errno,
			    "cannot read '%s'", name);
		if (len == 0)
			return WRIT_OK;
		if ((size_t)len > buf->max - buf->len) {
			char limit[W_SIZE_TEXT_MAX];

			w_size_format(W_CLI_DOCUMENT_MAX, limit);
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "'%s' is larger than %s", name, limit);
		}
		w_buf_add(buf, chunk, (size_t)len);
		if (buf->failed)
			return w_fail_nomem(err, STAGE);
	}
}

writ_status
w_cli_document_read(
    const char *path, struct w_cli_document *out_document, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	W_AUTO_FD int opened = -1;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_CLI_DOCUMENT_MAX);
	if (!is_stdin) {
		opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (opened < 0)
			return w_fail(err, WRIT_E_INVALID, STAGE, errno,
			    "cannot open '%s'", path);
	}

	struct w_cli_document document = {
	    .name = is_stdin ? "standard input" : path};
	writ_status status = cli_document_read_all(
	    is_stdin ? STDIN_FILENO : opened, document.name, &buf, err);

	if (status != WRIT_OK)
		return status;
	document.text = w_buf_take(&buf, &document.len);
	if (document.text == NULL)
		return w_fail_nomem(err, STAGE);
	document.start = document.text;
	*out_document = document;
	return WRIT_OK;
}

static bool
cli_document_ends_with(const char *name, const char *end)
{
	const size_t name_len = strlen(name);
	const size_t end_len = strlen(end);

	return name_len > end_len &&
	       strcmp(name + name_len - end_len, end) == 0;
}

static bool
cli_document_is_one_of(char c, const char *chars)
{
	return c != '\0' && strchr(chars, c) != NULL;
}

static bool
begins_like_json(const struct w_cli_document *document)
{
	size_t at = 0;

	while (at < document->len &&
	       cli_document_is_one_of(document->start[at], " \t\r\n"))
		at++;
	return at == document->len ||
	       cli_document_is_one_of(document->start[at], "{[\"");
}

static writ_status
parse_json(struct w_cli_document *document, writ_error *err)
{
	writ_status status =
	    document->keeps_numbers
		? w_json_read_exact(document->start, document->len,
		      &json_limits, &document->json, err)
		: w_json_read(document->start, document->len, &json_limits,
		      &document->json, err);

	if (status == WRIT_OK)
		document->root = w_json_root(document->json);
	return status;
}

static writ_status
parse_yaml(struct w_cli_document *document, writ_error *err)
{
	writ_status status = w_yaml_read(
	    document->start, document->len, &yaml_limits, &document->yaml, err);

	if (status == WRIT_OK)
		document->root = w_yaml_root(document->yaml);
	return status;
}

static writ_status
cli_document_parse(struct w_cli_document *document, writ_error *err)
{
	const char *name = document->name;

	if (cli_document_ends_with(name, ".yaml") ||
	    cli_document_ends_with(name, ".yml"))
		return parse_yaml(document, err);
	if (cli_document_ends_with(name, ".json") ||
	    cli_document_ends_with(name, ".jsonl") ||
	    begins_like_json(document))
		return parse_json(document, err);
	if (parse_json(document, NULL) == WRIT_OK)
		return WRIT_OK;
	return parse_yaml(document, err);
}

writ_status
w_cli_document_parse(struct w_cli_document *document, writ_error *err)
{
	writ_status status = cli_document_parse(document, err);

	if (status != WRIT_OK && err->line > 0)
		err->line += document->lines_before;
	else if (status != WRIT_OK && document->lines_before > 0)
		w_locate(err, document->lines_before + 1, 1);
	return status;
}

bool
w_cli_document_place(const struct w_cli_document *document,
    const yyjson_val *val, unsigned *out_line, unsigned *out_column)
{
	if (val == NULL)
		return false;
	if (document->yaml != NULL)
		w_yaml_place(document->yaml, val, out_line, out_column);
	else if (!w_json_find_place(document->start, document->len,
		     document->root, val, out_line, out_column))
		return false;
	*out_line += document->lines_before;
	return true;
}

void
w_cli_document_done(struct w_cli_document *document)
{
	w_json_free(document->json);
	w_yaml_free(document->yaml);
	free(document->text);
	*document = (struct w_cli_document){.name = NULL};
}

void
w_cli_document_report(
    const struct w_cli_document *document, const writ_error *err)
{
	if (err->line > 0 || strcmp(err->stage, STAGE) == 0) {
		w_print_error(err, document->name);
		return;
	}

	writ_error named = *err;

	(void)w_fail(&named, err->status, err->stage, 0, "%s: %s",
	    document->name, err->message);
	w_suggest(&named, "%s", err->suggestion);
	w_print_error(&named, NULL);
}
