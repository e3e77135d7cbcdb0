/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELPER_REPORT_H
#define W_RUN_HELPER_REPORT_H

#include "run/launch/child.h"

/* Which step of a helper failed. */
struct w_helper_report {
	enum w_step step;
	unsigned detail;
};

/* Waits on our end of W_HELPER_REPORT_FD until the command has been executed.
 * 0, or the errno of the step in *out_report. */
int w_helper_report_await(int fd, struct w_helper_report *out_report);

#endif /* W_RUN_HELPER_REPORT_H */
