/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RESOURCE_JSON_H
#define W_MANIFEST_RESOURCE_JSON_H

#include "manifest/manifest.h"

/*
 * Resources as JSON: for an event, with template output; or for a manifest that
 * can be read back, where filled-in values are escaped.
 */
struct w_resource_writer {
	struct w_buf *buf;
	const struct w_filled *filled; /* NULL: as written */
	bool is_manifest;              /* to be read back */
	bool is_hidden;                /* sensitive: true */
};

/* Append a key, preceded by a comma; append a filled-in text. */
void w_resource_write_key(struct w_buf *buf, const char *name);
void w_resource_write_filled(
    const struct w_resource_writer *writer, const char *text);

/* Appends a value; in a manifest, its texts escaped. */
void w_resource_write_value(
    const struct w_resource_writer *writer, const struct w_value *value);

/* Appends what a template was filled in with; or the template as written,
 * except for secrets: the arguments of sensitive(). */
void w_resource_write_template(
    const struct w_resource_writer *writer, const struct w_template *template);

void w_resource_write_templates(
    const struct w_resource_writer *writer, const struct w_property_list *list);

/* Appends words as a text that splits into them again. */
void w_resource_write_words(struct w_buf *buf, const char *const *words);

/* Append the members of one type. */
void w_resource_write_exec(
    const struct w_resource_writer *writer, const struct w_resource *resource);
void w_resource_write_include(
    const struct w_resource_writer *writer, const struct w_resource *resource);
void w_resource_write_file(
    const struct w_resource_writer *writer, const struct w_resource *resource);
void w_resource_write_typed(
    const struct w_resource_writer *writer, const struct w_resource *resource);

/* Appends a property as written, unless absent. */
void w_resource_write_written(const struct w_resource_writer *writer,
    const char *name, const struct w_property *property);
/* Likewise an early property, filled in. */
void w_resource_write_early(const struct w_resource_writer *writer,
    const char *name, const struct w_property *property);
/* Likewise a list, as written or filled in, unless empty. */
void w_resource_write_list(const struct w_resource_writer *writer,
    const char *name, const struct w_property_list *list,
    const char *const *made);
void w_resource_write_command(const struct w_resource_writer *writer,
    const char *name, const struct w_command_property *command);
void w_resource_write_references(const struct w_resource_writer *writer,
    const char *name, const struct w_reference_list *list);
void w_resource_write_duration(
    const struct w_resource_writer *writer, const char *name, uint64_t ms);

/* Appends the object of one resource. */
void w_resource_write_resource(
    const struct w_resource_writer *writer, const struct w_resource *resource);

#endif /* W_MANIFEST_RESOURCE_JSON_H */
