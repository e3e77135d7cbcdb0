/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_STARTER_POLICY_H
#define W_CLI_STARTER_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/setup/project.h"

/*
 * A policy to start from: a preset, what the project needs besides, and
 * comments for the person who continues from there.
 */
#define W_STARTER_EXPECT_MAX 96

struct w_starter_policy {
	const char *preset;
	bool is_users;     /* for all projects of a user */
	bool has_commands; /* a rule allows the project's commands */
	const struct w_project *project;
	/* The decision for each line of expect, in order; NULL: as under the
	 * preset developer. */
	const char *answers[W_STARTER_EXPECT_MAX];
};

void w_starter_policy_add(
    struct w_buf *buf, const struct w_starter_policy *starter);

/* Whether the decision for each of the project's commands is "allow". */
bool w_starter_policy_allows_commands(const struct w_starter_policy *starter);

#endif /* W_CLI_STARTER_POLICY_H */
