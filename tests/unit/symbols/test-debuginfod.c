/* test-debuginfod.c: test of the debuginfod client with servers that misbehave
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The server runs in a thread of the test. The file that it has is the test's own program.
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/recorder/tb-recorder.h"
#include "symbols/debuginfod/tb-debuginfod-cache-private.h"
#include "symbols/debuginfod/tb-debuginfod.h"
#include "symbols/debuginfod/tb-debuginfod-http.h"
#include "symbols/tb-elf-finder-private.h"

#define OTHER_ID "00112233445566778899aabbccddeeff00112233"
#define THIRD_ID "ffeeddccbbaa99887766554433221100ffeeddcc"
#define MAPPED G_GUINT64_CONSTANT (0x700000000000)

typedef enum
{
  GOOD,
  ABSENT,
  UNAVAILABLE,
  CUT_SHORT,       /* Content-Length promises twice as much */
  CUT_BUT_COUNTED, /* half of the file, announced as that */
  HUGE,            /* announces 60 MB */
  ENDLESS,         /* sends zeros until the client closes, without announcing a size */
  SLOW_HEADERS,    /* a byte now and then */
  SLOW_BODY,
  WRONG_SIZE_HEADER,
  REDIRECT,
  REDIRECT_LOOP,
  NOT_HTTP,
} Behavior;

typedef struct
{
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  SoupServer *server;
  char *url;
  Behavior behavior;
  GMutex lock;
  GPtrArray *requests; /* paths */
  gint n_open;         /* connections that a thread of the server writes to */
} Server;

typedef struct
{
  Server server;
  char *folder;
  char *build_id;
  char *contents;
  gsize length;
} Fixture;

static guint
count_requests (Server *server)
{
  guint n;

  g_mutex_lock (&server->lock);
  n = server->requests->len;
  g_mutex_unlock (&server->lock);
  return n;
}

static const char *
get_request (Server *server, guint i)
{
  return g_ptr_array_index (server->requests, i);
}

typedef struct
{
  Server *server;
  GIOStream *stream;
  Behavior behavior;
} Raw;

static gboolean
send_text (Raw *raw, const char *text)
{
  return g_output_stream_write_all (g_io_stream_get_output_stream (raw->stream), text,
                                    strlen (text), NULL, NULL, NULL);
}

/* Writes until the client goes away, as no server of HTTP does. */
static gpointer
write_raw (gpointer data)
{
  static const guint8 zeros[65536];
  Raw *raw = data;
  GOutputStream *output = g_io_stream_get_output_stream (raw->stream);
  gboolean open = TRUE;

  if (raw->behavior == NOT_HTTP)
    open = !send_text (raw, "220 mail.example.org ESMTP\r\n\r\n");
  else if (raw->behavior == SLOW_HEADERS)
    open = send_text (raw, "HTTP/1.1 200 OK\r\nX-Slow: ");
  else if (raw->behavior == HUGE)
    open = send_text (raw, "HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\n");
  else
    open = send_text (raw, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
  for (guint i = 0; open && i < 4000; i++)
    {
      gboolean fast = raw->behavior == ENDLESS;

      open = g_output_stream_write_all (output, fast ? zeros : (const guint8 *) "x",
                                        fast ? sizeof zeros : 1, NULL, NULL, NULL);
      if (!fast)
        g_usleep (5000);
    }
  g_io_stream_close (raw->stream, NULL, NULL);
  g_object_unref (raw->stream);
  g_atomic_int_add (&raw->server->n_open, -1);
  g_free (raw);
  return NULL;
}

static void
take_connection (Server *server, SoupServerMessage *message)
{
  Raw *raw = g_new0 (Raw, 1);

  raw->server = server;
  raw->behavior = server->behavior;
  g_socket_set_blocking (soup_server_message_get_socket (message), TRUE);
  raw->stream = soup_server_message_steal_connection (message);
  g_atomic_int_inc (&server->n_open);
  g_thread_unref (g_thread_new ("raw", write_raw, raw));
}

static void
send_file (Fixture *fixture, SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  gsize length = fixture->length;

  if (fixture->server.behavior == CUT_BUT_COUNTED)
    length /= 2;
  if (fixture->server.behavior == WRONG_SIZE_HEADER)
    soup_message_headers_append (headers, "X-DEBUGINFOD-SIZE", "12345678");
  soup_message_headers_append (headers, "Last-Modified", "Sat, 01 Feb 2020 10:00:00 GMT");
  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/octet-stream", SOUP_MEMORY_COPY,
                                    fixture->contents, length);
}

static void
send_half (Fixture *fixture, SoupServerMessage *message)
{
  GSocket *socket = soup_server_message_get_socket (message);
  g_autoptr (GIOStream) stream = soup_server_message_steal_connection (message);
  g_autofree char *head
      = g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", 2 * fixture->length);
  GOutputStream *output = g_io_stream_get_output_stream (stream);

  g_socket_set_blocking (socket, TRUE);
  g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
  g_output_stream_write_all (output, fixture->contents, fixture->length, NULL, NULL, NULL);
  g_io_stream_close (stream, NULL, NULL);
}

static void
serve (SoupServer *soup,
       SoupServerMessage *message,
       const char *path,
       GHashTable *query,
       gpointer data)
{
  Fixture *fixture = data;
  Server *server = &fixture->server;
  gboolean is_moved = g_str_has_prefix (path, "/moved");

  g_mutex_lock (&server->lock);
  g_ptr_array_add (server->requests, g_strdup (path));
  g_mutex_unlock (&server->lock);
  switch (server->behavior)
    {
    case ABSENT:
      soup_server_message_set_status (message, 404, NULL);
      break;
    case UNAVAILABLE:
      soup_server_message_set_status (message, 503, NULL);
      break;
    case REDIRECT:
    case REDIRECT_LOOP:
      if (!is_moved || server->behavior == REDIRECT_LOOP)
        soup_server_message_set_redirect (message, 302, "/moved");
      else
        send_file (fixture, message);
      break;
    case CUT_SHORT:
      send_half (fixture, message);
      break;
    case HUGE:
    case ENDLESS:
    case SLOW_HEADERS:
    case SLOW_BODY:
    case NOT_HTTP:
      take_connection (server, message);
      break;
    default:
      send_file (fixture, message);
    }
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static gpointer
run_server (gpointer data)
{
  Fixture *fixture = data;
  Server *server = &fixture->server;
  g_autoptr (GError) error = NULL;
  GSList *addresses;

  g_main_context_push_thread_default (server->context);
  server->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (server->server, NULL, serve, fixture, NULL);
  g_assert_true (
      soup_server_listen_local (server->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error));
  g_assert_no_error (error);
  addresses = soup_server_get_uris (server->server);
  g_mutex_lock (&server->lock);
  server->url = g_uri_to_string (addresses->data);
  g_mutex_unlock (&server->lock);
  g_slist_free_full (addresses, (GDestroyNotify) g_uri_unref);
  g_main_loop_run (server->loop);
  soup_server_disconnect (server->server);
  g_clear_object (&server->server);
  g_main_context_pop_thread_default (server->context);
  return NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  Server *server = &fixture->server;
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC);
  gboolean ready = FALSE;

  fixture->build_id = tb_elf_read_build_id (fd);
  close (fd);
  g_assert_true (g_file_get_contents (path, &fixture->contents, &fixture->length, NULL));
  fixture->folder = g_dir_make_tmp ("tailback-debuginfod-XXXXXX", NULL);
  g_setenv ("DEBUGINFOD_CACHE_PATH", fixture->folder, TRUE);
  g_unsetenv ("DEBUGINFOD_TIMEOUT");
  g_mutex_init (&server->lock);
  server->requests = g_ptr_array_new_with_free_func (g_free);
  server->context = g_main_context_new ();
  server->loop = g_main_loop_new (server->context, FALSE);
  server->thread = g_thread_new ("server", run_server, fixture);
  while (!ready)
    {
      g_mutex_lock (&server->lock);
      ready = server->url != NULL;
      g_mutex_unlock (&server->lock);
      g_usleep (1000);
    }
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  Server *server = &fixture->server;
  GSource *source = g_idle_source_new ();

  for (guint i = 0; g_atomic_int_get (&server->n_open) > 0; i++)
    {
      g_assert_cmpuint (i, <, 10000); /* the client must have closed its connections */
      g_usleep (1000);
    }
  g_source_set_callback (source, quit, server->loop, NULL);
  g_source_attach (source, server->context);
  g_source_unref (source);
  g_thread_join (server->thread);
  g_main_loop_unref (server->loop);
  g_main_context_unref (server->context);
  g_ptr_array_unref (server->requests);
  g_mutex_clear (&server->lock);
  g_free (server->url);
  remove_folder (fixture->folder);
  g_assert_false (g_file_test (fixture->folder, G_FILE_TEST_EXISTS));
  g_free (fixture->folder);
  g_free (fixture->build_id);
  g_free (fixture->contents);
}

static TbDebuginfod *
make_client (Fixture *fixture)
{
  g_auto (GStrv) servers = tb_debuginfod_list_servers (fixture->server.url);
  TbDebuginfod *client = tb_debuginfod_new ((const char *const *) servers);

  g_assert_true (tb_debuginfod_has_servers (client));
  return client;
}

/* Requests the debug file with that build ID, and returns what became of it. */
static TbDebuginfodState
receive (Fixture *fixture, const char *build_id, char **problem)
{
  g_autoptr (TbDebuginfod) client = make_client (fixture);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) problems = NULL;

  g_assert_true (
      tb_debuginfod_add_file (client, build_id, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/thing"));
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  problems = tb_debuginfod_list_problems (client);
  if (problem != NULL)
    *problem = g_strdup (problems[0]);
  g_assert_cmpuint (g_strv_length (problems), <=, 1);
  return tb_debuginfod_get_file (client, 0)->state;
}

/* Nothing that is incomplete or wrong may stay in the cache, which other programs use too. */
static void
assert_cache_is_empty (Fixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);

  g_assert_null (g_dir_read_name (folder));
}

static void
test_received (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, fixture->build_id, "debuginfo", NULL);
  g_autofree char *request = g_strdup_printf ("/buildid/%s/debuginfo", fixture->build_id);
  g_autofree char *found = NULL;
  g_autofree char *contents = NULL;
  struct stat status;
  gsize length;
  int fd;

  g_assert_cmpint (receive (fixture, fixture->build_id, NULL), ==, TB_DEBUGINFOD_RECEIVED);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, fixture->contents, fixture->length);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmphex (status.st_mode & 07777, ==, 0400);
  g_assert_cmpint (status.st_mtime, ==, 1580551200);
  g_assert_cmpint (status.st_atime, >, 1580551200); /* elfutils removes what is not used */
  g_assert_cmpuint (count_requests (&fixture->server), ==, 1);
  g_assert_cmpstr (get_request (&fixture->server, 0), ==, request);

  /* The finder opens it, and it is not requested again. */
  fd = tb_elf_finder_open_debug (fixture->build_id, "/gone/thing", NULL, 0, &found);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpint (receive (fixture, fixture->build_id, NULL), ==, TB_DEBUGINFOD_RECEIVED);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 1);
}

static void
test_damaged_cache (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, fixture->build_id, NULL);
  g_autofree char *path = g_build_filename (folder, "debuginfo", NULL);
  g_autofree char *contents = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "not ELF", -1, NULL));
  g_assert_cmpint (receive (fixture, fixture->build_id, NULL), ==, TB_DEBUGINFOD_RECEIVED);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpmem (contents, 4, "\177ELF", 4);
}

static void
age (const char *path, gint64 seconds)
{
  struct timespec times[2]
      = { { .tv_sec = time (NULL) - seconds }, { .tv_sec = time (NULL) - seconds } };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_absent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, OTHER_ID, "debuginfo", NULL);
  g_autofree char *control = g_build_filename (fixture->folder, "cache_miss_s", NULL);
  g_autofree char *problem = NULL;
  struct stat status;

  fixture->server.behavior = ABSENT;
  g_assert_cmpint (receive (fixture, OTHER_ID, &problem), ==, TB_DEBUGINFOD_ABSENT);
  g_assert_nonnull (strstr (problem, "/usr/bin/thing"));
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, ==, 0);
  g_assert_null (tb_debuginfod_cache_find (OTHER_ID, TB_DEBUGINFOD_DEBUGINFO));

  /* It is not asked for again for ten minutes, as earlier versions of elfutils mark it too. */
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  age (path, 590);
  g_assert_cmpint (receive (fixture, OTHER_ID, NULL), ==, TB_DEBUGINFOD_ABSENT);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 1);
  age (path, 610);
  g_assert_cmpint (receive (fixture, OTHER_ID, NULL), ==, TB_DEBUGINFOD_ABSENT);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 2);

  /* elfutils' control file changes the time. */
  g_assert_true (g_file_set_contents (control, "5000\n", -1, NULL));
  age (path, 4000);
  g_assert_cmpint (receive (fixture, OTHER_ID, NULL), ==, TB_DEBUGINFOD_ABSENT);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 2);
}

/* Each is refused, explained and leaves nothing. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    Behavior behavior;
    const char *id; /* NULL: that of the file */
    const char *problem;
  } cases[] = {
    { GOOD, OTHER_ID, "is not the one with build ID " OTHER_ID },
    { UNAVAILABLE, NULL, "HTTP status 503" },
    { CUT_SHORT, NULL, "" },
    { CUT_BUT_COUNTED, NULL, "is not the one with build ID" },
    { WRONG_SIZE_HEADER, NULL, "does not have the announced size" },
    { REDIRECT_LOOP, NULL, "" },
    { NOT_HTTP, NULL, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *problem = NULL;

      fixture->server.behavior = cases[i].behavior;
      g_assert_cmpint (receive (fixture, cases[i].id != NULL ? cases[i].id : fixture->build_id,
                                &problem),
                       ==, TB_DEBUGINFOD_FAILED);
      g_test_message ("%s", problem);
      g_assert_true (g_str_has_prefix (problem, "debuginfod server http://127.0.0.1:"));
      g_assert_nonnull (strstr (problem, cases[i].problem));
      g_assert_null (strchr (problem, '\n'));
      assert_cache_is_empty (fixture);
    }
}

static void
test_redirect (Fixture *fixture, gconstpointer data)
{
  fixture->server.behavior = REDIRECT;
  g_assert_cmpint (receive (fixture, fixture->build_id, NULL), ==, TB_DEBUGINFOD_RECEIVED);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 2);
}

static void
test_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbDebuginfod) client = make_client (fixture);
  g_autoptr (GError) error = NULL;
  const TbDebuginfodFile *file;

  tb_debuginfod_add_file (client, fixture->build_id, TB_DEBUGINFOD_EXECUTABLE, "/usr/bin/thing");
  file = tb_debuginfod_get_file (client, 0);

  /* The size is known before anything is received. */
  fixture->server.behavior = HUGE;
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_cmpint (file->state, ==, TB_DEBUGINFOD_LARGE);
  g_assert_cmpuint (file->size, ==, 60000000);
  assert_cache_is_empty (fixture);

  /* Without an announcement it ends at the limit. */
  fixture->server.behavior = ENDLESS;
  tb_debuginfod_set_limit (client, 1000000);
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_cmpint (file->state, ==, TB_DEBUGINFOD_LARGE);
  g_assert_cmpuint (file->size, ==, 0);
  assert_cache_is_empty (fixture);

  fixture->server.behavior = GOOD;
  tb_debuginfod_set_limit (client, fixture->length - 1);
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_cmpint (file->state, ==, TB_DEBUGINFOD_LARGE);
  g_assert_cmpuint (file->size, ==, fixture->length);
  tb_debuginfod_set_limit (client, fixture->length);
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (file->state, ==, TB_DEBUGINFOD_RECEIVED);
}

static void
test_slow (Fixture *fixture, gconstpointer data)
{
  static const Behavior behaviors[] = { SLOW_HEADERS, SLOW_BODY };

  g_setenv ("DEBUGINFOD_TIMEOUT", "1", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (behaviors); i++)
    {
      g_autoptr (TbDebuginfod) client = make_client (fixture);
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) problems = NULL;
      guint before = count_requests (&fixture->server);
      gint64 start = g_get_monotonic_time ();

      fixture->server.behavior = behaviors[i];
      tb_debuginfod_add_file (client, fixture->build_id, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/one");
      g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
      g_assert_cmpint (tb_debuginfod_get_file (client, 0)->state, ==, TB_DEBUGINFOD_FAILED);
      g_assert_cmpint (g_get_monotonic_time () - start, >=, G_USEC_PER_SEC);
      problems = tb_debuginfod_list_problems (client);
      g_test_message ("%s", problems[0]);
      g_assert_nonnull (strstr (problems[0], "too slow for the limit of 1 second"));

      /* Such a server is not waited for again. */
      tb_debuginfod_add_file (client, OTHER_ID, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/two");
      g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
      g_assert_cmpuint (count_requests (&fixture->server), ==, before + 1);
      assert_cache_is_empty (fixture);
    }
}

static gpointer
cancel_later (gpointer cancellable)
{
  g_usleep (200000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbDebuginfod) client = make_client (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  GThread *thread = g_thread_new ("cancel", cancel_later, cancellable);

  fixture->server.behavior = SLOW_BODY;
  tb_debuginfod_add_file (client, fixture->build_id, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/one");
  tb_debuginfod_add_file (client, OTHER_ID, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/two");
  g_assert_false (tb_debuginfod_run (client, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (tb_debuginfod_get_file (client, 0)->state, ==, TB_DEBUGINFOD_WANTED);
  assert_cache_is_empty (fixture);
  g_thread_join (thread);
}

/* A server that fails does not keep the next one from being asked. */
static void
test_several_servers (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text
      = g_strdup_printf ("http://127.0.0.1:1/ ima:enforcing %s", fixture->server.url);
  g_auto (GStrv) servers = tb_debuginfod_list_servers (text);
  g_autoptr (TbDebuginfod) client = tb_debuginfod_new ((const char *const *) servers);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) problems = NULL;

  g_assert_cmpuint (g_strv_length (servers), ==, 2);
  tb_debuginfod_add_file (client, fixture->build_id, TB_DEBUGINFOD_EXECUTABLE, "/usr/bin/thing");
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_cmpint (tb_debuginfod_get_file (client, 0)->state, ==, TB_DEBUGINFOD_RECEIVED);
  problems = tb_debuginfod_list_problems (client);
  g_assert_cmpuint (g_strv_length (problems), ==, 1);
  g_assert_true (g_str_has_prefix (problems[0], "debuginfod server http://127.0.0.1:1: "));
}

/* What cannot be asked is remembered as a failure, not as absent. */
static void
test_failure_is_not_absence (Fixture *fixture, gconstpointer data)
{
  g_autofree char *problem = NULL;

  fixture->server.behavior = UNAVAILABLE;
  g_assert_cmpint (receive (fixture, fixture->build_id, &problem), ==, TB_DEBUGINFOD_FAILED);
  fixture->server.behavior = GOOD;
  g_assert_cmpint (receive (fixture, fixture->build_id, NULL), ==, TB_DEBUGINFOD_RECEIVED);
}

static void
note_progress (guint n_done, guint n_files, guint64 bytes, gpointer data)
{
  guint *last = data;

  g_assert_cmpuint (n_files, ==, 3);
  g_assert_cmpuint (n_done, >=, *last);
  *last = n_done;
}

/* Four are requested at a time, in the order of the caller; each once. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbDebuginfod) client = make_client (fixture);
  g_autoptr (GError) error = NULL;
  guint last = 0;

  fixture->server.behavior = ABSENT;
  tb_debuginfod_add_file (client, THIRD_ID, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/one");
  tb_debuginfod_add_file (client, OTHER_ID, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/two");
  tb_debuginfod_add_file (client, THIRD_ID, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/one");
  tb_debuginfod_add_file (client, THIRD_ID, TB_DEBUGINFOD_EXECUTABLE, "/usr/bin/one");
  g_assert_null (tb_debuginfod_get_file (client, 3));
  g_assert_true (tb_debuginfod_run (client, note_progress, &last, NULL, &error));
  g_assert_cmpuint (last, ==, 3);
  g_assert_cmpuint (count_requests (&fixture->server), ==, 3);
  g_assert_cmpuint (tb_debuginfod_count (client, TB_DEBUGINFOD_ABSENT), ==, 3);
}

static void
test_unusable (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "",
                                       "12",
                                       "00112233445",
                                       "0011223344556677889",
                                       "001122334455667Z",
                                       "00112233445566FF",
                                       "../../../../etc",
                                       "00112233/../../x" };
  g_autoptr (TbDebuginfod) client = make_client (fixture);
  g_autoptr (TbDebuginfod) alone = NULL;
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;

  /* Of capitals and odd lengths elfutils' server makes a 503. */
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (tb_debuginfod_add_file (client, wrong[i], TB_DEBUGINFOD_DEBUGINFO, "/a"));
      g_assert_null (tb_debuginfod_cache_find (wrong[i], TB_DEBUGINFOD_DEBUGINFO));
    }
  g_assert_true (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_assert_cmpuint (count_requests (&fixture->server), ==, 0);

  alone = tb_debuginfod_new (none);
  g_assert_false (tb_debuginfod_run (alone, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED);
  g_clear_error (&error);

  g_setenv ("DEBUGINFOD_CACHE_PATH", "/proc/none", TRUE);
  tb_debuginfod_add_file (client, fixture->build_id, TB_DEBUGINFOD_DEBUGINFO, "/usr/bin/thing");
  g_assert_false (tb_debuginfod_run (client, NULL, NULL, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "DEBUGINFOD_CACHE_PATH"));
}

/* Adds a stack of one function in a module that is mapped at the address. The recorder reads the
 * chain later. */
static void
add_sample (TbRecorder *recorder, gint64 time, const guint64 *chain)
{
  TbEvent sample = { .time = time,
                     .kind = TB_EVENT_SAMPLE,
                     .tid = 10,
                     .pid = 10,
                     .a = 1,
                     .chain = chain,
                     .n_chain = 2 };

  tb_recorder_add (recorder, &sample);
}

/* Records functions of four modules that are not on this machine: one of the first, three of the
 * second, one of a file without a build ID, one of the vDSO. */
static TbSession *
record_session (Fixture *fixture, guint32 *first)
{
  static const char *const paths[] = { "/gone/one", "/gone/two", "/gone/nameless", "[vdso]" };
  static const char *const build_ids[] = { OTHER_ID, THIRD_ID, "", "aabbccddeeff00112233" };
  guint64 chains[4][3][2];
  g_autofree char *path = g_build_filename (fixture->folder, "gone.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);
  TbSession *session;

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "test", "", "x86_64", 1, 0);
  tb_recorder_add (recorder, &(TbEvent) { .time = 1,
                                          .kind = TB_EVENT_EXISTING,
                                          .tid = 10,
                                          .pid = 10,
                                          .text = tb_recorder_intern_string (recorder, "x", -1) });
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      guint32 module
          = tb_recorder_intern_module (recorder, TB_MODULE_FILE, paths[i], build_ids[i], 10);
      TbEvent mapping = { .time = 1,
                          .kind = TB_EVENT_MAPPING,
                          .tid = 10,
                          .pid = 10,
                          .module = module,
                          .a = MAPPED + 0x10000 * i,
                          .b = 0x10000 };

      if (i == 0)
        *first = module;
      tb_recorder_add (recorder, &mapping);
      for (guint sample = 0; sample < (i == 1 ? 3 : 1); sample++)
        {
          guint64 *chain = chains[i][sample];

          chain[0] = TB_CHAIN_USER;
          chain[1] = MAPPED + 0x10000 * i + 0x100 * (sample + 1);
          add_sample (recorder, 5 + i * 10 + sample, chain);
        }
    }
  g_assert_true (tb_recorder_finish (recorder, &error));
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static char *
list_files (TbDebuginfod *client)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const TbDebuginfodFile *file;

  for (guint i = 0; (file = tb_debuginfod_get_file (client, i)) != NULL; i++)
    g_string_append_printf (text, "%s %s; ", file->name, tb_debuginfod_kind_get_name (file->kind));
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* The files of the most frequent functions come first, unless others are on the screen. */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  guint32 first;
  g_autoptr (TbSession) session = record_session (fixture, &first);
  g_autoptr (TbDebuginfod) usual = make_client (fixture), visible = make_client (fixture);
  g_autofree char *order = NULL, *visible_order = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_debuginfod_add_session (usual, session, NULL, 0, NULL, &error));
  order = list_files (usual);
  g_assert_cmpstr (order, ==,
                   "/gone/two executable; /gone/two debuginfo; "
                   "/gone/one executable; /gone/one debuginfo; ");
  g_assert_true (tb_debuginfod_add_session (visible, session, &first, 1, NULL, &error));
  visible_order = list_files (visible);
  g_assert_cmpstr (visible_order, ==,
                   "/gone/one executable; /gone/one debuginfo; "
                   "/gone/two executable; /gone/two debuginfo; ");
  g_assert_cmpuint (count_requests (&fixture->server), ==, 0);
}

static void
test_server_list (void)
{
  g_auto (GStrv) list = tb_debuginfod_list_servers (
      "  https://a.example/ ftp://b.example HTTP://c.example:8002/path//\thttps://a.example "
      "ima:permissive file:///tmp d.example");

  g_assert_cmpuint (g_strv_length (list), ==, 2);
  g_assert_cmpstr (list[0], ==, "https://a.example");
  g_assert_cmpstr (list[1], ==, "HTTP://c.example:8002/path");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tb_debuginfod_http_install ();
#define ADD(name, function)                                                                        \
  g_test_add ("/debuginfod/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("received", test_received);
  ADD ("damaged-cache", test_damaged_cache);
  ADD ("absent", test_absent);
  ADD ("refused", test_refused);
  ADD ("redirect", test_redirect);
  ADD ("limit", test_limit);
  ADD ("slow", test_slow);
  ADD ("cancel", test_cancel);
  ADD ("several-servers", test_several_servers);
  ADD ("failure-is-not-absence", test_failure_is_not_absence);
  ADD ("order", test_order);
  ADD ("unusable", test_unusable);
  ADD ("session", test_session);
#undef ADD
  g_test_add_func ("/debuginfod/server-list", test_server_list);
  return g_test_run ();
}
