/* SPDX-License-Identifier: Apache-2.0 */

/* Frees validation reports. */

#include <stdlib.h>

#include "schema/schema.h"

void
w_schema_report_done(struct w_schema_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		free(report->problems[i].instance);
		free(report->problems[i].schema);
		free(report->problems[i].message);
		free(report->problems[i].suggestion);
	}
	free(report->problems);
	*report = (struct w_schema_report){.problems = NULL};
}
