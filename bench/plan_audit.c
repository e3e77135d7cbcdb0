/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tables for the trail: how fast records are written, what they add to a
 * run, and how long it takes to prove a million of them or to find one.
 */

#include "plan.h"
#include "shots.h"

/* clang-format off */

#define PROBE(name, word) {name, SEAT_USER, shot_probe, 0, WORDS(word), NULL}

const struct variant log_variants[] = {
	PROBE("log.floor", "log-floor"),
	PROBE("log.floor.again", "log-floor"),
	PROBE("log.batch", "log-batch"),
	PROBE("log.none", "log-none"),
	PROBE("log.eight", "log-eight"),
	PROBE("log.floor.sync", "log-floor-sync"),
	PROBE("log.sync", "log-sync"),
	PROBE("log.sqlite", "log-sqlite"),
	{.name = NULL},
};

const struct row log_rows[] = {
	{"records of 600 bytes, batch, one process", ROW_RATE,
	 "log.floor", "log.batch", 100000, 150000},
	{"the same, durability none", ROW_RATE,
	 "log.floor", "log.none", 0, 0},
	{"the same, batch, eight processes together", ROW_RATE,
	 "log.floor", "log.eight", 0, 0},
	{"the same, durability sync", ROW_RATE,
	 "log.floor.sync", "log.sync", 0, 0},
	{"peer: SQLite, WAL, synchronous=NORMAL", ROW_RATE,
	 "log.floor", "log.sqlite", 0, 0},
	{"same against same: write and hash", ROW_SAME,
	 "log.floor", "log.floor.again", 0, 0},
	{.text = NULL},
};

#define RUN(name, seat, shot, profile) \
	{name, seat, shot, WRIT_HOLD_AUTO, TRUE_ARGV, profile}
#define ONCE(name, seat, word) {name, seat, shot_once, 0, WORDS(word), NULL}

const struct variant added_variants[] = {
	RUN("root.silent", SEAT_ROOT, shot_silent, NULL),
	RUN("root.silent.again", SEAT_ROOT, shot_silent, NULL),
	RUN("root.recorded", SEAT_ROOT, shot_ours, NULL),
	RUN("root.silent.row", SEAT_ROOT, shot_silent_row, NULL),
	RUN("root.recorded.row", SEAT_ROOT, shot_ours_row, NULL),
	RUN("root.silent.workspace", SEAT_ROOT, shot_silent, "workspace"),
	RUN("root.recorded.workspace", SEAT_ROOT, shot_ours, "workspace"),
	ONCE("root.silent.cold", SEAT_ROOT, "once-silent"),
	ONCE("root.recorded.cold", SEAT_ROOT, "once"),
	RUN("user.silent", SEAT_USER, shot_silent, NULL),
	RUN("user.silent.again", SEAT_USER, shot_silent, NULL),
	RUN("user.recorded", SEAT_USER, shot_ours, NULL),
	RUN("user.silent.row", SEAT_USER, shot_silent_row, NULL),
	RUN("user.recorded.row", SEAT_USER, shot_ours_row, NULL),
	RUN("user.silent.workspace", SEAT_USER, shot_silent, "workspace"),
	RUN("user.recorded.workspace", SEAT_USER, shot_ours, "workspace"),
	ONCE("user.silent.cold", SEAT_USER, "once-silent"),
	ONCE("user.recorded.cold", SEAT_USER, "once"),
	{.name = NULL},
};

#define BAR 1.05, 1.03

const struct row added_rows[] = {
	{"/bin/true with a record / without, root", ROW_RATIO,
	 "root.silent", "root.recorded", BAR},
	{"/bin/true with a record / without, user", ROW_RATIO,
	 "user.silent", "user.recorded", BAR},
	{"the same, no pause between runs, root", ROW_RATIO,
	 "root.silent.row", "root.recorded.row", BAR},
	{"the same, no pause between runs, user", ROW_RATIO,
	 "user.silent.row", "user.recorded.row", BAR},
	{"the same in workspace, root", ROW_RATIO,
	 "root.silent.workspace", "root.recorded.workspace", 0, 0},
	{"the same in workspace, user", ROW_RATIO,
	 "user.silent.workspace", "user.recorded.workspace", 0, 0},
	{"a cold program with a record / without, root", ROW_RATIO,
	 "root.silent.cold", "root.recorded.cold", BAR},
	{"a cold program with a record / without, user", ROW_RATIO,
	 "user.silent.cold", "user.recorded.cold", BAR},
	{"same against same, root", ROW_SAME,
	 "root.silent", "root.silent.again", 0, 0},
	{"same against same, user", ROW_SAME,
	 "user.silent", "user.silent.again", 0, 0},
	{.text = NULL},
};

const struct variant digest_variants[] = {
	PROBE("digest.floor", "flood-floor"),
	PROBE("digest.hashed", "flood-hashed"),
	PROBE("digest.silent", "flood-silent"),
	PROBE("digest.silent.again", "flood-silent"),
	PROBE("digest.unkept", "flood-unkept"),
	PROBE("digest.ours", "flood-ours"),
	{.name = NULL},
};

const struct row digest_rows[] = {
	{"100 MB, no record / plain reader", ROW_MIN,
	 "digest.floor", "digest.silent", 0, 0},
	{"100 MB, a reader that hashes / plain reader", ROW_MIN,
	 "digest.floor", "digest.hashed", 0, 0},
	{"100 MB, record, digest / reader that hashes", ROW_MIN,
	 "digest.hashed", "digest.unkept", 1.30, 0},
	{"100 MB, the same and kept / reader that hashes", ROW_MIN,
	 "digest.hashed", "digest.ours", 1.30, 0},
	{"same against same: no record", ROW_SAME,
	 "digest.silent", "digest.silent.again", 0, 0},
	{.text = NULL},
};

#define TRAIL(name, ...) \
	{name, SEAT_USER, shot_trail, 0, WORDS(__VA_ARGS__), NULL}
#define LOOK(name, word) {name, SEAT_USER, shot_look, 0, WORDS(word), NULL}

const struct variant proof_variants[] = {
	TRAIL("proof.sha256sum", "/bin/sh", "-c",
	    "sha256sum \"$0\"/audit/*.jsonl", "@trail"),
	TRAIL("proof.sha256sum.again", "/bin/sh", "-c",
	    "sha256sum \"$0\"/audit/*.jsonl", "@trail"),
	TRAIL("proof.openssl", "/bin/sh", "-c",
	    "openssl dgst -sha256 \"$0\"/audit/*.jsonl", "@trail"),
	TRAIL("proof.writ", "@writ", "audit", "verify"),
	{.name = NULL},
};

const struct row proof_rows[] = {
	{"writ audit verify / sha256sum", ROW_TIME,
	 "proof.sha256sum", "proof.writ", 4000, 3000},
	{"writ audit verify / openssl dgst, whole files", ROW_TIME,
	 "proof.openssl", "proof.writ", 0, 0},
	{"same against same: sha256sum", ROW_SAME,
	 "proof.sha256sum", "proof.sha256sum.again", 0, 0},
	{.text = NULL},
};

const struct variant index_variants[] = {
	TRAIL("index.sha256sum", "/bin/sh", "-c",
	    "sha256sum \"$0\"/audit/*.jsonl", "@trail"),
	TRAIL("index.build", "/bin/sh", "-c",
	    "rm -f \"$0\"/audit/index.sqlite* && \"$1\" audit list --limit 1",
	    "@trail", "@writ"),
	{.name = NULL},
};

const struct row index_rows[] = {
	{"the index made from nothing / sha256sum", ROW_TIME,
	 "index.sha256sum", "index.build", 0, 0},
	{.text = NULL},
};

const struct variant search_variants[] = {
	TRAIL("search.grep", "/bin/sh", "-c",
	    "grep -h -m 2 -F \"$1\" \"$0\"/audit/*.jsonl | grep -q .", "@trail",
	    "@id"),
	LOOK("look.id", "id"),
	LOOK("look.time", "time"),
	TRAIL("search.id", "@writ", "audit", "show", "--json", "@id"),
	TRAIL("search.time", "@writ", "audit", "search", "--json", "--since",
	    "@since", "--until", "@until"),
	{.name = NULL},
};

const struct row search_rows[] = {
	{"search by id, in the library / grep", ROW_TIME,
	 "search.grep", "look.id", 10, 0},
	{"search by time, in the library / grep", ROW_TIME,
	 "search.grep", "look.time", 10, 0},
	{"search by id, cold program / grep", ROW_TIME,
	 "search.grep", "search.id", 10, 0},
	{"search by time, cold program / grep", ROW_TIME,
	 "search.grep", "search.time", 10, 0},
	{.text = NULL},
};
/* clang-format on */
