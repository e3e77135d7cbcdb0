/* SPDX-License-Identifier: Apache-2.0 */

/* Understands a request before its record is written. */

#include "engine/request_reader.h"

#include <stdlib.h>

#include "module/meaning.h"

#define STAGE       "module"
#define SPANS_START 8

/* While one command is looked at. */
struct reading {
	struct w_request_reader *reader;
	const writ_config *config;
	writ_status status;
	bool is_doubtful; /* a description was not the one that counts */
};

void
w_request_reader_done(struct w_request_reader *reader)
{
	w_known_commands_done(&reader->known);
	free(reader->spans);
	*reader = (struct w_request_reader){.spans = NULL};
}

static const struct w_command *
find_command(void *ctx, const char *name, size_t len)
{
	struct reading *reading = ctx;
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
	if (reader->span_count == reader->span_cap) {
		const size_t cap =
		    reader->span_cap == 0 ? SPANS_START : reader->span_cap * 2;
		struct w_redact_span *more =
		    reallocarray(reader->spans, cap, sizeof(*more));

		if (more == NULL)
			return false;
		reader->spans = more;
		reader->span_cap = cap;
	}
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

/* What an option and the type of its value both call a secret comes twice. */
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

static bool
is_value(const struct w_request_reader *reader, size_t len)
{
	return len >= W_REQUEST_SECRET_MIN &&
	       reader->span_count <= W_REQUEST_VALUES_MAX;
}

static writ_status
take_secrets(struct w_request_reader *reader, const struct w_meaning *meaning,
    struct w_redactor *redactor, writ_error *err)
{
	const bool is_shell = meaning->shell != NULL;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < meaning->secret_count && status == WRIT_OK;
	     i++) {
		const struct w_secret_place *place = &meaning->secrets[i];
		const struct w_redact_span span = {
		    .word = is_shell ? W_REDACT_SHELL : place->word,
		    .offset = place->offset,
		    .len = place->len};
		const char *text =
		    is_shell ? meaning->shell : meaning->argv[place->word];

		if (is_known_span(reader, &span))
			continue;
		if (!add_span(reader, &span))
			return w_fail_nomem(err, STAGE);
		if (is_value(reader, place->len))
			status = w_redactor_add_len(
			    redactor, text + place->offset, place->len, err);
	}
	return status;
}

static writ_status
read_one(struct w_request_reader *reader, const writ_config *config,
    const struct w_meaning_input *input, struct w_redactor *redactor,
    const char **out_module, writ_error *err)
{
	struct reading reading = {.reader = reader, .config = config};
	const struct w_command_source source = {
	    .find = find_command, .ctx = &reading};
	struct w_meaning *meaning = NULL;
	writ_status status = w_meaning_new(&source, input, &meaning, err);

	if (status != WRIT_OK)
		return status;
	if (reading.status != WRIT_OK)
		status = w_fail_nomem(err, STAGE);
	else
		status = take_secrets(reader, meaning, redactor, err);
	if (meaning->is_understood && !reading.is_doubtful)
		*out_module = meaning->id;
	w_meaning_free(meaning);
	return status;
}

writ_status
w_request_read(struct w_request_reader *reader, const writ_config *config,
    const writ_request *request, struct w_redactor *redactor,
    const char **out_module, writ_error *err)
{
	const struct w_meaning_input shell = {
	    .shell = request->shell, .env = request->env};
	struct w_meaning_input words = {
	    .argv = request->argv, .env = request->env};
	writ_status status = WRIT_OK;

	*out_module = NULL;
	reader->span_count = 0;
	while (words.argv != NULL && words.argv[words.argc] != NULL)
		words.argc++;
	if (words.argc > 0)
		status =
		    read_one(reader, config, &words, redactor, out_module, err);
	if (status == WRIT_OK && request->shell != NULL)
		status =
		    read_one(reader, config, &shell, redactor, out_module, err);
	if (reader->span_count > 1)
		qsort(reader->spans, reader->span_count, sizeof(*reader->spans),
		    compare_spans);
	redactor->spans = reader->spans;
	redactor->span_count = reader->span_count;
	return status;
}
