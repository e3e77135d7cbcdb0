/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_REQUEST_READER_H
#define W_ENGINE_REQUEST_READER_H

#include <writ/run.h>

#include "audit/record/redact.h"
#include "command/analysis/analysis.h"
#include "engine/request/known_commands.h"

/*
 * Analyzes a request, once for everybody: for the policy, what it does; for the
 * record, which module it uses and which of its bytes are secrets.
 *
 * A secret is redacted where it stands; one of at least W_REQUEST_SECRET_MIN
 * bytes is redacted everywhere in the record.
 */
#define W_REQUEST_SECRET_MIN 6

/* Limits how many, since every text of the record is searched for each. */
#define W_REQUEST_VALUES_MAX 16

/* All zero is empty. */
struct w_request_reader {
	struct w_known_commands known;
	struct w_redact_span *spans; /* of the last request */
	size_t span_count;
	size_t span_cap;
	struct w_analysis *analysis; /* of the last request; NULL: it had
					neither argv nor shell, or both */
	bool is_doubtful;            /* a description is only a substitute */
	const writ_config *config;   /* of the request, for later lookups */
};

void w_request_reader_done(struct w_request_reader *reader);

/* Copies a request that is not checked yet to the current size; it may be an
 * older caller's. */
void w_request_copy(const writ_request *request, writ_request *out);

/* Analyzes a request, whose texts must outlive the analysis. Fails only with
 * WRIT_E_NOMEM: a description that cannot be used does not prevent a run. */
writ_status w_request_understand(struct w_request_reader *reader,
    const writ_config *config, const writ_request *request, writ_error *err);

/* Finds descriptions for the policy, for the last request. One that cannot
 * be used counts as missing, without a substitute. */
struct w_command_source w_request_source(struct w_request_reader *reader);

/*
 * Analyzes it, and adds its secrets to the redactor; the spans are valid until
 * the next call. *out_module is NULL if the request is not fully understood;
 * borrowed from the reader. Fails only with WRIT_E_NOMEM: a description that
 * cannot be used does not prevent a run.
 */
writ_status w_request_read(struct w_request_reader *reader,
    const writ_config *config, const writ_request *request,
    struct w_redactor *redactor, const char **out_module, writ_error *err);

#endif /* W_ENGINE_REQUEST_READER_H */
