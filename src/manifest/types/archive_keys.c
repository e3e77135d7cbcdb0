/* SPDX-License-Identifier: Apache-2.0 */

/* Reads archive resources. */

#include <string.h>

#include "base/sha256.h"
#include "manifest/types/archive.h"

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"present", "absent", NULL};

	(void)key;
	(void)w_typed_read_ensure(parser, member, val, words);
}

const struct w_parse_key w_parse_archive_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, w_typed_read_provider_none),
    {"url", w_typed_read_word, W_TYPED_AT(W_ARCHIVE_URL)},
    {"source", w_typed_read_path, W_TYPED_AT(W_ARCHIVE_SOURCE)},
    {"checksum", w_typed_read_word, W_TYPED_AT(W_ARCHIVE_CHECKSUM)},
    {"extract_parent", w_typed_read_path, W_TYPED_AT(W_ARCHIVE_PARENT)},
    {"creates", w_typed_read_path, W_TYPED_AT(W_ARCHIVE_CREATES)},
    {"cleanup", w_typed_read_truth, W_TYPED_AT(W_ARCHIVE_CLEANUP)},
    {"strip", w_typed_read_number, W_TYPED_AT(W_ARCHIVE_STRIP)},
    {"owner", w_typed_read_word, W_TYPED_AT(W_ARCHIVE_OWNER)},
    {"group", w_typed_read_word, W_TYPED_AT(W_ARCHIVE_GROUP)},
    {"mode", w_typed_read_mode, W_TYPED_AT(W_ARCHIVE_MODE)},
    {"headers", w_typed_read_deferreds, W_TYPED_AT(W_ARCHIVE_HEADERS)},
    {"timeout", w_typed_read_time, W_TYPED_AT(W_ARCHIVE_TIMEOUT)},
    {"environment", w_typed_read_deferreds, W_TYPED_AT(W_ARCHIVE_ENVIRONMENT)},
    {NULL, NULL, 0},
};

static void
archive_keys_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

static void
check_url(struct w_parser *parser, const struct w_resource *resource)
{
	const char *url = w_typed_early(resource, W_ARCHIVE_URL);

	if (url == NULL)
		return;
	const char *host = strstr(url, "://");
	if ((strncmp(url, "http://", 7) != 0 &&
		strncmp(url, "https://", 8) != 0) ||
	    host == NULL) {
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_URL,
		    "url must begin with http:// or https://");
		return;
	}
	for (const char *at = url; *at != '\0'; at++) {
		if ((unsigned char)*at > ' ' && *at != 0x7f)
			continue;
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_URL,
		    "url has a blank or a control character in it");
		return;
	}
	const char *at = strchr(host, '@');
	if (at != NULL && (size_t)(at - host) < 3 + strcspn(host + 3, "/?#"))
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_URL,
		    "url has a password in it, which is shown and recorded: "
		    "write headers: ['Authorization: {{ sensitive(...) }}']");
}

static void
check_source(struct w_parser *parser, const struct w_resource *resource)
{
	const bool has_url = w_typed_has(resource, W_ARCHIVE_URL);

	check_url(parser, resource);
	if (has_url && w_typed_has(resource, W_ARCHIVE_SOURCE))
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_SOURCE,
		    "'url' and 'source' are mutually exclusive");
	else if (!has_url && !w_typed_has(resource, W_ARCHIVE_SOURCE) &&
		 strcmp(resource->ensure, "absent") != 0)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "an archive needs a 'url' or a 'source'");
	if (!has_url && w_typed_has(resource, W_ARCHIVE_HEADERS))
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_HEADERS,
		    "'headers' belong to a 'url'");
}

static void
check_checksum(struct w_parser *parser, const struct w_resource *resource)
{
	static const char name[] = "sha256:";
	const char *sum = w_typed_early(resource, W_ARCHIVE_CHECKSUM);

	if (sum == NULL)
		return;
	if (strncmp(sum, name, sizeof(name) - 1) == 0)
		sum += sizeof(name) - 1;
	if (strlen(sum) != W_SHA256_HEX ||
	    strspn(sum, "0123456789abcdefABCDEF") != W_SHA256_HEX)
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_CHECKSUM,
		    "checksum must be a SHA-256: 64 hexadecimal digits");
}

static void
check_extraction(struct w_parser *parser, const struct w_resource *resource)
{
	const bool has_parent = w_typed_has(resource, W_ARCHIVE_PARENT);

	if (has_parent &&
	    w_archive_kind_of(resource->name.text) == W_ARCHIVE_NONE)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "the name of an archive that is extracted must end with "
		    ".tar, .tar.gz, .tgz, .tar.xz, .tar.bz2, .tar.zst or .zip");
	for (int i = W_ARCHIVE_CREATES; i <= W_ARCHIVE_STRIP && !has_parent;
	     i++) {
		if (w_typed_has(resource, i))
			(void)w_typed_refuse_with(parser, resource, i,
			    "'creates', 'cleanup' and 'strip' need an "
			    "'extract_parent'");
	}
	if (w_typed_is_true(resource, W_ARCHIVE_CLEANUP, false) &&
	    !w_typed_has(resource, W_ARCHIVE_CREATES))
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_CLEANUP,
		    "'cleanup: true' needs 'creates': else it would be fetched "
		    "each time");
	if (w_typed_has(resource, W_ARCHIVE_STRIP) &&
	    w_archive_kind_of(resource->name.text) == W_ARCHIVE_ZIP)
		(void)w_typed_refuse_with(parser, resource, W_ARCHIVE_STRIP,
		    "'strip' is not possible with a zip file");
}

static void
archive_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	if (resource->name.template.parts == NULL ||
	    resource->name.text[0] == '\0')
		return;
	if (!w_typed_is_path(resource->name.text))
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "the name is where the archive is kept, and must be an "
		    "absolute path without '.', '..' or '//'");
	check_source(parser, resource);
	check_checksum(parser, resource);
	check_extraction(parser, resource);
}

const struct w_parse_type w_parse_archive = {
    .keys = w_parse_archive_keys,
    .check_map = archive_keys_check_map,
    .check = archive_keys_check,
};
