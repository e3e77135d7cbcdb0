/* SPDX-License-Identifier: Apache-2.0 */

/* The tables: sections, their variants, and the rows made of them. */

#include "plan.h"

#include "shots.h"

#define WORDS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

#define TRUE_ARGV  WORDS("/bin/true")
#define WRIT_TRUE  WORDS("writ", "run", "--sandbox", "none", "--", "true")
#define FLOOD_LIVE WORDS("writ", "run", "--sandbox", "none", "--")
#define FLOOD_JSON                                                           \
	WORDS("writ", "run", "--sandbox", "none", "--json", "--spill-limit", \
	    "0", "--")

/* clang-format off */
static const struct variant spawn_variants[] = {
	{"root.floor", SEAT_ROOT, shot_floor, 0, TRUE_ARGV},
	{"root.floor.again", SEAT_ROOT, shot_floor, 0, TRUE_ARGV},
	{"root.auto", SEAT_ROOT, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV},
	{"root.pidns", SEAT_ROOT, shot_ours, WRIT_HOLD_PIDNS, TRUE_ARGV},
	{"root.keeper", SEAT_ROOT, shot_ours, WRIT_HOLD_KEEPER, TRUE_ARGV},
	{"root.caller", SEAT_ROOT, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV},
	{"user.floor", SEAT_USER, shot_floor, 0, TRUE_ARGV},
	{"user.floor.again", SEAT_USER, shot_floor, 0, TRUE_ARGV},
	{"user.auto", SEAT_USER, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV},
	{"user.keeper", SEAT_USER, shot_ours, WRIT_HOLD_KEEPER, TRUE_ARGV},
	{"user.caller", SEAT_USER, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV},
	{"big.floor", SEAT_BIG, shot_floor, 0, TRUE_ARGV},
	{"big.auto", SEAT_BIG, shot_ours, WRIT_HOLD_AUTO, TRUE_ARGV},
	{"big.pidns", SEAT_BIG, shot_ours, WRIT_HOLD_PIDNS, TRUE_ARGV},
	{"big.caller", SEAT_BIG, shot_ours, WRIT_HOLD_CALLER, TRUE_ARGV},
	{.name = NULL},
};

static const struct variant cold_variants[] = {
	{"root.timeout", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true")},
	{"root.timeout.again", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true")},
	{"root.writ", SEAT_ROOT, shot_cold, 0, WRIT_TRUE},
	{"user.timeout", SEAT_USER, shot_floor, 0,
	 WORDS("/usr/bin/timeout", "5", "true")},
	{"user.writ", SEAT_USER, shot_cold, 0, WRIT_TRUE},
	{"root.true", SEAT_ROOT, shot_floor, 0, TRUE_ARGV},
	{"root.env", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/env", "-i", "/bin/true")},
	{"root.sh", SEAT_ROOT, shot_floor, 0,
	 WORDS("/bin/sh", "-c", "/bin/true; exit 0")},
	{"root.setpriv", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/setpriv", "--no-new-privs", "/bin/true")},
	{"root.unshare", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/unshare", "--pid", "--fork", "--kill-child",
	       "/bin/true")},
	{"root.bwrap", SEAT_ROOT, shot_floor, 0,
	 WORDS("/usr/bin/bwrap", "--dev-bind", "/", "/", "--unshare-pid",
	       "--die-with-parent", "/bin/true")},
	{.name = NULL},
};

static const struct variant flood_variants[] = {
	{"flood.floor", SEAT_USER, shot_probe, 0, WORDS("flood-floor")},
	{"flood.floor.again", SEAT_USER, shot_probe, 0, WORDS("flood-floor")},
	{"flood.user", SEAT_USER, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("flood-ours")},
	{"flood.root", SEAT_ROOT, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("flood-ours")},
	{"flood.live", SEAT_USER, shot_flood_cli, 0, FLOOD_LIVE},
	{"flood.json", SEAT_USER, shot_flood_cli, 0, FLOOD_JSON},
	{.name = NULL},
};

static const struct variant many_variants[] = {
	{"many.floor", SEAT_USER, shot_probe, 0, WORDS("many-floor")},
	{"many.floor.again", SEAT_USER, shot_probe, 0, WORDS("many-floor")},
	{"many.root", SEAT_ROOT, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("many-ours")},
	{"many.user", SEAT_USER, shot_probe, WRIT_HOLD_AUTO,
	 WORDS("many-ours")},
	{"many.caller", SEAT_USER, shot_probe, WRIT_HOLD_CALLER,
	 WORDS("many-ours")},
	{.name = NULL},
};

const struct section plan_sections[] = {
	{"one command", 800, 30, true, spawn_variants},
	{"cold programs", 500, 20, true, cold_variants},
	{"100 MB of output", 40, 3, false, flood_variants},
	{"many at once", 4, 1, false, many_variants},
	{.name = NULL},
};

const struct row plan_rows[] = {
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

	{"100 MB captured / plain reader, user", ROW_MIN,
	 "flood.floor", "flood.user", 1.30, 0},
	{"100 MB captured / plain reader, root", ROW_MIN,
	 "flood.floor", "flood.root", 1.30, 0},
	{"100 MB, writ run live / plain reader", ROW_MIN,
	 "flood.floor", "flood.live", 0, 0},
	{"100 MB, writ run --json / plain reader", ROW_MIN,
	 "flood.floor", "flood.json", 0, 0},
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
/* clang-format on */
