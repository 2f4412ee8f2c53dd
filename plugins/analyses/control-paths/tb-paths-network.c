/* tb-paths-network.c: network operations of the threads of a recording: messages sent to peers,
 * with the answers that woke threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A request may be sent in several messages and answered in several (a figure of the RSP paper
 * shows this). The operation lasts from the last message sent to the last message received. A
 * further message sent after an answer begins another operation.
 */

#include "config.h"

#include "tb-paths-network.h"

/* Longest time (ns) from the arrival of a message to the wake-up of the thread that waits for
 * it. */
#define MAX_WAKEUP_DELAY 200000

typedef struct
{
  guint64 socket;
  gint64 time;
  guint32 thread;
  guint32 peer;
  gboolean is_sent;
} Message;

static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const Message *one = a, *two = b;

  if (one->socket != two->socket)
    return one->socket < two->socket ? -1 : 1;
  return one->time < two->time ? -1 : one->time > two->time;
}

static int
compare_operations (gconstpointer a, gconstpointer b)
{
  const TbPathsOperation *one = a, *two = b;

  if (one->peer != two->peer)
    return one->peer < two->peer ? -1 : 1;
  if (one->from != two->from)
    return one->from < two->from ? -1 : 1;
  return one->to < two->to ? -1 : one->to > two->to;
}

static int
compare_answers (gconstpointer a, gconstpointer b)
{
  const TbPathsAnswer *one = a, *two = b;

  if (one->operation != two->operation)
    return one->operation < two->operation ? -1 : 1;
  return one->time < two->time ? -1 : one->time > two->time;
}

/* The messages over networks by socket and time. NULL where the table cannot be read. */
static GArray *
load_messages (TbTrace *trace, TbPathsModel *model, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_NETWORK);
  gsize n = tb_table_get_n_rows (table);
  const gint64 *time = tb_paths_model_get_column (model, table, TB_NETWORK_TIME, error);
  const guint8 *kind
      = time ? tb_paths_model_get_column (model, table, TB_NETWORK_KIND, error) : NULL;
  const guint32 *thread
      = kind ? tb_paths_model_get_column (model, table, TB_NETWORK_THREAD, error) : NULL;
  const guint64 *socket
      = thread ? tb_paths_model_get_column (model, table, TB_NETWORK_SOCKET, error) : NULL;
  const guint32 *protocol
      = socket ? tb_paths_model_get_column (model, table, TB_NETWORK_PROTOCOL, error) : NULL;
  const guint32 *remote
      = protocol ? tb_paths_model_get_column (model, table, TB_NETWORK_REMOTE, error) : NULL;
  GArray *messages;

  if (remote == NULL)
    return NULL;
  messages = g_array_new (FALSE, FALSE, sizeof (Message));
  for (gsize i = 0; i < n; i++)
    if ((kind[i] == TB_NETWORK_SEND || kind[i] == TB_NETWORK_CONNECT
         || kind[i] == TB_NETWORK_RECEIVE)
        && g_strcmp0 (tb_session_get_string (session, protocol[i]), "unix") != 0)
      {
        Message message
            = { socket[i], time[i], thread[i], remote[i], kind[i] != TB_NETWORK_RECEIVE };

        g_array_append_val (messages, message);
      }
  g_array_sort (messages, compare_messages);
  return messages;
}

static void
find_operations (TbPathsNetwork *self, const GArray *messages)
{
  TbPathsOperation open = { .from = -1 };
  guint64 socket = 0;

  for (guint i = 0; i <= messages->len; i++)
    {
      const Message *message = i < messages->len ? &g_array_index (messages, Message, i) : NULL;
      gboolean is_continued = message != NULL && i > 0 && message->socket == socket;

      if (open.from >= 0 && open.to >= 0 && (!is_continued || message->is_sent))
        g_array_append_val (self->operations, open);
      if (message == NULL)
        break;
      if (message->is_sent)
        open = (TbPathsOperation) {
          .thread = message->thread, .peer = message->peer, .from = message->time, .to = -1
        };
      else if (!is_continued)
        open.from = -1;
      else if (open.from >= 0)
        open.to = message->time;
      socket = message->socket;
    }
  g_array_sort (self->operations, compare_operations);
}

/* The operation with the peer that was in progress at the time of a wake-up. Of several, the one
 * begun last. */
static guint
find_operation (const TbPathsNetwork *self, guint32 peer, gint64 time)
{
  guint low = 0, high = self->operations->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TbPathsOperation *one = &g_array_index (self->operations, TbPathsOperation, middle);

      if (one->peer < peer || (one->peer == peer && one->from <= time))
        low = middle + 1;
      else
        high = middle;
    }
  for (guint seen = 0; low > 0 && seen < 16; low--, seen++)
    {
      const TbPathsOperation *one = &g_array_index (self->operations, TbPathsOperation, low - 1);

      if (one->peer != peer)
        break;
      if (time <= one->to + MAX_WAKEUP_DELAY)
        return low - 1;
    }
  return G_MAXUINT;
}

static void
find_answers (TbPathsNetwork *self, const TbPathsModel *model)
{
  const TbIntervals *rows = model->rows;

  for (gsize row = 0; row < rows->n; row++)
    {
      TbPathsAnswer answer = { .thread = rows->thread[row], .time = rows->end[row] };

      if (rows->cause_kind[row] != TB_CAUSE_NETWORK || rows->cause[row] == TB_STRING_NONE
          || tb_paths_has_origin (model, row))
        continue;
      answer.operation = find_operation (self, rows->cause[row], answer.time);
      if (answer.operation != G_MAXUINT)
        g_array_append_val (self->answers, answer);
    }
  g_array_sort (self->answers, compare_answers);
}

/* Removes the operations that woke no thread. */
static void
remove_unanswered (TbPathsNetwork *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->answers->len;)
    {
      guint32 of = g_array_index (self->answers, TbPathsAnswer, i).operation;
      TbPathsOperation operation = g_array_index (self->operations, TbPathsOperation, of);

      operation.first_answer = i;
      for (; i < self->answers->len
             && g_array_index (self->answers, TbPathsAnswer, i).operation == of;
           i++)
        {
          g_array_index (self->answers, TbPathsAnswer, i).operation = kept;
          operation.n_answers++;
        }
      g_array_index (self->operations, TbPathsOperation, kept++) = operation;
    }
  g_array_set_size (self->operations, kept);
}

TbPathsNetwork *
tb_paths_network_new (TbTrace *trace, TbPathsModel *model, GError **error)
{
  g_autoptr (TbPathsNetwork) self = g_new0 (TbPathsNetwork, 1);
  g_autoptr (GArray) messages = load_messages (trace, model, error);

  self->operations = g_array_new (FALSE, FALSE, sizeof (TbPathsOperation));
  self->answers = g_array_new (FALSE, FALSE, sizeof (TbPathsAnswer));
  if (messages == NULL)
    return NULL;
  find_operations (self, messages);
  find_answers (self, model);
  remove_unanswered (self);
  return g_steal_pointer (&self);
}

void
tb_paths_network_free (TbPathsNetwork *self)
{
  g_array_unref (self->operations);
  g_array_unref (self->answers);
  g_free (self);
}
