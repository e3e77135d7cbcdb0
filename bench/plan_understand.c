/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables for understanding: an argv by a form that was made before, the
 * first one of a program, one of very many words, and what the descriptions
 * that are built in cost a program that does not look at them.
 */

#include "plan.h"
#include "shots.h"

/* clang-format off */

#define WAY(name, way, program) \
	{name, SEAT_USER, shot_understand, 0, WORDS(way, program), NULL}
#define WARM(program)                               \
	WAY("getopt." program, "getopt", program),  \
	WAY("parse." program, "parse", program),    \
	WAY("whole." program, "whole", program)

const struct variant understand_variants[] = {
	WARM("git"),
	WARM("ls"),
	WARM("curl"),
	WARM("find"),
	WAY("getopt.git.again", "getopt", "git"),
	{.name = NULL},
};

#define WARM_ROWS(program, text)                               \
	{text ": parsed / getopt_long", ROW_MICRO,             \
	 "getopt." program, "parse." program, 5, 2},           \
	{text ": parsed and judged / getopt_long", ROW_MICRO,  \
	 "getopt." program, "whole." program, 5, 2}

const struct row understand_rows[] = {
	WARM_ROWS("git", "git log"),
	WARM_ROWS("ls", "ls"),
	WARM_ROWS("curl", "curl"),
	WARM_ROWS("find", "find"),
	{"same against same: getopt_long", ROW_SAME,
	 "getopt.git", "getopt.git.again", 0, 0},
	{.text = NULL},
};

#define FIRST(program)                                     \
	WAY("read." program, "first-read", program),       \
	WAY("first." program, "first", program)

const struct variant first_variants[] = {
	FIRST("git"),
	FIRST("ls"),
	FIRST("curl"),
	FIRST("find"),
	WAY("read.git.again", "first-read", "git"),
	{.name = NULL},
};

#define FIRST_ROW(program, text)                                  \
	{text " understood for the first time / read", ROW_MICRO, \
	 "read." program, "first." program, 0, 0}

const struct row first_rows[] = {
	FIRST_ROW("git", "git log"),
	FIRST_ROW("ls", "ls"),
	FIRST_ROW("curl", "curl"),
	FIRST_ROW("find", "find"),
	{"same against same: JSON of git read", ROW_SAME,
	 "read.git", "read.git.again", 0, 0},
	{.text = NULL},
};

#define MANY(name, how) {name, SEAT_USER, shot_many_words, 0, WORDS(how), NULL}

const struct variant long_variants[] = {
	MANY("long.parts", "parts"),
	MANY("long.parts.again", "parts"),
	MANY("long.all", "all"),
	{.name = NULL},
};

const struct row long_rows[] = {
	{"100,000 words at once / ten times 10,000", ROW_RATIO,
	 "long.parts", "long.all", 0, 0},
	{"same against same: ten times 10,000 words", ROW_SAME,
	 "long.parts", "long.parts.again", 0, 0},
	{.text = NULL},
};

#define PROGRAM(name, ...) \
	{name, SEAT_USER, shot_module, 0, WORDS(__VA_ARGS__), NULL}
#define RUN(name, program) \
	PROGRAM(name, program, "run", "--sandbox", "none", "--", "/bin/true")

const struct variant builtin_variants[] = {
	RUN("bare.run", "@before"),
	RUN("bare.run.again", "@before"),
	RUN("full.run", "@writ"),
	PROGRAM("bare.version", "@before", "--version"),
	PROGRAM("bare.version.again", "@before", "--version"),
	PROGRAM("full.version", "@writ", "--version"),
	PROGRAM("full.explain", "@writ", "module", "explain", "--", "git",
	    "log", "-n", "3"),
	PROGRAM("bare.list", "@before", "module", "list"),
	PROGRAM("full.list", "@writ", "module", "list"),
	{.name = NULL},
};

const struct row builtin_rows[] = {
	{"writ run / with nothing built in", ROW_MORE,
	 "bare.run", "full.run", 0.3, 0},
	{"writ --version / with nothing built in", ROW_MORE,
	 "bare.version", "full.version", 0.3, 0},
	{"same against same: writ run", ROW_SAME,
	 "bare.run", "bare.run.again", 0, 0},
	{"same against same: writ --version", ROW_SAME,
	 "bare.version", "bare.version.again", 0, 0},
	{"writ module explain / writ --version", ROW_MORE,
	 "full.version", "full.explain", 0, 0},
	{"writ module list / with nothing built in", ROW_MORE,
	 "bare.list", "full.list", 0, 0},
	{.text = NULL},
};
/* clang-format on */
