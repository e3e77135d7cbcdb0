/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_PARSER_H
#define W_MANIFEST_MANIFEST_PARSER_H

#include "data/yaml.h"
#include "manifest/manifest.h"

/*
 * A manifest while it is read; manifest_read.c has the way through. Readers of
 * values say what is wrong by w_manifest_parse_refuse() and go on, so that all
 * faults of a file are told at once. What they make is only looked at when
 * there was none.
 */
struct w_manifest_parser {
	struct w_manifest *manifest;
	const struct w_manifest_input *input;
	struct w_faults *faults;
	/* What early properties are filled in from. NULL: the data is not in
	 * order, so that only the text of templates is looked at. */
	const struct w_expr_scope *early;
	const char *resource; /* the one at hand; NULL: none */
	bool is_sensitive;    /* no fault repeats what it says */
	bool is_suggestible;  /* the last fault was added */
	bool is_refused;      /* there was one, whether or not it was kept */
	bool is_out_of_memory;
	size_t filled;      /* bytes that templates have made */
	size_t references;  /* of all resources */
	size_t comparisons; /* that looked for names that may be meant */
};

/* A key of a map, and who reads its value: into the member of the target that
 * begins at the offset. Tables end with a NULL name; of a key without a reader
 * somebody else takes care. */
struct w_manifest_parse_key {
	const char *name;
	void (*read)(struct w_manifest_parser *parser,
	    const struct w_manifest_parse_key *key, void *member,
	    yyjson_val *val);
	size_t offset;
};

typedef void w_manifest_parse_reader(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val);

/* The maps that a manifest has, for those who compare. */
extern const struct w_manifest_parse_key w_manifest_parse_root_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_ccm_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_exec_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_file_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_control_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_health_keys[];
extern const struct w_manifest_parse_key w_manifest_parse_limit_keys[];

/* ---- manifest_parser.c ---- */

/* A text, up to a NUL in it; of what is none, an empty one. */
const char *w_manifest_parse_word(yyjson_val *val);

/* Says what is wrong with a value. Always false. */
bool w_manifest_parse_refuse(struct w_manifest_parser *parser,
    const yyjson_val *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));
bool w_manifest_parse_refuse_at(struct w_manifest_parser *parser,
    const struct w_manifest_location *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));
/* Adds what to do about what was just refused. */
void w_manifest_parse_suggest(struct w_manifest_parser *parser, const char *fmt,
    ...) __attribute__((format(printf, 2, 3), cold));
/* Likewise the word that was meant; nothing for NULL. */
void w_manifest_parse_suggest_word(
    struct w_manifest_parser *parser, const char *nearest);
/* Refuses by what another reader has said. */
bool w_manifest_parse_refuse_error(struct w_manifest_parser *parser,
    const struct w_manifest_location *at, const char *what,
    const writ_error *err);
/* Likewise, of a text of the manifest in which the error has its place. */
bool w_manifest_parse_refuse_within(struct w_manifest_parser *parser,
    const struct w_manifest_location *at, const char *text, const char *what,
    const writ_error *err);

/* A text as a fault may repeat it. */
#define W_MANIFEST_PARSE_SHOWN_MAX 80
const char *w_manifest_parse_shown(const struct w_manifest_parser *parser,
    const char *text, char out[W_MANIFEST_PARSE_SHOWN_MAX]);

struct w_manifest_location w_manifest_parse_location(
    const struct w_manifest_parser *parser, const yyjson_val *at);
/* Zeroed memory of the manifest; NULL: there is none, which is remembered. */
void *w_manifest_parse_alloc(
    struct w_manifest_parser *parser, size_t count, size_t size);
const char *w_manifest_parse_copy(
    struct w_manifest_parser *parser, const char *text, size_t len);

/* Reads every key of a map by the table; what: "a resource". false: no map. */
bool w_manifest_parse_map(struct w_manifest_parser *parser, yyjson_val *val,
    const char *what, const struct w_manifest_parse_key *keys, void *target);
/* Refuses a key, with the one of the table that may be meant. */
void w_manifest_parse_refuse_key(struct w_manifest_parser *parser,
    yyjson_val *key, const char *what, const struct w_manifest_parse_key *keys);

/* A value that is one thing, or a list of such. false: too many. */
struct w_manifest_parse_items {
	yyjson_val *single; /* NULL: a list, or it was given */
	yyjson_arr_iter list;
	size_t count;
};
bool w_manifest_parse_items(struct w_manifest_parser *parser, yyjson_val *val,
    const char *what, struct w_manifest_parse_items *out_items);
/* The next of them; NULL: that was all. */
yyjson_val *w_manifest_parse_next(struct w_manifest_parse_items *items);

/* ---- manifest_property.c ---- */

/* The text of a property. false: it is none, which was refused. */
bool w_manifest_parse_text(
    struct w_manifest_parser *parser, yyjson_val *val, const char *what);
/* A template, with its syntax checked. */
bool w_manifest_parse_template(struct w_manifest_parser *parser,
    yyjson_val *val, const char *what, struct w_property *out_property);
/* Likewise one that is filled in now. false also where it could not be. */
bool w_manifest_parse_fill(struct w_manifest_parser *parser, yyjson_val *val,
    const char *what, struct w_property *out_property);
/* Counts what a template has made. false: all together it is too much. */
bool w_manifest_parse_spend(struct w_manifest_parser *parser,
    const struct w_manifest_location *at, size_t bytes);
/* The place of a filled-in word among words, which end with NULL; -1. */
int w_manifest_parse_choice(struct w_manifest_parser *parser, yyjson_val *val,
    const char *what, const char *const *words);

w_manifest_parse_reader w_manifest_parse_early; /* struct w_property */
w_manifest_parse_reader
    w_manifest_parse_early_word; /* likewise, not empty, or a number */
w_manifest_parse_reader w_manifest_parse_deferred; /* struct w_property */
w_manifest_parse_reader
    w_manifest_parse_deferred_list;             /* struct w_property_list */
w_manifest_parse_reader w_manifest_parse_truth; /* bool */
w_manifest_parse_reader w_manifest_parse_unsupported;

/* ---- manifest_number.c ---- */
w_manifest_parse_reader
    w_manifest_parse_duration; /* uint64_t, milliseconds; a template */
w_manifest_parse_reader w_manifest_parse_tries;  /* unsigned */
w_manifest_parse_reader w_manifest_parse_limits; /* struct w_exec_limits */
/* Three octal digits, as a text or as the number that they look like. */
bool w_manifest_parse_octal(struct w_manifest_parser *parser, yyjson_val *val,
    const char *what, unsigned *out_mode);

/* ---- manifest_command.c ---- */
w_manifest_parse_reader
    w_manifest_parse_command; /* struct w_command_property: text, or words */
w_manifest_parse_reader w_manifest_parse_line;     /* likewise: only a text */
w_manifest_parse_reader w_manifest_parse_argv;     /* likewise: only words */
w_manifest_parse_reader w_manifest_parse_commands; /* struct w_command_list */

/* Refuses a text that cannot be split into words, or has none. */
bool w_manifest_parse_check_line(struct w_manifest_parser *parser,
    const struct w_property *line, const char *what);

/* ---- manifest_reference.c ---- */
w_manifest_parse_reader w_manifest_parse_require; /* struct w_reference_list */
w_manifest_parse_reader w_manifest_parse_subscribe; /* likewise */
/* Finds what all references of the manifest are about. */
void w_manifest_parse_link(struct w_manifest_parser *parser);

/* ---- manifest_data.c, manifest_sensitive.c ---- */
void w_manifest_parse_data(struct w_manifest_parser *parser, yyjson_val *val);
void w_manifest_parse_sensitive(
    struct w_manifest_parser *parser, yyjson_val *val);

/* ---- manifest_resource.c ---- */
void w_manifest_parse_resources(
    struct w_manifest_parser *parser, yyjson_val *val);

/* ---- manifest_checks.c ---- */
w_manifest_parse_reader w_manifest_parse_control;       /* struct w_resource */
w_manifest_parse_reader w_manifest_parse_health_checks; /* struct w_resource */

/* ---- manifest_exec.c, manifest_file.c ---- */

/* How resources of one type are read. */
struct w_manifest_parse_type {
	const struct w_manifest_parse_key *keys;
	/* What it has when nothing is said. */
	void (*begin)(struct w_resource *resource);
	/* What is said in one map that cannot be said together. */
	void (*check_map)(struct w_manifest_parser *parser, yyjson_val *map);
	/* What can only be said of the whole. */
	void (*check)(
	    struct w_manifest_parser *parser, struct w_resource *resource);
};
extern const struct w_manifest_parse_type w_manifest_parse_exec;
extern const struct w_manifest_parse_type w_manifest_parse_file;

/* The keys that every resource has. */
w_manifest_parse_reader w_manifest_parse_ensure_exec;
w_manifest_parse_reader w_manifest_parse_ensure_file;
#define W_MANIFEST_PARSE_COMMON_KEYS(ensure, provider)                  \
	{"name", NULL, 0},                                              \
	    {"alias", w_manifest_parse_early_word,                      \
		offsetof(struct w_resource, alias)},                    \
	    {"ensure", ensure, 0}, {"provider", provider, 0},           \
	    {"require", w_manifest_parse_require,                       \
		offsetof(struct w_resource, require)},                  \
	    {"control", w_manifest_parse_control, 0},                   \
	    {"health_checks", w_manifest_parse_health_checks, 0},       \
	    {"sensitive", w_manifest_parse_truth,                       \
		offsetof(struct w_resource, is_sensitive)},             \
	{                                                               \
		"register_when_stable", w_manifest_parse_unsupported, 0 \
	}

/* ---- manifest.c ---- */

/* The resources that have a name or alias, the last one first. */
struct w_manifest_id {
	size_t index;
	struct w_manifest_id *older;
};

/* Files a resource under its name and alias. false: no memory. */
bool w_manifest_add_id(struct w_manifest *manifest, size_t index);

/* ---- manifest_duration.c ---- */

/* Reads a duration with the units that manifests have: ns us µs ms s m h d D w
 * W M y Y, as many as needed, in any order. A month has 30 days and a year
 * 365. A lone 0 needs no unit. */
writ_status w_manifest_duration(
    const char *text, uint64_t *out_ms, writ_error *err);

#endif /* W_MANIFEST_MANIFEST_PARSER_H */
