/* SPDX-License-Identifier: Apache-2.0 */

/* The tables for decisions: an argv understood and judged, by the policy that
 * counts when there is none, and by 10,000 rules more. */

#include "plan.h"
#include "shots.h"

/* clang-format off */

#define WAY(name, policy, program) \
	{name, SEAT_USER, shot_decide, 0, WORDS(policy, program), NULL}
#define WAYS(program)                              \
	WAY("bare." program, "", program),         \
	WAY("few." program, "developer", program), \
	WAY("many." program, "many", program)

const struct variant decision_variants[] = {
	WAYS("git"),
	WAYS("grep"),
	WAYS("cp"),
	WAYS("make"),
	WAYS("curl"),
	WAYS("timeout"),
	WAY("few.git.again", "developer", "git"),
	{.name = NULL},
};

#define ROWS(program, text)                                         \
	{text ": decided", ROW_MICRO,                               \
	 "bare." program, "few." program, 15, 8},                   \
	{text ": decided by 10,000 rules", ROW_MICRO,               \
	 "bare." program, "many." program, 60, 30}

const struct row decision_rows[] = {
	ROWS("git", "git log"),
	ROWS("grep", "grep"),
	ROWS("cp", "cp"),
	ROWS("make", "make"),
	ROWS("curl", "curl (asks)"),
	ROWS("timeout", "timeout nice pytest"),
	{"same against same: git log decided", ROW_SAME,
	 "few.git", "few.git.again", 0, 0},
	{.text = NULL},
};
/* clang-format on */
