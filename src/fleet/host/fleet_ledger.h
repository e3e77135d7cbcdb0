/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_LEDGER_H
#define W_FLEET_FLEET_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/encode.h"
#include "base/error.h"
#include "base/sha256.h"

/*
 * What a host has taken, and how far it is. Every step is a line of an
 * append-only log that is on disk before anything follows from it:
 *
 *     received -> started -> done -> published
 *
 * 1. An order is acknowledged after `received`. Without the ack it comes again
 *    and is known.
 * 2. A command starts after `started`. An entry that is `started` when the
 *    ledger is opened had nobody who saw its end: it is lost, and runs again
 *    only if the order says that this does no harm.
 * 3. A result leaves the host after `done`, as often as it needs, until it is
 *    `published`. It is the same text each time.
 * 4. An id is remembered until its order has expired for a day, so a copy is
 *    refused by the ledger or by its expiry.
 *
 * One process at a time has it open.
 */
enum w_fleet_state {
	W_FLEET_RECEIVED,
	W_FLEET_STARTED,
	W_FLEET_DONE,
	W_FLEET_PUBLISHED,
};

struct w_fleet_entry {
	char id[W_ID_LEN + 1];
	enum w_fleet_state state;
	uint8_t sum[W_SHA256_SIZE]; /* of the order */
	uint64_t expires;
	char *order; /* until it is done */
	size_t order_len;
	char *result; /* JSON, from done until published */
	size_t result_len;
	bool is_sent;  /* for the one who publishes */
	bool was_lost; /* it was started when the ledger was opened */
};

struct w_fleet_ledger;

/* Opens, or makes it; dir: its directory. Forgets what is due. Fails with
 * WRIT_E_SYSTEM and EWOULDBLOCK if another process has it open. */
writ_status w_fleet_ledger_open(const char *dir, uint64_t now_ms,
    struct w_fleet_ledger **out_ledger, writ_error *err);
void w_fleet_ledger_free(struct w_fleet_ledger *ledger);

/* Forgets what is due, of a ledger that stays open. Entries move, and none is
 * marked as sent any more. After a failure the ledger cannot be used. */
writ_status w_fleet_ledger_tidy(
    struct w_fleet_ledger *ledger, uint64_t now_ms, writ_error *err);

/* The entry of that id, or NULL. Valid until the next w_fleet_ledger_receive().
 */
struct w_fleet_entry *w_fleet_ledger_find(
    struct w_fleet_ledger *ledger, const char *id);

/* All entries, in no order. */
size_t w_fleet_ledger_count(const struct w_fleet_ledger *ledger);
struct w_fleet_entry *w_fleet_ledger_at(
    struct w_fleet_ledger *ledger, size_t index);

/* The steps. A step that failed was not made; the next one may be tried. */
struct w_fleet_receipt {
	const char *id;
	uint64_t expires;
	const char *order;
	size_t len;
};
writ_status w_fleet_ledger_receive(struct w_fleet_ledger *ledger,
    const struct w_fleet_receipt *receipt, writ_error *err);
writ_status w_fleet_ledger_start(
    struct w_fleet_ledger *ledger, const char *id, writ_error *err);
writ_status w_fleet_ledger_finish(struct w_fleet_ledger *ledger, const char *id,
    const char *result, size_t len, writ_error *err);
writ_status w_fleet_ledger_publish(
    struct w_fleet_ledger *ledger, const char *id, writ_error *err);

/* An order as a ledger compares it. */
void w_fleet_ledger_sum(
    const char *order, size_t len, uint8_t out[W_SHA256_SIZE]);

#endif /* W_FLEET_FLEET_LEDGER_H */
