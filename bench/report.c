/* SPDX-License-Identifier: Apache-2.0 */

/* The figures as a table and as JSON. */

#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* A row with its figures. */
struct finding {
	const struct row *row;
	const struct series *floor;
	const struct series *ours;
	struct figures below;
	struct figures above;
	double value; /* what is judged: a ratio, or MiB */
	double by_median;
	double by_min;
	double paired;
	const char *verdict;
};

static const struct series *
find(const struct record *record, const char *name)
{
	for (size_t i = 0; i < record->count; i++) {
		if (strcmp(record->series[i].variant->name, name) == 0)
			return &record->series[i];
	}
	return NULL;
}

/* Bars have two digits; so has what is held against them. */
static const char *
judge(const struct row *row, double value)
{
	const double rounding = 0.005, noise = 0.05;

	if (row->kind == ROW_SAME)
		return value > 1 + noise || value < 1 - noise ? "noisy" : "";
	if (row->bar <= 0)
		return "";
	if (row->kind == ROW_RATE)
		return value < row->bar   ? "MISSED"
		       : value < row->aim ? "bar"
					  : "aim";
	if (value >= row->bar + rounding)
		return "MISSED";
	if (row->aim > 0 && value < row->aim + rounding)
		return "aim";
	return "bar";
}

static double
ratio(uint64_t above, uint64_t below)
{
	return below == 0 ? 0 : (double)above / (double)below;
}

/* In milliseconds. */
static double
difference(uint64_t above, uint64_t below)
{
	return ((double)above - (double)below) / 1e6;
}

static double
rate(uint64_t ns)
{
	return ns == 0 ? 0 : PER_SAMPLE * 1e9 / (double)ns;
}

/* A difference may be anything, if there are two to compare. */
static bool
has_value(const struct finding *finding)
{
	if (finding->row->kind == ROW_MORE)
		return finding->by_min > 0;
	return finding->value > 0;
}

static struct finding
look(const struct record *record, const struct row *row)
{
	struct finding finding = {
	    .row = row,
	    .floor = find(record, row->floor),
	    .ours = find(record, row->ours),
	    .verdict = "",
	};

	if (finding.floor == NULL || finding.ours == NULL)
		return finding;
	finding.below = series_figures(finding.floor);
	finding.above = series_figures(finding.ours);
	finding.by_min = ratio(finding.above.min, finding.below.min);
	finding.paired = series_paired(finding.floor, finding.ours);
	finding.by_median = ratio(finding.above.median, finding.below.median);
	finding.value = finding.by_median;
	if (row->kind == ROW_MIN)
		finding.value = finding.by_min;
	if (row->kind == ROW_RSS)
		finding.value = (double)finding.above.rss_kib / 1024;
	if (row->kind == ROW_RATE)
		finding.value = rate(finding.above.median);
	if (row->kind == ROW_TIME)
		finding.value = (double)finding.above.median / 1e6;
	if (row->kind == ROW_MICRO)
		finding.value = (double)finding.above.median / 1e3;
	if (row->kind == ROW_MORE)
		finding.value =
		    difference(finding.above.median, finding.below.median);
	if (has_value(&finding))
		finding.verdict = judge(row, finding.value);
	return finding;
}

/* Why a row has no value. */
static const char *
gap(const struct finding *finding)
{
	if (finding->floor == NULL || finding->ours == NULL)
		return "not asked for";
	if (finding->ours->absent != NULL)
		return finding->ours->absent;
	if (finding->floor->absent != NULL)
		return finding->floor->absent;
	return "it failed";
}

static void
show_time(char out[16], uint64_t ns)
{
	if (ns < 10000)
		(void)snprintf(out, 16, "%.2f us", (double)ns / 1e3);
	else if (ns < 10000000)
		(void)snprintf(out, 16, "%.0f us", (double)ns / 1e3);
	else
		(void)snprintf(out, 16, "%.0f ms", (double)ns / 1e6);
}

static void
show_bar(char out[16], const struct row *row, double bar)
{
	out[0] = '\0';
	if (bar > 0 && row->kind == ROW_RSS)
		(void)snprintf(out, 16, "%.0f MiB", bar);
	else if (bar > 0 && row->kind == ROW_RATE)
		(void)snprintf(out, 16, "%.0fk/s", bar / 1e3);
	else if (bar > 0 && row->kind == ROW_TIME)
		(void)snprintf(out, 16, "%.0f ms", bar);
	else if (bar > 0 && row->kind == ROW_MORE)
		(void)snprintf(out, 16, "%.1f ms", bar);
	else if (bar > 0 && row->kind == ROW_MICRO)
		(void)snprintf(out, 16, "%.0f us", bar);
	else if (bar > 0)
		(void)snprintf(out, 16, "%.2f", bar);
}

static const char *
holder(const struct finding *finding)
{
	const struct series *ours = finding->ours;

	if (ours->count == 0 || ours->samples[0].by[0] == '-')
		return "";
	return ours->samples[0].by;
}

/* What stands in the columns of floor and ours. */
static void
show_side(char out[16], enum row_kind kind, const struct figures *figures)
{
	if (kind == ROW_RSS)
		(void)snprintf(
		    out, 16, "%.1f MiB", (double)figures->rss_kib / 1024);
	else if (kind == ROW_RATE)
		(void)snprintf(out, 16, "%.1fk/s", rate(figures->median) / 1e3);
	else
		show_time(out, figures->median);
}

static void
show(const struct finding *finding)
{
	const struct row *row = finding->row;
	char below[16], above[16], value[16] = "", by_min[16] = "";
	char bar[16], aim[16];

	if (!has_value(finding)) {
		(void)printf("%-46s %s\n", row->text, gap(finding));
		return;
	}
	show_bar(bar, row, row->bar);
	show_bar(aim, row, row->aim);
	show_side(below, row->kind, &finding->below);
	show_side(above, row->kind, &finding->above);
	if (row->kind == ROW_MORE) {
		(void)snprintf(value, 16, "%+.2fms", finding->value);
		(void)snprintf(by_min, 16, "%+.2fms",
		    difference(finding->above.min, finding->below.min));
	} else if (row->kind != ROW_RSS) {
		(void)snprintf(value, 16, "%.3f", finding->by_median);
		(void)snprintf(by_min, 16, "%.3f", finding->by_min);
	}
	(void)printf("%-46s %9s %9s %7s %7s %7s %7s  %-6s %s\n", row->text,
	    below, above, value, by_min, bar, aim, finding->verdict,
	    holder(finding));
}

static void
show_section(const struct record *record, const struct section *section)
{
	for (const struct row *row = section->rows; row->text != NULL; row++) {
		struct finding finding = look(record, row);

		if (find(record, row->ours) != NULL)
			show(&finding);
	}
}

void
report_table(const struct record *record)
{
	struct utsname name = {0};

	(void)uname(&name);
	(void)printf("\nLinux %s, %ld processors, %.0f s%s\n", name.release,
	    sysconf(_SC_NPROCESSORS_ONLN), record->seconds,
	    record->settings->is_quick
		? "; a quick run: it proves that this works, not how fast"
		: "");
	(void)printf("ratio: of medians; min: of minima; "
		     "judged by medians, a flood of output by minima\n\n");
	(void)printf("%-46s %9s %9s %7s %7s %7s %7s  %-6s %s\n", "measure",
	    "floor", "ours", "ratio", "min", "bar", "aim", "", "held by");
	for (const struct section *section = plan_sections;
	     section->name != NULL; section++)
		show_section(record, section);
	(void)fflush(stdout);
}

static void
write_series(FILE *file, const struct series *series)
{
	struct figures figures = series_figures(series);

	(void)fprintf(file,
	    "    \"%s\": {\"samples\": %zu, \"failed\": %zu, "
	    "\"min_ns\": %llu, \"median_ns\": %llu, \"p90_ns\": %llu, "
	    "\"peak_rss_kib\": %llu}",
	    series->variant->name, series->count, series->failed,
	    (unsigned long long)figures.min, (unsigned long long)figures.median,
	    (unsigned long long)figures.p90,
	    (unsigned long long)figures.rss_kib);
}

static const char *
unit(enum row_kind kind)
{
	switch (kind) {
	case ROW_RSS:
		return "MiB";
	case ROW_RATE:
		return "per second";
	case ROW_TIME:
	case ROW_MORE:
		return "ms";
	case ROW_MICRO:
		return "us";
	case ROW_RATIO:
	case ROW_MIN:
	case ROW_SAME:
		break;
	}
	return "ratio";
}

static void
write_row(FILE *file, const struct finding *finding)
{
	const struct row *row = finding->row;

	(void)fprintf(file,
	    "    {\"measure\": \"%s\", \"floor\": \"%s\", \"ours\": \"%s\", "
	    "\"unit\": \"%s\", \"bar\": %.2f, \"aim\": %.2f",
	    row->text, row->floor, row->ours, unit(row->kind), row->bar,
	    row->aim);
	if (!has_value(finding))
		(void)fprintf(
		    file, ", \"value\": null, \"why\": \"%s\"}", gap(finding));
	else
		(void)fprintf(file,
		    ", \"value\": %.4f, \"ratio_of_medians\": %.4f, "
		    "\"ratio_of_minima\": %.4f, "
		    "\"median_of_ratios\": %.4f, \"verdict\": \"%s\", "
		    "\"held_by\": \"%s\"}",
		    finding->value, finding->by_median, finding->by_min,
		    finding->paired, finding->verdict, holder(finding));
}

/* What the next row begins with. */
static const char *
write_rows(FILE *file, const struct record *record,
    const struct section *section, const char *comma)
{
	for (const struct row *row = section->rows; row->text != NULL; row++) {
		struct finding finding = look(record, row);

		(void)fprintf(file, "%s\n", comma);
		write_row(file, &finding);
		comma = ",";
	}
	return comma;
}

static void
write_machine(FILE *file, const struct record *record)
{
	struct utsname name = {0};
	char date[32] = "";
	time_t now = time(NULL);
	struct tm utc;

	(void)uname(&name);
	if (gmtime_r(&now, &utc) != NULL)
		(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	(void)fprintf(file,
	    "  \"date\": \"%s\", \"kernel\": \"%s\", \"processors\": %ld, "
	    "\"quick\": %s, \"real_time\": %s, \"seed\": %u, "
	    "\"seconds\": %.1f,\n",
	    date, name.release, sysconf(_SC_NPROCESSORS_ONLN),
	    record->settings->is_quick ? "true" : "false",
	    record->settings->is_fair ? "false" : "true", record->seed,
	    record->seconds);
}

bool
report_json(const struct record *record, const char *path)
{
	FILE *file = fopen(path, "we");
	const char *comma = "";

	if (file == NULL)
		return false;
	(void)fprintf(file, "{\n");
	write_machine(file, record);
	(void)fprintf(file, "  \"rows\": [");
	for (const struct section *section = plan_sections;
	     section->name != NULL; section++)
		comma = write_rows(file, record, section, comma);
	(void)fprintf(file, "\n  ],\n  \"variants\": {");
	comma = "";
	for (size_t i = 0; i < record->count; i++) {
		(void)fprintf(file, "%s\n", comma);
		write_series(file, &record->series[i]);
		comma = ",";
	}
	(void)fprintf(file, "\n  }\n}\n");
	return fclose(file) == 0;
}
