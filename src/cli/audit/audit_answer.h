/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_ANSWER_H
#define W_CLI_AUDIT_ANSWER_H

#include <writ/audit.h>

#include "cli/audit/record_page.h"

/* The approval or the grant that a run was allowed by; NULL: none. Borrowed
 * from its begin record. */
const char *w_cli_audit_approval(yyjson_val *begin);

/* A section with who gave it: what the trail has under that id. Nothing where
 * the trail has no such answer any more. */
writ_status w_page_answer(struct w_record_page *page, writ_audit *audit,
    const char *approval, writ_error *err);

#endif /* W_CLI_AUDIT_ANSWER_H */
