/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOSTS_H
#define W_RUN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct w_wall_denials;
struct writ_job;

/* What the layer above does for runs with hosts. */
struct w_run_hosts_hooks {
	/* Takes the records of what the runs have reached. A run has ended;
	 * is_last: no other is live. */
	void (*settle)(void *ctx, bool is_last);
	/* Adds the hosts that were refused since then, in microseconds since
	 * 1970. */
	void (*tell)(
	    void *ctx, uint64_t since_us, struct w_wall_denials *denials);
	void (*free)(void *ctx);
};

/* The hosts of a session, or of a run that is in none. */
struct w_run_hosts {
	void *ctx; /* NULL: there are none */
	const struct w_run_hosts_hooks *hooks;
};

static inline void
w_run_hosts_free(struct w_run_hosts *hosts)
{
	if (hosts->ctx != NULL)
		hosts->hooks->free(hosts->ctx);
	hosts->ctx = NULL;
}

/* Those of a run. */
struct w_run_hosts *w_run_hosts_of(struct writ_job *job);

#endif /* W_RUN_HOSTS_H */
