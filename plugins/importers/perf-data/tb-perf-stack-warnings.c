/* tb-perf-stack-warnings.c: warnings about call stacks of a perf.data file that are not whole: cut
 * at the limit of length, or without their user part
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "tb-perf-chain.h"

static gulong
pluralize (guint64 n)
{
  return (gulong) MIN (n, G_MAXINT);
}

static void
set_number (TbPerfImport *self, const char *fact, guint64 n)
{
  g_autofree char *text = g_strdup_printf ("%" PRIu64, n);

  tb_recorder_set_fact (self->recorder, fact, text);
}

static void
warn_of_cut (TbPerfImport *self)
{
  guint64 n = self->n_cut - self->n_cut_waits;
  guint least = n > 0 ? self->least_limit : TB_PERF_WAITS_LIMIT;
  guint largest = n > 0 ? self->largest_limit : TB_PERF_WAITS_LIMIT;
  g_autofree char *limit = least == largest ? g_strdup_printf ("%u", least)
                                            : g_strdup_printf ("%u–%u", least, largest);

  if (self->n_cut == 0)
    return;
  set_number (self, "stacks-cut", self->n_cut);
  set_number (self, "stacks-recorded", self->n_chains);
  tb_recorder_set_fact (self->recorder, "stack-limit", limit);
  if (n > 0)
    tb_recorder_add_warning (
        self->recorder,
        /* Translators: the %s is a number, or a range of numbers. */
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " of %'" PRIu64
                     " stacks was cut by the kernel at %s frames: its outermost callers are "
                     "unknown, and it is shown under “[cut]”. Raise the limit before recording: "
                     "sysctl kernel.perf_event_max_stack, and max-stack of the event if set.",
                     "%'" PRIu64 " of %'" PRIu64
                     " stacks were cut by the kernel at %s frames: their outermost callers are "
                     "unknown, and they are shown under “[cut]”. Raise the limit before "
                     "recording: sysctl kernel.perf_event_max_stack, and max-stack of the event "
                     "if set.",
                     pluralize (n)),
        n, self->n_chains, limit);
}

static void
warn_of_cut_waits (TbPerfImport *self)
{
  if (self->n_cut_waits > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " stack of waits was cut by perf record --off-cpu: its outermost "
                     "callers are unknown, and it is shown under “[cut]”. Record thread switches "
                     "for whole stacks: perf record -g -e sched:sched_switch.",
                     "%'" PRIu64 " stacks of waits were cut by perf record --off-cpu: their "
                     "outermost callers are unknown, and they are shown under “[cut]”. Record "
                     "thread switches for whole stacks: perf record -g -e sched:sched_switch.",
                     pluralize (self->n_cut_waits)),
        self->n_cut_waits);
}

static void
warn_of_missing_user_parts (TbPerfImport *self)
{
  if (self->n_deferred == 0)
    return;
  set_number (self, "stacks-deferred", self->n_deferred);
  set_number (self, "stacks-without-user", self->n_without_user);
  if (self->n_without_user > 0)
    tb_recorder_add_warning (
        self->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " of %'" PRIu64
                     " stacks that the kernel records in two parts has no user part: its callers "
                     "in the program are unknown. Record with larger buffers: perf record -m.",
                     "%'" PRIu64 " of %'" PRIu64
                     " stacks that the kernel records in two parts have no user part: their "
                     "callers in the program are unknown. Record with larger buffers: perf record "
                     "-m.",
                     pluralize (self->n_without_user)),
        self->n_without_user, self->n_deferred);
}

void
tb_perf_chains_warn (TbPerfImport *self)
{
  warn_of_cut (self);
  warn_of_cut_waits (self);
  warn_of_missing_user_parts (self);
}
