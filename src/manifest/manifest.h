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
 * A parsed manifest: data, and resources in the order of the file.
 *
 * Reading has two steps. The first looks at the text alone: keys, types,
 * syntax of templates and expressions, references. The second fills in what
 * is early (data, and all properties but the deferred ones) and checks the
 * values. Both report all faults at once. Deferred properties are filled in
 * by apply, just before the resource is examined, because they may read a
 * file that an earlier resource made.
 *
 *   deferred: exec command argv cwd environment creates removes onlyif unless
 *             refresh stdin; file content source; of the other types what
 *             types/TYPE_keys.c reads with a w_typed_read_deferred...
 */
#define W_MANIFEST_BYTES_MAX     ((size_t)64 << 20)
#define W_MANIFEST_DEPTH_MAX     32
#define W_MANIFEST_RESOURCES_MAX 1000000
#define W_MANIFEST_LIST_MAX      1000
#define W_MANIFEST_TRIES_MAX     1000
/* In all resources together; those from defaults count each time. */
#define W_MANIFEST_REFERENCES_MAX 1000000
/* All template output while reading. */
#define W_MANIFEST_FILLED_MAX ((size_t)256 << 20)

struct w_manifest_location {
	unsigned line; /* 0: not in the document (generated) */
	unsigned column;
	unsigned offset; /* byte offset into the text */
};

/* A text property. */
struct w_property {
	struct w_template template; /* parts NULL: property is absent */
	const char *text;           /* early ones, filled in; NULL: not yet, or
				     * deferred */
	struct w_manifest_location at;
	bool is_secret;
};

struct w_property_list {
	struct w_property *items;
	size_t count;
};

/* A command: one text, or a list of words, each a template. */
struct w_command_property {
	struct w_property line;       /* absent: see words */
	struct w_property_list words; /* count 0: absent */
};

struct w_command_list {
	struct w_command_property *items;
	size_t count;
};

/* "type#name": refers to an earlier resource. */
struct w_reference {
	const char *text;
	struct w_manifest_location at;
	const char *type; /* "exec" */
	const char *name; /* after the first '#' */
	size_t target;    /* index of the resource; W_NO_TARGET: not in this
			   * manifest, but in the session (writ ensure) */
};
#define W_NO_TARGET ((size_t)-1)

struct w_reference_list {
	struct w_reference *items;
	size_t count;
};

enum w_resource_type {
	W_RESOURCE_EXEC,
	W_RESOURCE_FILE,
	W_RESOURCE_PACKAGE,
	W_RESOURCE_SERVICE,
	W_RESOURCE_USER,
	W_RESOURCE_GROUP,
	W_RESOURCE_ARCHIVE,
	W_RESOURCE_EDIT,
	W_RESOURCE_APPLY, /* the resources of another manifest */
	W_RESOURCE_TYPES
};
const char *w_resource_word(enum w_resource_type type); /* "exec" */

struct w_health_check {
	const char *name; /* default: basename of the command's first word */
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

/* Limits of a run, as in a request; 0: not set. */
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

/* Besides creates: whether a command runs. */
struct w_exec_guards {
	struct w_property_list removes; /* runs only if one of these exists */
	struct w_command_list onlyif;
	struct w_command_list unless;
	bool is_refreshonly;
	struct w_command_property refresh; /* runs instead of command on a
					    * refresh */
	struct w_reference_list subscribe;
};

/* How a command runs. */
struct w_exec_settings {
	struct w_property cwd;              /* default "/" */
	struct w_property_list environment; /* NAME=value */
	struct w_property path; /* early: absolute directories, ':'-separated */
	int *returns;           /* NULL: default, [0] */
	size_t return_count;
	uint64_t timeout_ms; /* 0: none */
	enum w_logoutput logoutput;
	struct w_property user;
	struct w_property group;
	bool has_umask;
	unsigned umask; /* default 022 */
	struct w_property stdin_text;
	unsigned tries; /* at least 1 */
	uint64_t try_sleep_ms;
	struct w_exec_limits limits;
	struct w_property sandbox; /* a profile; absent: the policy's */
};

struct w_exec_resource {
	/* If absent, the name of the resource is the command. */
	struct w_command_property command;
	/* The command that a name with expressions expands to, NULL-ended; with
	 * is_shell one text. NULL: no expressions, or the name is not the
	 * command. */
	const char *const *name_words;
	struct w_property_list creates; /* skip if all of these exist */
	const struct w_exec_guards *guards;
	const struct w_exec_settings *settings;
	bool is_shell; /* provider: shell */
};

enum w_file_ensure {
	W_FILE_PRESENT,
	W_FILE_ABSENT,
	W_FILE_DIRECTORY,
	W_FILE_SYMLINK, /* "link" */
};

struct w_file_resource {
	enum w_file_ensure ensure;
	struct w_property content; /* may be "", which differs from absent */
	struct w_property source;  /* relative to the directory of the
				      manifest */
	struct w_property template_file; /* likewise; filled in by blocks */
	struct w_property owner;
	struct w_property group;
	bool has_mode;
	unsigned mode;
	bool is_forced;
	struct w_property target; /* of a link; early */
	/* Checks new content; '%' in its words is the file to check. */
	struct w_command_property validate;
	struct w_property backup; /* early: a suffix */
	bool is_recursive;        /* owner, group and mode of all beneath */
	bool is_purged;           /* nothing else is beneath */
};

/* The types that a table describes (types/typed.h): each property is a list of
 * texts, at an index that the type names. */
#define W_TYPED_VALUES_MAX 20
struct w_typed_resource {
	struct w_property_list values[W_TYPED_VALUES_MAX];
	struct w_reference_list subscribe; /* service */
};

/* Its resources stand before it in the list. */
struct w_include_resource {
	const struct w_value *data; /* NULL: that of the manifest around */
	size_t first;
	size_t count;
	bool is_noop;
	bool is_health_only;
	bool allows_apply;
	bool is_denied; /* the other manifest has apply, and must not */
};
#define W_MANIFEST_INCLUDES_DEPTH 10
#define W_MANIFEST_INCLUDES_MAX   1000

struct w_condition {
	const struct w_expr *expr; /* NULL: absent */
	const char *text;
	struct w_manifest_location at;
};

/* What few resources have. */
struct w_resource_extras {
	struct w_property alias;           /* early */
	struct w_condition control_if;     /* absent: true */
	struct w_condition control_unless; /* absent: false */
	struct w_health_check *health_checks;
	size_t health_count;
	struct w_property_list tags; /* early */
	struct w_property registers; /* early: a name in Results */
};

/*
 * A manifest may have a hundred thousand of these, and most say little. So what
 * most of them leave out is in parts of its own, which those that say nothing
 * of it share with each other (or with the defaults of their list). The parts
 * do not change after they were read.
 */
struct w_resource {
	enum w_resource_type type;
	bool is_sensitive;             /* sensitive: true */
	size_t index;                  /* from 0, in file order */
	const struct w_manifest *home; /* the manifest that it is written in */
	size_t parent; /* the apply resource that brought it; W_NO_TARGET */
	struct w_manifest_location at;
	struct w_property name; /* early; text is never NULL or empty */
	const char *id;         /* "exec#name" */
	const char *ensure;     /* as written: "present" */
	const char *provider;   /* "posix", "shell" */
	struct w_reference_list require;
	/* The element of each that it was made for, and its name or number in
	 * what each names; NULL: it has no each. */
	const struct w_value *item;
	const struct w_value *key;
	const struct w_resource_extras *extras;
	union {
		struct w_exec_resource exec;
		const struct w_file_resource *file;
		const struct w_typed_resource *typed; /* all others */
		struct w_include_resource include;
	} as;
};

/* What a resource subscribes to; NULL: its type cannot. */
const struct w_reference_list *w_resource_subscriptions(
    const struct w_resource *resource);
bool w_resource_can_subscribe(enum w_resource_type type);

struct w_manifest {
	struct w_arena arena;
	const char *file;    /* as given; "-" for standard input */
	const char *dir;     /* absolute: base of relative paths */
	char sha256[65];     /* of the text */
	struct w_value data; /* filled in; a map */
	struct w_property pre_message;
	struct w_property post_message;
	bool is_fail_on_error;
	struct w_resource *resources;
	size_t count;
	size_t room;   /* for resources */
	unsigned uses; /* all W_EXPR_USES_ bits in it */
	/* ccm.sensitive, as written. NULL-ended; NULL: none. */
	const char *const *sensitive;
	struct w_value environ_hidden; /* a map, if parts of environ are
					* sensitive */
	bool hides_environ;
	struct w_manifest *children; /* that it applies; owned */
	struct w_manifest *next;
	const struct w_manifest *outer;      /* NULL: it is the first one */
	struct w_manifest_location named_at; /* in the first one */
	struct w_yaml *yaml;                 /* templates borrow its texts */
	struct w_hash_table ids; /* "type#name" to struct w_manifest_id */
};

struct w_manifest_input {
	const char *file; /* for messages and digests */
	const char *dir;
	const char *text;
	size_t len;
	const struct w_expr_scope *scope; /* facts and environ; its data is
					   * unused, and no file is read */
	/* Resolves references to no resource of the manifest (in a session);
	 * NULL: they are faults. */
	bool (*knows)(void *ctx, const char *type, const char *name);
	void *knows_ctx;
	const writ_manifest_text *hiera; /* merged over the data */
	size_t hiera_count;
	bool reads_files; /* data files, includes and templates beneath dir */
	/* Valid, but probably mistakes; NULL: not collected. */
	struct w_faults *warnings;
	const struct w_value *given; /* data over that of the manifest; NULL:
				      * none */
};

/*
 * Reads a manifest, in YAML or JSON. Fails with WRIT_E_INVALID, all faults in
 * *faults and the first in *err; or with WRIT_E_NOMEM. On success *out_manifest
 * is yours: w_manifest_free().
 */
writ_status w_manifest_read(const struct w_manifest_input *input,
    struct w_faults *faults, struct w_manifest **out_manifest, writ_error *err);
void w_manifest_free(struct w_manifest *manifest);

/* The last resource of that type with that name or alias before index `before`
 * (count: any); W_NO_TARGET: none. O(1) on average. */
size_t w_manifest_find(const struct w_manifest *manifest, const char *type,
    const char *name, size_t before);

/* Moves an error's place in a text of the manifest (a template, or control.if
 * and if_at) to its place in the document: exact as far as the text
 * can be followed through quotes and blocks, else where it starts. */
void w_manifest_locate(const struct w_manifest *manifest,
    const struct w_manifest_location *at, const char *text, writ_error *err);

/* Fails unless entry is NAME=value: missing '=', empty name. */
writ_status w_manifest_check_variable(const char *entry, writ_error *err);

/* Reads a text beneath the directory of the manifest, or by absolute path. */
writ_status w_manifest_read_file(const struct w_manifest *manifest,
    const char *path, struct w_buf *buf, writ_error *err);

/* The JSON Schema of manifests. Borrowed. */
const char *w_manifest_schema(size_t *out_len);

/* A scope over a manifest's own data and the facts and environ of another;
 * files are read beneath its directory or by absolute path. */
struct w_manifest_scope {
	struct w_expr_scope scope; /* pass the address of this one */
	const struct w_manifest *manifest;
	const struct w_expr_scope *outer;
	const struct w_value *item; /* of the resource; NULL: none */
	const struct w_value *key;
	const struct w_value *results; /* a map of what was registered */
};
void w_manifest_scope_init(struct w_manifest_scope *out_scope,
    const struct w_manifest *manifest, const struct w_expr_scope *outer);

/* Data and resources after the early step, as YAML or JSON that can be read
 * back; deferred templates as written, secrets redacted. */
void w_manifest_render(
    struct w_buf *buf, const struct w_manifest *manifest, bool is_json);

/* ---- properties of one resource, for events ---- */

/* Appends the object "properties" of an event: the resource's, with the
 * deferred properties as apply filled them in (NULL: as written), secrets
 * redacted. */
struct w_filled_part {
	const struct w_template *template;
	const char *const *argv; /* of a command; NULL: see text */
	const char *text;        /* secrets already redacted */
};
struct w_filled {
	const char *const *argv; /* NULL-ended; NULL: see shell */
	const char *shell;
	const char *cwd;
	const char *const *environment; /* secrets already redacted */
	const char *const *creates;
	const char *const *removes;
	const char *content; /* file */
	const char *source;
	/* All others that have expressions. */
	const struct w_filled_part *parts;
	size_t part_count;
};
void w_resource_add_properties(struct w_buf *buf,
    const struct w_resource *resource, const struct w_filled *filled);

#endif /* W_MANIFEST_MANIFEST_H */
