/* tb-document-control-paths.c: command that runs the analysis control-paths for the selected thread
 * and its process; selection of the main thread of a given process; test whether that analysis
 * lacks a process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"

/* The analysis that explains a process, set by its options "process" and "thread". */
#define EXPLAINER "control-paths"

/**
 * tb_document_get_explainer:
 *
 * Returns: (transfer none) (nullable): the analysis that explains one process; %NULL if the plug-in
 *   is missing or the document is a comparison
 */
TbAnalysisItem *
tb_document_get_explainer (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  return tb_document_is_comparison (self) ? NULL : tb_document_find_analysis (self, EXPLAINER);
}

/* Returns the selected thread and its process. */
static gboolean
get_selected (TbDocument *self, const TbThread **thread, const TbProcess **process)
{
  guint n_threads, n_processes;
  const TbThread *threads;
  const TbProcess *processes;
  guint32 selected = tb_focus_get_thread (self->focus);

  if (self->trace == NULL)
    return FALSE;
  threads = tb_session_get_threads (self->session, &n_threads);
  processes = tb_session_get_processes (self->session, &n_processes);
  if (selected >= n_threads || threads[selected].process >= n_processes)
    return FALSE;
  *thread = &threads[selected];
  *process = &processes[threads[selected].process];
  return TRUE;
}

gboolean
tb_document_can_explain (TbDocument *self)
{
  const TbProcess *process;
  const TbThread *thread;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return tb_document_get_explainer (self) != NULL && get_selected (self, &thread, &process);
}

/* Returns the option value for a process: its PID, or its id in the recording if the PID was
 * reused. */
static char *
name_process (TbDocument *self, const TbProcess *process)
{
  guint n;
  const TbProcess *processes = tb_session_get_processes (self->session, &n);

  for (guint i = 0; i < n; i++)
    if (processes[i].pid == process->pid && processes[i].id != process->id)
      return g_strdup_printf ("id:%u", process->id);
  return g_strdup_printf ("%d", process->pid);
}

static char *
name_thread (TbDocument *self, const TbThread *thread, const TbProcess *process)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (self->session, &n);

  if (thread->tid == process->pid)
    return g_strdup (""); /* the main thread is the default */
  for (guint i = 0; i < n; i++)
    if (threads[i].tid == thread->tid && threads[i].id != thread->id)
      return g_strdup_printf ("id:%u", thread->id);
  return g_strdup_printf ("%d", thread->tid);
}

/**
 * tb_document_explain:
 * @error: return location
 *
 * Runs the analysis of where the time of the selected thread's process went, or that of the
 * selected thread if it is not the main thread.
 *
 * Returns: (transfer none) (nullable): the analysis, which is running now
 */
TbAnalysisItem *
tb_document_explain (TbDocument *self, GError **error)
{
  TbAnalysisItem *item;
  const TbProcess *process;
  const TbThread *thread;
  g_autofree char *process_name = NULL;
  g_autofree char *thread_name = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self) && tb_document_can_explain (self), NULL);

  item = tb_document_get_explainer (self);
  get_selected (self, &thread, &process);
  process_name = name_process (self, process);
  thread_name = name_thread (self, thread, process);
  if (!tb_analysis_item_set_option (item, "process", process_name, error)
      || !tb_analysis_item_set_option (item, "thread", thread_name, error))
    return NULL;
  /* A report on another process must not be taken for this one. */
  tb_document_cancel_run (self, item);
  tb_analysis_item_clear_result (item);
  tb_document_run (self, item);
  return item;
}

/**
 * tb_document_select_process:
 * @process: id of a process
 *
 * Selects its main thread, or its first thread if the main thread is not in the recording.
 */
void
tb_document_select_process (TbDocument *self, guint32 process)
{
  guint32 selected = TB_ID_NONE;
  guint n_threads, n_processes;
  const TbThread *threads;
  const TbProcess *processes;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (self->trace == NULL)
    return;
  threads = tb_session_get_threads (self->session, &n_threads);
  processes = tb_session_get_processes (self->session, &n_processes);
  for (guint32 i = 0; i < n_threads && process < n_processes; i++)
    if (threads[i].process == process
        && (selected == TB_ID_NONE || threads[i].tid == processes[process].pid))
      selected = i;
  if (selected != TB_ID_NONE)
    tb_focus_select_thread (self->focus, selected);
}

/**
 * tb_document_lacks_process:
 * @item: an analysis of the document
 *
 * Returns: whether the analysis needs a process of interest that is not set and could not be
 *   determined
 */
gboolean
tb_document_lacks_process (TbDocument *self, TbAnalysisItem *item)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return item == tb_document_find_analysis (self, EXPLAINER)
         && !tb_analysis_item_has_text (item, "process")
         && g_error_matches (tb_analysis_item_get_error (item), TB_EXTEND_ERROR,
                             TB_EXTEND_ERROR_USAGE);
}
