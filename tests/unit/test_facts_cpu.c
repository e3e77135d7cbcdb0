/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static void
each_processor_is_a_paragraph(void **state)
{
	(void)state;
	expect_facts(w_fact_add_cpus,
	    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
	    "model\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1\n"
	    "cpu MHz\t\t: 2596.130\nphysical id\t: 0\ncore id\t\t: 3\n"
	    "flags\t\t: fpu vme\n\nprocessor\t: 1\nmodel name\t:\n\n",
	    "{\"count\":2,\"info\":[{\"cpu\":0,\"vendorId\":"
	    "\"AuthenticAMD\",\"family\":25,\"model\":17,\"modelName\":"
	    "\"AMD EPYC\",\"stepping\":1,\"physicalId\":0,\"coreId\":3},"
	    "{\"cpu\":1,\"modelName\":\"\"}]}");
}

static void
what_is_no_processor_is_left_out(void **state)
{
	(void)state;
	expect_facts(w_fact_add_cpus, "", "{}");
	expect_facts(w_fact_add_cpus, "Hardware\t: board\n", "{}");
	expect_facts(w_fact_add_cpus, "processor\t: none\n", "{}");
	expect_facts(w_fact_add_cpus,
	    "processor: 7\nprocessor: 8\nmodel name: \xff\n\n\n"
	    "Hardware: x",
	    "{\"count\":1,\"info\":[{\"cpu\":7}]}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_processor_is_a_paragraph),
	    cmocka_unit_test(what_is_no_processor_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
