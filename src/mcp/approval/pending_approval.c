/* SPDX-License-Identifier: Apache-2.0 */

/* Open questions whose call was already answered. */

#include <stdlib.h>
#include <string.h>

#include "mcp/approval/approver_state.h"

struct w_pending_approval *
w_pending_approval_match(struct w_pending_approval *from,
    const struct w_connection *connection, const uint8_t call[W_SHA256_SIZE])
{
	while (
	    from != NULL && (from->connection != connection ||
				memcmp(from->call, call, W_SHA256_SIZE) != 0))
		from = from->next;
	return from;
}

void
w_pending_approval_forget(
    struct w_approver *approver, struct w_pending_approval *pending)
{
	struct w_pending_approval **link = &approver->pending;

	while (*link != NULL && *link != pending)
		link = &(*link)->next;
	if (*link == NULL)
		return;
	*link = pending->next;
	free(pending);
}

/* Withdraws the oldest, so that nobody approves it for nothing. Withdrawing
 * does not change one that has an answer. */
static void
pending_approval_make_room(struct w_approver *approver)
{
	struct w_pending_approval **link = &approver->pending;
	size_t count = 0;

	while (*link != NULL && ++count < W_PENDING_APPROVALS_MAX)
		link = &(*link)->next;
	while (*link != NULL) {
		struct w_pending_approval *one = *link;

		writ_approval_withdraw(approver->server->engine, one->id);
		*link = one->next;
		free(one);
	}
}

bool
w_pending_approval_add(
    struct w_approver *approver, const struct w_pending_approval *pending)
{
	struct w_pending_approval *one = malloc(sizeof(*one));

	if (one == NULL)
		return false;
	pending_approval_make_room(approver);
	*one = *pending;
	one->next = approver->pending;
	approver->pending = one;
	return true;
}
