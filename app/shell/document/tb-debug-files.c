/* tb-debug-files.c: debug files that an open document needs, received from debuginfod servers (by
 * tb-debuginfod) in a thread if the preferences allow it, those of the visible report first; large
 * files only after consent; texts on progress, large files and problems
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "shell/document/tb-debug-files.h"
#include "symbols/debuginfod/tb-debuginfod.h"
#include "symbols/tb-module-symbols.h"

/* How often the progress is shown (ms). */
#define PROGRESS_MS 200
/* Least time between two announcements of received files: each time all names are sought again. */
#define ANNOUNCE_US (G_USEC_PER_SEC / 2)
/* Room for a file whose server does not give its size. */
#define UNKNOWN_SIZE (G_GUINT64_CONSTANT (1) << 30)

/* Progress of a run, written by its threads. */
typedef struct
{
  gatomicrefcount references;
  GMutex lock;
  guint n_done;
  guint n_files;
  guint64 bytes;
} Progress;

struct _TbDebugFiles
{
  GObject parent_instance;

  GSettings *settings;
  TbDebuginfod *client; /* of the last run; a thread changes it during a run */
  GCancellable *cancellable;
  Progress *progress;
  TbDebugFilesState state;
  guint timer;
  guint n_announced; /* received files that were announced, or were there before the run */
  gint64 announced;  /* monotonic time, µs */
};

enum
{
  CHANGED,
  RECEIVED,
  MESSAGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbDebugFiles, tb_debug_files, G_TYPE_OBJECT)

static Progress *
progress_new (void)
{
  Progress *progress = g_new0 (Progress, 1);

  g_atomic_ref_count_init (&progress->references);
  g_mutex_init (&progress->lock);
  return progress;
}

static Progress *
progress_ref (Progress *progress)
{
  g_atomic_ref_count_inc (&progress->references);
  return progress;
}

static void
progress_unref (Progress *progress)
{
  if (!g_atomic_ref_count_dec (&progress->references))
    return;
  g_mutex_clear (&progress->lock);
  g_free (progress);
}

static void
tb_debug_files_dispose (GObject *object)
{
  TbDebugFiles *self = TB_DEBUG_FILES (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->client);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->progress, progress_unref);
  G_OBJECT_CLASS (tb_debug_files_parent_class)->dispose (object);
}

static void
tb_debug_files_class_init (TbDebugFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_debug_files_dispose;
  /* Emitted when what it shows is different. */
  signals[CHANGED] = g_signal_new ("changed", TB_TYPE_DEBUG_FILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  /* Emitted when there are new files for names. */
  signals[RECEIVED] = g_signal_new ("received", TB_TYPE_DEBUG_FILES, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  /* Emitted with a sentence about files that were not received. */
  signals[MESSAGE] = g_signal_new ("message", TB_TYPE_DEBUG_FILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
update_remedy (TbDebugFiles *self)
{
  tb_module_symbols_set_debuginfod_remedy (g_settings_get_boolean (self->settings, "debuginfod")
                                               ? TB_DEBUGINFOD_REMEDY_NONE
                                               : TB_DEBUGINFOD_REMEDY_PREFERENCE);
}

static void
permission_changed (TbDebugFiles *self)
{
  update_remedy (self);
  if (!g_settings_get_boolean (self->settings, "debuginfod"))
    tb_debug_files_cancel (self);
}

static void
tb_debug_files_init (TbDebugFiles *self)
{
  self->settings = g_settings_new (TAILBACK_SETTINGS_ID);
  update_remedy (self);
  g_signal_connect_object (self->settings, "changed::debuginfod", G_CALLBACK (permission_changed),
                           self, G_CONNECT_SWAPPED);
}

TbDebugFiles *
tb_debug_files_new (void)
{
  return g_object_new (TB_TYPE_DEBUG_FILES, NULL);
}

typedef struct
{
  TbDebuginfod *client;
  GPtrArray *sessions; /* TbSession; NULL: request again what exceeded the limit */
  TbReport *visible;   /* nullable */
  Progress *progress;
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_object_unref (run->client);
  g_clear_pointer (&run->sessions, g_ptr_array_unref);
  g_clear_object (&run->visible);
  progress_unref (run->progress);
  g_free (run);
}

static void
note_progress (guint n_done, guint n_files, guint64 bytes, gpointer data)
{
  Progress *progress = data;

  g_mutex_lock (&progress->lock);
  progress->n_done = n_done;
  progress->n_files = n_files;
  progress->bytes = bytes;
  g_mutex_unlock (&progress->lock);
}

/* Returns the names of the files in whose functions a report has only addresses: "libfoo.so" of
 * "libfoo.so+0x1234". */
static GHashTable *
find_names (TbReport *report)
{
  g_autofree char *text = tb_report_to_text (report, 0);
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (const char *plus = strstr (text, "+0x"); plus != NULL; plus = strstr (plus + 1, "+0x"))
    {
      const char *start = plus;

      while (start > text && !g_ascii_isspace (start[-1]) && strchr ("(/@,", start[-1]) == NULL)
        start--;
      g_hash_table_add (names, g_strndup (start, (gsize) (plus - start)));
    }
  return names;
}

/* Returns the modules with functions of the visible report: their files are requested first. */
static GArray *
find_visible_modules (TbSession *session, TbReport *visible)
{
  g_autoptr (GHashTable) names = visible != NULL ? find_names (visible) : NULL;
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n;
  const TbModule *modules = tb_session_get_modules (session, &n);

  for (guint32 i = 0; names != NULL && i < n; i++)
    {
      g_autofree char *name = g_path_get_basename (modules[i].path);

      if (g_hash_table_contains (names, name))
        g_array_append_val (found, i);
    }
  return found;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Run *self = data;
  GError *error = NULL;
  gboolean done = TRUE;

  for (guint i = 0; done && self->sessions != NULL && i < self->sessions->len; i++)
    {
      TbSession *session = g_ptr_array_index (self->sessions, i);
      g_autoptr (GArray) first = find_visible_modules (session, i == 0 ? self->visible : NULL);

      done = tb_debuginfod_add_session (self->client, session, (const guint32 *) first->data,
                                        first->len, cancellable, &error);
    }
  if (done && tb_debuginfod_get_file (self->client, 0) != NULL)
    done = tb_debuginfod_run (self->client, note_progress, self->progress, cancellable, &error);
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
set_state (TbDebugFiles *self, TbDebugFilesState state)
{
  self->state = state;
  if (state != TB_DEBUG_FILES_RECEIVING)
    g_clear_handle_id (&self->timer, g_source_remove);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Problems are written as parts of a line on the command line. */
static void
show_problem (TbDebugFiles *self, const char *problem)
{
  gunichar first = g_unichar_totitle (g_utf8_get_char (problem));
  g_autoptr (GString) sentence = g_string_new (NULL);

  g_string_append_unichar (sentence, first);
  g_string_append (sentence, g_utf8_next_char (problem));
  g_signal_emit (self, signals[MESSAGE], 0, sentence->str);
}

/* Announces files as they come: the first ones are those of the visible functions. */
static void
announce_received (TbDebugFiles *self)
{
  guint n_received = tb_debuginfod_count (self->client, TB_DEBUGINFOD_RECEIVED);

  if (n_received <= self->n_announced)
    return;
  self->n_announced = n_received;
  self->announced = g_get_monotonic_time ();
  g_signal_emit (self, signals[RECEIVED], 0);
}

static void
run_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbDebugFiles) self = TB_DEBUG_FILES (g_object_ref (source));
  const Run *finished = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  g_auto (GStrv) problems = NULL;

  if (finished->client != self->client || self->settings == NULL)
    return; /* another run has begun, or the document is gone */
  problems = tb_debuginfod_list_problems (self->client);
  if (done && problems[0] != NULL)
    show_problem (self, problems[0]);
  else if (!done && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_problem (self, error->message);
  set_state (self, done && tb_debuginfod_count (self->client, TB_DEBUGINFOD_LARGE) > 0
                       ? TB_DEBUG_FILES_ASKING
                       : TB_DEBUG_FILES_IDLE);
  announce_received (self);
}

static gboolean
show_progress (gpointer data)
{
  g_autoptr (TbDebugFiles) self = TB_DEBUG_FILES (g_object_ref (data));

  g_signal_emit (self, signals[CHANGED], 0);
  if (self->timer != 0 && g_get_monotonic_time () - self->announced >= ANNOUNCE_US)
    announce_received (self);
  return G_SOURCE_CONTINUE;
}

static void
start_run (TbDebugFiles *self, GPtrArray *sessions, TbReport *visible)
{
  g_autoptr (GTask) task = NULL;
  Run *data = g_new0 (Run, 1);

  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_clear_pointer (&self->progress, progress_unref);
  self->progress = progress_new ();
  data->client = g_object_ref (self->client);
  data->sessions = sessions != NULL ? g_ptr_array_ref (sessions) : NULL;
  g_set_object (&data->visible, visible);
  data->progress = progress_ref (self->progress);
  self->n_announced = tb_debuginfod_count (self->client, TB_DEBUGINFOD_RECEIVED);
  task = g_task_new (self, self->cancellable, run_done, NULL);
  g_task_set_source_tag (task, start_run);
  g_task_set_task_data (task, data, run_free);
  if (self->timer == 0)
    self->timer = g_timeout_add (PROGRESS_MS, show_progress, self);
  g_task_run_in_thread (task, run);
  set_state (self, TB_DEBUG_FILES_RECEIVING);
}

/**
 * tb_debug_files_start:
 * @sessions: (element-type TbSession): the sessions of the document
 * @visible: (nullable): the report on the screen; the files of its functions are requested first
 *
 * Receives what @sessions need for the names of their functions, in threads, if the preferences
 * allow that. A run in progress ends.
 */
void
tb_debug_files_start (TbDebugFiles *self, GPtrArray *sessions, TbReport *visible)
{
  g_autofree char *chosen = NULL;
  g_auto (GStrv) servers = NULL;

  g_return_if_fail (TB_IS_DEBUG_FILES (self));

  tb_debug_files_cancel (self);
  if (!g_settings_get_boolean (self->settings, "debuginfod"))
    return;
  chosen = g_settings_get_string (self->settings, "debuginfod-servers");
  servers = tb_debuginfod_list_servers (chosen[0] != '\0' ? chosen : NULL);
  if (servers[0] == NULL)
    {
      g_signal_emit (
          self, signals[MESSAGE], 0,
          _ ("No debuginfod server is given; debug files cannot be received; add one in the "
             "preferences"));
      return;
    }
  g_set_object (&self->client, NULL);
  self->client = tb_debuginfod_new ((const char *const *) servers);
  start_run (self, sessions, visible);
}

/* Returns how much the files that exceed the limit can need. */
static guint64
sum_large (TbDebugFiles *self, gboolean *complete)
{
  const TbDebuginfodFile *file;
  guint64 sum = 0;

  *complete = TRUE;
  for (guint i = 0; (file = tb_debuginfod_get_file (self->client, i)) != NULL; i++)
    if (file->state == TB_DEBUGINFOD_LARGE)
      {
        *complete &= file->size > 0;
        sum += MIN (file->size > 0 ? file->size : UNKNOWN_SIZE, G_MAXINT64 - sum);
      }
  return sum;
}

/**
 * tb_debug_files_receive_large:
 *
 * Receives the files that exceeded the limit, after the user agreed to their sizes.
 */
void
tb_debug_files_receive_large (TbDebugFiles *self)
{
  gboolean complete;

  g_return_if_fail (TB_IS_DEBUG_FILES (self));

  if (self->state != TB_DEBUG_FILES_ASKING)
    return;
  tb_debuginfod_set_limit (self->client, TB_DEBUGINFOD_LIMIT + sum_large (self, &complete));
  start_run (self, NULL, NULL);
}

/**
 * tb_debug_files_cancel:
 *
 * Ends a run. Files that are complete are kept.
 */
void
tb_debug_files_cancel (TbDebugFiles *self)
{
  g_return_if_fail (TB_IS_DEBUG_FILES (self));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  if (self->state == TB_DEBUG_FILES_ASKING)
    set_state (self, TB_DEBUG_FILES_IDLE);
}

TbDebugFilesState
tb_debug_files_get_state (TbDebugFiles *self)
{
  g_return_val_if_fail (TB_IS_DEBUG_FILES (self), TB_DEBUG_FILES_IDLE);
  return self->state;
}

double
tb_debug_files_get_share (TbDebugFiles *self)
{
  double share = 0;

  g_return_val_if_fail (TB_IS_DEBUG_FILES (self), 0);

  if (self->progress == NULL)
    return 0;
  g_mutex_lock (&self->progress->lock);
  if (self->progress->n_files > 0)
    share = (double) self->progress->n_done / self->progress->n_files;
  g_mutex_unlock (&self->progress->lock);
  return share;
}

/**
 * tb_debug_files_describe:
 *
 * Returns: (transfer full): what it does, for the user; "" if nothing
 */
char *
tb_debug_files_describe (TbDebugFiles *self)
{
  g_autofree char *size = NULL;
  Progress now = { 0 };
  gboolean complete;

  g_return_val_if_fail (TB_IS_DEBUG_FILES (self), NULL);

  if (self->state == TB_DEBUG_FILES_IDLE)
    return g_strdup ("");
  if (self->state == TB_DEBUG_FILES_ASKING)
    {
      size = g_format_size (sum_large (self, &complete));
      return g_strdup_printf (complete ? _ ("Debug files of %s were not received")
                                       : _ ("Debug files of up to %s were not received"),
                              size);
    }
  g_mutex_lock (&self->progress->lock);
  now.n_done = self->progress->n_done;
  now.n_files = self->progress->n_files;
  now.bytes = self->progress->bytes;
  g_mutex_unlock (&self->progress->lock);
  if (now.n_files == 0)
    return g_strdup (_ ("Receiving debug files…"));
  size = g_format_size (now.bytes);
  /* Translators: number of files done, of all files, size received. */
  return g_strdup_printf (_ ("Receiving debug files: %u of %u, %s"), now.n_done, now.n_files, size);
}

/**
 * tb_debug_files_list_large:
 *
 * Returns: (transfer full): the files that exceed the limit with their sizes, one a line
 */
char *
tb_debug_files_list_large (TbDebugFiles *self)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  const TbDebuginfodFile *file;

  g_return_val_if_fail (TB_IS_DEBUG_FILES (self), NULL);

  if (self->state != TB_DEBUG_FILES_ASKING)
    return g_string_free_and_steal (g_steal_pointer (&lines));
  for (guint i = 0; (file = tb_debuginfod_get_file (self->client, i)) != NULL; i++)
    {
      g_autofree char *size = file->size > 0 ? g_format_size (file->size) : NULL;

      if (file->state == TB_DEBUGINFOD_LARGE)
        g_string_append_printf (lines, "%s%s: %s", lines->len > 0 ? "\n" : "", file->name,
                                size != NULL ? size : _ ("size unknown"));
    }
  return g_string_free_and_steal (g_steal_pointer (&lines));
}
