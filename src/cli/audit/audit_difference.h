/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_DIFFERENCE_H
#define W_CLI_AUDIT_DIFFERENCE_H

#include <yyjson.h>

#include "cli/audit/record_page.h"

/* Adds what a call of a file tool changed, from the recorded output of its run
 * (NULL: none). Nothing for any other run; begin is its record, or NULL. */
void w_page_difference(
    struct w_record_page *page, yyjson_val *begin, const char *recording);

#endif /* W_CLI_AUDIT_DIFFERENCE_H */
