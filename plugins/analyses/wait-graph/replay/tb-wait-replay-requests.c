/* tb-wait-replay-requests.c: device requests of a recording, added to the program of a replay:
 * step that issues each, its service time, the wait that it ended; how many a device serves at
 * once; which writes were discarded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-requests.h"

/* Of so many last requests, the last that the thread issued itself is taken, else the last one. */
#define REQUESTS_EXAMINED 64

/* The smallest allocation unit of most filesystems, in sectors of 512 bytes. */
#define SECTORS_PER_BLOCK 8

/* No real request covers more blocks. The blocks of a request that claims more are not examined. */
#define BLOCKS_MAX 65536

static int
compare_completions (gconstpointer a, gconstpointer b)
{
  const TbReplayIssuedRequest *left = a, *right = b;

  if (left->complete != right->complete)
    return left->complete < right->complete ? -1 : 1;
  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

guint32
tb_replay_builder_get_device (TbReplayBuilder *self, guint32 device)
{
  TbReplayRecording *of = self->self;

  if (device >= of->n_devices)
    return TB_REPLAY_NONE;
  if (of->device_of[device] == TB_REPLAY_NONE)
    {
      of->device_of[device] = of->program->devices->len;
      g_array_append_vals (of->program->devices, &(guint32) { 1 }, 1);
    }
  return of->device_of[device];
}

static guint8
get_operation (const TbReplayBuilder *self, guint32 string)
{
  TbSession *session = tb_trace_get_session (self->trace);
  const char *text
      = string < tb_session_get_n_strings (session) ? tb_session_get_string (session, string) : "";

  while (*text == 'F')
    text++;
  return (guint8) *text;
}

gboolean
tb_replay_builder_load_requests (TbReplayBuilder *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_BLOCK);
  static const guint columns[]
      = { TB_BLOCK_INSERT, TB_BLOCK_ISSUE,  TB_BLOCK_COMPLETE, TB_BLOCK_DEVICE,
          TB_BLOCK_THREAD, TB_BLOCK_SECTOR, TB_BLOCK_BYTES,    TB_BLOCK_OPERATION };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      gint64 insert = ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i];
      gint64 issue = ((const gint64 *) g_bytes_get_data (bytes[1], NULL))[i];
      TbReplayIssuedRequest request
          = { .begin = insert >= 0 ? insert : issue,
              .complete = ((const gint64 *) g_bytes_get_data (bytes[2], NULL))[i],
              .thread = ((const guint32 *) g_bytes_get_data (bytes[4], NULL))[i],
              .sector = ((const guint64 *) g_bytes_get_data (bytes[5], NULL))[i],
              .bytes = ((const guint64 *) g_bytes_get_data (bytes[6], NULL))[i],
              .operation
              = get_operation (self, ((const guint32 *) g_bytes_get_data (bytes[7], NULL))[i]),
              .row = G_MAXSIZE,
              .wait = TB_REPLAY_NONE };

      if (request.begin < self->from || request.complete >= self->to
          || request.complete < request.begin)
        continue;
      request.device
          = tb_replay_builder_get_device (self,
                                          ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i]);
      if (request.device == TB_REPLAY_NONE)
        continue;
      request.row = tb_replay_builder_find_run (self, request.thread, request.begin);
      g_array_append_val (self->requests, request);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  g_array_sort (self->requests, compare_completions);
  return is_good;
}

TbReplayIssuedRequest *
tb_replay_builder_find_request (const TbReplayBuilder *self,
                                guint32 device,
                                guint32 thread,
                                gint64 start,
                                gint64 end)
{
  guint low = 0, high = self->requests->len;
  TbReplayIssuedRequest *found = NULL;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->requests, TbReplayIssuedRequest, middle).complete <= end)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = 0; i < REQUESTS_EXAMINED && low > 0; i++)
    {
      TbReplayIssuedRequest *request
          = &g_array_index (self->requests, TbReplayIssuedRequest, --low);

      if (request->complete < start)
        break;
      if (request->device != device || request->wait != TB_REPLAY_NONE || request->row == G_MAXSIZE)
        continue;
      if (request->thread == thread)
        return request;
      if (found == NULL)
        found = request;
    }
  return found;
}

static void
add_flights (const GArray *requests, guint32 device, GArray *steps)
{
  for (guint i = 0; i < requests->len; i++)
    {
      const TbReplayIssuedRequest *request = &g_array_index (requests, TbReplayIssuedRequest, i);

      if (request->device != device)
        continue;
      g_array_append_vals (steps, &(TbReplayCountChange) { request->begin, 1 }, 1);
      g_array_append_vals (steps, &(TbReplayCountChange) { request->complete, -1 }, 1);
    }
}

/* A device has as many places as it had requests in flight at most. */
static void
measure_places (TbReplayBuilder *self, guint32 device)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TbReplayCountChange));
  int n = 0, most = 1;

  add_flights (self->requests, device, steps);
  add_flights (self->spans, device, steps);
  g_array_sort (steps, tb_replay_compare_count_changes);
  for (guint i = 0; i < steps->len; i++)
    {
      n += g_array_index (steps, TbReplayCountChange, i).change;
      most = MAX (most, n);
    }
  g_array_index (self->self->program->devices, guint32, device) = (guint32) most;
}

/* A block of a device that was written or discarded. */
typedef struct
{
  guint64 block;
  gint64 time;
  guint32 device;
  guint32 request; /* of the program; TB_REPLAY_NONE: not replayed */
  gboolean is_discard;
} Touched;

static int
compare_touched (gconstpointer a, gconstpointer b)
{
  const Touched *left = a, *right = b;

  if (left->device != right->device)
    return left->device < right->device ? -1 : 1;
  if (left->block != right->block)
    return left->block < right->block ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->request < right->request ? -1 : left->request > right->request;
}

static int
compare_discarded_writes (gconstpointer a, gconstpointer b)
{
  const TbReplayDiscardedWrite *left = a, *right = b;

  if (left->discard != right->discard)
    return left->discard < right->discard ? -1 : 1;
  return left->write < right->write ? -1 : left->write > right->write;
}

static void
add_discarded_write (TbReplayBuilder *self, guint32 discard, guint32 write)
{
  if (discard != TB_REPLAY_NONE)
    g_array_append_vals (self->self->discarded_writes, &(TbReplayDiscardedWrite) { discard, write },
                         1);
}

static void
touch (TbReplayBuilder *self, GArray *touched, const TbReplayIssuedRequest *issued, guint32 request)
{
  gboolean is_discard = issued->operation == 'D';
  guint64 first = issued->sector / SECTORS_PER_BLOCK;
  guint64 n = (issued->bytes / 512 + SECTORS_PER_BLOCK - 1) / SECTORS_PER_BLOCK;

  if ((issued->operation != 'W' && !is_discard) || issued->sector == G_MAXUINT64)
    return;
  if (is_discard && n > BLOCKS_MAX)
    add_discarded_write (self, request, TB_REPLAY_NONE);
  for (guint64 i = 0; i < n && n <= BLOCKS_MAX; i++)
    g_array_append_vals (
        touched, &(Touched) { first + i, issued->begin, issued->device, request, is_discard }, 1);
}

/* Finds the writes that were discarded later. The writer is not known where the write preceded the
 * recording. */
static void
find_discarded_writes (TbReplayBuilder *self, GArray *touched)
{
  g_array_sort (touched, compare_touched);
  for (guint i = 0; i < touched->len; i++)
    {
      const Touched *of = &g_array_index (touched, Touched, i);
      const Touched *last = i > 0 ? of - 1 : NULL;

      if (!of->is_discard)
        continue;
      if (last == NULL || last->device != of->device || last->block != of->block
          || last->is_discard)
        add_discarded_write (self, of->request, TB_REPLAY_NONE);
      else
        add_discarded_write (self, of->request, last->request);
    }
  g_array_sort (self->self->discarded_writes, compare_discarded_writes);
}

void
tb_replay_builder_add_requests (TbReplayBuilder *self)
{
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (Touched));

  for (guint i = 0; i < self->requests->len; i++)
    {
      TbReplayIssuedRequest *request = &g_array_index (self->requests, TbReplayIssuedRequest, i);
      guint32 number;

      if (request->row == G_MAXSIZE)
        {
          self->self->n_lost_requests++;
          touch (self, touched, request, TB_REPLAY_NONE);
          continue;
        }
      number = tb_replay_program_add_request (self->self->program, request->device,
                                              request->complete - request->begin, request->wait);
      touch (self, touched, request, number);
      tb_replay_builder_add_point (self, request->row, request->begin, TB_REPLAY_REQUEST, number);
    }
  find_discarded_writes (self, touched);
  for (guint32 i = 0; i < self->self->program->devices->len; i++)
    measure_places (self, i);
}
