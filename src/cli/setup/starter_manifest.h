/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_STARTER_MANIFEST_H
#define W_CLI_STARTER_MANIFEST_H

/* The line by which an editor finds a schema: a language server for YAML reads
 * it. NAME is "policy" or "manifest". */
#define W_SCHEMA_MODELINE(name)                                          \
	"# yaml-language-server: $schema=" WRIT_DATADIR "/schemas/" name \
	".schema.json\n"

/* A manifest to start from, with comments. */
extern const char w_starter_manifest_text[];

#endif /* W_CLI_STARTER_MANIFEST_H */
