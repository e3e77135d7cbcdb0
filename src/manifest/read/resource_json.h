/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RESOURCE_JSON_H
#define W_MANIFEST_RESOURCE_JSON_H

#include "manifest/manifest.h"

/*
 * Resources as JSON: for an event, with what came of templates, or for a
 * manifest that is read again, in which what is filled in already is written
 * so that it is no template.
 */
struct w_resource_writer {
	struct w_buf *buf;
	const struct w_filled *filled; /* NULL: as written */
	bool is_manifest;              /* to be read again */
	bool is_hidden;                /* sensitive: true */
};

/* Append a key, with the comma before it; a text that was filled in. */
void w_resource_write_key(struct w_buf *buf, const char *name);
void w_resource_write_filled(
    const struct w_resource_writer *writer, const char *text);

/* Appends a template as it was written, but for the secrets in it: those that
 * stand in a call of sensitive(). */
void w_resource_write_template(
    struct w_buf *buf, const struct w_template *template);

/* Append the members of one type. */
void w_resource_write_exec(
    const struct w_resource_writer *writer, const struct w_resource *resource);
void w_resource_write_file(
    const struct w_resource_writer *writer, const struct w_resource *resource);

/* Appends a member: a field as it was written, nothing if it is not there. */
void w_resource_write_written(const struct w_resource_writer *writer,
    const char *name, const struct w_property *property);
/* Likewise one that was filled in early. */
void w_resource_write_early(const struct w_resource_writer *writer,
    const char *name, const struct w_property *property);
/* Likewise a list, or what was made of it; nothing if it is empty. */
void w_resource_write_list(const struct w_resource_writer *writer,
    const char *name, const struct w_property_list *list,
    const char *const *made);
void w_resource_write_command(const struct w_resource_writer *writer,
    const char *name, const struct w_command_property *command);
void w_resource_write_references(const struct w_resource_writer *writer,
    const char *name, const struct w_reference_list *list);
void w_resource_write_duration(
    const struct w_resource_writer *writer, const char *name, uint64_t ms);

/* The object of one resource. */
void w_resource_write_resource(
    const struct w_resource_writer *writer, const struct w_resource *resource);

#endif /* W_MANIFEST_RESOURCE_JSON_H */
