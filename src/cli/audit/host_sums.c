/* SPDX-License-Identifier: Apache-2.0 */

/* Adds up the records of connections. */

#include "cli/audit/host_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/json.h"
#include "log/log_format.h"

enum {
	DEPTH_MAX = 8,
	HOST_MAX = 300
};

void
w_cli_host_sums_done(struct w_cli_host_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		free(sums->items[i].host);
		free(sums->items[i].reason);
	}
	free(sums->items);
	*sums = (struct w_cli_host_sums){.items = NULL};
}

/* The sum of a host; NULL: there is no room. */
static struct w_cli_host_sum *
host_sum_of(struct w_cli_host_sums *sums, const char *host)
{
	for (size_t i = 0; i < sums->count; i++)
		if (strcmp(sums->items[i].host, host) == 0)
			return &sums->items[i];
	if (sums->count == W_CLI_HOST_SUMS_MAX) {
		sums->left_out++;
		return NULL;
	}
	if (sums->count == sums->cap) {
		const size_t cap = sums->cap == 0 ? 16 : 2 * sums->cap;
		struct w_cli_host_sum *items =
		    realloc(sums->items, cap * sizeof(*items));

		if (items == NULL) {
			sums->has_failed = true;
			return NULL;
		}
		sums->items = items;
		sums->cap = cap;
	}
	struct w_cli_host_sum *sum = &sums->items[sums->count];
	*sum = (struct w_cli_host_sum){.host = strdup(host)};
	sums->has_failed |= sum->host == NULL;
	if (sum->host == NULL)
		return NULL;
	sums->count++;
	return sum;
}

static const char *
text_of(yyjson_val *record, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(record, key));
}

static uint64_t
number_of(yyjson_val *record, const char *key)
{
	return yyjson_get_uint(yyjson_obj_get(record, key));
}

static void
host_sum_add(struct w_cli_host_sums *sums, yyjson_val *record)
{
	const char *name = text_of(record, "name");
	const char *verdict = text_of(record, "verdict");
	const char *reason = text_of(record, "reason");
	const uint64_t port = number_of(record, "port");
	char host[HOST_MAX];

	if (name == NULL)
		name = text_of(record, "address");
	if (name == NULL || verdict == NULL)
		return;
	if (port == 0)
		(void)snprintf(host, sizeof(host), "%s", name);
	else
		(void)snprintf(host, sizeof(host), "%s:%" PRIu64, name, port);
	struct w_cli_host_sum *sum = host_sum_of(sums, host);
	if (sum == NULL)
		return;
	if (strcmp(verdict, "allow") == 0)
		sum->connections++;
	else
		sum->refused++;
	sum->sent += number_of(record, "sent");
	sum->received += number_of(record, "received");
	sum->unchecked +=
	    yyjson_get_bool(yyjson_obj_get(record, "name_unchecked"));
	if (reason == NULL)
		return;
	free(sum->reason);
	sum->reason = strdup(reason);
}

static bool
host_sums_take(void *ctx, const writ_record *record)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_cli_host_sums *sums = ctx;
	struct w_json *document = NULL;

	if (w_json_read(record->json, record->json_len, &limits, &document,
		NULL) == WRIT_OK)
		host_sum_add(sums, w_json_root(document));
	w_json_free(document);
	return !sums->has_failed;
}

static int
compare_sums(const void *a, const void *b)
{
	const struct w_cli_host_sum *left = a, *right = b;
	const uint64_t of_left = left->received + left->sent;
	const uint64_t of_right = right->received + right->sent;

	if (of_left != of_right)
		return of_left < of_right ? 1 : -1;
	return strcmp(left->host, right->host);
}

writ_status
w_cli_host_sums_read(writ_audit *audit, const writ_audit_filter *filter,
    struct w_cli_host_sums *out_sums, writ_error *err)
{
	writ_audit_filter wanted = *filter;
	struct w_cli_host_sums sums = {.items = NULL};

	wanted.kind = "net";
	wanted.limit = 0;
	wanted.oldest_first = true;
	writ_status status =
	    writ_audit_records(audit, &wanted, host_sums_take, &sums, err);
	if (status == WRIT_OK && sums.has_failed)
		status = w_fail_nomem(err, "audit");
	if (status != WRIT_OK) {
		w_cli_host_sums_done(&sums);
		return status;
	}
	if (sums.count > 1)
		qsort(
		    sums.items, sums.count, sizeof(*sums.items), compare_sums);
	*out_sums = sums;
	return WRIT_OK;
}
