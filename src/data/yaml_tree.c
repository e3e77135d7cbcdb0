/* SPDX-License-Identifier: Apache-2.0 */

/* Builds the values of a YAML document, and keeps its texts. */

#include "data/yaml_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Most documents are small; what is larger than a chunk has one of its own. */
#define CHUNK_FIRST 1024
#define CHUNK_MAX   65536

struct w_yaml_tree_texts {
	struct w_yaml_tree_texts *next;
	size_t size;
	char bytes[];
};

yyjson_val *
w_yaml_tree_add(struct w_yaml_tree *tree)
{
	if (!w_grow(&tree->vals, tree->count, &tree->cap))
		return NULL;
	yyjson_val *val = &tree->vals[tree->count++];
	val->uni.u64 = 0;
	unsafe_yyjson_set_null(val);
	return val;
}

static char *
add_texts(struct w_yaml_tree *tree, size_t size)
{
	struct w_yaml_tree_texts *texts = malloc(sizeof(*texts) + size);

	if (texts == NULL)
		return NULL;
	texts->next = tree->texts;
	texts->size = size;
	tree->texts = texts;
	return texts->bytes;
}

static char *
take_bytes(struct w_yaml_tree *tree, size_t size)
{
	if (size > CHUNK_MAX / 4)
		return add_texts(tree, size);
	if (size > tree->left) {
		size_t chunk = CHUNK_FIRST;

		if (tree->texts != NULL && tree->texts->size >= CHUNK_FIRST)
			chunk = tree->texts->size < CHUNK_MAX / 2
				    ? 2 * tree->texts->size
				    : CHUNK_MAX;
		if (chunk < size)
			chunk = CHUNK_MAX;
		char *bytes = add_texts(tree, chunk);
		if (bytes == NULL)
			return NULL;
		tree->at = bytes;
		tree->left = chunk;
	}
	char *taken = tree->at;
	tree->at += size;
	tree->left -= size;
	return taken;
}

static struct w_yaml_tree_key *
key_slot(struct w_yaml_tree *tree, const char *text, size_t len)
{
	const size_t first = (unsigned char)text[0];
	const size_t last = (unsigned char)text[len - 1];
	const size_t sum = len * 31 + first * 7 + last;

	return &tree->keys[sum & (W_YAML_TREE_KEYS - 1)];
}

const char *
w_yaml_tree_text(
    struct w_yaml_tree *tree, const char *text, size_t len, bool is_key)
{
	struct w_yaml_tree_key *slot =
	    is_key && len > 0 ? key_slot(tree, text, len) : NULL;

	if (slot != NULL && slot->len == len &&
	    memcmp(slot->text, text, len) == 0)
		return slot->text;
	char *copy = take_bytes(tree, len + 1);
	if (copy == NULL)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (slot != NULL)
		*slot = (struct w_yaml_tree_key){.text = copy, .len = len};
	return copy;
}

void
w_yaml_tree_close(
    struct w_yaml_tree *tree, size_t index, bool is_map, size_t len)
{
	yyjson_val *val = &tree->vals[index];

	if (is_map)
		unsafe_yyjson_set_obj(val, len);
	else
		unsafe_yyjson_set_arr(val, len);
	val->uni.ofs = (tree->count - index) * sizeof(*val);
}

bool
w_yaml_tree_trim(struct w_yaml_tree *tree)
{
	yyjson_val *vals =
	    realloc(tree->vals, tree->count * sizeof(*tree->vals));

	if (vals == NULL)
		return false;
	tree->vals = vals;
	tree->cap = tree->count;
	return true;
}

void
w_yaml_tree_forget(struct w_yaml_tree *tree)
{
	free(tree->vals);
	tree->vals = NULL;
	tree->count = tree->cap = 0;
}

void
w_yaml_tree_done(struct w_yaml_tree *tree)
{
	w_yaml_tree_forget(tree);
	while (tree->texts != NULL) {
		struct w_yaml_tree_texts *next = tree->texts->next;

		free(tree->texts);
		tree->texts = next;
	}
}
