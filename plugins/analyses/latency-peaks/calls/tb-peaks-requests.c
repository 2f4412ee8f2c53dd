/* tb-peaks-requests.c: device requests: seek distance, queue depth and service time of each, and
 * the request that a call waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-requests.h"

typedef struct
{
  gint64 time;
  guint32 row;
  gint32 change;
} RequestEvent;

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const RequestEvent *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->change - right->change;
}

/* A request enters the device when it is issued, and leaves it when it is completed. */
static GArray *
list_events (const TbPeaksTable *table)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (RequestEvent));

  for (guint32 row = 0; row < table->n; row++)
    if (table->issue[row] != TB_TIME_NONE)
      {
        RequestEvent issued = { table->issue[row], row, 1 };
        RequestEvent completed = { table->exit[row], row, -1 };

        g_array_append_val (events, issued);
        if (table->exit[row] != TB_TIME_NONE)
          g_array_append_val (events, completed);
      }
  g_array_sort (events, compare_events);
  return events;
}

static void
compute_distance_and_depth (TbPeaksRequests *self,
                            TbSession *session,
                            const guint64 *sector,
                            const guint64 *bytes,
                            const guint32 *device)
{
  g_autoptr (GArray) events = list_events (self->table);
  g_autofree guint64 *end = NULL;
  g_autofree gint64 *in_device = NULL;
  guint n_devices;

  tb_session_get_devices (session, &n_devices);
  end = g_new0 (guint64, n_devices + 1);
  in_device = g_new0 (gint64, n_devices + 1);
  for (guint i = 0; i < events->len; i++)
    {
      const RequestEvent *event = &g_array_index (events, RequestEvent, i);
      guint32 of = MIN (device[event->row], n_devices);

      in_device[of] += event->change;
      if (event->change < 0)
        continue;
      self->depth[event->row] = in_device[of];
      self->distance[event->row] = (gint64) (sector[event->row] - end[of]);
      end[of] = sector[event->row] + bytes[event->row] / 512;
    }
}

gboolean
tb_peaks_requests_init (TbPeaksRequests *self, const TbPeaksCalls *calls, GError **error)
{
  TbSession *session = tb_trace_get_session (calls->trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_BLOCK);
  g_autoptr (GBytes) sectors = tb_table_get_column (table, TB_BLOCK_SECTOR, error);
  g_autoptr (GBytes) bytes
      = sectors != NULL ? tb_table_get_column (table, TB_BLOCK_BYTES, error) : NULL;
  g_autoptr (GBytes) devices
      = bytes != NULL ? tb_table_get_column (table, TB_BLOCK_DEVICE, error) : NULL;

  if (devices == NULL)
    return FALSE;
  self->table = &calls->tables[TB_PEAKS_BLOCK];
  self->distance = g_new0 (gint64, self->table->n + 1);
  self->depth = g_new0 (gint64, self->table->n + 1);
  compute_distance_and_depth (self, session, g_bytes_get_data (sectors, NULL),
                              g_bytes_get_data (bytes, NULL), g_bytes_get_data (devices, NULL));
  tb_peaks_index_init (&self->index, self->table->thread, NULL, self->table->n, NULL,
                       calls->n_threads);
  return TRUE;
}

void
tb_peaks_requests_clear (TbPeaksRequests *self)
{
  tb_peaks_index_clear (&self->index);
  g_clear_pointer (&self->distance, g_free);
  g_clear_pointer (&self->depth, g_free);
}

gint64
tb_peaks_requests_get_service (const TbPeaksRequests *self, guint32 row)
{
  gint64 issue = self->table->issue[row], exit = self->table->exit[row];

  return issue != TB_TIME_NONE && exit != TB_TIME_NONE ? MAX (exit - issue, 0) : 0;
}

guint32
tb_peaks_requests_find (const TbPeaksRequests *self,
                        guint32 thread,
                        gint64 enter,
                        gint64 exit,
                        guint *n)
{
  const TbPeaksTable *table = self->table;
  gsize low = self->index.first[thread], high = self->index.first[thread + 1], end = high;
  gint64 longest = -1;
  guint32 found = TB_ID_NONE;

  *n = 0;
  /* Requests that were not completed come last. */
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      gint64 completed = table->exit[self->index.rows[middle]];

      if (completed != TB_TIME_NONE && completed <= enter)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < end; low++)
    {
      guint32 row = self->index.rows[low];
      gint64 ns;

      if (table->exit[row] == TB_TIME_NONE || table->exit[row] > exit)
        break;
      (*n)++;
      ns = table->exit[row] - MAX (MAX (table->issue[row], table->enter[row]), enter);
      if (ns <= longest)
        continue;
      longest = ns;
      found = row;
    }
  return found;
}
