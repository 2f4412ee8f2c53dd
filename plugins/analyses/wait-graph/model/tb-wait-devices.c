/* tb-wait-devices.c: use, capacity and idle time of devices and network peers, and the edges by
 * which idle devices wait for the threads that issue requests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paper's pseudo-threads (3.3, 4.1): an idle device waits for the threads that issue requests
 * to it.
 */

#include "config.h"

#include "tb-wait-devices.h"

#include "tb-wait-program-nodes.h"

#include "tb-wait-network.h"

/* Length of the window in which the highest rate of a device is measured. */
#define PEAK_WINDOW (100 * G_GINT64_CONSTANT (1000000))

/* Sent data waits in memory before it takes the link, so a saturated link seems to carry more than
 * its speed. A link that carries more than this many times its stated speed is virtual, and the
 * statement means nothing. */
#define MOST_BEYOND_LINK 2

typedef struct
{
  TbWaitIdleMeasure measure;
  double capacity;                 /* given, else 0 */
  const TbWaitNetworkLinks *links; /* NULL: link speeds are not known or not needed */
} Idleness;

static void
device_clear (gpointer data)
{
  g_array_unref (((TbWaitDevice *) data)->issuers);
}

void
tb_wait_devices_free (TbWaitDevices *self)
{
  g_array_unref (self->devices);
  g_free (self);
}

static int
compare_requests (gconstpointer a, gconstpointer b)
{
  const TbWaitRequest *left = a, *right = b;

  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  return left->to < right->to ? -1 : left->to > right->to;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

static void
add_gap (TbWaitDevice *device, gint64 length)
{
  if (length <= 0)
    return;
  device->idle += length;
  device->n_idle++;
  device->longest = MAX (device->longest, length);
}

static void
measure_busy (TbWaitDevice *device, const GArray *requests, gint64 from, gint64 to)
{
  gint64 until = from, in_service = 0;

  for (guint i = 0; i < requests->len; i++)
    {
      const TbWaitRequest *request = &g_array_index (requests, TbWaitRequest, i);

      add_gap (device, request->from - until);
      until = MAX (until, request->to);
      in_service += request->to - request->from;
    }
  add_gap (device, to - until);
  device->busy = to - from - device->idle;
  device->depth = device->busy > 0 ? (double) in_service / (double) device->busy : 0;
}

/* Measures the most requests in flight at once. */
static void
measure_depth (TbWaitDevice *device, const GArray *requests)
{
  g_autofree gint64 *ends = g_new (gint64, requests->len + 1);
  guint done = 0;

  for (guint i = 0; i < requests->len; i++)
    ends[i] = g_array_index (requests, TbWaitRequest, i).to;
  qsort (ends, requests->len, sizeof *ends, compare_times);
  for (guint i = 0; i < requests->len; i++)
    {
      while (ends[done] <= g_array_index (requests, TbWaitRequest, i).from && done < i)
        done++;
      device->deepest = MAX (device->deepest, i + 1 - done);
    }
}

static void
add_issuer (TbWaitDevice *device,
            GHashTable *known,
            const TbPrograms *programs,
            const TbWaitRequest *request)
{
  guint32 program = request->thread != TB_ID_NONE
                        ? tb_programs_find (programs, request->thread, request->from)
                        : TB_ID_NONE;
  gint64 key = (gint64) ((guint64) program << 32 | request->thread);
  gpointer found;
  TbWaitIssuer *issuer;

  if (!g_hash_table_lookup_extended (known, &key, NULL, &found))
    {
      TbWaitIssuer new_issuer = { .thread = request->thread, .time = request->from };

      found = GUINT_TO_POINTER (device->issuers->len);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), found);
      g_array_append_val (device->issuers, new_issuer);
    }
  issuer = &g_array_index (device->issuers, TbWaitIssuer, GPOINTER_TO_UINT (found));
  issuer->bytes += request->bytes;
  issuer->requests++;
  device->bytes += request->bytes;
  device->requests++;
}

/* The highest rate completed in one window, per second. */
static double
measure_peak (const GArray *requests, gboolean in_bytes, gint64 from, gint64 to)
{
  gint64 width = MIN (PEAK_WINDOW, to - from);
  g_autoptr (GHashTable) windows = g_hash_table_new (g_direct_hash, g_direct_equal);
  guint64 peak = 0;

  for (guint i = 0; i < requests->len; i++)
    {
      const TbWaitRequest *request = &g_array_index (requests, TbWaitRequest, i);
      gpointer window;
      guint64 sum;

      if (request->complete < from || request->complete >= to)
        continue;
      window = GSIZE_TO_POINTER ((gsize) ((request->complete - from) / width));
      sum = GPOINTER_TO_SIZE (g_hash_table_lookup (windows, window))
            + (in_bytes ? request->bytes : 1);
      g_hash_table_insert (windows, window, GSIZE_TO_POINTER (sum));
      peak = MAX (peak, sum);
    }
  return (double) peak * 1e9 / (double) MAX (width, 1);
}

static double
measure_used (const GArray *requests, gboolean in_bytes, gint64 from, gint64 to)
{
  double used = 0;

  for (guint i = 0; i < requests->len; i++)
    {
      const TbWaitRequest *request = &g_array_index (requests, TbWaitRequest, i);

      if (request->complete >= from && request->complete < to)
        used += in_bytes ? (double) request->bytes : 1;
    }
  return used;
}

/* A link serves all traffic through it, not only the traffic to this peer. Returns the bytes that
 * it carried; 0 where its capacity is not known. */
static double
measure_link (TbWaitDevice *device,
              const TbWaitNetworkLinks *links,
              guint32 interface,
              double seconds)
{
  double used;

  device->interface = tb_wait_network_links_get_name (links, interface);
  device->link_speed = tb_wait_network_links_get_speed (links, interface);
  used = tb_wait_network_links_get_bytes (links, interface);
  device->link_exceeded
      = device->link_speed > 0 && used > MOST_BEYOND_LINK * device->link_speed * seconds;
  if (device->link_speed <= 0 || device->link_exceeded)
    return 0;
  device->capacity = device->link_speed;
  device->source = TB_WAIT_CAPACITY_LINK;
  return used;
}

static void
measure_unused (TbWaitDevice *device,
                const GArray *requests,
                const Idleness *idleness,
                guint32 interface,
                gint64 from,
                gint64 to)
{
  double length = (double) (to - from), seconds = length / 1e9, used = 0;

  device->in_bytes = idleness->measure == TB_WAIT_IDLE_BYTES;
  if (idleness->links != NULL && interface != TB_ID_NONE)
    used = measure_link (device, idleness->links, interface, seconds);
  if (device->source == TB_WAIT_CAPACITY_NONE)
    {
      device->capacity = idleness->capacity > 0
                             ? idleness->capacity
                             : measure_peak (requests, device->in_bytes, from, to);
      device->source = idleness->capacity > 0 ? TB_WAIT_CAPACITY_GIVEN : TB_WAIT_CAPACITY_PEAK;
      used = measure_used (requests, device->in_bytes, from, to);
    }
  if (device->capacity <= 0 || length <= 0)
    {
      device->source = TB_WAIT_CAPACITY_NONE;
      return;
    }
  device->used = used / seconds;
  device->idle = device->longest = (gint64) (length - MIN (used * 1e9 / device->capacity, length));
  device->n_idle = device->idle > 0;
}

/* interface: interface through which it is reached; TB_ID_NONE: not known. */
static void
add_device (TbWaitDevices *self,
            TbWaitModel *model,
            guint32 node,
            guint32 interface,
            GArray *requests,
            const Idleness *idleness)
{
  TbWaitDevice device = { .node = node };
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  device.issuers = g_array_new (FALSE, FALSE, sizeof (TbWaitIssuer));
  g_array_sort (requests, compare_requests);
  for (guint i = 0; i < requests->len; i++)
    add_issuer (&device, known, model->programs, &g_array_index (requests, TbWaitRequest, i));
  measure_busy (&device, requests, model->from, model->to);
  measure_depth (&device, requests);
  if (idleness->measure != TB_WAIT_IDLE_IN_FLIGHT)
    measure_unused (&device, requests, idleness, interface, model->from, model->to);
  tb_wait_model_get_node (model, node)->running = device.busy;
  tb_wait_model_get_node (model, node)->waiting = device.idle;
  g_array_append_val (self->devices, device);
}

static guint32
find_device_node (TbWaitModel *model, guint32 device)
{
  for (guint32 i = model->n_threads; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);

      if (node->kind == TB_WAIT_NODE_DEVICE && node->id == device)
        return i;
    }
  return tb_wait_model_add_node (model, TB_WAIT_NODE_DEVICE, device);
}

/* The columns of the block table, which are kept loaded. */
typedef struct
{
  gsize n;
  GBytes *columns[TB_BLOCK_N_COLUMNS];
} Blocks;

static void
blocks_clear (Blocks *self)
{
  for (guint i = 0; i < TB_BLOCK_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static gboolean
blocks_load (Blocks *self, TbSession *session, GError **error)
{
  static const TbBlockColumn wanted[] = { TB_BLOCK_INSERT, TB_BLOCK_ISSUE,  TB_BLOCK_COMPLETE,
                                          TB_BLOCK_DEVICE, TB_BLOCK_THREAD, TB_BLOCK_BYTES };
  TbTable *table = tb_session_get_table (session, TB_TABLE_BLOCK);

  self->n = tb_table_get_n_rows (table);
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (wanted); i++)
    {
      self->columns[wanted[i]] = tb_table_get_column (table, wanted[i], error);
      if (self->columns[wanted[i]] == NULL)
        return FALSE;
    }
  return TRUE;
}

#define BLOCK(blocks, column, type)                                                                \
  ((const type *) g_bytes_get_data ((blocks)->columns[column], NULL))

/* The requests of each device that were in flight in the range. */
static GPtrArray *
sort_by_device (const TbWaitModel *model, const Blocks *blocks, guint n_devices)
{
  const gint64 *insert = BLOCK (blocks, TB_BLOCK_INSERT, gint64);
  const gint64 *issue = BLOCK (blocks, TB_BLOCK_ISSUE, gint64);
  const gint64 *complete = BLOCK (blocks, TB_BLOCK_COMPLETE, gint64);
  const guint32 *device = BLOCK (blocks, TB_BLOCK_DEVICE, guint32);
  const guint32 *thread = BLOCK (blocks, TB_BLOCK_THREAD, guint32);
  const guint64 *bytes = BLOCK (blocks, TB_BLOCK_BYTES, guint64);
  GPtrArray *all = g_ptr_array_new_full (n_devices, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < n_devices; i++)
    g_ptr_array_add (all, g_array_new (FALSE, FALSE, sizeof (TbWaitRequest)));
  for (gsize i = 0; i < blocks->n; i++)
    {
      TbWaitRequest request = { .complete = complete[i], .bytes = bytes[i], .thread = thread[i] };

      request.from = issue[i] != TB_TIME_NONE    ? issue[i]
                     : insert[i] != TB_TIME_NONE ? insert[i]
                                                 : model->from;
      request.to = complete[i] != TB_TIME_NONE ? complete[i] : model->to;
      if (device[i] >= n_devices || request.from >= model->to || request.to <= model->from)
        continue;
      request.from = MAX (request.from, model->from);
      request.to = CLAMP (request.to, request.from, model->to);
      if (request.thread == TB_THREAD_IDLE || request.thread >= model->n_threads)
        request.thread = TB_ID_NONE;
      g_array_append_val (g_ptr_array_index (all, device[i]), request);
    }
  return all;
}

static gboolean
add_peers (TbWaitDevices *self,
           TbWaitModel *model,
           const Idleness *idleness,
           TbWaitNetworkLinks *links,
           GError **error)
{
  g_autoptr (GArray) peers = tb_wait_find_peers (model, links, error);

  if (peers == NULL)
    return FALSE;
  for (guint i = 0; i < peers->len; i++)
    {
      const TbWaitPeer *peer = &g_array_index (peers, TbWaitPeer, i);

      if (peer->requests->len > 0)
        add_device (self, model, peer->node, peer->interface, peer->requests, idleness);
    }
  return TRUE;
}

TbWaitDevices *
tb_wait_devices_new (TbWaitModel *model, TbWaitIdleMeasure measure, double capacity, GError **error)
{
  g_autoptr (TbWaitDevices) self = g_new0 (TbWaitDevices, 1);
  g_autoptr (GPtrArray) requests = NULL;
  TbSession *session = tb_trace_get_session (model->trace);
  g_autoptr (TbWaitNetworkLinks) links
      = measure == TB_WAIT_IDLE_BYTES && capacity <= 0 ? tb_wait_network_links_new (session) : NULL;
  const Idleness idleness = { measure, capacity, links };
  g_auto (Blocks) blocks = { 0 };
  guint n_devices;

  self->devices = g_array_new (FALSE, FALSE, sizeof (TbWaitDevice));
  g_array_set_clear_func (self->devices, device_clear);
  tb_session_get_devices (session, &n_devices);
  if (!blocks_load (&blocks, session, error) || !add_peers (self, model, &idleness, links, error))
    return NULL;
  if (blocks.n == 0)
    return g_steal_pointer (&self);
  requests = sort_by_device (model, &blocks, n_devices);
  for (guint i = 0; i < n_devices; i++)
    if (((GArray *) g_ptr_array_index (requests, i))->len > 0)
      add_device (self, model, find_device_node (model, i), TB_ID_NONE,
                  g_ptr_array_index (requests, i), &idleness);
  return g_steal_pointer (&self);
}

/* The share of an issuer in the idle time. The remainder of the division goes to the first
 * issuer. */
static gint64
get_share (const TbWaitDevice *device, const TbWaitIssuer *issuer)
{
  double part = device->bytes > 0 ? (double) issuer->bytes / (double) device->bytes
                                  : (double) issuer->requests / (double) device->requests;

  return (gint64) ((double) device->idle * part);
}

static void
add_device_arcs (const TbWaitDevice *device, TbWaitGraph *graph)
{
  guint32 from = graph->vertex_of_node[device->node];
  g_autofree gint64 *shares = g_new0 (gint64, graph->vertices->len + 1);
  gint64 left = device->idle;
  guint32 first = TB_ID_NONE;

  if (from == TB_ID_NONE)
    return;
  for (guint i = 0; i < device->issuers->len; i++)
    {
      const TbWaitIssuer *issuer = &g_array_index (device->issuers, TbWaitIssuer, i);
      gint64 share = MIN (get_share (device, issuer), left);
      guint32 node;

      left -= share;
      if (issuer->thread == TB_ID_NONE)
        continue;
      node = tb_wait_model_find_merged_node (graph->model, issuer->thread, issuer->time);
      if (node == TB_ID_NONE || graph->vertex_of_node[node] == TB_ID_NONE)
        continue;
      shares[graph->vertex_of_node[node]] += share;
      if (first == TB_ID_NONE)
        first = graph->vertex_of_node[node];
    }
  if (first != TB_ID_NONE)
    shares[first] += left;
  for (guint32 i = 0; i < graph->vertices->len; i++)
    if (shares[i] > 0)
      {
        /* The same share of each period. */
        double part = (double) shares[i] / (double) device->idle;

        tb_wait_graph_add_idle_arc (graph, from, i, shares[i], device->n_idle,
                                    MIN ((gint64) ((double) device->longest * part), shares[i]),
                                    shares[i]);
      }
}

void
tb_wait_devices_add_arcs (TbWaitDevices *self, TbWaitGraph *graph)
{
  for (guint i = 0; i < self->devices->len; i++)
    add_device_arcs (&g_array_index (self->devices, TbWaitDevice, i), graph);
}
