/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOST_SUMS_H
#define W_CLI_HOST_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/audit.h>

/* What was reached of the network, host by host, from the records of
 * connections ("net"). */
enum {
	W_CLI_HOST_SUMS_MAX = 4096
};

struct w_cli_host_sum {
	char *host; /* name:port or address:port; a name that was only looked
		       up has no port */
	uint64_t connections;
	uint64_t refused;
	uint64_t sent;
	uint64_t received;
	uint64_t unchecked;
	char *reason; /* why the last one was refused or failed; NULL: none */
};

struct w_cli_host_sums {
	struct w_cli_host_sum *items; /* by what was received, most first */
	size_t count;
	size_t cap;
	uint64_t left_out; /* records that found no room */
	bool has_failed;   /* no memory */
};

void w_cli_host_sums_done(struct w_cli_host_sums *sums);

/* Reads the records that match. The kind of the filter is set here. */
writ_status w_cli_host_sums_read(writ_audit *audit,
    const writ_audit_filter *filter, struct w_cli_host_sums *out_sums,
    writ_error *err);

#endif /* W_CLI_HOST_SUMS_H */
