/* SPDX-License-Identifier: Apache-2.0 */

/* Where addresses lead, and which part of them is secret. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "command/analysis/address.h"

/* "host a.example", "file /x", "unknown ?", followed by " secret x". */
static void
leads(struct w_address (*read)(const char *, size_t), const char *text,
    const char *want)
{
	static const char *const kinds[] = {[W_ADDRESS_HOST] = "host",
	    [W_ADDRESS_FILE] = "file",
	    [W_ADDRESS_UNKNOWN] = "unknown"};
	struct w_address address = read(text, strlen(text));
	char have[512];

	(void)snprintf(have, sizeof(have), "%s %.*s%s%.*s%s",
	    kinds[address.kind], address.target == NULL ? 1 : (int)address.len,
	    address.target == NULL ? "?" : address.target,
	    address.secret_len > 0 ? " secret " : "", (int)address.secret_len,
	    text + address.secret, address.is_helper ? " runs" : "");
	assert_string_equal(have, want);
}

static void
urls_have_a_host_or_a_path(void **state)
{
	(void)state;
	leads(w_address_url, "https://a.example/x", "host a.example");
	leads(w_address_url, "HTTP://A.example:80?x", "host A.example");
	leads(w_address_url, "http:/a/b", "host a");
	leads(w_address_url, "http:///a/b", "host a");
	leads(w_address_url, "a.example/x:y", "host a.example");
	leads(w_address_url, "localhost:8080/x", "host localhost");
	leads(w_address_url, "http://a\\@b/", "host a");
	leads(w_address_url, "http://a#@b/", "host a");
	leads(w_address_url, "http://[::1]:80/", "host [::1]");
	leads(w_address_url, "http://u@[fe80::1]/", "host [fe80::1] secret u");
	leads(w_address_url, "http://[::1]example.com/", "host ?");
	leads(w_address_url, "http://", "host ?");
	leads(w_address_url, "", "host ?");
	leads(w_address_url, "http://a b/", "host ?");
	leads(w_address_url, "file:///etc/x", "file /etc/x");
	leads(w_address_url, "FILE:/etc/x", "file /etc/x");
	leads(w_address_url, "file://localhost/etc/x", "file /etc/x");
	leads(w_address_url, "file:x", "file ?");
	leads(w_address_url, "file:///a?b", "file ?");
	leads(w_address_url, "./a", "file ./a");
	leads(w_address_url, "/a", "file /a");
}

static void
what_is_expanded_leads_nowhere_known(void **state)
{
	(void)state;
	leads(w_address_url, "http://{a,b}/", "unknown ?");
	leads(w_address_url, "http://a[1-9]/", "unknown ?");
	leads(w_address_url, "[a-f]ile:///x", "unknown ?");
	leads(w_address_url, "http://[::1]/[1-9]", "unknown ?");
	leads(w_address_url, "ext::sh -c x", "unknown ? runs");
	leads(w_address_url, "FD::3", "unknown ? runs");
}

static void
passwords_are_secrets(void **state)
{
	(void)state;
	leads(w_address_url, "ftp://u:p@h/", "host h secret p");
	leads(w_address_url, "ftp://u@h/", "host h");
	leads(w_address_url, "https://token@h/", "host h secret token");
	leads(w_address_url, "https://u:p:q@h/", "host h secret p:q");
	leads(w_address_url, "https://u:p@q@h/", "host h secret p@q");
	leads(w_address_url, "https://:@h/", "host h");
}

static void
hosts_may_have_a_user_and_a_port(void **state)
{
	(void)state;
	leads(w_address_host, "h", "host h");
	leads(w_address_host, "u@h:22", "host h");
	leads(w_address_host, "fe80::1", "host fe80::1");
	leads(w_address_host, "[fe80::1]:22", "host [fe80::1]");
	leads(w_address_host, "ssh://u@h:22/", "host h");
}

static void
a_remote_path_has_a_colon_before_any_slash(void **state)
{
	(void)state;
	leads(w_address_remote, "h:x", "host h");
	leads(w_address_remote, "u@h:/x", "host h");
	leads(w_address_remote, "h::module/x", "host h");
	leads(w_address_remote, "u@[::1]:x", "host [::1]");
	leads(w_address_remote, "rsync://h/x", "host h");
	leads(w_address_remote, "file:///x", "file /x");
	leads(w_address_remote, "./h:x", "file ./h:x");
	leads(w_address_remote, "a/b:c", "file a/b:c");
	leads(w_address_remote, "a", "file a");
	leads(w_address_remote, "", "file ");
	leads(w_address_remote, ":x", "file :x");
	leads(w_address_remote, "ext::x", "unknown ? runs");
}

static void
only_this_machine_is_loopback(void **state)
{
	static const char *const here[] = {"localhost", "LocalHost",
	    "localhost.", "app.localhost", "127.0.0.1", "127.255.0.9", "::1",
	    "[::1]", "0.0.0.0", NULL};
	static const char *const elsewhere[] = {"localhost.example.com",
	    "notlocalhost", ".localhos", "127.0.0.1.example.com", "127.0.0",
	    "127.0.0.x", "127.300.0.1", "127.0.0.256", "127...", "127.0.0.1.",
	    "127.0.0.0001", "127.0.0.1.1", "127.4294967296.0.1", "128.0.0.1",
	    "10.0.0.1", "::2", "[::]", "local", "", NULL};

	(void)state;
	for (size_t i = 0; here[i] != NULL; i++)
		assert_true(w_address_is_loopback(here[i], strlen(here[i])));
	for (size_t i = 0; elsewhere[i] != NULL; i++)
		assert_false(
		    w_address_is_loopback(elsewhere[i], strlen(elsewhere[i])));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(urls_have_a_host_or_a_path),
	    cmocka_unit_test(what_is_expanded_leads_nowhere_known),
	    cmocka_unit_test(passwords_are_secrets),
	    cmocka_unit_test(hosts_may_have_a_user_and_a_port),
	    cmocka_unit_test(a_remote_path_has_a_colon_before_any_slash),
	    cmocka_unit_test(only_this_machine_is_loopback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
