/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables for decisions: an argv understood and judged, by the policy that
 * counts when there is none, and by 10,000 rules more. And a cold program that
 * decides, records and builds walls, beside one that only has an engine.
 */

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
	WAYS("ls"),
	WAYS("grep"),
	WAYS("make"),
	WAYS("cp"),
	WAYS("rm"),
	WAYS("push"),
	WAYS("curl"),
	WAYS("timeout"),
	WAYS("text"),
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
	ROWS("ls", "ls -la"),
	ROWS("grep", "grep"),
	ROWS("make", "make"),
	ROWS("cp", "cp"),
	ROWS("rm", "rm -r"),
	ROWS("push", "git push (asks)"),
	ROWS("curl", "curl (asks)"),
	ROWS("timeout", "timeout nice pytest"),
	{"a text of 20 commands: decided", ROW_MICRO,
	 "bare.text", "few.text", 60, 30},
	{"a text of 20 commands: decided by 10,000 rules", ROW_MICRO,
	 "bare.text", "many.text", 0, 0},
	{"same against same: git log decided", ROW_SAME,
	 "few.git", "few.git.again", 0, 0},
	{.text = NULL},
};

/* As everybody has it: the policy that counts when there is none, a record, and
 * `workspace`. Or with the walls alone, or with nothing of it. */
#define OF(who, what) "decided." who "." what
#define PROGRAM(name, seat, ...) \
	{name, seat, shot_decided, 0, WORDS(__VA_ARGS__), NULL}
#define PROGRAMS(who, seat)                                            \
	{OF(who, "true"), seat, shot_floor, 0, TRUE_ARGV, NULL},       \
	PROGRAM(OF(who, "engine"), seat, "@small", "--bare", "true"),  \
	PROGRAM(OF(who, "small"), seat, "@small", "true"),             \
	PROGRAM(OF(who, "small.again"), seat, "@small", "true"),       \
	PROGRAM(OF(who, "writ"), seat, "@writ", "run", "--", "true"),  \
	PROGRAM(OF(who, "walls"), seat, "@writ", "run", "--policy",    \
	    "open", "--sandbox", "workspace", "--", "true"),           \
	PROGRAM(OF(who, "open"), seat, "@writ", "run", "--policy",     \
	    "open", "--sandbox", "none", "--", "true"),                \
	PROGRAM(OF(who, "version"), seat, "@writ", "--version")

const struct variant decided_variants[] = {
	PROGRAMS("root", SEAT_ROOT),
	PROGRAMS("user", SEAT_USER),
	{.name = NULL},
};

#define PROGRAM_ROWS(who)                                            \
	{"writ run / small program, same settings, " who, ROW_RATIO, \
	 OF(who, "small"), OF(who, "writ"), 2.2, 1.6},               \
	{"writ run / small program, engine only, " who, ROW_RATIO,   \
	 OF(who, "engine"), OF(who, "writ"), 2.2, 1.6},              \
	{"small program / the same, engine only, " who, ROW_RATIO,   \
	 OF(who, "engine"), OF(who, "small"), 0, 0},                 \
	{"writ run / policy open, no walls, " who, ROW_RATIO,        \
	 OF(who, "open"), OF(who, "writ"), 0, 0},                    \
	{"what the policy adds to writ run, " who, ROW_MORE,         \
	 OF(who, "walls"), OF(who, "writ"), 0, 0},                   \
	{"what the walls add to writ run, " who, ROW_MORE,           \
	 OF(who, "open"), OF(who, "walls"), 0, 0},                   \
	{"writ --version / posix_spawn of true, " who, ROW_MORE,     \
	 OF(who, "true"), OF(who, "version"), 0, 0},                 \
	{"writ run / posix_spawn of true, " who, ROW_RATIO,          \
	 OF(who, "true"), OF(who, "writ"), 0, 0},                    \
	{"same against same: small program, " who, ROW_SAME,         \
	 OF(who, "small"), OF(who, "small.again"), 0, 0}

const struct row decided_rows[] = {
	PROGRAM_ROWS("root"),
	PROGRAM_ROWS("user"),
	{.text = NULL},
};
/* clang-format on */
