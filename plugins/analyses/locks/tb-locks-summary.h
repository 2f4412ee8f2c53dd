/* tb-locks-summary.h: summaries of the waits for all locks of a selection; names of locks and of
 * their classes; JSON (tb-locks-json.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "tb-lock-summary.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Waits shorter than min_wait are left out. Only threads in both selections count. */
TbLocksSummary *tb_locks_summary_new (TbTrace *trace,
                                      TbSelection *selection,
                                      TbSelection *process,
                                      gint64 min_wait,
                                      GCancellable *cancellable,
                                      GError **error);
void tb_locks_summary_free (TbLocksSummary *self);
/* top: most rows of each group that are included; 0: all. */
JsonNode *tb_locks_summary_to_json (TbLocksSummary *self, guint top);
/* The rows of a report: of each group the first; top 0: all. */
GPtrArray *tb_locks_summary_list (TbLocksSummary *self, guint top);
/* "queue_lock", "12 locks in lock_object": the same in all languages. */
char *tb_locks_summary_name (TbLocksSummary *self, const TbLockSummary *lock);
/* As the above, in the language of the user. */
char *tb_locks_summary_label (TbLocksSummary *self, const TbLockSummary *lock);
/* The item of its row in figures: the lock's number; of a class, the number of its first lock after
 * "class-". */
char *tb_locks_summary_make_item (const TbLockSummary *lock);
/* "nginx (812)"; NULL: several processes share the lock. */
char *tb_locks_summary_describe_process (TbLocksSummary *self, const TbLockSummary *lock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLocksSummary, tb_locks_summary_free)

G_END_DECLS
