/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_MAKER_H
#define W_MODULE_REGISTRY_MAKER_H

#include "base/buf.h"
#include "module/binding.h"
#include "module/registry_image.h"

/* Makes an image, file by file, in the order of their names. */
struct w_image_maker {
	struct w_buf files; /* of the structures of an image */
	struct w_buf modules;
	struct w_buf problems;
	struct w_buf strings;
	struct w_buf texts;
	struct w_image_file file; /* the one that is being filled */
	uint32_t tag_count;
	const char *dir;
};

/* dir is borrowed. */
void w_image_maker_init(struct w_image_maker *maker, const char *dir);
void w_image_maker_done(struct w_image_maker *maker);
#define W_AUTO_IMAGE_MAKER __attribute__((cleanup(w_image_maker_done)))

/* Whether there is room for one more element with a text of that length. */
bool w_image_maker_has_room(const struct w_image_maker *maker, size_t len);

/* A file begins; modules and problems are added to it until it ends. */
void w_image_maker_begin(struct w_image_maker *maker,
    const struct w_identity *identity, const char *name);
void w_image_maker_end(struct w_image_maker *maker, bool is_unsure);

/* The file is about a command. Its program's own name comes first, further ones
 * may follow; and its description as JSON, once that was found in order. */
void w_image_maker_name(struct w_image_maker *maker, const char *name);
void w_image_maker_describe(
    struct w_image_maker *maker, const char *text, size_t len);

/* One element of the file: its text as JSON and where it stands. */
struct w_image_element {
	const char *text;
	size_t len;
	unsigned line;
	unsigned column;
};

void w_image_maker_add(struct w_image_maker *maker,
    const struct w_module *module, const struct w_image_element *element);
void w_image_maker_complain(
    struct w_image_maker *maker, const writ_error *problem);

/* A whole file, as another image has it, whose texts are in memory. */
void w_image_maker_copy(struct w_image_maker *maker, const struct w_image *from,
    const struct w_image_file *file);

/* Puts it all together. The maker has no texts any more afterwards. */
writ_status w_image_maker_make(
    struct w_image_maker *maker, struct w_image *out_image, writ_error *err);

#endif /* W_MODULE_REGISTRY_MAKER_H */
