/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_PARSER_H
#define W_MANIFEST_MANIFEST_PARSER_H

#include "data/yaml.h"
#include "manifest/manifest.h"

/*
 * A resource while it is read: its parts are its own, and the offsets of its
 * keys are offsets in it. manifest_resource.c makes a resource of it.
 */
enum w_resource_part {
	W_PART_EXTRAS,
	W_PART_GUARDS,
	W_PART_SETTINGS,
	W_PARTS
};
struct w_resource_draft {
	struct w_resource resource; /* the first member */
	struct w_resource_extras extras;
	struct w_exec_guards guards;
	struct w_exec_settings settings;
	union {
		struct w_file_resource file;
		struct w_typed_resource typed;
	} body;
	bool is_own[W_PARTS];      /* it says something of that part */
	const void *kept[W_PARTS]; /* of defaults: what those share that add
				    * nothing to it; NULL: not made yet */
};

/*
 * The state while a manifest is read; manifest_read.c has the order. Readers of
 * values report faults by w_parse_refuse() and continue, so that all
 * faults of a file are reported at once. Their results are only used if there
 * were none.
 */
struct w_parser {
	struct w_manifest *manifest;
	const struct w_manifest_input *input;
	struct w_faults *faults;
	/* Scope of early properties. NULL: the data is invalid, so only the
	 * syntax of templates is checked. */
	const struct w_expr_scope *early;
	struct w_manifest_scope *scope; /* the same, to set item and key */
	struct w_resource_draft *draft; /* that is being read; NULL: none */
	/* Parts that no resource and no defaults add anything to. */
	const void *kept[W_RESOURCE_TYPES][W_PARTS];
	const char *resource; /* the current one; NULL: none */
	bool is_sensitive;    /* faults must not quote it */
	bool is_suggestible;  /* the last fault was added */
	bool is_refused;      /* there was a fault, kept or not */
	bool is_out_of_memory;
	/* The manifest that the text at hand stands in; NULL: manifest. */
	const struct w_manifest *home;
	bool has_each; /* some resource has */
	const struct w_parser
	    *outer;       /* of the manifest that applies this one */
	const char *path; /* of this one, absolute; NULL: none */
	unsigned depth;
	unsigned *include_count;
	bool denies_apply;  /* apply resources are denied, */
	bool is_denied;     /* and there was one */
	size_t filled;      /* bytes of template output */
	size_t references;  /* in all resources */
	size_t comparisons; /* made to find suggestions */
};

/* A key of a map and the reader of its value, which stores at the offset in the
 * target. Tables end with a NULL name; a key without a reader is handled
 * elsewhere. */
struct w_parse_key {
	const char *name;
	void (*read)(struct w_parser *parser, const struct w_parse_key *key,
	    void *member, yyjson_val *val);
	size_t offset;
};

typedef void w_parse_reader(struct w_parser *parser,
    const struct w_parse_key *key, void *member, yyjson_val *val);

/* The tables of a manifest; exported for tests. */
extern const struct w_parse_key w_parse_root_keys[];
extern const struct w_parse_key w_parse_ccm_keys[];
extern const struct w_parse_key w_parse_exec_keys[];
extern const struct w_parse_key w_parse_file_keys[];
extern const struct w_parse_key w_parse_package_keys[];
extern const struct w_parse_key w_parse_service_keys[];
extern const struct w_parse_key w_parse_user_keys[];
extern const struct w_parse_key w_parse_group_keys[];
extern const struct w_parse_key w_parse_archive_keys[];
extern const struct w_parse_key w_parse_edit_keys[];
extern const struct w_parse_key w_parse_include_keys[];
extern const struct w_parse_key w_parse_control_keys[];
extern const struct w_parse_key w_parse_health_keys[];
extern const struct w_parse_key w_parse_limit_keys[];

/* ---- manifest_parser.c ---- */

/* A string, up to a NUL in it; "" for other types. */
const char *w_parse_word(yyjson_val *val);

/* Reports a fault of a value. Always returns false. */
bool w_parse_refuse(struct w_parser *parser, const yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
bool w_parse_refuse_at(struct w_parser *parser,
    const struct w_manifest_location *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));
/* Adds a suggestion to the last fault. */
void w_parse_suggest(struct w_parser *parser, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));
/* Likewise, the nearest word; no effect if NULL. */
void w_parse_suggest_word(struct w_parser *parser, const char *nearest);
/* Reports the error that made the whole document unreadable. */
bool w_parse_refuse_whole(struct w_parser *parser,
    const struct w_manifest_location *at, const writ_error *err);
/* Reports the error of another parser. */
bool w_parse_refuse_error(struct w_parser *parser,
    const struct w_manifest_location *at, const char *what,
    const writ_error *err);
/* Likewise, with a location within a text of the manifest. */
bool w_parse_refuse_within(struct w_parser *parser,
    const struct w_manifest_location *at, const char *text, const char *what,
    const writ_error *err);

/* Warns of what is valid, but probably a mistake; and how to mend it. */
void w_parse_warn(struct w_parser *parser, const struct w_manifest_location *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
void w_parse_warn_suggest(struct w_parser *parser, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* A text as a fault may quote it. */
#define W_PARSE_SHOWN_MAX 80
const char *w_parse_shown(const struct w_parser *parser, const char *text,
    char out[W_PARSE_SHOWN_MAX]);

struct w_manifest_location w_parse_location(
    const struct w_parser *parser, const yyjson_val *at);
/* Zeroed memory of the manifest; NULL: out of memory, which is remembered. */
void *w_parse_alloc(struct w_parser *parser, size_t count, size_t size);
const char *w_parse_copy(struct w_parser *parser, const char *text, size_t len);

/* Reads every key of a map by the table; what: "a resource". false: not a
 * map. */
bool w_parse_map(struct w_parser *parser, yyjson_val *val, const char *what,
    const struct w_parse_key *keys, void *target);
/* Reports an unknown key, and suggests the nearest. */
void w_parse_refuse_key(struct w_parser *parser, yyjson_val *key,
    const char *what, const struct w_parse_key *keys);

/* Reads a single value or a list of them into an array of the manifest. NULL:
 * too many, or no memory. */
struct w_parse_element {
	size_t size;
	/* false: it is left out. */
	bool (*read)(struct w_parser *parser, const char *what, void *element,
	    yyjson_val *val);
};
void *w_parse_list(struct w_parser *parser, const char *what, yyjson_val *val,
    const struct w_parse_element *element, size_t *out_count);

/* ---- manifest_property.c ---- */

/* The text of a property. false: not a text, which was reported. */
bool w_parse_text(struct w_parser *parser, yyjson_val *val, const char *what);
/* Reads a template and checks its syntax. */
bool w_parse_template(struct w_parser *parser, yyjson_val *val,
    const char *what, struct w_property *out_property);
/* Likewise, and fills it in now. false also if that fails. */
bool w_parse_fill(struct w_parser *parser, yyjson_val *val, const char *what,
    struct w_property *out_property);
/* Makes the digest of the manifest depend on another text, too. */
void w_parse_digest(struct w_parser *parser, const char *text, size_t len);
/* Counts template output. false: the total is too large. */
bool w_parse_spend(struct w_parser *parser,
    const struct w_manifest_location *at, size_t bytes);
/* The index of a filled-in word in words, which ends with NULL; -1: none. */
int w_parse_choice(struct w_parser *parser, yyjson_val *val, const char *what,
    const char *const *words);

w_parse_reader w_parse_early;         /* struct w_property */
w_parse_reader w_parse_early_word;    /* likewise, not empty, or a number */
w_parse_reader w_parse_deferred;      /* struct w_property */
w_parse_reader w_parse_deferred_list; /* struct w_property_list */
extern const struct w_parse_element w_parse_deferred_element;
w_parse_reader w_parse_truth; /* bool */
w_parse_reader w_parse_tags;  /* struct w_property_list, early words */
w_parse_reader w_parse_unsupported;

/* ---- manifest_number.c ---- */
w_parse_reader w_parse_duration; /* uint64_t, milliseconds; a template */
w_parse_reader w_parse_tries;    /* unsigned */
w_parse_reader w_parse_limits;   /* struct w_exec_limits */
/* Octal digits, as text or as a decimal number that looks the same. */
bool w_parse_octal(struct w_parser *parser, yyjson_val *val, const char *what,
    unsigned max, unsigned *out_mode);

/* ---- manifest_command.c ---- */
w_parse_reader w_parse_command;  /* struct w_command_property: text, or words */
w_parse_reader w_parse_line;     /* likewise: only a text */
w_parse_reader w_parse_argv;     /* likewise: only words */
w_parse_reader w_parse_commands; /* struct w_command_list */

/* Reports a text that has no words, or cannot be split. */
bool w_parse_check_line(
    struct w_parser *parser, const struct w_property *line, const char *what);
/* Reports only a text that cannot be split. */
bool w_parse_check_quotes(
    struct w_parser *parser, const struct w_property *line, const char *what);

/* ---- manifest_reference.c ---- */
w_parse_reader w_parse_require;   /* struct w_reference_list */
w_parse_reader w_parse_subscribe; /* likewise */
/* Resolves all references of the manifest. */
void w_parse_link(struct w_parser *parser);

/* ---- manifest_data.c, manifest_sensitive.c ---- */
void w_parse_data(struct w_parser *parser, yyjson_val *root);
/* A tree of the document, its texts filled in. */
bool w_parse_value(struct w_parser *parser, const struct w_expr_scope *scope,
    yyjson_val *val, struct w_value *out_value);
/* Copies a value into the memory of the manifest. */
bool w_parse_copy_value(struct w_parser *parser,
    const struct w_manifest_location *at, const struct w_value *from,
    struct w_value *out_value);

/* ---- manifest_hierarchy.c ---- */

/* hierarchy and overrides of the document. false: a fault. */
bool w_parse_hierarchy(struct w_parser *parser, yyjson_val *root,
    const struct w_expr_scope *scope);
/* The sources of --hiera. */
bool w_parse_hiera(struct w_parser *parser, const struct w_expr_scope *scope);
/* What an including manifest gives. */
bool w_parse_given_data(struct w_parser *parser);

/* ---- manifest_merge.c ---- */

/* Merges over into *io_data, a map. Deep: maps are merged, lists joined. */
bool w_parse_merge(struct w_parser *parser, const struct w_value *over,
    bool is_deep, struct w_value *io_data);

/* ---- manifest_annotation.c ---- */

/* Checks @require and @validate in the comments of data. */
bool w_parse_annotations(struct w_parser *parser, yyjson_val *data);

void w_parse_sensitive(struct w_parser *parser, yyjson_val *val);

/* ---- manifest_resource.c ---- */
void w_parse_resources(struct w_parser *parser, yyjson_val *val);
/* resources_jet_file: a template whose text is the list. */
void w_parse_resources_file(struct w_parser *parser, yyjson_val *val);
/* One more resource at the end of the list, with its index. NULL: no room. */
struct w_resource *w_parse_new_resource(struct w_parser *parser);

/* ---- manifest_read.c ---- */

/* The whole text but for references, which are resolved over all manifests. */
void w_parse_document(struct w_parser *parser);
/* Parses the text of the input. */
bool w_parse_yaml(struct w_parser *parser);
/* The names of the input. false: no memory. */
bool w_parse_names(struct w_parser *parser);

/* ---- manifest_each.c ---- */

/* The elements of each, a list or a map. false: a fault, or not known yet. */
bool w_parse_each(
    struct w_parser *parser, yyjson_val *val, struct w_value *out_elements);
size_t w_parse_each_count(const struct w_value *elements);
/* Sets item and key of a resource and of the scope; NULL: none. */
bool w_parse_each_set(struct w_parser *parser, struct w_resource *resource,
    const struct w_value *elements, size_t which);

/* ---- manifest_hints.c ---- */

/* Warns about a command without a shell that looks as if it had one. */
void w_parse_hint_command(struct w_parser *parser, const char *what,
    const struct w_command_property *command);
/* What is written here for a word of another tool; NULL: it is none. */
const char *w_parse_foreign_word(const char *word);

/* ---- manifest_late.c ---- */

/* Fills in what is late but known already, for its faults. */
void w_parse_check_late(struct w_parser *parser);

/* ---- manifest_checks.c ---- */
w_parse_reader w_parse_control;       /* struct w_resource_extras */
w_parse_reader w_parse_health_checks; /* likewise */

/* ---- manifest_exec.c, manifest_file.c ---- */

/* A type of resources. */
struct w_parse_type {
	const struct w_parse_key *keys;
	/* Sets the defaults; NULL: all are zero. */
	void (*begin)(struct w_resource_draft *draft);
	/* Checks one map for keys that conflict. */
	void (*check_map)(struct w_parser *parser, yyjson_val *map);
	/* Checks the whole resource. */
	void (*check)(struct w_parser *parser, struct w_resource *resource);
};
extern const struct w_parse_type w_parse_exec;
extern const struct w_parse_type w_parse_file;
/* In types/. */
extern const struct w_parse_type w_parse_package;
extern const struct w_parse_type w_parse_service;
extern const struct w_parse_type w_parse_user;
extern const struct w_parse_type w_parse_group;
extern const struct w_parse_type w_parse_archive;
extern const struct w_parse_type w_parse_edit;
extern const struct w_parse_type w_parse_include;

/* Readers of the keys that all resources have. */
w_parse_reader w_parse_ensure_exec;
w_parse_reader w_parse_ensure_file;
#define W_PARSE_EXTRA(member) offsetof(struct w_resource_draft, extras.member)
#define W_PARSE_COMMON_KEYS(ensure, provider)                               \
	{"name", NULL, 0},                                                  \
	    {"alias", w_parse_early_word, W_PARSE_EXTRA(alias)},            \
	    {"ensure", ensure, 0}, {"provider", provider, 0},               \
	    {"require", w_parse_require,                                    \
		offsetof(struct w_resource, require)},                      \
	    {"control", w_parse_control,                                    \
		offsetof(struct w_resource_draft, extras)},                 \
	    {"health_checks", w_parse_health_checks,                        \
		offsetof(struct w_resource_draft, extras)},                 \
	    {"sensitive", w_parse_truth,                                    \
		offsetof(struct w_resource, is_sensitive)},                 \
	    {"each", NULL, 0}, {"tags", w_parse_tags, W_PARSE_EXTRA(tags)}, \
	    {"register", w_parse_early_word, W_PARSE_EXTRA(registers)},     \
	{                                                                   \
		"register_when_stable", w_parse_unsupported, 0              \
	}

/* ---- manifest.c ---- */

/* The resources with a name or alias, last one first. */
struct w_manifest_id {
	size_t index;
	struct w_manifest_id *older;
};

/* Indexes a resource by name and alias. false: no memory. */
bool w_manifest_add_id(struct w_manifest *manifest, size_t index);

/* ---- manifest_duration.c ---- */

/* Parses a duration with the units of manifests: ns us µs ms s m h d D w W M y
 * Y, any number of them, in any order. A month has 30 days and a year 365. 0
 * needs no unit. */
writ_status w_manifest_duration(
    const char *text, uint64_t *out_ms, writ_error *err);

#endif /* W_MANIFEST_MANIFEST_PARSER_H */
