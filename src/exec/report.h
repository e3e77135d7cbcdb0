/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_REPORT_H
#define W_EXEC_REPORT_H

#include "exec/child.h"

/* Which step of a helper failed. */
struct w_report {
	enum w_step step;
	unsigned detail;
};

/* Waits at our end of W_HELPER_REPORT_FD until the command has reached its
 * program. 0, or the errno of the step in *out_report. */
int w_report_await(int fd, struct w_report *out_report);

#endif /* W_EXEC_REPORT_H */
