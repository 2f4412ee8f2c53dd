/* tb-perf-warnings.c: warnings after the import of a perf.data file: samples left out and why,
 * lost or throttled events, sampled tracepoints, unknown or compressed records not read; calls
 * those on content and stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#include "tb-perf-chain.h"
#include "tb-perf-import-private.h"

#define MAX_NAMES 6

/* The number that chooses the form of a plural. */
static gulong
pluralize (guint64 n)
{
  return (gulong) MIN (n, G_MAXINT);
}

/* Adds a name to a list. The list ends with the number of further names if there are too many. */
static void
list_name (GString *list, guint *n, const char *name)
{
  if ((*n)++ < MAX_NAMES)
    g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
}

static char *
end_list (GString *list, guint n)
{
  if (n > MAX_NAMES)
    g_string_append_printf (list,
                            g_dngettext (GETTEXT_PACKAGE, " and %'u more tracepoint",
                                         " and %'u more tracepoints", n - MAX_NAMES),
                            n - MAX_NAMES);
  return list->str;
}

static void
warn_of_missing_formats (TbPerfImport *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint64 n_samples = 0;
  guint n = 0;

  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);
      g_autofree char *name = NULL;

      if (attr->type != PERF_TYPE_TRACEPOINT || attr->tracepoint != NULL || attr->n_samples == 0)
        continue;
      n_samples += attr->n_samples;
      name = g_strdup_printf ("%s (%" G_GUINT64_FORMAT ")", attr->name, attr->n_samples);
      list_name (list, &n, name);
    }
  if (n > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " sample of tracepoints whose fields the file does not describe "
                     "was left out: %s.",
                     "%'" PRIu64 " samples of tracepoints whose fields the file does not describe "
                     "were left out: %s.",
                     pluralize (n_samples)),
        n_samples, end_list (list, n));
}

static void
warn_of_sampled_tracepoints (TbPerfImport *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      if (attr->type == PERF_TYPE_TRACEPOINT
          && (tb_perf_attr_has (attr, TB_PERF_FLAG_FREQUENCY) || attr->sample_period > 1))
        list_name (list, &n, attr->name);
    }
  if (n > 0)
    tb_recorder_add_warning (
        self->recorder,
        _ ("Tracepoints were recorded at a sampling rate, so that events are missing and not "
           "counted: %s. States and waits are unreliable: set the rate of the clock event alone "
           "(cpu-clock/period=1000000/)."),
        end_list (list, n));
}

/* Types of records that have nothing for a session, as a fact only. */
static void
report_skipped (TbPerfImport *self)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint32 type = 0; type < G_N_ELEMENTS (self->skipped); type++)
    if (self->skipped[type] > 0)
      g_string_append_printf (all, "%s%s %" G_GUINT64_FORMAT, all->len > 0 ? ", " : "",
                              tb_perf_record_get_name (type), self->skipped[type]);
  if (all->len > 0)
    tb_recorder_set_fact (self->recorder, "skipped-records", all->str);
  if (self->skipped[TB_PERF_N_RECORDS] > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " record is of a kind that this version of Tailback does not "
                     "know: what it has is missing in all results. Try a newer Tailback.",
                     "%'" PRIu64 " records are of kinds that this version of Tailback does not "
                     "know: what they have is missing in all results. Try a newer Tailback.",
                     pluralize (self->skipped[TB_PERF_N_RECORDS])),
        self->skipped[TB_PERF_N_RECORDS]);
}

static void
warn_of_incomplete_samples (TbPerfImport *self)
{
  if (self->n_late > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64
                     " sample came later than perf's order of rounds allows and was left out.",
                     "%'" PRIu64
                     " samples came later than perf's order of rounds allows and were left out.",
                     pluralize (self->n_late)),
        self->n_late);
  if (self->n_without_time > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " sample has no time: record with perf record --timestamp.",
                     "%'" PRIu64 " samples have no time: record with perf record --timestamp.",
                     pluralize (self->n_without_time)),
        self->n_without_time);
  if (self->n_malformed > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " sample is damaged and was left out: its time is missing in "
                     "all results. Copy the file again, or record again.",
                     "%'" PRIu64 " samples are damaged and were left out: their time is missing in "
                     "all results. Copy the file again, or record again.",
                     pluralize (self->n_malformed)),
        self->n_malformed);
  if (self->n_unknown_event > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64
                     " sample of an event that the file does not describe was left out.",
                     "%'" PRIu64
                     " samples of events that the file does not describe were left out.",
                     pluralize (self->n_unknown_event)),
        self->n_unknown_event);
  if (self->n_guest > 0)
    tb_recorder_add_warning (self->recorder,
                             g_dngettext (GETTEXT_PACKAGE,
                                          "%'" PRIu64 " sample was taken inside a virtual machine: "
                                          "its function is unknown. Record inside the machine.",
                                          "%'" PRIu64 " samples were taken inside virtual "
                                          "machines: their functions are unknown. Record inside "
                                          "the machines.",
                                          pluralize (self->n_guest)),
                             self->n_guest);
}

static void
warn_of_losses (TbPerfImport *self)
{
  if (self->n_throttled > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " time the kernel throttled samples because they cost too much.",
                     "%'" PRIu64 " times the kernel throttled samples because they cost too much.",
                     pluralize (self->n_throttled)),
        self->n_throttled);
  /* The trace reports all lost events, by their share of the time. */
  if (self->n_lost_unplaced > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64
                     " more event was lost at an unknown time: the whole recording is uncertain.",
                     "%'" PRIu64
                     " more events were lost at unknown times: the whole recording is uncertain.",
                     pluralize (self->n_lost_unplaced)),
        self->n_lost_unplaced);
}

void
tb_perf_import_warn (TbPerfImport *self)
{
  for (guint i = 0; i < self->file->warnings->len; i++)
    tb_recorder_add_warning (self->recorder, "%s",
                             (const char *) g_ptr_array_index (self->file->warnings, i));
  if (self->file->cut_short)
    tb_recorder_set_fact (self->recorder, "cut-short",
                          self->is_damaged ? "the file is damaged" : "the file is cut short");
  warn_of_missing_formats (self);
  warn_of_sampled_tracepoints (self);
  report_skipped (self);
  tb_perf_import_warn_of_content (self);
  if (self->n_undecompressed > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64
                     " compressed record could not be decompressed: its contents are missing.",
                     "%'" PRIu64
                     " compressed records could not be decompressed: their contents are missing.",
                     pluralize (self->n_undecompressed)),
        self->n_undecompressed);
  if (self->unwinder != NULL)
    tb_unwinder_report (self->unwinder, self->recorder, 0);
  if (self->unrecorded_ns > 0)
    tb_recorder_add_warning (
        self->recorder,
        _ ("perf recorded forks and exits for %.3f s before it recorded switches: what threads did "
           "until then is unknown."),
        self->unrecorded_ns / 1e9);
  tb_perf_chains_warn (self);
  warn_of_incomplete_samples (self);
  warn_of_losses (self);
}
