/* tb-perf-content-warnings.c: warnings about a perf.data file whose content limits what is shown:
 * counts, traces of the processor, tracepoints without switches, or nothing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#include "tb-perf-import-private.h"

#define MAX_NAMES 6

static gboolean
is_dummy (const TbPerfAttr *attr)
{
  return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

/* Returns the names of the events that were to be recorded, or those that were with their numbers;
 * empty if there are none. */
static GString *
list_events (const TbPerfFile *file, gboolean recorded)
{
  GString *list = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < file->attrs->len; i++)
    {
      const TbPerfAttr *attr = tb_perf_file_get_attr (file, i);

      if (is_dummy (attr) || (recorded && attr->n_samples == 0))
        continue;
      if (n < MAX_NAMES)
        g_string_append_printf (list, "%s%s", n > 0 ? ", " : "", attr->name);
      if (n < MAX_NAMES && recorded)
        g_string_append_printf (list, " (%'" PRIu64 ")", attr->n_samples);
      n++;
    }
  if (n > MAX_NAMES)
    g_string_append (list, " …");
  return list;
}

static guint64
count_samples (const TbPerfImport *self, TbPerfRole role)
{
  guint64 n = 0;

  for (guint i = 0; i < self->file->attrs->len; i++)
    if (tb_perf_file_get_attr (self->file, i)->role == role)
      n += tb_perf_file_get_attr (self->file, i)->n_samples;
  return n;
}

/* Samples that were left out have warnings of their own. */
static gboolean
has_nothing (const TbPerfImport *self)
{
  guint64 n = self->n_unknown_event + self->n_malformed + self->n_late + self->n_guest;

  for (guint i = 0; i < self->file->attrs->len; i++)
    n += tb_perf_file_get_attr (self->file, i)->n_samples;
  return n == 0 && !self->has_switch_records && !self->file->cut_short;
}

static void
warn_of_nothing (TbPerfImport *self)
{
  g_autoptr (GString) events = list_events (self->file, FALSE);

  if (events->len > 0)
    tb_recorder_add_warning (
        self->recorder,
        _ ("None of the events happened while perf recorded, so that there is nothing to analyze: "
           "%s. Record for a longer time, more processes (-a), or other events."),
        events->str);
  else
    tb_recorder_add_warning (
        self->recorder,
        _ ("Starts and ends of processes were recorded and no other events, so that there is "
           "nothing to analyze: choose events with perf record -e."));
}

/* Such as those of perf lock, kwork, kmem and trace. */
static void
describe_tracepoints (TbPerfImport *self)
{
  g_autoptr (GString) events = list_events (self->file, TRUE);

  if (self->has_switch || self->has_switch_records || count_samples (self, TB_PERF_ROLE_CLOCK) > 0
      || count_samples (self, TB_PERF_ROLE_TRACEPOINT) == 0)
    return;
  tb_recorder_add_warning (self->recorder,
                           /* Translators: names of tracepoints with their numbers of events */
                           _ ("The file has events of tracepoints and no thread switches, nor "
                              "samples of a clock: %s. The timeline shows when they happened."),
                           events->str);
}

void
tb_perf_import_warn_of_content (TbPerfImport *self)
{
  if (!tb_perf_totals_is_empty (self->totals))
    tb_perf_totals_report (self->totals, self->recorder);
  else if (self->skipped[TB_PERF_RECORD_AUXTRACE] > 0 || self->skipped[PERF_RECORD_AUX] > 0)
    tb_recorder_add_warning (
        self->recorder,
        _ ("The file has a trace that the processor wrote (such as Intel PT), which Tailback does "
           "not decode: the instructions in it are missing in all results. Record samples and "
           "switches, or read it with perf script."));
  else if (has_nothing (self))
    warn_of_nothing (self);
  else
    describe_tracepoints (self);
}
