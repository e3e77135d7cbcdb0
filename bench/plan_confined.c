/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables for the sandboxes: what a profile adds to a command in process,
 * and what `writ run` costs beside others that build the same walls.
 */

#include "plan.h"
#include "shots.h"

/* clang-format off */

/* The walls of `strict` and `workspace`, spelled for bubblewrap. Separate
 * words for the namespaces: --unshare-all would add a user namespace for
 * root, which writ does without. */
#define BWRAP_WALLS                                                       \
	"--unshare-pid", "--unshare-ipc", "--unshare-uts",                \
	"--unshare-net", "--unshare-cgroup", "--new-session",             \
	"--die-with-parent", "--cap-drop", "ALL", "--clearenv", "@env"
#define BWRAP_PRIVATE                                                     \
	"@secrets", "--proc", "/proc", "--dev", "/dev",                   \
	"--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run",      \
	"--bind", "@stage", "@stage",                                     \
	"--chdir", "@stage", "/bin/true"
#define BWRAP_STRICT(program)                                             \
	WORDS(program, BWRAP_WALLS, "--ro-bind", "/usr", "/usr",          \
	    "--ro-bind", "/etc", "/etc", "--ro-bind", "/opt", "/opt",     \
	    "--symlink", "usr/bin", "/bin",                               \
	    "--symlink", "usr/sbin", "/sbin",                             \
	    "--symlink", "usr/lib", "/lib",                               \
	    "--symlink", "usr/lib64", "/lib64", BWRAP_PRIVATE)
#define BWRAP_WORKSPACE(program)                                          \
	WORDS(program, BWRAP_WALLS, "--ro-bind", "/", "/", BWRAP_PRIVATE)
#define CODEX WORDS("@codex", "sandbox", "--", "/bin/true")
#define COLD(profile)                                                     \
	WORDS("writ", "run", "--sandbox", profile, "--", "true")

#define CONFINED(name, seat, hold, profile) \
	{name, seat, shot_ours, hold, TRUE_ARGV, profile}
#define FLOOR(name, seat) {name, seat, shot_floor, 0, TRUE_ARGV, NULL}
#define PEER(name, seat, argv) {name, seat, shot_peer, 0, argv, NULL}

const struct variant confined_variants[] = {
	FLOOR("confined.floor", SEAT_ROOT),
	FLOOR("confined.floor.again", SEAT_ROOT),
	CONFINED("confined.none", SEAT_ROOT, WRIT_HOLD_AUTO, NULL),
	CONFINED("confined.env", SEAT_ROOT, WRIT_HOLD_AUTO, "env"),
	CONFINED("confined.readonly", SEAT_ROOT, WRIT_HOLD_AUTO, "readonly"),
	CONFINED("confined.workspace", SEAT_ROOT, WRIT_HOLD_AUTO, "workspace"),
	CONFINED("confined.strict", SEAT_ROOT, WRIT_HOLD_AUTO, "strict"),
	CONFINED("pidns.env", SEAT_ROOT, WRIT_HOLD_PIDNS, "env"),
	CONFINED("pidns.readonly", SEAT_ROOT, WRIT_HOLD_PIDNS, "readonly"),
	CONFINED("pidns.workspace", SEAT_ROOT, WRIT_HOLD_PIDNS, "workspace"),
	CONFINED("pidns.strict", SEAT_ROOT, WRIT_HOLD_PIDNS, "strict"),
	FLOOR("unprivileged.floor", SEAT_USER),
	FLOOR("unprivileged.floor.again", SEAT_USER),
	CONFINED("unprivileged.none", SEAT_USER, WRIT_HOLD_AUTO, NULL),
	CONFINED("unprivileged.env", SEAT_USER, WRIT_HOLD_AUTO, "env"),
	CONFINED("unprivileged.readonly", SEAT_USER, WRIT_HOLD_AUTO,
	    "readonly"),
	CONFINED("unprivileged.workspace", SEAT_USER, WRIT_HOLD_AUTO,
	    "workspace"),
	CONFINED("unprivileged.strict", SEAT_USER, WRIT_HOLD_AUTO, "strict"),
	{"first.workspace", SEAT_ROOT, shot_first, WRIT_HOLD_AUTO, TRUE_ARGV,
	 "workspace"},
	{"first.strict", SEAT_ROOT, shot_first, WRIT_HOLD_AUTO, TRUE_ARGV,
	 "strict"},
	{.name = NULL},
};

const struct row confined_rows[] = {
	{"env, root", ROW_RATIO,
	 "confined.floor", "confined.env", 1.08, 1.02},
	{"readonly, root", ROW_RATIO,
	 "confined.floor", "confined.readonly", 1.18, 1.08},
	{"workspace, root", ROW_RATIO,
	 "confined.floor", "confined.workspace", 1.60, 1.40},
	{"strict, root", ROW_RATIO,
	 "confined.floor", "confined.strict", 1.80, 1.50},
	{"none, root", ROW_RATIO,
	 "confined.floor", "confined.none", 0, 0},
	{"env, root without a cgroup", ROW_RATIO,
	 "confined.floor", "pidns.env", 1.35, 0},
	{"readonly, root without a cgroup", ROW_RATIO,
	 "confined.floor", "pidns.readonly", 0, 0},
	{"workspace, root without a cgroup", ROW_RATIO,
	 "confined.floor", "pidns.workspace", 0, 0},
	{"strict, root without a cgroup", ROW_RATIO,
	 "confined.floor", "pidns.strict", 0, 0},
	{"env, user", ROW_RATIO,
	 "unprivileged.floor", "unprivileged.env", 1.35, 0},
	{"readonly, user", ROW_RATIO,
	 "unprivileged.floor", "unprivileged.readonly", 0, 0},
	{"workspace, user", ROW_RATIO,
	 "unprivileged.floor", "unprivileged.workspace", 0, 0},
	{"strict, user", ROW_RATIO,
	 "unprivileged.floor", "unprivileged.strict", 0, 0},
	{"none, user", ROW_RATIO,
	 "unprivileged.floor", "unprivileged.none", 0, 0},
	{"workspace, first run of an engine, root", ROW_RATIO,
	 "confined.floor", "first.workspace", 0, 0},
	{"strict, first run of an engine, root", ROW_RATIO,
	 "confined.floor", "first.strict", 0, 0},
	{"same against same, root", ROW_SAME,
	 "confined.floor", "confined.floor.again", 0, 0},
	{"same against same, user", ROW_SAME,
	 "unprivileged.floor", "unprivileged.floor.again", 0, 0},
	{.text = NULL},
};

#define FLOOR_ROW(name, seat) {name, seat, shot_floor_row, 0, TRUE_ARGV, NULL}
#define CONFINED_ROW(name, seat, profile) \
	{name, seat, shot_ours_row, WRIT_HOLD_AUTO, TRUE_ARGV, profile}

const struct variant sustained_variants[] = {
	FLOOR_ROW("row.floor", SEAT_ROOT),
	FLOOR_ROW("row.floor.again", SEAT_ROOT),
	CONFINED_ROW("row.env", SEAT_ROOT, "env"),
	CONFINED_ROW("row.readonly", SEAT_ROOT, "readonly"),
	CONFINED_ROW("row.workspace", SEAT_ROOT, "workspace"),
	CONFINED_ROW("row.strict", SEAT_ROOT, "strict"),
	FLOOR_ROW("row.user.floor", SEAT_USER),
	CONFINED_ROW("row.user.env", SEAT_USER, "env"),
	CONFINED_ROW("row.user.readonly", SEAT_USER, "readonly"),
	CONFINED_ROW("row.user.workspace", SEAT_USER, "workspace"),
	CONFINED_ROW("row.user.strict", SEAT_USER, "strict"),
	{.name = NULL},
};

const struct row sustained_rows[] = {
	{"env, no pause between runs, root", ROW_RATIO,
	 "row.floor", "row.env", 0, 0},
	{"readonly, no pause between runs, root", ROW_RATIO,
	 "row.floor", "row.readonly", 0, 0},
	{"workspace, no pause between runs, root", ROW_RATIO,
	 "row.floor", "row.workspace", 0, 0},
	{"strict, no pause between runs, root", ROW_RATIO,
	 "row.floor", "row.strict", 0, 0},
	{"env, no pause between runs, user", ROW_RATIO,
	 "row.user.floor", "row.user.env", 0, 0},
	{"readonly, no pause between runs, user", ROW_RATIO,
	 "row.user.floor", "row.user.readonly", 0, 0},
	{"workspace, no pause between runs, user", ROW_RATIO,
	 "row.user.floor", "row.user.workspace", 0, 0},
	{"strict, no pause between runs, user", ROW_RATIO,
	 "row.user.floor", "row.user.strict", 0, 0},
	{"same against same, no pause between runs", ROW_SAME,
	 "row.floor", "row.floor.again", 0, 0},
	{.text = NULL},
};

const struct variant walled_variants[] = {
	{"walled.strict", SEAT_ROOT, shot_cold, 0, COLD("strict"), NULL},
	{"walled.workspace", SEAT_ROOT, shot_cold, 0, COLD("workspace"), NULL},
	PEER("walled.bwrap.strict", SEAT_ROOT, BWRAP_STRICT("/usr/bin/bwrap")),
	PEER("walled.bwrap.strict.again", SEAT_ROOT,
	    BWRAP_STRICT("/usr/bin/bwrap")),
	PEER("walled.bwrap.workspace", SEAT_ROOT,
	    BWRAP_WORKSPACE("/usr/bin/bwrap")),
	PEER("walled.static.strict", SEAT_ROOT, BWRAP_STRICT("@bwrap")),
	PEER("walled.static.workspace", SEAT_ROOT, BWRAP_WORKSPACE("@bwrap")),
	PEER("walled.codex", SEAT_ROOT, CODEX),
	FLOOR("walled.true", SEAT_ROOT),
	{"walled.user.strict", SEAT_USER, shot_cold, 0, COLD("strict"), NULL},
	{"walled.user.workspace", SEAT_USER, shot_cold, 0, COLD("workspace"),
	 NULL},
	PEER("walled.user.bwrap.strict", SEAT_USER,
	    BWRAP_STRICT("/usr/bin/bwrap")),
	PEER("walled.user.bwrap.workspace", SEAT_USER,
	    BWRAP_WORKSPACE("/usr/bin/bwrap")),
	PEER("walled.user.static.strict", SEAT_USER, BWRAP_STRICT("@bwrap")),
	PEER("walled.user.static.workspace", SEAT_USER,
	    BWRAP_WORKSPACE("@bwrap")),
	PEER("walled.user.codex", SEAT_USER, CODEX),
	{.name = NULL},
};

/* The aim is to be 1.25 times as fast. */
#define FASTER (1 / 1.25)

const struct row walled_rows[] = {
	{"writ run strict / bwrap, same walls, root", ROW_RATIO,
	 "walled.bwrap.strict", "walled.strict", 1.00, FASTER},
	{"writ run strict / bwrap, same walls, user", ROW_RATIO,
	 "walled.user.bwrap.strict", "walled.user.strict", 1.00, FASTER},
	{"writ run strict / static bwrap, root", ROW_RATIO,
	 "walled.static.strict", "walled.strict", 1.00, FASTER},
	{"writ run strict / static bwrap, user", ROW_RATIO,
	 "walled.user.static.strict", "walled.user.strict", 1.00, FASTER},
	{"writ run workspace / bwrap, same walls, root", ROW_RATIO,
	 "walled.bwrap.workspace", "walled.workspace", 0, 0},
	{"writ run workspace / bwrap, same walls, user", ROW_RATIO,
	 "walled.user.bwrap.workspace", "walled.user.workspace", 0, 0},
	{"writ run workspace / static bwrap, root", ROW_RATIO,
	 "walled.static.workspace", "walled.workspace", 0, 0},
	{"writ run workspace / static bwrap, user", ROW_RATIO,
	 "walled.user.static.workspace", "walled.user.workspace", 0, 0},
	{"writ run workspace / codex sandbox, root", ROW_RATIO,
	 "walled.codex", "walled.workspace", 0, 0},
	{"writ run workspace / codex sandbox, user", ROW_RATIO,
	 "walled.user.codex", "walled.user.workspace", 0, 0},
	{"writ run strict / no sandbox at all, root", ROW_RATIO,
	 "walled.true", "walled.strict", 0, 0},
	{"bwrap, same walls / no sandbox, root", ROW_RATIO,
	 "walled.true", "walled.bwrap.strict", 0, 0},
	{"static bwrap, same walls / no sandbox, root", ROW_RATIO,
	 "walled.true", "walled.static.strict", 0, 0},
	{"codex sandbox / no sandbox, root", ROW_RATIO,
	 "walled.true", "walled.codex", 0, 0},
	{"same against same: bwrap", ROW_SAME,
	 "walled.bwrap.strict", "walled.bwrap.strict.again", 0, 0},
	{.text = NULL},
};
/* clang-format on */
