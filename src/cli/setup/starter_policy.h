/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_STARTER_POLICY_H
#define W_CLI_STARTER_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/setup/project.h"

/*
 * A policy to start from: what a preset says, what the project at hand needs
 * besides, and comments for the person who goes on from there.
 */
#define W_STARTER_EXPECT_MAX 96

struct w_starter_policy {
	const char *preset;
	bool is_users;     /* for all projects of a user, not for one */
	bool has_commands; /* the project's commands are allowed by a rule */
	const struct w_project *project;
	/* What the policy answers to each line of expect, in their order; NULL:
	 * as is to be expected of the preset developer. */
	const char *answers[W_STARTER_EXPECT_MAX];
};

void w_starter_policy_add(
    struct w_buf *buf, const struct w_starter_policy *starter);

/* Whether each of the project's commands has the answer "allow". */
bool w_starter_policy_allows_commands(const struct w_starter_policy *starter);

#endif /* W_CLI_STARTER_POLICY_H */
