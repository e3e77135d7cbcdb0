/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_STATE_H
#define W_ENGINE_APPROVAL_STATE_H

#include "engine/approval/approval_file.h"
#include "engine/config/config_state.h"

struct writ_approvals {
	writ_config *config;
	struct w_approval_store store;
	struct w_buf note; /* empty: none */
	int epoll_fd;      /* -1: not requested */
	int inotify_fd;
	int timer_fd;
	int attend_fd; /* -1: does not attend */
};

/* Begins a call: opens directories that exist by now, and clears the last
 * note. */
writ_status w_approvals_begin(writ_approvals *approvals, writ_error *err);

/* ---- approval_watch.c ---- */

/* Discards pending events. */
void w_approvals_drain(writ_approvals *approvals);
/* Watches the directories that exist by now. is_waiting: a question is
 * pending, which may also expire. */
void w_approvals_rearm(writ_approvals *approvals, bool is_waiting);
void w_approvals_unwatch(writ_approvals *approvals);

#endif /* W_ENGINE_APPROVAL_STATE_H */
