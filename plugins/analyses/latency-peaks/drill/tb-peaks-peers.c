/* tb-peaks-peers.c: thread at the other end of a connection that processed a request, and when,
 * found by the addresses of messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each end of a connection has its own socket, perhaps on another host. Only the addresses identify
 * the two ends.
 */

#include "config.h"

#include "tb-peaks-peers.h"

/* Maximum number of messages of a request and its response that are examined. */
#define MAX_MESSAGES 64

gboolean
tb_peaks_peers_init (TbPeaksPeers *self, TbSession *session, GError **error)
{
  static const guint numbers[G_N_ELEMENTS (self->columns)]
      = { TB_NETWORK_TIME, TB_NETWORK_KIND, TB_NETWORK_THREAD, TB_NETWORK_LOCAL,
          TB_NETWORK_REMOTE };
  TbTable *table = tb_session_get_table (session, TB_TABLE_NETWORK);
  const void *data[G_N_ELEMENTS (self->columns)];

  self->n = MIN (tb_table_get_n_rows (table), G_MAXUINT32 - 1);
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (numbers); i++)
    {
      self->columns[i] = tb_table_get_column (table, numbers[i], error);
      if (self->columns[i] == NULL)
        return FALSE;
      data[i] = g_bytes_get_data (self->columns[i], NULL);
    }
  if (self->n == 0)
    return TRUE;
  self->time = data[0];
  self->kind = data[1];
  self->thread = data[2];
  self->local = data[3];
  self->remote = data[4];
  return TRUE;
}

void
tb_peaks_peers_clear (TbPeaksPeers *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_clear_pointer (&self->sent, g_array_unref);
  g_clear_pointer (&self->at_ends, g_array_unref);
}

/* --- messages in order --- */

static int
compare (const guint32 *first, const TbPeaksPeers *self, guint32 left, guint32 right)
{
  if (first[left] != first[right])
    return first[left] < first[right] ? -1 : 1;
  if (self->remote[left] != self->remote[right])
    return self->remote[left] < self->remote[right] ? -1 : 1;
  if (self->time[left] != self->time[right])
    return self->time[left] < self->time[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

static int
compare_sent (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksPeers *self = data;

  return compare (self->thread, self, *(const guint32 *) a, *(const guint32 *) b);
}

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksPeers *self = data;

  return compare (self->local, self, *(const guint32 *) a, *(const guint32 *) b);
}

static gboolean
is_to_peer (const TbPeaksPeers *self, guint32 row)
{
  return self->kind[row] == TB_NETWORK_SEND || self->kind[row] == TB_NETWORK_CONNECT;
}

static void
sort (TbPeaksPeers *self)
{
  self->sent = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->at_ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 row = 0; row < self->n; row++)
    {
      if (self->local[row] == TB_STRING_NONE || self->remote[row] == TB_STRING_NONE)
        continue;
      if (is_to_peer (self, row) && self->thread[row] != TB_ID_NONE)
        g_array_append_val (self->sent, row);
      if (self->kind[row] == TB_NETWORK_SEND || self->kind[row] == TB_NETWORK_RECEIVE)
        g_array_append_val (self->at_ends, row);
    }
  g_array_sort_with_data (self->sent, compare_sent, self);
  g_array_sort_with_data (self->at_ends, compare_ends, self);
}

/* The index plus one of the last row with (first, remote) up to a time; 0 if none. */
static guint
find_last (const TbPeaksPeers *self,
           const GArray *rows,
           const guint32 *first,
           guint32 of,
           guint32 remote,
           gint64 time)
{
  guint low = 0, high = rows->len;
  guint32 row;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      row = g_array_index (rows, guint32, middle);
      if (first[row] < of
          || (first[row] == of
              && (self->remote[row] < remote
                  || (self->remote[row] == remote && self->time[row] <= time))))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  row = g_array_index (rows, guint32, low - 1);
  return first[row] == of && self->remote[row] == remote ? low : 0;
}

/* --- services --- */

/* Searches backwards from a response over its messages and those of the request; returns the first
 * row of the request, TB_ID_NONE if there is none. */
static guint32
find_request (const TbPeaksPeers *self, guint answer)
{
  guint32 of = g_array_index (self->at_ends, guint32, answer), request = TB_ID_NONE;

  for (guint i = 0; i < MAX_MESSAGES && i <= answer; i++)
    {
      guint32 row = g_array_index (self->at_ends, guint32, answer - i);

      if (self->local[row] != self->local[of] || self->remote[row] != self->remote[of])
        break;
      if (self->kind[row] == TB_NETWORK_RECEIVE)
        request = row;
      else if (request != TB_ID_NONE)
        break;
    }
  return request;
}

/* Skips messages received after the response, backwards. */
static guint
skip_received (const TbPeaksPeers *self, guint end)
{
  guint32 of = g_array_index (self->at_ends, guint32, end - 1);

  for (guint i = 0; i < MAX_MESSAGES && i < end; i++)
    {
      guint32 row = g_array_index (self->at_ends, guint32, end - 1 - i);

      if (self->local[row] != self->local[of] || self->remote[row] != self->remote[of])
        break;
      if (self->kind[row] == TB_NETWORK_SEND)
        return end - i;
    }
  return 0;
}

gboolean
tb_peaks_peers_find (TbPeaksPeers *self,
                     guint32 thread,
                     guint32 peer,
                     gint64 from,
                     gint64 to,
                     TbPeaksService *service)
{
  guint32 answer, request;
  guint at;

  if (self->n == 0 || peer == TB_STRING_NONE)
    return FALSE;
  if (self->sent == NULL)
    sort (self);
  at = find_last (self, self->sent, self->thread, thread, peer, to);
  if (at == 0)
    return FALSE;
  at = find_last (self, self->at_ends, self->local, peer,
                  self->local[g_array_index (self->sent, guint32, at - 1)], to);
  at = at > 0 ? skip_received (self, at) : 0;
  if (at == 0)
    return FALSE;
  answer = g_array_index (self->at_ends, guint32, at - 1);
  request = find_request (self, at - 1);
  if (request == TB_ID_NONE || self->thread[answer] == TB_ID_NONE)
    return FALSE;
  *service = (TbPeaksService) { self->thread[answer], MAX (self->time[request], from),
                                MIN (self->time[answer], to) };
  return service->from < service->to;
}
