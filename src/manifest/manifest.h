/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_H
#define W_MANIFEST_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/yaml.h"
#include "expr/template/template.h"
#include "manifest/read/manifest_faults.h"
#include "schema/hash_table.h"

/*
 * A manifest that was read: data, and resources in the order of the file.
 *
 * Reading happens in two steps. The first looks at the text alone: keys,
 * types, syntax of templates and expressions, references. The second fills in
 * what is early (data, and all properties but the deferred ones) and checks
 * what came of it. Both tell all faults at once. Deferred properties are
 * filled in by apply, just before the resource is looked at, because a file
 * that an earlier one made may be in them.
 *
 *   deferred: exec command argv cwd environment creates removes onlyif unless
 *             refresh stdin; file content source
 */
#define W_MANIFEST_BYTES_MAX     ((size_t)64 << 20)
#define W_MANIFEST_DEPTH_MAX     32
#define W_MANIFEST_RESOURCES_MAX 1000000
#define W_MANIFEST_LIST_MAX      1000
#define W_MANIFEST_TRIES_MAX     1000
/* In all resources together, those that defaults bring counted each time. */
#define W_MANIFEST_REFERENCES_MAX 1000000
/* Of all that templates make while it is read. */
#define W_MANIFEST_FILLED_MAX ((size_t)256 << 20)

struct w_manifest_location {
	unsigned line; /* 0: nowhere in the document (made up) */
	unsigned column;
	unsigned offset; /* in bytes, from the start of the text */
};

/* A text property. */
struct w_property {
	struct w_template template; /* parts NULL: the property is not there */
	struct w_manifest_location at;
	const char
	    *text; /* early ones, filled in; NULL: not yet, or deferred */
	bool is_secret;
};

struct w_property_list {
	struct w_property *items;
	size_t count;
};

/* A command: one text, or a list of words each of which is a template. */
struct w_command_property {
	struct w_property line;       /* not there: see words */
	struct w_property_list words; /* count 0: there are none */
};

struct w_command_list {
	struct w_command_property *items;
	size_t count;
};

/* "type#name", and what it is about: a resource before this one. */
struct w_reference {
	const char *text;
	struct w_manifest_location at;
	const char *type; /* "exec" */
	const char *name; /* what follows the first '#' */
	size_t target;    /* index of the resource; W_NO_TARGET: not in this
			     manifest, but in the session (writ ensure) */
};
#define W_NO_TARGET ((size_t)-1)

struct w_reference_list {
	struct w_reference *items;
	size_t count;
};

enum w_resource_type {
	W_RESOURCE_EXEC,
	W_RESOURCE_FILE,
	W_RESOURCE_TYPES
};
const char *w_resource_word(enum w_resource_type type); /* "exec" */

struct w_health_check {
	const char *name; /* default: last part of the command's first word */
	struct w_command_property command;
	unsigned tries;        /* at least 1 */
	uint64_t try_sleep_ms; /* default 1 s */
	uint64_t timeout_ms;   /* 0: none */
	struct w_manifest_location at;
};

enum w_logoutput {
	W_LOGOUTPUT_OFF,
	W_LOGOUTPUT_ON,
	W_LOGOUTPUT_ON_FAILURE,
};

/* Limits of a run, as in a request; 0: not said. */
struct w_exec_limits {
	uint64_t memory;
	uint64_t cpu_ms;
	uint64_t processes;
	uint64_t open_files;
	uint64_t file_size;
	uint64_t max_output;
	uint64_t output; /* bytes kept in memory */
	uint64_t idle_ms;
};

struct w_exec_resource {
	/* The command; where there is none the name of the resource is it. */
	struct w_command_property command;
	/* What a name with expressions in it comes to as a command, NULL-ended;
	 * with is_shell one text. NULL: it has none, or is not the command. */
	const char *const *name_words;
	bool is_shell;                      /* provider: shell */
	struct w_property cwd;              /* default "/" */
	struct w_property_list environment; /* NAME=value */
	struct w_property path; /* early: absolute directories, ':' between */
	int *returns;           /* NULL: [0], and it was not said */
	size_t return_count;
	uint64_t timeout_ms; /* 0: none */
	struct w_property_list
	    creates; /* one or several: all have to be there */
	struct w_property_list
	    removes; /* it runs only if one of these is there */
	struct w_command_list onlyif;
	struct w_command_list unless;
	bool is_refreshonly;
	struct w_command_property refresh; /* instead of command on a refresh */
	struct w_reference_list subscribe;
	enum w_logoutput logoutput;
	struct w_property user;
	struct w_property group;
	bool has_umask;
	unsigned umask; /* 022 unless said */
	struct w_property stdin_text;
	unsigned tries; /* at least 1 */
	uint64_t try_sleep_ms;
	struct w_exec_limits limits;
	struct w_property
	    sandbox; /* a profile; not there: as the policy says */
};

enum w_file_ensure {
	W_FILE_PRESENT,
	W_FILE_ABSENT,
	W_FILE_DIRECTORY,
};

struct w_file_resource {
	enum w_file_ensure ensure;
	struct w_property
	    content; /* may be "", which is not the same as none */
	struct w_property
	    source; /* relative to the directory of the manifest */
	struct w_property owner;
	struct w_property group;
	bool has_mode;
	unsigned mode;
	bool is_forced;
};

struct w_resource {
	enum w_resource_type type;
	size_t index; /* from 0, in file order */
	struct w_manifest_location at;
	struct w_property name;  /* early; text is never NULL or empty */
	struct w_property alias; /* early */
	const char *id;          /* "exec#name" */
	const char *ensure;      /* as it was asked for: "present" */
	const char *provider;    /* "posix", "shell" */
	struct w_reference_list require;
	const struct w_expr *control_if; /* NULL: true */
	const char *if_text;
	struct w_manifest_location if_at;
	const struct w_expr *control_unless; /* NULL: false */
	const char *unless_text;
	struct w_manifest_location unless_at;
	struct w_health_check *health_checks;
	size_t health_count;
	bool is_sensitive; /* sensitive: true */
	union {
		struct w_exec_resource exec;
		struct w_file_resource file;
	} as;
};

struct w_manifest {
	struct w_arena arena;
	const char *file;    /* as it was named; "-" for standard input */
	const char *dir;     /* absolute: where relative paths begin */
	char sha256[65];     /* of the text */
	struct w_value data; /* filled in; a map */
	struct w_property pre_message;
	struct w_property post_message;
	bool is_fail_on_error;
	struct w_resource *resources;
	size_t count;
	unsigned uses; /* W_EXPR_USES_ bits of everything in it */
	/* What ccm.sensitive names, as it was written. NULL-ended; NULL. */
	const char *const *sensitive;
	struct w_value environ_hidden; /* a map, if it names parts of it */
	bool hides_environ;
	struct w_yaml *yaml;     /* its texts are those of the templates */
	struct w_hash_table ids; /* "type#name" to struct w_manifest_id */
};

struct w_manifest_input {
	const char *file; /* for messages and digests */
	const char *dir;
	const char *text;
	size_t len;
	const struct w_expr_scope *scope; /* facts and environ; its data is not
					asked for, and no file is read */
	/* References that no resource of the manifest answers are looked for
	 * here (a session); NULL: then they are faults. */
	bool (*knows)(void *ctx, const char *type, const char *name);
	void *knows_ctx;
};

/*
 * Reads a manifest, in YAML or JSON. WRIT_E_INVALID with all faults in
 * *faults, and *err the first of them; WRIT_E_NOMEM. *out_manifest is yours
 * only after WRIT_OK: w_manifest_free().
 */
writ_status w_manifest_read(const struct w_manifest_input *input,
    struct w_faults *faults, struct w_manifest **out_manifest, writ_error *err);
void w_manifest_free(struct w_manifest *manifest);

/* The resource of that type whose name or alias it is, the last one before
 * index `before` (count: of all); W_NO_TARGET: none. O(1) on average. */
size_t w_manifest_find(const struct w_manifest *manifest, const char *type,
    const char *name, size_t before);

/* An error that has a place in a text of the manifest (a template, or
 * control.if and if_at) gets that place in the document: exactly where the text
 * stands there on one line as it is, and else where it starts. */
void w_manifest_locate(const struct w_manifest *manifest,
    const struct w_manifest_location *at, const char *text, writ_error *err);

/* Refuses what is no NAME=value: missing '=', empty key, empty value. */
writ_status w_manifest_check_variable(const char *entry, writ_error *err);

/* The JSON Schema of manifests. Borrowed. */
const char *w_manifest_schema(size_t *out_len);

/* A scope over a manifest's own data and the facts and environ of another;
 * files are read beneath its directory or by absolute path. */
struct w_manifest_scope {
	struct w_expr_scope scope; /* give the address of this one away */
	const struct w_manifest *manifest;
	const struct w_expr_scope *outer;
};
void w_manifest_scope_init(struct w_manifest_scope *out_scope,
    const struct w_manifest *manifest, const struct w_expr_scope *outer);

/* Data and resources as they are after the early step, as YAML or JSON that
 * reads back; deferred templates as they were written, secrets hidden. */
void w_manifest_render(
    struct w_buf *buf, const struct w_manifest *manifest, bool is_json);

/* ---- properties of one resource, for events ---- */

/* Appends the object "properties" of an event: what the resource says, with
 * the deferred fields as apply filled them in (NULL: as written), secrets
 * hidden. */
struct w_filled {
	const char *const *argv; /* NULL-ended; NULL: see shell */
	const char *shell;
	const char *cwd;
	const char *const *environment; /* secret values hidden already */
	const char *const *creates;
	const char *const *removes;
	const char *content; /* file */
	const char *source;
};
void w_resource_add_properties(struct w_buf *buf,
    const struct w_resource *resource, const struct w_filled *filled);

#endif /* W_MANIFEST_MANIFEST_H */
