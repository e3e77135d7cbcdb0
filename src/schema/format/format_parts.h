/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_FORMAT_PARTS_H
#define W_SCHEMA_FORMAT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ascii.h"

/* The checks in the table of format.c. */

bool w_format_date(const char *text, size_t len);
bool w_format_time(const char *text, size_t len);
bool w_format_date_time(const char *text, size_t len);
bool w_format_duration(const char *text, size_t len);

bool w_format_ipv4(const char *text, size_t len);
bool w_format_ipv6(const char *text, size_t len);
bool w_format_hostname(const char *text, size_t len);
bool w_format_idn_hostname(const char *text, size_t len);
bool w_format_email(const char *text, size_t len);
bool w_format_idn_email(const char *text, size_t len);

bool w_format_uri(const char *text, size_t len);
bool w_format_uri_reference(const char *text, size_t len);
bool w_format_iri(const char *text, size_t len);
bool w_format_iri_reference(const char *text, size_t len);
bool w_format_uri_template(const char *text, size_t len);

bool w_format_json_pointer(const char *text, size_t len);
bool w_format_relative_json_pointer(const char *text, size_t len);
bool w_format_uuid(const char *text, size_t len);

#endif /* W_SCHEMA_FORMAT_PARTS_H */
