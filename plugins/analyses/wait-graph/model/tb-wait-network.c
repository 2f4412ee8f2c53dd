/* tb-wait-network.c: requests to network peers and their answers, as input of the use of devices;
 * waits for local peers turned into waits for the sending threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-network.h"

typedef struct
{
  gsize n;
  GBytes *columns[TB_NETWORK_N_COLUMNS];
  const gint64 *time;
  const guint16 *cpu;
  const guint8 *kind;
  const guint32 *thread;
  const guint64 *socket;
  const guint32 *local;
  const guint32 *remote;
  const guint64 *bytes;
} Messages;

static void
messages_clear (Messages *self)
{
  for (guint i = 0; i < TB_NETWORK_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Messages, messages_clear)

static gboolean
messages_load (Messages *self, TbSession *session, GError **error)
{
  static const TbNetworkColumn wanted[]
      = { TB_NETWORK_TIME,   TB_NETWORK_CPU,   TB_NETWORK_KIND,   TB_NETWORK_THREAD,
          TB_NETWORK_SOCKET, TB_NETWORK_LOCAL, TB_NETWORK_REMOTE, TB_NETWORK_BYTES };
  TbTable *table = tb_session_get_table (session, TB_TABLE_NETWORK);

  self->n = tb_table_get_n_rows (table);
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (wanted); i++)
    {
      self->columns[wanted[i]] = tb_table_get_column (table, wanted[i], error);
      if (self->columns[wanted[i]] == NULL)
        return FALSE;
    }
  if (self->n == 0)
    return TRUE;
  self->time = g_bytes_get_data (self->columns[TB_NETWORK_TIME], NULL);
  self->cpu = g_bytes_get_data (self->columns[TB_NETWORK_CPU], NULL);
  self->kind = g_bytes_get_data (self->columns[TB_NETWORK_KIND], NULL);
  self->thread = g_bytes_get_data (self->columns[TB_NETWORK_THREAD], NULL);
  self->socket = g_bytes_get_data (self->columns[TB_NETWORK_SOCKET], NULL);
  self->local = g_bytes_get_data (self->columns[TB_NETWORK_LOCAL], NULL);
  self->remote = g_bytes_get_data (self->columns[TB_NETWORK_REMOTE], NULL);
  self->bytes = g_bytes_get_data (self->columns[TB_NETWORK_BYTES], NULL);
  return TRUE;
}

typedef struct
{
  gboolean is_client; /* it sent first */
  gboolean is_open;   /* a request has no answer yet */
  guint32 peer;       /* index; TB_ID_NONE: none */
  guint32 interface;  /* from the last message with both addresses; TB_ID_NONE: unknown */
  TbWaitRequest request;
} Socket;

typedef struct
{
  const TbWaitModel *model;
  TbWaitNetworkLinks *links; /* NULL: not needed */
  GArray *peers;             /* TbWaitPeer */
  GHashTable *peer_of_name;  /* string → index + 1 */
  guint32 unknown_peer;      /* index of the peer without a name; TB_ID_NONE: none */
  GHashTable *sockets;       /* Socket */
} Finder;

static void
peer_clear (gpointer data)
{
  g_array_unref (((TbWaitPeer *) data)->requests);
}

static void
add_peers (Finder *self)
{
  for (guint32 i = self->model->n_threads; i < self->model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (self->model, i);
      TbWaitPeer peer = { .node = i, .interface = TB_ID_NONE };

      if (node->kind != TB_WAIT_NODE_NETWORK)
        continue;
      if (node->id == TB_STRING_NONE)
        self->unknown_peer = self->peers->len;
      else
        g_hash_table_insert (self->peer_of_name, GUINT_TO_POINTER (node->id),
                             GUINT_TO_POINTER (self->peers->len + 1));
      peer.requests = g_array_new (FALSE, FALSE, sizeof (TbWaitRequest));
      g_array_append_val (self->peers, peer);
    }
}

static Socket *
get_socket (Finder *self, const Messages *messages, gsize i)
{
  gint64 key = (gint64) messages->socket[i];
  Socket *socket = g_hash_table_lookup (self->sockets, &key);

  if (socket == NULL)
    {
      socket = g_new0 (Socket, 1);
      socket->peer = socket->interface = TB_ID_NONE;
      socket->is_client
          = messages->kind[i] == TB_NETWORK_SEND || messages->kind[i] == TB_NETWORK_CONNECT;
      g_hash_table_insert (self->sockets, g_memdup2 (&key, sizeof key), socket);
    }
  if (socket->peer == TB_ID_NONE)
    {
      guint32 found = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->peer_of_name, GUINT_TO_POINTER (messages->remote[i])));

      socket->peer = found > 0 ? found - 1 : self->unknown_peer;
    }
  return socket;
}

static void
add_link_traffic (Finder *self, Socket *socket, const Messages *messages, gsize i)
{
  if (messages->local[i] != TB_STRING_NONE && messages->remote[i] != TB_STRING_NONE)
    socket->interface = tb_wait_network_links_find (self->links, messages->local[i],
                                                    messages->remote[i]);
  if (socket->interface != TB_ID_NONE && messages->time[i] >= self->model->from
      && messages->time[i] < self->model->to)
    tb_wait_network_links_add_message (self->links, socket->interface, messages->kind[i],
                                       messages->bytes[i]);
}

static void
close_request (Finder *self, Socket *socket, gint64 time)
{
  TbWaitRequest *request = &socket->request;
  TbWaitPeer *peer;

  socket->is_open = FALSE;
  if (socket->peer == TB_ID_NONE || request->from >= self->model->to || time <= self->model->from)
    return;
  request->complete = time;
  request->from = MAX (request->from, self->model->from);
  request->to = MIN (time, self->model->to);
  if (request->to < request->from)
    return;
  peer = &g_array_index (self->peers, TbWaitPeer, socket->peer);
  if (peer->requests->len == 0)
    peer->interface = socket->interface;
  else if (peer->interface != socket->interface)
    peer->interface = TB_ID_NONE;
  g_array_append_val (peer->requests, *request);
}

static void
add_message (Finder *self, const Messages *messages, gsize i)
{
  Socket *socket = get_socket (self, messages, i);
  guint32 thread = messages->thread[i];

  if (self->links != NULL)
    add_link_traffic (self, socket, messages, i);
  if (!socket->is_client)
    return;
  if (messages->kind[i] == TB_NETWORK_RECEIVE && socket->is_open)
    {
      socket->request.bytes += messages->bytes[i];
      close_request (self, socket, messages->time[i]);
    }
  else if (messages->kind[i] == TB_NETWORK_SEND && socket->is_open)
    socket->request.bytes += messages->bytes[i];
  else if (messages->kind[i] == TB_NETWORK_SEND)
    {
      socket->is_open = TRUE;
      socket->request = (TbWaitRequest) {
        .from = messages->time[i],
        .bytes = messages->bytes[i],
        .thread = thread < self->model->n_threads && thread != TB_THREAD_IDLE ? thread : TB_ID_NONE,
      };
    }
}

GArray *
tb_wait_find_peers (const TbWaitModel *model, TbWaitNetworkLinks *links, GError **error)
{
  Finder self = { .model = model, .links = links, .unknown_peer = TB_ID_NONE };
  g_autoptr (GArray) peers = g_array_new (FALSE, FALSE, sizeof (TbWaitPeer));
  g_autoptr (GHashTable) peer_of_name = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) sockets
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_auto (Messages) messages = { 0 };
  GHashTableIter iter;
  gpointer socket;

  g_array_set_clear_func (peers, peer_clear);
  self.peers = peers;
  self.peer_of_name = peer_of_name;
  self.sockets = sockets;
  add_peers (&self);
  if (peers->len == 0)
    return g_steal_pointer (&peers);
  if (!messages_load (&messages, tb_trace_get_session (model->trace), error))
    return NULL;
  for (gsize i = 0; i < messages.n; i++)
    add_message (&self, &messages, i);
  /* Unanswered requests are in flight until the end. */
  g_hash_table_iter_init (&iter, sockets);
  while (g_hash_table_iter_next (&iter, NULL, &socket))
    if (((Socket *) socket)->is_open)
      close_request (&self, socket, G_MAXINT64);
  return g_steal_pointer (&peers);
}

/* --- peers on this machine --- */

/* ns: a send is recorded when its call returns, at most so long after the wake-up that it
 * causes. */
#define SEND_DELAY_MAX 200000

/* A message at a time, with the thread that sent it or the address at which it arrived. */
typedef struct
{
  gint64 time;
  guint32 what;
} TimedEntry;

/* Messages by a key of two numbers, in order of time. */
typedef struct
{
  TbWaitModel *model;
  GHashTable *names;    /* names of loopback peers that were waited for */
  GPtrArray *senders;   /* by host: local, remote → thread; remote TB_STRING_NONE: any */
  GHashTable *arrivals; /* remote, CPU → local */
  GHashTable *own;      /* remote, thread → local */
} Locals;

static void
locals_clear (Locals *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->senders, g_ptr_array_unref);
  g_clear_pointer (&self->arrivals, g_hash_table_unref);
  g_clear_pointer (&self->own, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Locals, locals_clear)

/* There is no medium between loopback peers, so the wait is for the sender. */
static gboolean
is_loopback (const char *name)
{
  return g_str_has_prefix (name, "127.") || g_str_has_prefix (name, "::1:")
         || g_str_has_prefix (name, "[::1]");
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                (GDestroyNotify) g_array_unref);
}

static void
locals_init (Locals *self, TbWaitModel *model)
{
  TbSession *session = tb_trace_get_session (model->trace);
  guint n_hosts;

  tb_session_get_hosts (session, &n_hosts);
  *self
      = (Locals) { .model = model,
                   .names = g_hash_table_new (NULL, NULL),
                   .senders = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref),
                   .arrivals = new_table (),
                   .own = new_table () };
  for (guint i = 0; i < MAX (n_hosts, 1); i++)
    g_ptr_array_add (self->senders, new_table ());
  for (guint32 i = model->n_threads; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);

      if (node->kind == TB_WAIT_NODE_NETWORK && node->id != TB_STRING_NONE
          && is_loopback (tb_session_get_string (session, node->id)))
        g_hash_table_add (self->names, GUINT_TO_POINTER (node->id));
    }
}

/* Each host has its own loopback interface, with the same addresses. */
static GHashTable *
get_senders (const Locals *self, guint32 thread)
{
  TbSession *session = tb_trace_get_session (self->model->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint32 process = thread < n_threads ? threads[thread].process : TB_ID_NONE;
  guint32 host = process < n_processes ? processes[process].host : 0;

  return g_ptr_array_index (self->senders, host < self->senders->len ? host : 0);
}

static gint64
make_key (guint32 name, guint32 other)
{
  return (gint64) ((guint64) name << 32 | other);
}

static void
add_entry (GHashTable *table, guint32 name, guint32 other, gint64 time, guint32 what)
{
  gint64 key = make_key (name, other);
  GArray *list = g_hash_table_lookup (table, &key);
  TimedEntry entry = { time, what };

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (TimedEntry));
      g_hash_table_insert (table, g_memdup2 (&key, sizeof key), list);
    }
  g_array_append_val (list, entry);
}

/* The last entry up to a time, else the first one within a period after it; otherwise: returned if
 * there is none. */
static guint32
find_entry (GHashTable *table,
            guint32 name,
            guint32 other,
            gint64 time,
            gint64 within,
            guint32 otherwise)
{
  gint64 key = make_key (name, other);
  const GArray *list = g_hash_table_lookup (table, &key);
  guint low = 0, high = list != NULL ? list->len : 0;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (list, TimedEntry, middle).time <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low > 0)
    return g_array_index (list, TimedEntry, low - 1).what;
  if (list != NULL && g_array_index (list, TimedEntry, 0).time - time <= within)
    return g_array_index (list, TimedEntry, 0).what;
  return otherwise;
}

static void
add_local_message (Locals *self, const Messages *messages, gsize i)
{
  guint32 local = messages->local[i], remote = messages->remote[i], thread = messages->thread[i];
  gboolean is_known = thread < self->model->n_threads && thread != TB_THREAD_IDLE;

  if (messages->kind[i] == TB_NETWORK_SEND && is_known
      && g_hash_table_contains (self->names, GUINT_TO_POINTER (local)))
    {
      GHashTable *senders = get_senders (self, thread);

      add_entry (senders, local, TB_STRING_NONE, messages->time[i], thread);
      if (remote != TB_STRING_NONE)
        add_entry (senders, local, remote, messages->time[i], thread);
    }
  if (local == TB_STRING_NONE || !g_hash_table_contains (self->names, GUINT_TO_POINTER (remote)))
    return;
  if (messages->kind[i] == TB_NETWORK_RECEIVE)
    add_entry (self->arrivals, remote, messages->cpu[i], messages->time[i], local);
  if (is_known)
    add_entry (self->own, remote, thread, messages->time[i], local);
}

/* The waiter's end of the connection, on which a message ended the wait: where that message
 * arrived, else where the thread communicates with that peer; TB_STRING_NONE: not known. */
static guint32
find_own_end (const Locals *self, guint32 name, guint32 waiter, guint16 cpu, gint64 time)
{
  guint32 end = find_entry (self->arrivals, name, cpu, time, -1, TB_STRING_NONE);

  return end != TB_STRING_NONE
             ? end
             : find_entry (self->own, name, waiter, time, G_MAXINT64, TB_STRING_NONE);
}

/* The thread that sent the message that ended a wait; TB_ID_NONE: not known. */
static guint32
find_sender (const Locals *self, guint32 name, guint32 waiter, guint16 cpu, gint64 time)
{
  guint32 end = find_own_end (self, name, waiter, cpu, time);

  return find_entry (get_senders (self, waiter), name, end, time,
                     end != TB_STRING_NONE ? SEND_DELAY_MAX : -1, TB_ID_NONE);
}

typedef struct
{
  GBytes *columns[2];
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
} Wakings;

static void
wakings_clear (Wakings *self)
{
  g_clear_pointer (&self->columns[0], g_bytes_unref);
  g_clear_pointer (&self->columns[1], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wakings, wakings_clear)

static gboolean
wakings_load (Wakings *self, TbSession *session, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_WAKEUP);

  if (tb_table_get_n_rows (table) == 0)
    return TRUE;
  self->columns[0] = tb_table_get_column (table, TB_WAKEUP_TIME, error);
  if (self->columns[0] == NULL)
    return FALSE;
  self->columns[1] = tb_table_get_column (table, TB_WAKEUP_CPU, error);
  if (self->columns[1] == NULL)
    return FALSE;
  self->n = tb_table_get_n_rows (table);
  self->time = g_bytes_get_data (self->columns[0], NULL);
  self->cpu = g_bytes_get_data (self->columns[1], NULL);
  return TRUE;
}

static void
resolve (Locals *self, const Wakings *wakings)
{
  TbWaits *waits = &self->model->waits;
  const guint32 *wakeup_of = tb_trace_get_intervals (self->model->trace)->wakeup;

  for (gsize i = 0; i < waits->n; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (self->model, waits->waker[i]);
      guint32 wakeup, sender;

      if (node->kind != TB_WAIT_NODE_NETWORK
          || !g_hash_table_contains (self->names, GUINT_TO_POINTER (node->id)))
        continue;
      wakeup = wakeup_of[tb_wait_model_get_awaited_row (self->model, waits->row[i])];
      if (wakeup >= wakings->n)
        continue;
      /* The wait may be clipped to the range, the message is not. */
      sender = find_sender (self, node->id, waits->waiter[i], wakings->cpu[wakeup],
                            wakings->time[wakeup]);
      if (sender != TB_ID_NONE && sender != waits->waiter[i])
        waits->waker[i] = sender;
    }
}

gboolean
tb_wait_resolve_local_peers (TbWaitModel *model, GError **error)
{
  TbSession *session = tb_trace_get_session (model->trace);
  g_auto (Locals) locals = { 0 };
  g_auto (Messages) messages = { 0 };
  g_auto (Wakings) wakings = { 0 };

  locals_init (&locals, model);
  if (g_hash_table_size (locals.names) == 0)
    return TRUE;
  if (!messages_load (&messages, session, error) || !wakings_load (&wakings, session, error))
    return FALSE;
  for (gsize i = 0; i < messages.n; i++)
    add_local_message (&locals, &messages, i);
  resolve (&locals, &wakings);
  return TRUE;
}
