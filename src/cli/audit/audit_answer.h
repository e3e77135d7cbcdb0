/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_ANSWER_H
#define W_CLI_AUDIT_ANSWER_H

#include <writ/audit.h>

#include "cli/audit/record_page.h"

/* The id of the approval or grant that allowed a run; NULL: none. Borrowed
 * from its begin record. */
const char *w_cli_audit_approval(yyjson_val *begin);

/* Appends a section about who gave that approval. Appends nothing if the trail
 * no longer has the answer. */
writ_status w_page_answer(struct w_record_page *page, writ_audit *audit,
    const char *approval, writ_error *err);

#endif /* W_CLI_AUDIT_ANSWER_H */
