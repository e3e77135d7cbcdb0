/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lines of policy files. A decision only has the location of a rule; the line
 * is read when it is shown. If the file has changed since, the line may be a
 * different one, or missing.
 */

#include "cli/policy/policy_quote.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yyjson.h>

#include <writ/policy.h>

#include "base/auto.h"

#define PRESET   "preset:"
#define TEXT_MAX ((size_t)16 << 20)
#define CHUNK    8192

bool
w_cli_policy_preset(const char *name, struct w_buf *out_text)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	bool is_found = false;
	size_t i;
	size_t count;
	yyjson_val *preset;

	if (writ_policy_look(
		NULL, WRIT_POLICY_PRESETS, NULL, &json, &len, NULL) != WRIT_OK)
		return false;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	yyjson_val *presets =
	    yyjson_obj_get(yyjson_doc_get_root(doc), "presets");

	yyjson_arr_foreach(presets, i, count, preset)
	{
		yyjson_val *text = yyjson_obj_get(preset, "text");

		if (!yyjson_equals_str(yyjson_obj_get(preset, "name"), name) ||
		    !yyjson_is_str(text))
			continue;
		w_buf_add(out_text, yyjson_get_str(text), yyjson_get_len(text));
		is_found = !out_text->failed;
	}
	yyjson_doc_free(doc);
	return is_found;
}

/* O_NONBLOCK: a FIFO in place of the file must not block us. */
static bool
policy_quote_read_file(const char *path, struct w_buf *text)
{
	char chunk[CHUNK];
	struct stat st;
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	for (;;) {
		ssize_t len = read(fd, chunk, sizeof(chunk));

		if (len < 0 || text->failed)
			return false;
		if (len == 0)
			return true;
		w_buf_add(text, chunk, (size_t)len);
	}
}

static bool
policy_quote_load(struct w_policy_quotes *quotes, const char *file)
{
	if (quotes->file != NULL && strcmp(quotes->file, file) == 0)
		return quotes->has_text;
	w_cli_policy_quotes_done(quotes);
	w_buf_init(&quotes->text, TEXT_MAX);
	quotes->file = strdup(file);
	if (quotes->file == NULL)
		return false;
	quotes->has_text =
	    strncmp(file, PRESET, strlen(PRESET)) == 0
		? w_cli_policy_preset(file + strlen(PRESET), &quotes->text)
		: policy_quote_read_file(file, &quotes->text);
	return quotes->has_text;
}

bool
w_cli_policy_quote(
    void *ctx, const char *file, unsigned line, struct w_buf *out_line)
{
	struct w_policy_quotes *quotes = ctx;

	if (line == 0 || !policy_quote_load(quotes, file))
		return false;

	const char *at = quotes->text.data;
	const char *end = at + quotes->text.len;
	for (; line > 1; line--) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			return false;
		at++;
	}
	if (at == end)
		return false;
	const char *stop = memchr(at, '\n', (size_t)(end - at));
	w_buf_add(out_line, at, (size_t)((stop == NULL ? end : stop) - at));
	return !out_line->failed;
}

void
w_cli_policy_quotes_done(struct w_policy_quotes *quotes)
{
	free(quotes->file);
	if (quotes->text.data != NULL)
		w_buf_done(&quotes->text);
	*quotes = (struct w_policy_quotes){.file = NULL};
}
