/* tb-session-names.c: names of threads and processes as people read them: those without a name by
 * their number
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "session/file/tb-session.h"

/* A recording has few of them, and they are asked for again and again. */
static const char *
intern (const char *format, gint32 number)
{
  g_autofree char *text = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (format, number);
#pragma GCC diagnostic pop
  return g_intern_string (text);
}

/**
 * tb_session_get_shown_thread_name:
 * @self: a session
 * @thread: a thread
 *
 * Gets a name for a sentence, a heading or a cell, which is never empty. For a column or a value of
 * JSON, which is null if the name is unknown, use [method@Tailback.Session.get_threads].
 *
 * Returns: its last name; "thread 812", with its TID, if it has none
 */
const char *
tb_session_get_shown_thread_name (TbSession *self, guint32 thread)
{
  const TbThread *threads;
  guint n;

  g_return_val_if_fail (TB_IS_SESSION (self), "");

  threads = tb_session_get_threads (self, &n);
  if (thread == TB_THREAD_IDLE)
    /* Translators: like a name, in any sentence; best without an article */
    return _ ("the idle task");
  if (thread >= n)
    /* Translators: like a name, in any sentence; best without an article that changes by case */
    return _ ("an unknown thread");
  return threads[thread].name[0] != '\0' ? threads[thread].name
                                         : intern (_ ("thread %d"), threads[thread].tid);
}

/**
 * tb_session_get_shown_process_name:
 * @self: a session
 * @process: a process
 *
 * Likewise for a process.
 *
 * Returns: its name; "process 812", with its PID, if it has none
 */
const char *
tb_session_get_shown_process_name (TbSession *self, guint32 process)
{
  const TbProcess *processes;
  guint n;

  g_return_val_if_fail (TB_IS_SESSION (self), "");

  processes = tb_session_get_processes (self, &n);
  if (process >= n)
    /* Translators: like a name, in any sentence; best without an article that changes by case */
    return _ ("an unknown process");
  return processes[process].name[0] != '\0' ? processes[process].name
                                            : intern (_ ("process %d"), processes[process].pid);
}

static char *
add_number (const char *name, const char *shown, gint32 number, gboolean in_heading)
{
  if (name == NULL || name[0] == '\0')
    return g_strdup (shown);
  return g_strdup_printf (in_heading ? "%s %d" : "%s (%d)", name, number);
}

/**
 * tb_session_describe_thread:
 * @self: a session
 * @thread: a thread
 *
 * Names a thread for display, with its number: "nginx (812)".
 *
 * Returns: (transfer full): its last name and its TID; "thread 812" if it has no name
 */
char *
tb_session_describe_thread (TbSession *self, guint32 thread)
{
  const TbThread *threads;
  gboolean is_known;
  guint n;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  threads = tb_session_get_threads (self, &n);
  is_known = thread != TB_THREAD_IDLE && thread < n;
  return add_number (is_known ? threads[thread].name : NULL,
                     tb_session_get_shown_thread_name (self, thread),
                     is_known ? threads[thread].tid : 0, FALSE);
}

/**
 * tb_session_describe_process:
 * @self: a session
 * @process: a process
 * @in_heading: %FALSE: for a sentence; %TRUE: for a heading, "nginx 812"
 *
 * Names a process for display, with its number: "nginx (812)".
 *
 * Returns: (transfer full): its name and its PID; "process 812" if it has no name
 */
char *
tb_session_describe_process (TbSession *self, guint32 process, gboolean in_heading)
{
  const TbProcess *processes;
  guint n;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  processes = tb_session_get_processes (self, &n);
  return add_number (process < n ? processes[process].name : NULL,
                     tb_session_get_shown_process_name (self, process),
                     process < n ? processes[process].pid : 0, in_heading);
}
