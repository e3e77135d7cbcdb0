/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "policy/hosts/host_list.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void
add(struct w_host_list *list, const char *text, enum w_host_verdict verdict)
{
	writ_error err = {0};

	if (w_host_list_add(list, text, verdict, NULL, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
}

static struct w_host_list
list_of(const char *const *texts)
{
	struct w_host_list list = {.rules = NULL};

	for (; *texts != NULL; texts++)
		add(&list, *texts, W_HOST_ALLOW);
	return list;
}

#define LIST(...) list_of((const char *const[]){__VA_ARGS__, NULL})

static enum w_host_verdict
match(const struct w_host_list *list, const char *name, uint16_t port)
{
	return w_host_list_match(list, name, port).verdict;
}

static void
assert_allows(const char *pattern, const char *name, uint16_t port, bool wanted)
{
	struct w_host_list list = LIST(pattern);

	if ((match(&list, name, port) == W_HOST_ALLOW) != wanted)
		fail_msg("'%s' %s '%s' port %u", pattern,
		    wanted ? "does not allow" : "allows", name, port);
	w_host_list_done(&list);
}

static void
a_pattern_allows_what_it_says(void **state)
{
	static const struct {
		const char *pattern;
		const char *name;
		uint16_t port;
		bool is_allowed;
	} cases[] = {
	    {"example.com", "example.com", 443, true},
	    {"example.com", "example.com", 1, true},
	    {"example.com", "EXAMPLE.Com.", 443, true},
	    {"Example.COM.", "example.com", 443, true},
	    {"example.com", "www.example.com", 443, false},
	    {"example.com", "notexample.com", 443, false},
	    {"example.com", "example.com.evil.org", 443, false},
	    {"example.com:443", "example.com", 443, true},
	    {"example.com:443", "example.com", 80, false},
	    {"*.example.com", "www.example.com", 443, true},
	    {"*.example.com", "a.b.example.com.", 443, true},
	    {"*.example.com", "example.com", 443, false},
	    {"*.example.com", ".example.com", 443, false},
	    {"*.example.com", "wwwexample.com", 443, false},
	    {"*.example.com:22", "www.example.com", 22, true},
	    {"*.example.com:22", "www.example.com", 443, false},
	    {"localhost", "localhost", 80, true},
	    {"my_host.example.com", "my_host.example.com", 80, true},
	    {"192.0.2.7", "192.0.2.7", 80, true},
	    {"192.0.2.7", "::ffff:192.0.2.7", 80, true},
	    {"::ffff:192.0.2.7", "192.0.2.7", 80, true},
	    {"192.0.2.7", "192.0.2.8", 80, false},
	    {"192.0.2.7:22", "192.0.2.7", 22, true},
	    {"192.0.2.7:22", "192.0.2.7", 23, false},
	    {"10.1.0.0/16", "10.1.255.1", 5432, true},
	    {"10.1.0.0/16", "10.2.0.1", 5432, false},
	    {"10.1.0.0/16:5432", "10.1.0.1", 5432, true},
	    {"10.1.0.0/16:5432", "10.1.0.1", 80, false},
	    {"::ffff:10.1.0.0/112", "10.1.3.4", 1, true},
	    {"0.0.0.0/0", "192.0.2.7", 1, true},
	    {"0.0.0.0/0", "2001:db8::1", 1, false},
	    {"2001:db8::1", "2001:0DB8:0::1", 80, true},
	    {"2001:db8::/32", "2001:db8:ffff::1", 80, true},
	    {"2001:db8::/32", "2001:db9::1", 80, false},
	    {"[2001:db8::1]:443", "2001:db8::1", 443, true},
	    {"[2001:db8::1]:443", "2001:db8::1", 80, false},
	    {"[2001:db8::1]", "2001:db8::1", 80, true},
	    {"[2001:db8::/32]:443", "2001:db8::7", 443, true},
	    {"b\xc3\xbc"
	     "cher.example",
		"xn--bcher-kva.example", 80, true},
	    {"xn--bcher-kva.example", "XN--bcher-KVA.example", 80, true},
	    {"*.b\xc3\xbc"
	     "cher.example",
		"a.xn--bcher-kva.example", 80, true},
	    {"\xe4\xbe\x8b\xe3\x81\x88\xe3\x80\x82\xe3\x83\x86\xe3\x82\xb9"
	     "\xe3\x83\x88",
		"xn--r8jz45g.xn--zckzah", 80, true},
	    {"@npm", "npm", 443, false},
	    {"@npm", "@npm", 443, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_allows(cases[i].pattern, cases[i].name, cases[i].port,
		    cases[i].is_allowed);
}

static void
what_is_no_pattern_says_where_and_what_was_meant(void **state)
{
	static const struct {
		const char *pattern;
		unsigned column;
		const char *message;    /* a part of it */
		const char *suggestion; /* likewise; NULL: none */
	} cases[] = {
	    {"", 1, "it is empty", NULL},
	    {"*", 1, "it is every host", "the network 'host'"},
	    {"exa mple.com", 4, "a blank or a control character", NULL},
	    {"exa\tmple.com", 4, "a blank or a control character", NULL},
	    {"https://user@example.com:8443/a?b", 6,
		"a host has no scheme and no path",
		"did you mean 'example.com:8443'?"},
	    {"example.com/path", 12, "a host has no path", "the name alone"},
	    {"user@example.com", 5, "a host has no user", "before the '@'"},
	    {"www.*.com", 5, "'*' stands only at the beginning",
		"'*.example.com'"},
	    {"*example.com", 1, "'*' stands only at the beginning",
		"'*.example.com'"},
	    {"*.*.com", 3, "'*' stands only at the beginning",
		"'*.example.com'"},
	    {"example..com", 9, "a part of the name is empty", NULL},
	    {".example.com", 1, "a part of the name is empty", NULL},
	    {".", 1, "a part of the name is empty", NULL},
	    {"*.", 3, "the name is empty", NULL},
	    {"exam!ple.com", 5, "letters, digits, '-' and dots only", NULL},
	    {"a.-b.com", 3, "neither begins nor ends with '-'", NULL},
	    {"a.b-.com", 4, "neither begins nor ends with '-'", NULL},
	    {"xn--a.com", 1, "what follows 'xn--' is not valid", NULL},
	    {"\xff.com", 1, "no valid UTF-8", NULL},
	    {"127.1", 1, "what ends in a number is no name", NULL},
	    {"0x7f000001", 1, "what ends in a number is no name", NULL},
	    {"2130706433", 1, "what ends in a number is no name", NULL},
	    {"010.0.0.1", 1, "what ends in a number is no name", NULL},
	    {"a.0x7f", 1, "what ends in a number is no name", NULL},
	    {"example.com:", 13, "from 1 to 65535", NULL},
	    {"example.com:0", 13, "from 1 to 65535", NULL},
	    {"example.com:65536", 13, "from 1 to 65535", NULL},
	    {"example.com:99999999999999999999", 13, "from 1 to 65535", NULL},
	    {"example.com:http", 13, "a port is a number", NULL},
	    {"example.com:44x", 15, "a port is a number", NULL},
	    {"10.1.0.0/15", 10, "bits beyond those of the network",
		"did you mean '10.0.0.0/15'?"},
	    {"10.0.0.0/33", 10, "at most 32 bits", NULL},
	    {"2001:db8::/129", 12, "at most 128 bits", NULL},
	    {"::ffff:10.0.0.0/8", 17, "at most 32 bits", NULL},
	    {"10.0.0.0/", 10, "the number of bits of a network", NULL},
	    {"10.0.0.0/a", 10, "is a number", NULL},
	    {"[2001:db8::1", 1, "'[' has no ']'", NULL},
	    {"[2001:db8::1]x", 14, "after ']' stands a port", NULL},
	    {"[192.0.2.1]:80", 2, "in brackets stands an IPv6 address", NULL},
	    {"[example.com]:80", 2, "in brackets stands an IPv6", NULL},
	    {"a:b:c", 2, "more than one ':'", "'[2001:db8::1]:443'"},
	    {"@nmp", 1, "no such package manager", "did you mean '@npm'?"},
	    {"@", 1, "no such package manager", NULL},
	    {"@ruby-gems-of-mine", 1, "no such package manager", "one of"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		writ_error err = {0};

		if (w_host_pattern_check(cases[i].pattern, &err) == WRIT_OK)
			fail_msg("'%s' is taken", cases[i].pattern);
		assert_int_equal(err.status, WRIT_E_INVALID);
		if (strstr(err.message, cases[i].message) == NULL)
			fail_msg("'%s': %s", cases[i].pattern, err.message);
		if (err.column != cases[i].column)
			fail_msg(
			    "'%s': column %u", cases[i].pattern, err.column);
		if (cases[i].suggestion != NULL &&
		    strstr(err.suggestion, cases[i].suggestion) == NULL)
			fail_msg(
			    "'%s': '%s'", cases[i].pattern, err.suggestion);
	}
}

static void
the_lengths_of_the_dns_hold(void **state)
{
	char name[W_HOST_PATTERN_MAX + 2];
	writ_error err = {0};

	(void)state;
	memset(name, 'a', sizeof(name));
	name[63] = '\0';
	assert_int_equal(w_host_pattern_check(name, &err), WRIT_OK);
	name[63] = 'a';
	name[64] = '\0';
	assert_int_equal(w_host_pattern_check(name, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "longer than 63"));
	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = i % 2 == 0 ? 'a' : '.';
	name[253] = '\0';
	assert_int_equal(w_host_pattern_check(name, &err), WRIT_OK);
	name[253] = '.';
	name[254] = 'a';
	name[255] = '\0';
	assert_int_equal(w_host_pattern_check(name, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too long"));
	name[255] = '.';
	name[W_HOST_PATTERN_MAX + 1] = '\0';
	assert_int_equal(w_host_pattern_check(name, &err), WRIT_E_INVALID);
}

static void
deny_is_stronger_than_ask_and_ask_than_allow(void **state)
{
	struct w_host_list list = {.rules = NULL};

	(void)state;
	add(&list, "evil.example.com", W_HOST_DENY);
	add(&list, "new.example.com", W_HOST_ASK);
	add(&list, "*.example.com", W_HOST_ALLOW);
	assert_int_equal(match(&list, "evil.example.com", 443), W_HOST_DENY);
	assert_int_equal(match(&list, "new.example.com", 443), W_HOST_ASK);
	assert_int_equal(match(&list, "old.example.com", 443), W_HOST_ALLOW);
	assert_int_equal(match(&list, "example.org", 443), W_HOST_DENY);
	assert_null(w_host_list_match(&list, "example.org", 443).rule);
	list.asks_about_others = true;
	assert_int_equal(match(&list, "example.org", 443), W_HOST_ASK);
	assert_int_equal(match(&list, "no name", 443), W_HOST_DENY);
	assert_int_equal(match(&list, "", 443), W_HOST_DENY);
	assert_int_equal(match(&list, "evil.example.com.", 1), W_HOST_DENY);
	assert_string_equal(
	    w_host_list_match(&list, "evil.example.com", 1).rule->text,
	    "evil.example.com");
	w_host_list_done(&list);
}

static void
a_pattern_is_kept_once_and_knows_its_origin(void **state)
{
	struct w_host_list list = {.rules = NULL};
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_host_list_add(&list, "Example.com", W_HOST_ALLOW,
			     "policy.yaml:3:9", &err),
	    WRIT_OK);
	add(&list, "example.com.", W_HOST_ALLOW);
	assert_int_equal(list.count, 1);
	add(&list, "example.com", W_HOST_ASK);
	add(&list, "example.com:443", W_HOST_ALLOW);
	add(&list, "*.example.com", W_HOST_ALLOW);
	add(&list, "192.0.2.1", W_HOST_ALLOW);
	add(&list, "192.0.2.1/32", W_HOST_ALLOW);
	assert_int_equal(list.count, 5);
	assert_string_equal(list.rules[0].text, "Example.com");
	assert_string_equal(list.rules[0].name, "example.com");
	assert_string_equal(list.rules[0].origin, "policy.yaml:3:9");
	w_host_list_done(&list);
	assert_int_equal(list.count, 0);
}

static void
a_full_list_says_so(void **state)
{
	struct w_host_list list = {.rules = NULL};
	char name[32];
	writ_error err = {0};

	(void)state;
	for (int i = 0; i < W_HOST_LIST_MAX; i++) {
		(void)snprintf(name, sizeof(name), "h%d.example", i);
		add(&list, name, W_HOST_ALLOW);
	}
	assert_int_equal(
	    w_host_list_add(&list, "h.example", W_HOST_ALLOW, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "at most 4096"));
	assert_int_equal(match(&list, "h4095.example", 1), W_HOST_ALLOW);
	w_host_list_done(&list);
}

static struct w_host_address
address_of(const char *text)
{
	struct w_host_address address = {.family = 0};

	assert_true(w_host_address_read(text, strlen(text), &address));
	return address;
}

static bool
lists(const struct w_host_list *list, const char *text)
{
	const struct w_host_address address = address_of(text);

	return w_host_list_has_address(list, &address, 443);
}

static void
a_private_address_is_listed_only_as_such(void **state)
{
	struct w_host_list list =
	    LIST("0.0.0.0/0", "::/0", "10.1.0.0/16", "192.168.7.9",
		"[fd00:1::/32]:443", "127.0.0.1:80", "intern.example");

	(void)state;
	assert_true(lists(&list, "192.0.2.1"));
	assert_true(lists(&list, "2001:db8::1"));
	assert_true(lists(&list, "10.1.2.3"));
	assert_true(lists(&list, "::ffff:10.1.2.3"));
	assert_true(lists(&list, "192.168.7.9"));
	assert_true(lists(&list, "fd00:1::7"));
	assert_false(lists(&list, "10.2.0.1"));
	assert_false(lists(&list, "192.168.7.8"));
	assert_false(lists(&list, "127.0.0.1"));
	assert_false(lists(&list, "169.254.169.254"));
	assert_false(lists(&list, "fe80::1"));
	assert_false(lists(&list, "::1"));
	assert_false(lists(&list, "64:ff9b::a02:1"));
	assert_false(lists(&list, "2002:7f00:1::1"));
	assert_true(lists(&list, "64:ff9b::c000:201"));
	add(&list, "10.1.2.3", W_HOST_DENY);
	assert_false(lists(&list, "10.1.2.3"));
	assert_true(lists(&list, "10.1.2.4"));
	w_host_list_done(&list);
}

static void
addresses_of_the_internet_are_not_private(void **state)
{
	static const struct {
		const char *text;
		bool is_private;
	} cases[] = {
	    {"0.0.0.0", true},
	    {"0.1.2.3", true},
	    {"1.1.1.1", false},
	    {"9.255.255.255", false},
	    {"10.0.0.0", true},
	    {"11.0.0.0", false},
	    {"100.63.255.255", false},
	    {"100.64.0.0", true},
	    {"100.128.0.0", false},
	    {"126.255.255.255", false},
	    {"127.255.255.255", true},
	    {"128.0.0.0", false},
	    {"169.253.255.255", false},
	    {"169.254.169.254", true},
	    {"172.15.255.255", false},
	    {"172.16.0.0", true},
	    {"172.31.255.255", true},
	    {"172.32.0.0", false},
	    {"192.0.0.170", true},
	    {"192.0.2.1", false},
	    {"192.168.0.1", true},
	    {"198.17.255.255", false},
	    {"198.18.0.1", true},
	    {"198.20.0.0", false},
	    {"203.0.113.9", false},
	    {"223.255.255.255", false},
	    {"224.0.0.1", true},
	    {"255.255.255.255", true},
	    {"::", true},
	    {"::1", true},
	    {"::7f00:1", true},
	    {"::ffff:127.0.0.1", true},
	    {"::ffff:1.1.1.1", false},
	    {"64:ff9b::7f00:1", true},
	    {"64:ff9b::101:101", false},
	    {"64:ff9b:1::1", true},
	    {"100::1", true},
	    {"2001::1", true},
	    {"2001:db8::1", false},
	    {"2002:a00:1::1", true},
	    {"2002:101:101::1", false},
	    {"2606::1", false},
	    {"fc00::1", true},
	    {"fdff::1", true},
	    {"fe00::1", false},
	    {"fe80::1", true},
	    {"fec0::1", true},
	    {"ff02::1", true},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct w_host_address address = address_of(cases[i].text);

		if ((w_host_address_private(&address) != NULL) !=
		    cases[i].is_private)
			fail_msg("%s", cases[i].text);
	}
}

static void
a_deny_of_an_address_holds_for_what_names_resolve_to(void **state)
{
	struct w_host_list list = LIST("example.com");
	struct w_host_address address = address_of("192.0.2.7");
	writ_error err = {0};

	(void)state;
	assert_false(w_host_list_denies_address(&list, &address, 443));
	add(&list, "192.0.2.0/24", W_HOST_DENY);
	assert_true(w_host_list_denies_address(&list, &address, 443));
	address = address_of("203.0.113.7");
	assert_false(w_host_list_denies_address(&list, &address, 443));
	assert_int_equal(
	    w_host_list_add_glob(&list, "203.0.113.*", W_HOST_DENY, NULL, &err),
	    WRIT_OK);
	assert_true(w_host_list_denies_address(&list, &address, 443));
	w_host_list_done(&list);
}

static void
globs_of_rules_are_about_names_and_addresses(void **state)
{
	struct w_host_list list = {.rules = NULL};
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_host_list_add_glob(
			     &list, "*.Example.com.", W_HOST_ASK, "a", &err),
	    WRIT_OK);
	assert_int_equal(
	    w_host_list_add_glob(&list, "127.*", W_HOST_ASK, NULL, &err),
	    WRIT_OK);
	assert_int_equal(match(&list, "WWW.example.com", 1), W_HOST_ASK);
	assert_int_equal(match(&list, "example.com", 1), W_HOST_DENY);
	assert_int_equal(match(&list, "127.0.0.9", 1), W_HOST_ASK);
	assert_int_equal(
	    w_host_list_add_glob(&list, "", W_HOST_ASK, NULL, &err),
	    WRIT_E_INVALID);
	w_host_list_done(&list);
}

static void
dns_answers_only_names_that_may_be_reached(void **state)
{
	struct w_host_list list = LIST("a.example:443", "*.b.example");

	(void)state;
	add(&list, "c.example", W_HOST_ASK);
	add(&list, "evil.b.example", W_HOST_DENY);
	add(&list, "a.example:25", W_HOST_DENY);
	assert_true(w_host_list_knows_name(&list, "A.example."));
	assert_true(w_host_list_knows_name(&list, "x.b.example"));
	assert_true(w_host_list_knows_name(&list, "c.example"));
	assert_false(w_host_list_knows_name(&list, "evil.b.example"));
	assert_false(w_host_list_knows_name(&list, "b.example"));
	assert_false(w_host_list_knows_name(&list, "192.0.2.1"));
	assert_false(w_host_list_knows_name(&list, "secret data.a.example"));
	list.asks_about_others = true;
	assert_true(w_host_list_knows_name(&list, "b.example"));
	assert_false(w_host_list_knows_name(&list, "evil.b.example"));
	w_host_list_done(&list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_pattern_allows_what_it_says),
	    cmocka_unit_test(what_is_no_pattern_says_where_and_what_was_meant),
	    cmocka_unit_test(the_lengths_of_the_dns_hold),
	    cmocka_unit_test(deny_is_stronger_than_ask_and_ask_than_allow),
	    cmocka_unit_test(a_pattern_is_kept_once_and_knows_its_origin),
	    cmocka_unit_test(a_full_list_says_so),
	    cmocka_unit_test(a_private_address_is_listed_only_as_such),
	    cmocka_unit_test(addresses_of_the_internet_are_not_private),
	    cmocka_unit_test(
		a_deny_of_an_address_holds_for_what_names_resolve_to),
	    cmocka_unit_test(globs_of_rules_are_about_names_and_addresses),
	    cmocka_unit_test(dns_answers_only_names_that_may_be_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
