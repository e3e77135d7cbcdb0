/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables: sections, their variants, and the rows made of them. Those of
 * the sandboxes are in plan_confined.c, those of the trail in plan_audit.c,
 * those of modules in plan_modules.c, those of understanding in
 * plan_understand.c, those of decisions in plan_decision.c.
 */

#include "plan.h"

#include "shots.h"

#define WRIT_TRUE  WORDS("writ", "run", "--sandbox", "none", "--", "true")
#define FLOOD_LIVE WORDS("writ", "run", "--sandbox", "none", "--")
#define FLOOD_JSON                                                           \
	WORDS("writ", "run", "--sandbox", "none", "--json", "--spill-limit", \
	    "0", "--")

/* clang-format off */
static const struct variant spawn_variants[] = {
	{"root.floor", SEAT_ROOT, shot_floor, 0, TRUE_ARGV, NULL},
	{"root.floor.again", SEAT_ROOT, shot_floor, 0, TRUE_ARGV, NULL},
	{"root.auto", SEAT_ROOT, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV, NULL},
	{"root.pidns", SEAT_ROOT, shot_ours, WRIT_HOLD_PIDNS, TRUE_ARGV, NULL},
	{"root.keeper", SEAT_ROOT, shot_ours, WRIT_HOLD_KEEPER, TRUE_ARGV, NULL},
	{"root.caller", SEAT_ROOT, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV, NULL},
	{"user.floor", SEAT_USER, shot_floor, 0, TRUE_ARGV, NULL},
	{"user.floor.again", SEAT_USER, shot_floor, 0, TRUE_ARGV, NULL},
	{"user.auto", SEAT_USER, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV, NULL},
	{"user.keeper", SEAT_USER, shot_ours, WRIT_HOLD_KEEPER, TRUE_ARGV, NULL},
	{"user.caller", SEAT_USER, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV, NULL},
	{"big.floor", SEAT_BIG, shot_floor, 0, TRUE_ARGV, NULL},
	{"big.auto", SEAT_BIG, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV, NULL},
	{"big.pidns", SEAT_BIG, shot_ours, WRIT_HOLD_PIDNS, TRUE_ARGV, NULL},
	{"big.caller", SEAT_BIG, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV, NULL},
	{.name = NULL},
};

static const struct variant cold_variants[] = {
	{"root.timeout", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true"), NULL},
	{"root.timeout.again", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true"), NULL},
	{"root.writ", SEAT_ROOT, shot_cold, 0, WRIT_TRUE, NULL},
	{"user.timeout", SEAT_USER, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true"), NULL},
	{"user.writ", SEAT_USER, shot_cold, 0, WRIT_TRUE, NULL},
	{"root.true", SEAT_ROOT, shot_floor, 0, TRUE_ARGV, NULL},
	{"root.env", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/env", "-i", "/bin/true"), NULL},
	{"root.sh", SEAT_ROOT, shot_floor, 0,
	 WORDS("/bin/sh", "-c", "/bin/true; exit 0"), NULL},
	{"root.setpriv", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/setpriv", "--no-new-privs", "/bin/true"), NULL},
	{"root.unshare", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/unshare", "--pid", "--fork", "--kill-child",
	       "/bin/true"), NULL},
	{"root.bwrap", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/bwrap", "--dev-bind", "/", "/", "--unshare-pid",
	       "--die-with-parent", "/bin/true"), NULL},
	{.name = NULL},
};

static const struct variant flood_variants[] = {
	{"flood.floor", SEAT_USER, shot_probe, 0, WORDS("flood-floor"), NULL},
	{"flood.floor.again", SEAT_USER, shot_probe, 0, WORDS("flood-floor"), NULL},
	{"flood.hashed", SEAT_USER, shot_probe, 0, WORDS("flood-hashed"), NULL},
	{"flood.user", SEAT_USER, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("flood-ours"), NULL},
	{"flood.root", SEAT_ROOT, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("flood-ours"), NULL},
	{"flood.live", SEAT_USER, shot_flood_cli, 0, FLOOD_LIVE, NULL},
	{"flood.json", SEAT_USER, shot_flood_cli, 0, FLOOD_JSON, NULL},
	{.name = NULL},
};

static const struct variant many_variants[] = {
	{"many.floor", SEAT_USER, shot_probe, 0, WORDS("many-floor"), NULL},
	{"many.floor.again", SEAT_USER, shot_probe, 0, WORDS("many-floor"), NULL},
	{"many.root", SEAT_ROOT, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("many-ours"), NULL},
	{"many.user", SEAT_USER, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("many-ours"), NULL},
	{"many.caller", SEAT_USER, shot_probe, WRIT_HOLD_CALLER,
	 WORDS("many-ours"), NULL},
	{.name = NULL},
};

static const struct row spawn_rows[] = {
	{"/bin/true, tree held, root", ROW_RATIO,
	 "root.floor", "root.auto", 1.30, 1.05},
	{"/bin/true, pid namespace, root", ROW_RATIO,
	 "root.floor", "root.pidns", 1.30, 1.05},
	{"/bin/true, tree held, user", ROW_RATIO,
	 "user.floor", "user.auto", 1.40, 1.05},
	{"/bin/true, keeper (best effort), root", ROW_RATIO,
	 "root.floor", "root.keeper", 0, 0},
	{"/bin/true, keeper (best effort), user", ROW_RATIO,
	 "user.floor", "user.keeper", 0, 0},
	{"/bin/true, left to the caller, root", ROW_RATIO,
	 "root.floor", "root.caller", 1.05, 1.00},
	{"/bin/true, left to the caller, user", ROW_RATIO,
	 "user.floor", "user.caller", 1.05, 1.00},
	{"2 GiB parent / small, tree held", ROW_RATIO,
	 "root.auto", "big.auto", 1.05, 0},
	{"2 GiB parent / small, pid namespace", ROW_RATIO,
	 "root.pidns", "big.pidns", 1.05, 0},
	{"2 GiB parent / small, left to the caller", ROW_RATIO,
	 "root.caller", "big.caller", 1.05, 0},
	{"2 GiB parent / small, posix_spawn itself", ROW_RATIO,
	 "root.floor", "big.floor", 0, 0},
	{"same against same, root", ROW_SAME,
	 "root.floor", "root.floor.again", 0, 0},
	{"same against same, user", ROW_SAME,
	 "user.floor", "user.floor.again", 0, 0},
	{.text = NULL},
};

static const struct row cold_rows[] = {
	{"writ run / timeout 5, cold, root", ROW_RATIO,
	 "root.timeout", "root.writ", 1.30, 1.00},
	{"writ run / timeout 5, cold, user", ROW_RATIO,
	 "user.timeout", "user.writ", 1.30, 1.00},
	{"peer: no program at all / timeout", ROW_RATIO,
	 "root.timeout", "root.true", 0, 0},
	{"peer: env -i / timeout", ROW_RATIO,
	 "root.timeout", "root.env", 0, 0},
	{"peer: sh -c / timeout", ROW_RATIO,
	 "root.timeout", "root.sh", 0, 0},
	{"peer: setpriv --no-new-privs / timeout", ROW_RATIO,
	 "root.timeout", "root.setpriv", 0, 0},
	{"peer: unshare --pid --fork / timeout", ROW_RATIO,
	 "root.timeout", "root.unshare", 0, 0},
	{"peer: bwrap --unshare-pid / timeout", ROW_RATIO,
	 "root.timeout", "root.bwrap", 0, 0},
	{"same against same: timeout", ROW_SAME,
	 "root.timeout", "root.timeout.again", 0, 0},
	{.text = NULL},
};

static const struct row flood_rows[] = {
	{"100 MB captured / reader that hashes, user", ROW_MIN,
	 "flood.hashed", "flood.user", 1.30, 0},
	{"100 MB captured / reader that hashes, root", ROW_MIN,
	 "flood.hashed", "flood.root", 1.30, 0},
	{"100 MB, writ run live / reader that hashes", ROW_MIN,
	 "flood.hashed", "flood.live", 0, 0},
	{"100 MB, writ run --json / reader that hashes", ROW_MIN,
	 "flood.hashed", "flood.json", 0, 0},
	{"100 MB, reader that hashes / plain reader", ROW_MIN,
	 "flood.floor", "flood.hashed", 0, 0},
	{"same against same: plain reader", ROW_SAME,
	 "flood.floor", "flood.floor.again", 0, 0},
	{"100 MB captured: peak memory, user", ROW_RSS,
	 "flood.floor", "flood.user", 8, 0},
	{"100 MB captured: peak memory, root", ROW_RSS,
	 "flood.floor", "flood.root", 8, 0},
	{"100 MB, writ run live: peak memory", ROW_RSS,
	 "flood.floor", "flood.live", 8, 0},
	{"100 MB, writ run --json: peak memory", ROW_RSS,
	 "flood.floor", "flood.json", 8, 0},
	{.text = NULL},
};

static const struct row many_rows[] = {
	{"many sleeps / vfork loop, root", ROW_RATIO,
	 "many.floor", "many.root", 1.15, 0},
	{"many sleeps / vfork loop, user", ROW_RATIO,
	 "many.floor", "many.user", 1.15, 0},
	{"many sleeps / vfork loop, left to the caller", ROW_RATIO,
	 "many.floor", "many.caller", 0, 0},
	{"same against same: vfork loop", ROW_SAME,
	 "many.floor", "many.floor.again", 0, 0},
	{"many sleeps: peak memory, root", ROW_RSS,
	 "many.floor", "many.root", 64, 0},
	{"many sleeps: peak memory, user", ROW_RSS,
	 "many.floor", "many.user", 64, 0},
	{.text = NULL},
};

const struct section plan_sections[] = {
	{"one command", 800, 30, true, SUITE_USUAL, spawn_variants, spawn_rows},
	{"cold programs", 500, 20, true, SUITE_USUAL, cold_variants, cold_rows},
	{"100 MB of output", 40, 3, false, SUITE_USUAL, flood_variants,
	 flood_rows},
	{"many at once", 4, 1, false, SUITE_USUAL, many_variants, many_rows},
	{"confined, in process", 800, 10, true, SUITE_CONFINEMENT,
	 confined_variants, confined_rows},
	{"confined, back to back", 60, 2, true, SUITE_CONFINEMENT,
	 sustained_variants, sustained_rows},
	{"confined, cold programs", 250, 5, true, SUITE_CONFINEMENT,
	 walled_variants, walled_rows},
	{"a tool called", 800, 10, true, SUITE_CONFINEMENT, tool_variants,
	 tool_rows},
	{"records written", 25, 2, true, SUITE_AUDIT, log_variants, log_rows},
	{"what a record adds to a run", 800, 10, true, SUITE_AUDIT,
	 added_variants, added_rows},
	{"what a digest adds to 100 MB", 40, 2, false, SUITE_AUDIT,
	 digest_variants, digest_rows},
	{"proving", 7, 1, true, SUITE_AUDIT, proof_variants, proof_rows},
	{"indexing", 2, 1, false, SUITE_AUDIT, index_variants, index_rows},
	{"searching", 50, 2, true, SUITE_AUDIT, search_variants, search_rows},
	{"an input judged", 300, 3, true, SUITE_MODULES, judge_variants,
	 judge_rows},
	{"an argv made", 500, 3, true, SUITE_MODULES, render_variants,
	 render_rows},
	{"many modules, no cache", 10, 1, true, SUITE_MODULES, fresh_variants,
	 fresh_rows},
	{"many modules, with the cache", 60, 2, true, SUITE_MODULES,
	 known_variants, known_rows},
	{"a module called", 400, 4, true, SUITE_MODULES, call_variants,
	 call_rows},
	{"a module isolated", 150, 2, true, SUITE_MODULES, isolated_variants,
	 isolated_rows},
	{"an argv understood", 400, 3, true, SUITE_UNDERSTANDING,
	 understand_variants, understand_rows},
	{"a program understood first", 300, 3, true, SUITE_UNDERSTANDING,
	 first_variants, first_rows},
	{"many words", 40, 2, true, SUITE_UNDERSTANDING, long_variants,
	 long_rows},
	{"what is built in", 500, 4, true, SUITE_UNDERSTANDING,
	 builtin_variants, builtin_rows},
	{"an argv decided", 400, 3, true, SUITE_DECISION, decision_variants,
	 decision_rows},
	{"a command decided, cold", 300, 3, true, SUITE_DECISION,
	 decided_variants, decided_rows},
	{.name = NULL},
};
/* clang-format on */
