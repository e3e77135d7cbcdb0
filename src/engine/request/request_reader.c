/* SPDX-License-Identifier: Apache-2.0 */

/* Analyzes a request, and finds the secrets that no record may show. */

#include "engine/request/request_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/grow.h"
#include "command/analysis/analysis.h"
#include "engine/request/shell_stdin.h"

#define STAGE "module"

/* A longer input is not searched, in bytes. */
#define INPUT_MAX ((size_t)1 << 20)

/* State while one command is analyzed. */
struct request_reader_reading {
	struct w_request_reader *reader;
	const writ_config *config;
	writ_status status;
	bool is_doubtful; /* a description is only a substitute */
};

void
w_request_reader_done(struct w_request_reader *reader)
{
	w_analysis_free(reader->analysis);
	w_known_commands_done(&reader->known);
	free(reader->spans);
	*reader = (struct w_request_reader){.spans = NULL};
}

void
w_request_copy(const writ_request *request, writ_request *out)
{
	const writ_request standard = WRIT_REQUEST_INIT;
	size_t size =
	    request->size < sizeof(*out) ? request->size : sizeof(*out);

	*out = standard;
	if (size >= sizeof(request->size))
		memcpy(out, request, size);
	out->size = sizeof(*out);
	if (out->stdin_data == NULL)
		out->stdin_len = 0;
}

static const struct w_command *
request_reader_find_command(void *ctx, const char *name, size_t len)
{
	struct request_reader_reading *reading = ctx;
	struct w_known known;
	writ_status status = w_known_commands_find(
	    &reading->reader->known, reading->config, name, len, &known, NULL);

	if (status == WRIT_E_NOMEM)
		reading->status = status;
	if (known.is_doubtful)
		reading->is_doubtful = true;
	return status == WRIT_OK ? known.command : NULL;
}

static bool
add_span(struct w_request_reader *reader, const struct w_redact_span *span)
{
	if (!w_grow(&reader->spans, reader->span_count, &reader->span_cap))
		return false;
	reader->spans[reader->span_count++] = *span;
	return true;
}

static int
compare_spans(const void *left, const void *right)
{
	const struct w_redact_span *one = left;
	const struct w_redact_span *other = right;

	return (one->word > other->word) - (one->word < other->word);
}

/* A secret by both its option and its type comes twice. */
static bool
is_known_span(
    const struct w_request_reader *reader, const struct w_redact_span *span)
{
	if (reader->span_count == 0)
		return false;
	const struct w_redact_span *last =
	    &reader->spans[reader->span_count - 1];
	return last->word == span->word && last->offset == span->offset &&
	       last->len == span->len;
}

/* input: the bytes that the shell text of the analysis is a copy of; NULL:
 * the analysis is not of an input. */
static writ_status
take_secrets(struct w_request_reader *reader, const struct w_analysis *analysis,
    const char *input, struct w_redactor *redactor, writ_error *err)
{
	const bool is_shell = analysis->shell != NULL;
	const size_t instead = input != NULL ? W_REDACT_STDIN : W_REDACT_SHELL;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < analysis->secret_count && status == WRIT_OK;
	     i++) {
		const struct w_secret_place *place = &analysis->secrets[i];
		const struct w_redact_span span = {
		    .word = is_shell ? instead : place->word,
		    .offset = place->offset,
		    .len = place->len};
		const char *text = input != NULL ? input
				   : is_shell    ? analysis->shell
						 : analysis->argv[place->word];

		if (is_known_span(reader, &span))
			continue;
		if (!add_span(reader, &span))
			return w_fail_nomem(err, STAGE);
		if (place->len >= W_REQUEST_SECRET_MIN &&
		    reader->span_count <= W_REQUEST_VALUES_MAX)
			status = w_redactor_add_len(
			    redactor, text + place->offset, place->len, err);
	}
	return status;
}

/* ---- a request ---- */

static struct w_analysis_input
input_of(const writ_request *request)
{
	struct w_analysis_input input = {
	    .env = request->env, .has_terminal = request->pty};

	if (request->shell != NULL) {
		input.shell = request->shell;
		return input;
	}
	input.argv = request->argv;
	while (input.argv != NULL && input.argv[input.argc] != NULL)
		input.argc++;
	return input;
}

writ_status
w_request_understand(struct w_request_reader *reader, const writ_config *config,
    const writ_request *request, writ_error *err)
{
	struct request_reader_reading reading = {
	    .reader = reader, .config = config};
	const struct w_command_source source = {
	    .find = request_reader_find_command, .ctx = &reading};
	const struct w_analysis_input input = input_of(request);

	w_analysis_free(reader->analysis);
	reader->analysis = NULL;
	reader->is_doubtful = false;
	reader->config = config;
	if (input.argc == 0 && input.shell == NULL)
		return WRIT_OK;
	writ_status status =
	    w_analysis_new(&source, &input, &reader->analysis, err);
	if (status == WRIT_OK && reading.status != WRIT_OK)
		status = w_fail_nomem(err, STAGE);
	reader->is_doubtful = reading.is_doubtful;
	return status;
}

static const struct w_command *
find_certain(void *ctx, const char *name, size_t len)
{
	struct w_request_reader *reader = ctx;
	struct w_known known;
	writ_status status = w_known_commands_find(
	    &reader->known, reader->config, name, len, &known, NULL);

	return status == WRIT_OK && !known.is_doubtful ? known.command : NULL;
}

struct w_command_source
w_request_source(struct w_request_reader *reader)
{
	return (struct w_command_source){.find = find_certain, .ctx = reader};
}

/* A request with both argv and shell is invalid, but it is recorded. */
static writ_status
request_reader_read_words(struct w_request_reader *reader,
    const writ_config *config, const writ_request *request,
    struct w_redactor *redactor, writ_error *err)
{
	writ_request words = *request;

	if (request->shell == NULL || request->argv == NULL)
		return WRIT_OK;
	words.shell = NULL;
	writ_status status = w_request_understand(reader, config, &words, err);
	return status == WRIT_OK && reader->analysis != NULL
		   ? take_secrets(reader, reader->analysis, NULL, redactor, err)
		   : status;
}

/* Whether a command in it is a shell that reads commands. */
static bool
reads_commands(const struct w_analysis *analysis)
{
	if (analysis->argv != NULL &&
	    w_stdin_is_script_of(analysis->argv, analysis->argc, NULL))
		return true;
	for (size_t i = 0; i < analysis->inner_count; i++) {
		if (reads_commands(analysis->inner[i].analysis))
			return true;
	}
	return false;
}

/* An input that is shell text has secrets like one. A question for approval
 * shows its beginning and end. */
static writ_status
request_reader_read_input(struct w_request_reader *reader,
    const writ_request *request, struct w_redactor *redactor, writ_error *err)
{
	struct request_reader_reading reading = {
	    .reader = reader, .config = reader->config};
	const struct w_command_source source = {
	    .find = request_reader_find_command, .ctx = &reading};
	struct w_analysis *analysis = NULL;

	if (request->stdin_kind != WRIT_STDIN_DATA || request->stdin_len == 0 ||
	    request->stdin_len > INPUT_MAX || !reads_commands(reader->analysis))
		return WRIT_OK;
	W_AUTO_FREE char *text =
	    strndup(request->stdin_data, request->stdin_len);
	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	const struct w_analysis_input input = {.shell = text};
	writ_status status = w_analysis_new(&source, &input, &analysis, err);
	if (status == WRIT_OK)
		status = take_secrets(
		    reader, analysis, request->stdin_data, redactor, err);
	w_analysis_free(analysis);
	return status;
}

writ_status
w_request_read(struct w_request_reader *reader, const writ_config *config,
    const writ_request *request, struct w_redactor *redactor,
    const char **out_module, writ_error *err)
{
	*out_module = NULL;
	reader->span_count = 0;
	writ_status status =
	    request_reader_read_words(reader, config, request, redactor, err);
	if (status == WRIT_OK)
		status = w_request_understand(reader, config, request, err);
	if (status == WRIT_OK && reader->analysis != NULL) {
		const struct w_analysis *analysis = reader->analysis;

		status = take_secrets(reader, analysis, NULL, redactor, err);
		if (status == WRIT_OK)
			status = request_reader_read_input(
			    reader, request, redactor, err);
		if (analysis->is_understood && !reader->is_doubtful)
			*out_module = analysis->id;
	}
	if (reader->span_count > 1)
		qsort(reader->spans, reader->span_count, sizeof(*reader->spans),
		    compare_spans);
	redactor->spans = reader->spans;
	redactor->span_count = reader->span_count;
	return status;
}
