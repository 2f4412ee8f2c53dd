/* tb-wait-network.c: questions to peers and their answers, as requests
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
      = { TB_NETWORK_TIME,  TB_NETWORK_KIND,   TB_NETWORK_THREAD, TB_NETWORK_SOCKET,
          TB_NETWORK_LOCAL, TB_NETWORK_REMOTE, TB_NETWORK_BYTES };
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
  gboolean is_client; /* asked first */
  gboolean is_open;   /* a question was not answered yet */
  guint32 peer;       /* index, TB_ID_NONE none */
  guint32 interface;  /* as the last message told that had both addresses, TB_ID_NONE unknown */
  TbWaitRequest request;
} Socket;

typedef struct
{
  const TbWaitModel *model;
  TbWaitLinks *links;       /* NULL none */
  GArray *peers;            /* TbWaitPeer */
  GHashTable *peer_of_name; /* string → index + 1 */
  guint32 unknown_peer;     /* whose name is not known, TB_ID_NONE none */
  GHashTable *sockets;      /* Socket */
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
      socket->is_client = messages->kind[i] == TB_NETWORK_SEND || messages->kind[i] == TB_NETWORK_CONNECT;
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
note_link (Finder *self, Socket *socket, const Messages *messages, gsize i)
{
  if (messages->local[i] != TB_STRING_NONE && messages->remote[i] != TB_STRING_NONE)
    socket->interface = tb_wait_links_find (self->links, messages->local[i], messages->remote[i]);
  if (socket->interface != TB_ID_NONE && messages->time[i] >= self->model->from
      && messages->time[i] < self->model->to)
    tb_wait_links_add_message (self->links, socket->interface, messages->kind[i], messages->bytes[i]);
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
    note_link (self, socket, messages, i);
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
tb_wait_find_peers (const TbWaitModel *model, TbWaitLinks *links, GError **error)
{
  Finder self = { .model = model, .links = links, .unknown_peer = TB_ID_NONE };
  g_autoptr (GArray) peers = g_array_new (FALSE, FALSE, sizeof (TbWaitPeer));
  g_autoptr (GHashTable) peer_of_name = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) sockets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
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
  /* What is not answered is in flight to the end. */
  g_hash_table_iter_init (&iter, sockets);
  while (g_hash_table_iter_next (&iter, NULL, &socket))
    if (((Socket *) socket)->is_open)
      close_request (&self, socket, G_MAXINT64);
  return g_steal_pointer (&peers);
}

/* --- peers on this machine --- */

typedef struct
{
  gint64 time;
  guint32 thread;
} Sending;

/* No medium lies between: what is waited for is who sends. */
static gboolean
is_loopback (const char *name)
{
  return g_str_has_prefix (name, "127.") || g_str_has_prefix (name, "::1:")
         || g_str_has_prefix (name, "[::1]");
}

/* By the name of such a peer that was waited for, Sending in order of time. */
static GHashTable *
list_local_peers (const TbWaitModel *model)
{
  TbSession *session = tb_trace_get_session (model->trace);
  GHashTable *peers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint32 i = model->n_threads; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);

      if (node->kind == TB_WAIT_NODE_NETWORK && node->id != TB_STRING_NONE
          && is_loopback (tb_session_get_string (session, node->id)))
        g_hash_table_insert (peers, GUINT_TO_POINTER (node->id),
                             g_array_new (FALSE, FALSE, sizeof (Sending)));
    }
  return peers;
}

/* The last to send before a time; TB_ID_NONE nobody. */
static guint32
find_sender (const GArray *sendings, gint64 time)
{
  guint low = 0, high = sendings->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (sendings, Sending, middle).time <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (sendings, Sending, low - 1).thread : TB_ID_NONE;
}

gboolean
tb_wait_resolve_local_peers (TbWaitModel *model, GError **error)
{
  g_autoptr (GHashTable) peers = list_local_peers (model);
  g_auto (Messages) messages = { 0 };
  TbWaits *waits = &model->waits;

  if (g_hash_table_size (peers) == 0)
    return TRUE;
  if (!messages_load (&messages, tb_trace_get_session (model->trace), error))
    return FALSE;
  for (gsize i = 0; i < messages.n; i++)
    {
      GArray *sendings = g_hash_table_lookup (peers, GUINT_TO_POINTER (messages.local[i]));
      Sending sending = { messages.time[i], messages.thread[i] };

      if (sendings != NULL && messages.kind[i] == TB_NETWORK_SEND && sending.thread < model->n_threads
          && sending.thread != TB_THREAD_IDLE)
        g_array_append_val (sendings, sending);
    }
  for (gsize i = 0; i < waits->n; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, waits->waker[i]);
      const GArray *sendings = node->kind == TB_WAIT_NODE_NETWORK
                                   ? g_hash_table_lookup (peers, GUINT_TO_POINTER (node->id))
                                   : NULL;
      guint32 sender = sendings != NULL ? find_sender (sendings, waits->end[i]) : TB_ID_NONE;

      if (sender != TB_ID_NONE && sender != waits->waiter[i])
        waits->waker[i] = sender;
    }
  return TRUE;
}
