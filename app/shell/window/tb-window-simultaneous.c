/* tb-window-simultaneous.c: for a selected call that a live search found: search of the window's
 * tabs for another recording of the same machine and time, which is shown with thread and time of
 * the call selected (and explained by tb-window-document)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/window/tb-window-private.h"

/* Fact of a recording by a live search, which has no samples and keeps only the longest calls. */
#define SEARCH_FACT "latency"

static gboolean
has_same_fact (TbSession *one, TbSession *other, const char *fact)
{
  const char *text = tb_session_get_fact (one, fact);

  return text != NULL && *text != '\0' && g_strcmp0 (text, tb_session_get_fact (other, fact)) == 0;
}

/* Returns whether times and TIDs have the same meaning in both. */
static gboolean
is_same_boot (TbSession *one, TbSession *other)
{
  guint n_one, n_other;

  tb_session_get_hosts (one, &n_one);
  tb_session_get_hosts (other, &n_other);
  return n_one <= 1 && n_other <= 1 && has_same_fact (one, other, "boot-id")
         && has_same_fact (one, other, "clock");
}

/* Returns the thread that had the TID at a time, since TIDs are reused; TB_ID_NONE if there was
 * none. */
static guint32
find_thread (TbSession *session, gint32 tid, gint64 time)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (session, &n);
  guint32 found = TB_ID_NONE;

  for (guint i = 0; i < n; i++)
    if (threads[i].tid == tid && tid > 0
        && (threads[i].start == TB_TIME_NONE || threads[i].start <= time)
        && (threads[i].end == TB_TIME_NONE || threads[i].end >= time))
      found = i;
  return found;
}

/* Returns the thread of the document with that TID, if the document covers the whole range. */
static guint32
find_matching_thread (TbDocument *document,
                      TbDocument *searched,
                      gint32 tid,
                      gint64 from,
                      gint64 to)
{
  TbTrace *trace = tb_document_get_state (document) == TB_DOCUMENT_READY
                       ? tb_document_get_trace (document)
                       : NULL;
  TbSession *session = trace != NULL ? tb_document_get_session (document) : NULL;
  gint64 first, last;

  if (session == NULL || document == searched || tb_document_is_comparison (document)
      || tb_session_get_fact (session, SEARCH_FACT) != NULL
      || !is_same_boot (session, tb_document_get_session (searched)))
    return TB_ID_NONE;
  tb_trace_get_range (trace, &first, &last);
  return first <= from && to <= last ? find_thread (session, tid, from) : TB_ID_NONE;
}

/**
 * tb_window_show_simultaneous_recording:
 *
 * If the selected call was found by a live search, looks for another recording of the same machine
 * and time in the window. That recording is shown, with the thread and the time of the call
 * selected.
 *
 * Returns: (transfer none) (nullable): its page; %NULL if there is none
 */
TbDocumentPage *
tb_window_show_simultaneous_recording (TbWindow *self)
{
  TbDocument *searched = tb_window_get_document (self);
  g_autoptr (GPtrArray) pages = tb_window_list_pages (self);
  TbFocus *focus = tb_document_get_focus (searched);
  const TbThread *threads;
  guint32 thread = tb_focus_get_thread (focus);
  gint64 from, to;
  guint n;

  if (tb_document_is_comparison (searched)
      || tb_session_get_fact (tb_document_get_session (searched), SEARCH_FACT) == NULL
      || !tb_focus_get_time (focus, &from, &to))
    return NULL;
  threads = tb_session_get_threads (tb_document_get_session (searched), &n);
  for (guint i = 0; i < pages->len && thread < n; i++)
    {
      TbDocumentPage *page = g_ptr_array_index (pages, i);
      TbDocument *document = tb_document_page_get_document (page);
      guint32 match = find_matching_thread (document, searched, threads[thread].tid, from, to);

      if (match == TB_ID_NONE)
        continue;
      focus = tb_document_get_focus (document);
      tb_focus_begin_change (focus);
      tb_focus_reveal (focus, from, to);
      tb_focus_select_item (focus, NULL, NULL, match, from, to, NULL);
      tb_focus_end_change (focus);
      return tb_window_find_document (self, NULL, tb_document_get_file (document), TRUE);
    }
  return NULL;
}
