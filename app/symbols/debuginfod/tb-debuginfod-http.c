/* tb-debuginfod-http.c: requests to debuginfod servers by libsoup, with limits of time: the
 * transport that the programs install
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A request runs in a main context of its thread, so that a timer can end it at any point: while
 * connecting, in the headers, or between two bytes of the body.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "symbols/debuginfod/tb-debuginfod-http.h"

#define USER_AGENT "Tailback/" PACKAGE_VERSION
#define BUFFER_SIZE 65536
/* elfutils' value: a server that sends less in the time of a stall is too slow. */
#define STALL_BYTES (100 * 1024)
#define TICK_MS 100

typedef struct
{
  GMainContext *context;
  SoupSession *session;
  GError *certificates_error; /* NULL: none */
} Connection;

typedef struct
{
  const TbDebuginfodRequest *request;
  GMainLoop *loop;
  SoupMessage *message;
  GInputStream *body;
  GCancellable *own; /* ends this request */
  guint8 *buffer;
  gint64 start;        /* µs */
  gint64 window_start; /* of the time in which enough must come */
  gsize window_bytes;
  guint given_up_after; /* seconds; 0: in progress */
  gboolean is_downgraded;
  GError *error;
} Transfer;

/* Trusts the certificates of a file instead of those of the system, as programs that use OpenSSL
 * do: GnuTLS does not read this variable. */
static void
load_certificates (Connection *connection)
{
  const char *path = g_getenv ("SSL_CERT_FILE");
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL || path[0] == '\0')
    return;
  database = g_tls_file_database_new (path, &error);
  if (database != NULL)
    soup_session_set_tls_database (connection->session, database);
  else
    connection->certificates_error
        = g_error_new (TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_FILE,
                       _ ("cannot read certificates from “%s”: %s"), path, error->message);
}

static gpointer
connection_open (void)
{
  Connection *connection = g_new0 (Connection, 1);

  connection->context = g_main_context_new ();
  g_main_context_push_thread_default (connection->context);
  connection->session = soup_session_new_with_options ("user-agent", USER_AGENT, NULL);
  /* Sizes are those of the file, and a small answer cannot expand to a large one. */
  soup_session_remove_feature_by_type (connection->session, SOUP_TYPE_CONTENT_DECODER);
  load_certificates (connection);
  g_main_context_pop_thread_default (connection->context);
  return connection;
}

static void
connection_close (gpointer data)
{
  Connection *connection = data;

  g_main_context_push_thread_default (connection->context);
  soup_session_abort (connection->session);
  g_object_unref (connection->session);
  while (g_main_context_iteration (connection->context, FALSE))
    ;
  g_main_context_pop_thread_default (connection->context);
  g_main_context_unref (connection->context);
  g_clear_error (&connection->certificates_error);
  g_free (connection);
}

/* Ends the request with an error (transfer full), or without. */
static void
finish (Transfer *transfer, GError *error)
{
  transfer->error = error;
  g_main_loop_quit (transfer->loop);
}

static void read_more (Transfer *transfer);

static void
bytes_read (GObject *source, GAsyncResult *result, gpointer data)
{
  Transfer *transfer = data;
  GError *error = NULL;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (n > 0)
    {
      transfer->window_bytes += (gsize) n;
      if (transfer->request->write (transfer->buffer, (gsize) n, transfer->request->data, &error))
        {
          read_more (transfer);
          return;
        }
    }
  finish (transfer, error);
}

static void
read_more (Transfer *transfer)
{
  g_input_stream_read_async (transfer->body, transfer->buffer, BUFFER_SIZE, G_PRIORITY_DEFAULT,
                             transfer->own, bytes_read, transfer);
}

/* Returns the size of the file: debuginfod's header, unless a proxy announces more. */
static guint64
get_size (SoupMessageHeaders *headers)
{
  const char *text = soup_message_headers_get_one (headers, "X-DEBUGINFOD-SIZE");
  goffset length = soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH
                       ? soup_message_headers_get_content_length (headers)
                       : 0;
  guint64 size = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &size, NULL))
    size = 0;
  return MAX (size, (guint64) MAX (length, 0));
}

static gint64
get_modified (SoupMessageHeaders *headers)
{
  const char *text = soup_message_headers_get_one (headers, "Last-Modified");
  g_autoptr (GDateTime) time = text != NULL ? soup_date_time_new_from_http_string (text) : NULL;

  return time != NULL ? MAX (g_date_time_to_unix (time), 0) : 0;
}

static gboolean
check_status (Transfer *transfer, GError **error)
{
  guint status = soup_message_get_status (transfer->message);

  if (status == SOUP_STATUS_OK)
    return TRUE;
  if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "not found");
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("HTTP status %u"), status);
  return FALSE;
}

static void
set_certificate_error (GTlsCertificateFlags flags, GError **error)
{
  if (flags & G_TLS_CERTIFICATE_UNKNOWN_CA)
    g_set_error_literal (error, TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_UNKNOWN_AUTHORITY,
                         _ ("its certificate is not from an authority that is trusted here"));
  else if (flags & G_TLS_CERTIFICATE_BAD_IDENTITY)
    g_set_error_literal (error, TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_OTHER_HOST,
                         _ ("its certificate is for another host"));
  else if (flags & (G_TLS_CERTIFICATE_EXPIRED | G_TLS_CERTIFICATE_NOT_ACTIVATED))
    g_set_error_literal (error, TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_EXPIRED,
                         _ ("its certificate has expired, or is not valid yet"));
  else
    g_set_error_literal (error, TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_INVALID,
                         _ ("its certificate is not valid"));
}

/* Replaces an error of an encrypted connection by one that has a remedy. */
static void
explain_tls_error (SoupMessage *message, GError **error)
{
  GError *original = *error;

  if (!g_error_matches (original, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE)
      && !g_error_matches (original, G_TLS_ERROR, G_TLS_ERROR_UNAVAILABLE))
    return;
  *error = NULL;
  if (original->code == G_TLS_ERROR_BAD_CERTIFICATE)
    set_certificate_error (soup_message_get_tls_peer_certificate_errors (message), error);
  else
    g_set_error_literal (error, TB_DEBUGINFOD_TLS_ERROR, TB_DEBUGINFOD_TLS_ERROR_UNAVAILABLE,
                         _ ("encrypted connections are not available on this machine"));
  g_error_free (original);
}

static void
headers_received (GObject *source, GAsyncResult *result, gpointer data)
{
  Transfer *transfer = data;
  SoupMessageHeaders *headers = soup_message_get_response_headers (transfer->message);
  GError *error = NULL;

  transfer->body = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (transfer->body == NULL)
    explain_tls_error (transfer->message, &error);
  if (transfer->body != NULL && check_status (transfer, &error)
      && transfer->request->begin (get_size (headers), get_modified (headers),
                                   transfer->request->data, &error))
    read_more (transfer);
  else
    finish (transfer, error);
}

/* A redirection must not send build IDs without encryption that were to be sent with it. */
static void
restarted (Transfer *transfer)
{
  const char *scheme = g_uri_get_scheme (soup_message_get_uri (transfer->message));

  if (g_ascii_strncasecmp (transfer->request->url, "https:", 6) == 0
      && g_ascii_strcasecmp (scheme, "https") != 0)
    {
      transfer->is_downgraded = TRUE;
      g_cancellable_cancel (transfer->own);
    }
}

static gboolean
check_time (gpointer data)
{
  Transfer *transfer = data;
  const TbDebuginfodRequest *request = transfer->request;
  gint64 now = g_get_monotonic_time ();

  if (request->max_seconds > 0
      && now - transfer->start >= (gint64) request->max_seconds * G_USEC_PER_SEC)
    transfer->given_up_after = request->max_seconds;
  if (request->stall_seconds > 0
      && now - transfer->window_start >= (gint64) request->stall_seconds * G_USEC_PER_SEC)
    {
      if (transfer->window_bytes < STALL_BYTES)
        transfer->given_up_after = request->stall_seconds;
      transfer->window_start = now;
      transfer->window_bytes = 0;
    }
  if (transfer->given_up_after == 0)
    return G_SOURCE_CONTINUE;
  g_cancellable_cancel (transfer->own);
  return G_SOURCE_REMOVE;
}

static void
cancel (GCancellable *cancellable, gpointer own)
{
  g_cancellable_cancel (own);
}

/* Sends the request and receives the answer, in the connection's context. */
static void
run_transfer (Connection *connection, Transfer *transfer)
{
  g_autoptr (GSource) timer = g_timeout_source_new (TICK_MS);

  transfer->start = transfer->window_start = g_get_monotonic_time ();
  transfer->loop = g_main_loop_new (connection->context, FALSE);
  transfer->buffer = g_malloc (BUFFER_SIZE);
  g_source_set_callback (timer, check_time, transfer, NULL);
  g_source_attach (timer, connection->context);
  g_signal_connect_swapped (transfer->message, "restarted", G_CALLBACK (restarted), transfer);
  soup_session_send_async (connection->session, transfer->message, G_PRIORITY_DEFAULT,
                           transfer->own, headers_received, transfer);
  g_main_loop_run (transfer->loop);
  g_source_destroy (timer);
  g_signal_handlers_disconnect_by_data (transfer->message, transfer);
  /* The rest of a body that is not read must not be waited for. */
  if (transfer->error != NULL)
    g_cancellable_cancel (transfer->own);
  if (transfer->body != NULL)
    g_input_stream_close (transfer->body, transfer->own, NULL);
  g_clear_object (&transfer->body);
  g_main_loop_unref (transfer->loop);
  g_free (transfer->buffer);
}

static gboolean
set_error (const Transfer *transfer, GCancellable *cancellable, GError **error)
{
  if (transfer->error == NULL)
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    ;
  else if (transfer->is_downgraded)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                         _ ("it redirects to an address without encryption"));
  else if (transfer->given_up_after > 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                 ngettext ("too slow for the limit of %u second",
                           "too slow for the limit of %u seconds", transfer->given_up_after),
                 transfer->given_up_after);
  else
    g_propagate_error (error, g_error_copy (transfer->error));
  g_error_free (transfer->error);
  return FALSE;
}

static gboolean
connection_get (gpointer data,
                const TbDebuginfodRequest *request,
                GCancellable *cancellable,
                GError **error)
{
  Connection *connection = data;
  g_autoptr (SoupMessage) message = soup_message_new (SOUP_METHOD_GET, request->url);
  g_autoptr (GCancellable) own = g_cancellable_new ();
  Transfer transfer = { .request = request, .message = message, .own = own };
  gulong handler = 0;

  if (message == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           _ ("this is not a valid address"));
      return FALSE;
    }
  if (connection->certificates_error != NULL
      && g_ascii_strncasecmp (request->url, "https:", 6) == 0)
    {
      g_propagate_error (error, g_error_copy (connection->certificates_error));
      return FALSE;
    }
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (cancel), own, NULL);
  g_main_context_push_thread_default (connection->context);
  run_transfer (connection, &transfer);
  g_main_context_pop_thread_default (connection->context);
  g_cancellable_disconnect (cancellable, handler);
  return set_error (&transfer, cancellable, error);
}

const TbDebuginfodTransport *
tb_debuginfod_http_get (void)
{
  static const TbDebuginfodTransport http = { connection_open, connection_get, connection_close };

  return &http;
}

void
tb_debuginfod_http_install (void)
{
  tb_debuginfod_set_transport (tb_debuginfod_http_get ());
}
