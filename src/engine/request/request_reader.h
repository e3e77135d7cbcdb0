/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_REQUEST_READER_H
#define W_ENGINE_REQUEST_READER_H

#include <writ/run.h>

#include "audit/record/redact.h"
#include "command/analysis/analysis.h"
#include "engine/request/known_commands.h"

/*
 * Understands a request, once for all who want to know: what it does, for the
 * policy; which module its words are a use of and which of their bytes are
 * secrets, for the record.
 *
 * A secret goes where it stands; one that is long enough not to be a word of
 * every text goes everywhere in the record, too.
 */
#define W_REQUEST_SECRET_MIN 6

/* So many of them, since every text of the record is looked through for each
 * one. */
#define W_REQUEST_VALUES_MAX 16

/* All zero is one that knows nothing yet. */
struct w_request_reader {
	struct w_known_commands known;
	struct w_redact_span *spans; /* of the last request */
	size_t span_count;
	size_t span_cap;
	struct w_analysis *analysis; /* of the last request; NULL: it had
				      neither words nor a text, or both */
	bool is_doubtful; /* a description was not the one that counts */
	const writ_config *config; /* of the request, for what it asks then */
};

void w_request_reader_done(struct w_request_reader *reader);

/* Understands a request; its words and texts must live as long as the meaning
 * is used. Fails only without memory: a description that cannot be used is no
 * reason not to run. */
writ_status w_request_understand(struct w_request_reader *reader,
    const writ_config *config, const writ_request *request, writ_error *err);

/* By which the policy finds descriptions, of the last request. One that cannot
 * be used is none for it, and nothing stands in. */
struct w_command_source w_request_source(struct w_request_reader *reader);

/*
 * Understands it, and tells the redactor about the secrets, which stand in the
 * request; its spans are valid until the next call. *out_module is NULL where
 * the request is not understood as a whole; borrowed from the reader. Fails
 * only without memory: a description that cannot be used is no reason not to
 * run.
 */
writ_status w_request_read(struct w_request_reader *reader,
    const writ_config *config, const writ_request *request,
    struct w_redactor *redactor, const char **out_module, writ_error *err);

#endif /* W_ENGINE_REQUEST_READER_H */
