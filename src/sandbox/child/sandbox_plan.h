/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SANDBOX_PLAN_H
#define W_SANDBOX_SANDBOX_PLAN_H

#include "sandbox/child/enter.h"
#include "sandbox/child/shared_walls.h"

/*
 * The sandbox plan: everything about a sandbox that is the same for all its
 * runs, as one block of bytes that can be passed to another process. Two
 * sandboxes with equal bytes are the same sandbox.
 *
 * Members named after a thing are offsets from the start of the block; those
 * that name a string are offsets into the strings.
 */
struct w_sandbox_plan {
	uint32_t size;
	uint32_t layers;     /* mask of W_LAYER_BIT(): layers to apply */
	uint32_t namespaces; /* CLONE_NEW... flags of a run */
	uint32_t network;    /* enum w_network */
	uint32_t ops;        /* struct w_mount_op[] */
	uint32_t op_count;
	uint32_t rules; /* struct w_landlock_rule[] */
	uint32_t rule_count;
	uint32_t filter; /* struct sock_filter[] */
	uint32_t filter_count;
	uint32_t strings;
	uint32_t is_late;   /* a run needs privileges until its exec message
			       arrives: the walls are applied then */
	uint32_t may_keep;  /* background processes may live on */
	uint32_t has_home;  /* W_SANDBOX_PLAN_HOME exists, for the command's
			       user */
	uint32_t joins;     /* mask of W_JOINS_: the session's namespaces */
	uint32_t notifies;  /* the filter wants a listener */
	uint32_t has_layer; /* an overlay is among the steps */
	uint32_t unused;
	uint64_t exec_pass; /* see struct w_seccomp_kind */
	struct w_landlock_scope scope;
};

/* The home directory if the sandbox has its own root. */
#define W_SANDBOX_PLAN_HOME "/tmp/home"

/* Address of an offset in the block. */
#define W_SANDBOX_PLAN_AT(sandbox_plan, offset, type) \
	((const type *)(const void *)((const char *)(sandbox_plan) + (offset)))

/* Whether the runs of a plan can share one network namespace: nobody is
 * reachable in it and Landlock scopes abstract sockets, so the runs cannot
 * meet. */
static inline int
w_sandbox_plan_shares_network(const struct w_sandbox_plan *sandbox_plan)
{
	enum {
		NETWORK_OFF = 0
	};

	return sandbox_plan->network == NETWORK_OFF &&
	       sandbox_plan->scope.scoped != 0;
}

#endif /* W_SANDBOX_SANDBOX_PLAN_H */
