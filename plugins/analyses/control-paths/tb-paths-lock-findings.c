/* tb-paths-lock-findings.c: findings about locks that the base path waited for, while whoever held
 * them went on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "extend/plugins/tb-finding-thread.h"
#include "tb-paths-findings-private.h"

#define MAX_LOCKS 4
/* Least share of the wall time: what is below, the analysis of locks reports. */
#define MIN_SHARE 0.1
/* Least time until threads ran again, as a part of their waits, that is reported. */
#define MIN_DELAY_SHARE 0.1

static char *
describe (TbPathsFindingBuilder *self, const TbPathsLock *lock)
{
  g_autofree char *share
      = tb_format_share (tb_paths_share_of (lock->path_ns, self->summary->wall_ns));
  g_autofree char *wall = tb_format_duration (self->summary->wall_ns);
  g_autofree char *wait = tb_format_duration (lock->wait_ns);
  g_autofree char *thread = tb_trace_describe_thread (self->summary->paths->trace, lock->thread);

  if (lock->n_threads == 1)
    return g_strdup_printf (
        /* Translators: share of a duration, that duration, lock, thread, how long it waited */
        _ ("%s of the %s passes while the lock %s is held by others: %s waits %s for it."), share,
        wall, lock->name, thread, wait);
  return g_strdup_printf (
      /* Translators: share of a duration, that duration, lock, number of threads, how long they
       * waited, one of the threads */
      ngettext ("%s of the %s passes while the lock %s is held by others: %'u thread, such as %s, "
                "waits %s for it in all, and only the one that has it goes on.",
                "%s of the %s passes while the lock %s is held by others: %'u threads, such as "
                "%s, wait %s for it in all, and only the one that has it goes on.",
                lock->n_threads),
      share, wall, lock->name, lock->n_threads, thread, wait);
}

/* Whether no function shows that most of the waits are for a lock. */
static gboolean
is_inferred (const TbPathsLock *lock)
{
  return 2 * lock->inferred_ns > lock->wait_ns;
}

/* The main sentence, with what qualifies it. */
static char *
describe_all (TbPathsFindingBuilder *self, const TbPathsLock *lock)
{
  g_autofree char *sentence = describe (self, lock);
  g_autofree char *delay = tb_format_duration (lock->delay_ns);
  GString *text = g_string_new (sentence);

  if ((double) lock->delay_ns >= MIN_DELAY_SHARE * (double) lock->wait_ns)
    {
      g_string_append_c (text, ' ');
      /* Translators: a duration */
      g_string_append_printf (text, _ ("Waiting for a CPU after the wake-ups took another %s."),
                              delay);
    }
  if (is_inferred (lock))
    {
      g_string_append_c (text, ' ');
      g_string_append (text, _ ("That it is a lock follows from how its waits end: the threads end "
                                "those of each other, one at a time."));
    }
  return g_string_free (text, FALSE);
}

static TbSeverity
rate (const TbPathsLock *lock, double share)
{
  return MIN (tb_paths_rate (share), is_inferred (lock) ? TB_SEVERITY_MEDIUM : TB_SEVERITY_HIGH);
}

static void
add_lock_finding (TbPathsFindingBuilder *self, const TbPathsLock *lock)
{
  TbTrace *trace = self->summary->paths->trace;
  const TbIntervals *rows = self->summary->paths->model->rows;
  double share = tb_paths_share_of (lock->path_ns, self->summary->wall_ns);
  const char *code = lock->is_file ? "file-lock-contention" : "lock-contention";
  TbFinding *finding = tb_paths_emit_finding (self, code, rate (lock, share), lock->path_ns,
                                              describe_all (self, lock));

  tb_finding_set_thread (finding, NULL, trace, lock->thread);
  tb_finding_set_string (finding, "lock", lock->name);
  tb_finding_set_integer (finding, "locks", lock->n_locks);
  tb_finding_set_time (finding, "wall_ns", self->summary->wall_ns);
  tb_finding_set_time (finding, "path_ns", lock->path_ns);
  tb_finding_set_number (finding, "share", share);
  tb_finding_set_time (finding, "wait_ns", lock->wait_ns);
  tb_finding_set_time (finding, "awaited_ns", lock->wait_ns + lock->delay_ns);
  tb_finding_set_time (finding, "inferred_ns", lock->inferred_ns);
  tb_finding_set_time (finding, "longest_ns", lock->longest_ns);
  tb_finding_set_integer (finding, "waits", (gint64) lock->waits);
  tb_finding_set_integer (finding, "waiter_threads", lock->n_threads);
  if (lock->longest != TB_ID_NONE)
    tb_paths_set_finding_place (self, finding, rows->thread[lock->longest],
                                rows->start[lock->longest], rows->end[lock->longest], FALSE);
}

void
tb_paths_add_lock_findings (TbPathsFindingBuilder *self)
{
  const GArray *locks = self->summary->locks;

  for (guint i = 0; i < locks->len && i < MAX_LOCKS; i++)
    {
      const TbPathsLock *lock = &g_array_index (locks, TbPathsLock, i);

      if (tb_paths_share_of (lock->path_ns, self->summary->wall_ns) < MIN_SHARE)
        break;
      add_lock_finding (self, lock);
    }
}
