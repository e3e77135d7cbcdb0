/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables for modules: how fast an input is judged and becomes an argv, how
 * long it takes to know thousands of modules, and what a call adds to a run.
 */

#include "plan.h"
#include "shots.h"

/* clang-format off */

#define OURS(name, word) {name, SEAT_USER, shot_judge, 0, WORDS(word), NULL}
#define AJV(name, word) \
	{name, SEAT_USER, shot_ajv, 0, WORDS("@node", word), NULL}

const struct variant judge_variants[] = {
	AJV("judge.ajv", "right"),
	AJV("judge.ajv.again", "right"),
	AJV("judge.ajv.wrong", "wrong"),
	OURS("judge.ours", "right"),
	OURS("judge.ours.wrong", "wrong"),
	OURS("judge.bare", "bare"),
	OURS("judge.parse", "parse"),
	{.name = NULL},
};

const struct row judge_rows[] = {
	{"500 bytes read and judged / JSON.parse + ajv", ROW_RATIO,
	 "judge.ajv", "judge.ours", 1.00, 0.60},
	{"the same by the bare parser / JSON.parse + ajv", ROW_RATIO,
	 "judge.ajv", "judge.bare", 0, 0},
	{"the same / the bare parser alone", ROW_RATIO,
	 "judge.parse", "judge.ours", 0, 0},
	{"a wrong one, all problems told / ajv allErrors", ROW_RATIO,
	 "judge.ajv.wrong", "judge.ours.wrong", 0, 0},
	{"same against same: JSON.parse + ajv", ROW_SAME,
	 "judge.ajv", "judge.ajv.again", 0, 0},
	{.text = NULL},
};

#define RENDER(name, word) \
	{name, SEAT_USER, shot_render, 0, WORDS(word), NULL}

const struct variant render_variants[] = {
	RENDER("render.copy", "copy"),
	RENDER("render.copy.again", "copy"),
	RENDER("render.ours", "render"),
	{.name = NULL},
};

const struct row render_rows[] = {
	{"ten options become an argv / its words copied", ROW_MICRO,
	 "render.copy", "render.ours", 5, 2},
	{"same against same: words copied", ROW_SAME,
	 "render.copy", "render.copy.again", 0, 0},
	{.text = NULL},
};

#define PROBE(name, word) {name, SEAT_USER, shot_probe, 0, WORDS(word), NULL}
#define PROGRAM(name, seat, ...) \
	{name, seat, shot_module, 0, WORDS(__VA_ARGS__), NULL}

const struct variant fresh_variants[] = {
	PROBE("fresh.read", "known-read"),
	PROBE("fresh.read.again", "known-read"),
	PROBE("fresh.ours", "known-fresh"),
	PROGRAM("fresh.program", SEAT_USER, "/bin/sh", "-c",
	    "rm -rf \"$1\" && exec \"$0\" module show --modules \"$2\" "
	    "cli.bench.true", "@writ", "@cache", "@many"),
	{.name = NULL},
};

const struct row fresh_rows[] = {
	{"many modules, no cache / files read", ROW_TIME,
	 "fresh.read", "fresh.ours", 2000, 0},
	{"the same, cold program, cache written", ROW_TIME,
	 "fresh.read", "fresh.program", 2000, 0},
	{"same against same: files read", ROW_SAME,
	 "fresh.read", "fresh.read.again", 0, 0},
	{.text = NULL},
};

const struct variant known_variants[] = {
	PROBE("known.look", "known-look"),
	PROBE("known.look.again", "known-look"),
	PROBE("known.cached", "known-cached"),
	PROGRAM("known.program", SEAT_USER, "@writ", "module", "show",
	    "--modules", "@many", "cli.bench.true"),
	{.name = NULL},
};

const struct row known_rows[] = {
	{"many modules, with the cache / files looked at", ROW_TIME,
	 "known.look", "known.cached", 30, 0},
	{"the same, cold program: writ module show", ROW_TIME,
	 "known.look", "known.program", 30, 0},
	{"same against same: files looked at", ROW_SAME,
	 "known.look", "known.look.again", 0, 0},
	{.text = NULL},
};

#define TEN \
	"{\"max_count\":20,\"since\":\"2 weeks ago\",\"until\":\"yesterday\"," \
	"\"author\":\"someone\",\"oneline\":true,\"graph\":true,"              \
	"\"format\":\"%H %s\",\"grep\":[\"fix\"],\"color\":\"never\","         \
	"\"path\":[\"src\"]}"
#define RUN(name, seat, program) \
	PROGRAM(name, seat, program, "run", "--sandbox", "none", "--", "true")
#define CALL(name, seat, ...) \
	PROGRAM(name, seat, "@writ", "call", "--sandbox", "none", __VA_ARGS__)

const struct variant call_variants[] = {
	RUN("root.run", SEAT_ROOT, "@writ"),
	RUN("root.run.again", SEAT_ROOT, "@writ"),
	RUN("root.before", SEAT_ROOT, "@before"),
	CALL("root.call", SEAT_ROOT, "cli.bench.true"),
	CALL("root.call.ten", SEAT_ROOT, "cli.bench.true", TEN),
	CALL("root.call.many", SEAT_ROOT, "--modules", "@many",
	    "cli.bench.true", TEN),
	RUN("user.run", SEAT_USER, "@writ"),
	RUN("user.run.again", SEAT_USER, "@writ"),
	RUN("user.before", SEAT_USER, "@before"),
	CALL("user.call", SEAT_USER, "cli.bench.true"),
	CALL("user.call.ten", SEAT_USER, "cli.bench.true", TEN),
	CALL("user.call.many", SEAT_USER, "--modules", "@many",
	    "cli.bench.true", TEN),
	{.name = NULL},
};

#define ROWS(who)                                                             \
	{"writ call / writ run, cold, " who, ROW_RATIO,                       \
	 who ".run", who ".call", 1.30, 0},                                   \
	{"the same with ten options, " who, ROW_RATIO,                        \
	 who ".run", who ".call.ten", 1.30, 0},                               \
	{"the same among many modules, " who, ROW_RATIO,                      \
	 who ".run", who ".call.many", 0, 0},                                 \
	{"writ run / that of the other build, " who, ROW_RATIO,               \
	 who ".before", who ".run", 0, 0},                                    \
	{"same against same: writ run, " who, ROW_SAME,                       \
	 who ".run", who ".run.again", 0, 0}

const struct row call_rows[] = {
	ROWS("root"),
	ROWS("user"),
	{.text = NULL},
};

/* Apart from the others, with fewer rounds: each starts three programs. */
const struct variant isolated_variants[] = {
	RUN("isolated.root.run", SEAT_ROOT, "@writ"),
	CALL("isolated.root", SEAT_ROOT, "--isolated", "cli.bench.true"),
	RUN("isolated.user.run", SEAT_USER, "@writ"),
	CALL("isolated.user", SEAT_USER, "--isolated", "cli.bench.true"),
	{.name = NULL},
};

const struct row isolated_rows[] = {
	{"writ call --isolated / writ run, cold, root", ROW_RATIO,
	 "isolated.root.run", "isolated.root", 0, 0},
	{"writ call --isolated / writ run, cold, user", ROW_RATIO,
	 "isolated.user.run", "isolated.user", 0, 0},
	{.text = NULL},
};
/* clang-format on */
