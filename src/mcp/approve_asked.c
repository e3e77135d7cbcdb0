/* SPDX-License-Identifier: Apache-2.0 */

/* Questions whose call was answered without them. */

#include <stdlib.h>
#include <string.h>

#include "mcp/approve_state.h"

struct w_asked *
w_asked_find(struct w_approver *approver, const char *id)
{
	struct w_asked *one = approver->asked;

	while (one != NULL && strcmp(one->id, id) != 0)
		one = one->next;
	return one;
}

struct w_asked *
w_asked_same(struct w_asked *from, const struct w_peer *peer,
    const uint8_t call[W_SHA256_SIZE])
{
	while (from != NULL && (from->peer != peer || memcmp(from->call, call,
							  W_SHA256_SIZE) != 0))
		from = from->next;
	return from;
}

void
w_asked_forget(struct w_approver *approver, struct w_asked *asked)
{
	struct w_asked **link = &approver->asked;

	while (*link != NULL && *link != asked)
		link = &(*link)->next;
	if (*link == NULL)
		return;
	*link = asked->next;
	free(asked);
}

/* The oldest goes, and cannot be approved for nothing. One that has an answer
 * keeps it: withdrawing changes nothing then. */
static void
make_room(struct w_approver *approver)
{
	struct w_asked **link = &approver->asked;
	size_t count = 0;

	while (*link != NULL && ++count < W_ASKED_MAX)
		link = &(*link)->next;
	while (*link != NULL) {
		struct w_asked *one = *link;

		writ_approval_withdraw(approver->server->engine, one->id);
		*link = one->next;
		free(one);
	}
}

bool
w_asked_add(struct w_approver *approver, const struct w_asked *asked)
{
	struct w_asked *one = malloc(sizeof(*one));

	if (one == NULL)
		return false;
	make_room(approver);
	*one = *asked;
	one->next = approver->asked;
	approver->asked = one;
	return true;
}
