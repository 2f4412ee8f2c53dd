/* tb-paths-origins.c: the thread of the recording behind each wake-up by a message or a device: the
 * sender of the message, or the kernel thread that submitted the request; found by address or
 * device and by time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-model.h"

/* Longest time, in ns, from sending a message to receiving it on the same host. */
#define MAX_SENT_BEFORE 1000000
#define MAX_SENT_AFTER 200000

/* Longest time, in ns, from the completion of a request to the wake-up of the thread that waits for
 * it. */
#define MAX_WAKEUP_DELAY 200000
#define MAX_REQUESTS 64

/* --- messages --- */

/* A message sent: sender, source address and time. */
typedef struct
{
  guint32 address; /* string */
  guint32 thread;
  gint64 time;
} SentMessage;

static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const SentMessage *one = a, *two = b;

  if (one->address != two->address)
    return one->address < two->address ? -1 : 1;
  return one->time < two->time ? -1 : one->time > two->time;
}

static GArray *
load_messages (TbPathsModel *self, TbTrace *trace, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_NETWORK);
  gsize n = tb_table_get_n_rows (table);
  const gint64 *time = tb_paths_model_get_column (self, table, TB_NETWORK_TIME, error);
  const guint8 *kind
      = time != NULL ? tb_paths_model_get_column (self, table, TB_NETWORK_KIND, error) : NULL;
  const guint32 *thread
      = kind != NULL ? tb_paths_model_get_column (self, table, TB_NETWORK_THREAD, error) : NULL;
  const guint32 *local
      = thread != NULL ? tb_paths_model_get_column (self, table, TB_NETWORK_LOCAL, error) : NULL;
  GArray *sent;

  if (local == NULL)
    return NULL;
  sent = g_array_new (FALSE, FALSE, sizeof (SentMessage));
  for (gsize i = 0; i < n; i++)
    if (kind[i] == TB_NETWORK_SEND && thread[i] < self->n_threads && thread[i] != TB_THREAD_IDLE
        && local[i] != TB_STRING_NONE)
      {
        SentMessage one = { local[i], thread[i], time[i] };

        g_array_append_val (sent, one);
      }
  g_array_sort (sent, compare_messages);
  return sent;
}

/* The thread that sent from the address shortly before time. Also shortly after it, because the
 * send event is recorded after the call. */
static guint32
find_sender (GArray *sent, guint32 address, gint64 time)
{
  guint low = 0, high = sent->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const SentMessage *one = &g_array_index (sent, SentMessage, middle);

      if (one->address < address || (one->address == address && one->time < time))
        low = middle + 1;
      else
        high = middle;
    }
  if (low < sent->len)
    {
      const SentMessage *after = &g_array_index (sent, SentMessage, low);

      if (after->address == address && after->time - time <= MAX_SENT_AFTER)
        return after->thread;
    }
  if (low > 0)
    {
      const SentMessage *before = &g_array_index (sent, SentMessage, low - 1);

      if (before->address == address && time - before->time <= MAX_SENT_BEFORE)
        return before->thread;
    }
  return TB_ID_NONE;
}

/* --- requests --- */

/* A completed I/O request: the thread that submitted it, and when. */
typedef struct
{
  guint32 device;
  guint32 thread;
  gint64 submitted;
  gint64 complete;
} CompletedRequest;

static int
compare_requests (gconstpointer a, gconstpointer b)
{
  const CompletedRequest *one = a, *two = b;

  if (one->device != two->device)
    return one->device < two->device ? -1 : 1;
  return one->complete < two->complete ? -1 : one->complete > two->complete;
}

static GArray *
load_requests (TbPathsModel *self, TbTrace *trace, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_BLOCK);
  gsize n = tb_table_get_n_rows (table);
  const gint64 *insert = tb_paths_model_get_column (self, table, TB_BLOCK_INSERT, error);
  const gint64 *issue
      = insert != NULL ? tb_paths_model_get_column (self, table, TB_BLOCK_ISSUE, error) : NULL;
  const gint64 *complete
      = issue != NULL ? tb_paths_model_get_column (self, table, TB_BLOCK_COMPLETE, error) : NULL;
  const guint32 *thread
      = complete != NULL ? tb_paths_model_get_column (self, table, TB_BLOCK_THREAD, error) : NULL;
  const guint32 *device
      = thread != NULL ? tb_paths_model_get_column (self, table, TB_BLOCK_DEVICE, error) : NULL;
  GArray *served;

  if (device == NULL)
    return NULL;
  served = g_array_new (FALSE, FALSE, sizeof (CompletedRequest));
  for (gsize i = 0; i < n; i++)
    if (complete[i] >= 0 && thread[i] < self->n_threads)
      {
        CompletedRequest one
            = { device[i], thread[i], insert[i] >= 0 ? insert[i] : issue[i], complete[i] };

        g_array_append_val (served, one);
      }
  g_array_sort (served, compare_requests);
  return served;
}

/* The request that a kernel thread submitted during the sleep in row and that ended the sleep by
 * its completion. NULL where a request of the sleeping thread itself completed at that time: the
 * thread waited for that one. */
static const CompletedRequest *
find_request (const TbPathsModel *self, TbTrace *trace, GArray *served, guint32 row)
{
  const TbIntervals *rows = self->rows;
  const CompletedRequest *found = NULL;
  guint low = 0, high = served->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CompletedRequest *one = &g_array_index (served, CompletedRequest, middle);

      if (one->device < rows->cause[row]
          || (one->device == rows->cause[row] && one->complete <= rows->end[row]))
        low = middle + 1;
      else
        high = middle;
    }
  for (guint seen = 0; low > 0 && seen < MAX_REQUESTS; low--, seen++)
    {
      const CompletedRequest *one = &g_array_index (served, CompletedRequest, low - 1);

      if (one->device != rows->cause[row] || rows->end[row] - one->complete > MAX_WAKEUP_DELAY)
        break;
      if (one->thread == rows->thread[row])
        return NULL;
      if (found == NULL && one->submitted >= rows->start[row]
          && tb_trace_is_kernel_thread (trace, one->thread))
        found = one;
    }
  return found;
}

/* --- causes --- */

static void
set_sender (TbPathsModel *self, TbTrace *trace, GArray *sent, guint32 row)
{
  const TbIntervals *rows = self->rows;
  guint32 thread = TB_ID_NONE;

  if (rows->cause_kind[row] == TB_CAUSE_NETWORK && rows->cause[row] != TB_STRING_NONE)
    thread = find_sender (sent, rows->cause[row], rows->end[row]);
  /* The kernel thread that handles softirqs only delivered the message. */
  else if (rows->cause_kind[row] == TB_CAUSE_THREAD && rows->object[row] != TB_STRING_NONE
           && tb_trace_is_kernel_thread (trace, rows->cause[row]))
    thread = find_sender (sent, rows->object[row], rows->end[row]);
  if (thread == rows->thread[row])
    thread = TB_ID_NONE;
  self->origin[row] = thread;
  self->origin_time[row] = rows->end[row];
}

static void
set_submitter (TbPathsModel *self, TbTrace *trace, GArray *served, guint32 row)
{
  const CompletedRequest *request = find_request (self, trace, served, row);

  if (request == NULL)
    return;
  self->origin[row] = request->thread;
  self->origin_time[row] = request->submitted;
}

/* A message from a thread of this recording counts as a wake-up by that thread, whichever interrupt
 * delivered it. So does the completion of a request that a kernel thread submitted on behalf of the
 * waiter. */
gboolean
tb_paths_model_find_origins (TbPathsModel *self,
                             TbTrace *trace,
                             GCancellable *cancellable,
                             GError **error)
{
  const TbIntervals *rows = self->rows;
  g_autoptr (GArray) sent = load_messages (self, trace, error);
  g_autoptr (GArray) served = sent != NULL ? load_requests (self, trace, error) : NULL;

  if (served == NULL)
    return FALSE;
  if (sent->len == 0 && served->len == 0)
    return TRUE;
  self->origin = g_new (guint32, MAX (rows->n, 1));
  self->origin_time = g_new (gint64, MAX (rows->n, 1));
  for (gsize i = 0; i < rows->n; i++)
    {
      if (i % TB_PATHS_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      set_sender (self, trace, sent, i);
      if (rows->cause_kind[i] == TB_CAUSE_DEVICE)
        set_submitter (self, trace, served, i);
    }
  return TRUE;
}
