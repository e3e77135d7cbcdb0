/* SPDX-License-Identifier: Apache-2.0 */

/* The entries of a ledger in memory, and finding them by id. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "fleet/host/fleet_ledger_state.h"
#include "fleet/order/fleet_name.h"

#define STAGE       "ledger"
#define ENTRIES_MAX 1000000

static size_t
slot_of(const struct w_fleet_ledger *ledger, const char *id)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *id != '\0'; id++)
		hash = (hash ^ (uint8_t)*id) * UINT64_C(1099511628211);
	return (size_t)(hash ^ hash >> 32) & (ledger->slot_count - 1);
}

struct w_fleet_entry *
w_fleet_ledger_find(struct w_fleet_ledger *ledger, const char *id)
{
	if (ledger->slot_count == 0)
		return NULL;
	for (size_t at = slot_of(ledger, id); ledger->slots[at] != 0;
	     at = (at + 1) & (ledger->slot_count - 1)) {
		struct w_fleet_entry *entry =
		    &ledger->entries[ledger->slots[at] - 1];

		if (strcmp(entry->id, id) == 0)
			return entry;
	}
	return NULL;
}

static void
put_slot(struct w_fleet_ledger *ledger, size_t index)
{
	size_t at = slot_of(ledger, ledger->entries[index].id);

	while (ledger->slots[at] != 0)
		at = (at + 1) & (ledger->slot_count - 1);
	ledger->slots[at] = (uint32_t)index + 1;
}

/* At most half of the slots are taken. */
static bool
make_slots(struct w_fleet_ledger *ledger)
{
	if (2 * (ledger->count + 1) <= ledger->slot_count)
		return true;
	const size_t count =
	    ledger->slot_count == 0 ? 64 : 2 * ledger->slot_count;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (slots == NULL)
		return false;
	free(ledger->slots);
	ledger->slots = slots;
	ledger->slot_count = count;
	for (size_t i = 0; i < ledger->count; i++)
		put_slot(ledger, i);
	return true;
}

void
w_fleet_ledger_drop(char **text, size_t *len)
{
	free(*text);
	*text = NULL;
	*len = 0;
}

bool
w_fleet_ledger_keep(char **out, size_t *out_len, const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy == NULL)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	free(*out);
	*out = copy;
	*out_len = len;
	return true;
}

writ_status
w_fleet_ledger_add(struct w_fleet_ledger *ledger,
    const struct w_fleet_receipt *receipt, const uint8_t sum[W_SHA256_SIZE],
    writ_error *err)
{
	struct w_fleet_entry entry = {
	    .state = W_FLEET_RECEIVED, .expires = receipt->expires};

	if (!w_fleet_id_valid(receipt->id) ||
	    w_fleet_ledger_find(ledger, receipt->id) != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the id '%s' cannot be received", receipt->id);
	if (ledger->count == ENTRIES_MAX)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, ENOSPC,
		    "the ledger has %d entries", ENTRIES_MAX);
	memcpy(entry.id, receipt->id, sizeof(entry.id));
	memcpy(entry.sum, sum, sizeof(entry.sum));
	if (!make_slots(ledger) ||
	    !w_grow(&ledger->entries, ledger->count, &ledger->cap) ||
	    (receipt->order != NULL &&
		!w_fleet_ledger_keep(&entry.order, &entry.order_len,
		    receipt->order, receipt->len)))
		return w_fail_nomem(err, STAGE);
	ledger->entries[ledger->count] = entry;
	put_slot(ledger, ledger->count++);
	return WRIT_OK;
}

void
w_fleet_ledger_drop_all(struct w_fleet_ledger *ledger)
{
	for (size_t i = 0; i < ledger->count; i++) {
		free(ledger->entries[i].order);
		free(ledger->entries[i].result);
	}
	free(ledger->entries);
	free(ledger->slots);
	ledger->entries = NULL;
	ledger->slots = NULL;
	ledger->count = ledger->cap = ledger->slot_count = 0;
	ledger->lines = 0;
}

size_t
w_fleet_ledger_count(const struct w_fleet_ledger *ledger)
{
	return ledger->count;
}

struct w_fleet_entry *
w_fleet_ledger_at(struct w_fleet_ledger *ledger, size_t index)
{
	return &ledger->entries[index];
}
