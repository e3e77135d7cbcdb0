/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LOADED_MANIFEST_H
#define W_CLI_LOADED_MANIFEST_H

#include <stdbool.h>

#include <writ/manifest.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/cli_command.h"
#include "manifest/facts/facts.h"
#include "manifest/read/manifest_faults.h"

/*
 * A manifest named on a command line, with its facts: what apply, ensure,
 * validate and facts share.
 */

/* --fact, --facts and --hiera, as given. All zero: none. */
struct w_fact_args {
	struct w_words assignments; /* K=V */
	struct w_words files;       /* paths */
	struct w_words hiera;       /* --hiera: paths */
};

/* clang-format off */
/* Where the w_fact_args of the command is. */
#define W_FACT_ROWS(heading_text, type, member) \
	{.heading = heading_text, \
	 .name = "fact", .arg = "NAME=VALUE", \
	 W_TO(LIST, type, member.assignments), \
	 .help = "Set a fact, like role=web or net.mtu=9000; overrides " \
	         "--facts. May be repeated."}, \
	{.name = "facts", .arg = "FILE", \
	 W_TO(LIST, type, member.files), \
	 .words = "@file", \
	 .help = "Merge the facts of a file, in YAML or JSON, over those of " \
	         "this machine. May be repeated."}
#define W_HIERA_ROW(type, member) \
	{.name = "hiera", .arg = "FILE", \
	 W_TO(LIST, type, member.hiera), \
	 .words = "@file", \
	 .help = "Merge the data of a file over that of the manifest. It has " \
	         "the keys data, hierarchy and overrides. May be repeated."}
/* clang-format on */

void w_cli_facts_done(struct w_fact_args *args);

/* The facts of this machine, overridden by args. */
writ_status w_cli_facts_load(const struct w_fact_args *args,
    struct w_facts_scope **out_facts, writ_error *err);

/* Starts all zero. */
struct w_loaded_manifest {
	const char *name; /* for messages: the path, or "stdin"; NULL: built
			   * from a command line */
	const char *path; /* as given; NULL: built from a command line */
	struct w_buf text;
	char *dir;
	struct w_faults faults;
	struct w_faults warnings;
	writ_manifest *manifest; /* NULL: it has faults */
};

/* Reads the file, or standard input for "-". Faults in the text are reported by
 * w_loaded_read(), not here. */
writ_status w_loaded_open(
    struct w_loaded_manifest *loaded, const char *path, writ_error *err);

/* Uses a text instead; relative paths start at the current directory. */
writ_status w_loaded_set(
    struct w_loaded_manifest *loaded, struct w_buf *text, writ_error *err);

/* Parses the text. WRIT_E_INVALID: see faults, if there are any. session: the
 * directory of the session that it belongs to, or NULL. */
writ_status w_loaded_read(struct w_loaded_manifest *loaded,
    const struct w_fact_args *args, const char *session, writ_error *err);

void w_loaded_done(struct w_loaded_manifest *loaded);
#define W_AUTO_LOADED_MANIFEST __attribute__((cleanup(w_loaded_done)))

#endif /* W_CLI_LOADED_MANIFEST_H */
