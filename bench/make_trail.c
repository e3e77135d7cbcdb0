/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes a long trail with the real writer, for whoever wants to see how
 * readers fare.
 *
 *     writ-make-trail RECORDS STATE_DIR
 *
 * Half of the records are begins, half are ends. Their runs never ran; every
 * line is chained and witnessed like any other.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "log/log.h"
#include "trail.h"

static bool
append(struct w_log *log, const char *payload, enum w_log_urgency urgency)
{
	writ_error err = {0};

	if (w_log_append(log, payload, TRAIL_PAYLOAD, urgency, NULL, &err) ==
	    WRIT_OK)
		return true;
	(void)fprintf(stderr, "writ-make-trail: %s\n", err.message);
	return false;
}

static bool
fill(struct w_log *log, uint64_t records)
{
	char payload[TRAIL_PAYLOAD + 1];

	for (uint64_t number = 0; number < (records + 1) / 2; number++) {
		trail_begin(number, payload);
		if (!append(log, payload, W_LOG_BEGINS))
			return false;
		trail_end(number, payload);
		if (number * 2 + 1 < records &&
		    !append(log, payload, W_LOG_ENDS))
			return false;
	}
	return true;
}

int
main(int argc, char **argv)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_NONE};
	struct w_log *log = NULL;
	writ_error err = {0};
	char dir[4096];

	uint64_t records = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	if (records == 0) {
		(void)fprintf(
		    stderr, "usage: writ-make-trail RECORDS STATE_DIR\n");
		return 2;
	}
	(void)mkdir(argv[2], 0700);
	(void)snprintf(dir, sizeof(dir), "%s/audit", argv[2]);
	if (w_log_open(dir, &options, &log, &err) != WRIT_OK) {
		(void)fprintf(stderr, "writ-make-trail: %s\n", err.message);
		return 1;
	}
	bool is_good = fill(log, records) && w_log_sync(log) == 0;
	w_log_close(log);
	return is_good ? 0 : 1;
}
