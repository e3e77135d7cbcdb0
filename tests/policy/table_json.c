/* SPDX-License-Identifier: Apache-2.0 */

/* Prints a YAML file as JSON, for the drivers here, which are scripts: they
 * read tables by the same rules as everything else. table-json FILE
 */

#include <stdio.h>
#include <stdlib.h>

#include "data/yaml.h"

static char *
read_whole(const char *path, size_t *out_len)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t cap = 0;

	if (file == NULL) {
		perror(path);
		exit(2);
	}
	ssize_t got = getdelim(&text, &cap, '\0', file);
	(void)fclose(file);
	*out_len = got < 0 ? 0 : (size_t)got;
	return text;
}

int
main(int argc, char **argv)
{
	const struct w_json_limits limits = {
	    .bytes_max = (size_t)1 << 20, .depth_max = 16};
	struct w_yaml *yaml = NULL;
	writ_error err = {0};
	size_t len;

	if (argc != 2) {
		(void)fputs("usage: table-json FILE\n", stderr);
		return 2;
	}
	char *text = read_whole(argv[1], &len);
	if (w_yaml_read(text, len, &limits, &yaml, &err) != WRIT_OK) {
		(void)fprintf(stderr, "%s:%s\n", argv[1], err.message);
		return 1;
	}
	char *json = yyjson_val_write(w_yaml_root(yaml), 0, NULL);
	puts(json);
	free(json);
	w_yaml_free(yaml);
	free(text);
	return 0;
}
