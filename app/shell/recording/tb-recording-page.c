/* tb-recording-page.c: page of a recording in progress in a tab: time, event rate, lost events with
 * advice, size and time until the disk is full, live report (tb-live-pane), failure; stop, discard,
 * repetition
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "report/tb-report.h"
#include "shell/recording/tb-live-pane.h"
#include "shell/recording/tb-rate-graph.h"
#include "shell/recording/tb-recording-page.h"

/* Interval of reading the free space (µs). */
#define FREE_SPACE_INTERVAL (2 * G_USEC_PER_SEC)
/* Below these limits the size is shown as a warning: remaining time in s, free space in bytes. */
#define LOW_TIME 60
#define LOW_FREE_SPACE (64 << 20)

struct _TbRecordingPage
{
  AdwBin parent;

  TbRecording *recording;
  char *title;
  guint64 last_lost;
  guint64 free_space; /* free space on the file system of the recording, bytes; 0: unknown */
  gint64 free_space_time;
  GCancellable *cancellable;

  GtkStack *stack;
  AdwStatusPage *status;
  GtkLabel *limit_label;
  GtkLabel *lost_label;
  TbLivePane *live_pane;
  AdwClamp *clamp;
  GtkWidget *rate_frame;
  TbRateGraph *rate_graph;
  AdwActionRow *rate_row;
  AdwActionRow *events_row;
  AdwActionRow *lost_row;
  AdwActionRow *size_row;
  GtkWidget *stop_button;
  GtkButton *discard_button;
  GtkWidget *command_button;
  AdwStatusPage *failed_status;
};

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_BUSY,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  AGAIN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbRecordingPage, tb_recording_page, ADW_TYPE_BIN)

static void
tb_recording_page_dispose (GObject *object)
{
  TbRecordingPage *self = TB_RECORDING_PAGE (object);

  /* Closing the tab ends the recording; what was recorded is kept. */
  if (self->recording != NULL)
    tb_recording_stop (self->recording);
  g_clear_object (&self->recording);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (tb_recording_page_parent_class)->dispose (object);
}

static void
tb_recording_page_finalize (GObject *object)
{
  g_free (TB_RECORDING_PAGE (object)->title);
  G_OBJECT_CLASS (tb_recording_page_parent_class)->finalize (object);
}

static void
tb_recording_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbRecordingPage *self = TB_RECORDING_PAGE (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value,
                          self->recording != NULL
                                  && tb_recording_get_state (self->recording) == TB_RECORDING_FAILED
                              ? _ ("Not Recorded")
                              : _ ("Recording…"));
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value,
                           self->recording != NULL && tb_recording_is_active (self->recording));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
stop_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_recording_stop (TB_RECORDING_PAGE (widget)->recording);
}

static void
discard_answered (TbRecordingPage *self, const char *response)
{
  if (g_str_equal (response, "discard") && self->recording != NULL)
    tb_recording_discard (self->recording);
}

/* A recording that is still starting is discarded without a question. */
static void
discard_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordingPage *self = TB_RECORDING_PAGE (widget);
  AdwDialog *dialog;

  if (tb_recording_get_state (self->recording) == TB_RECORDING_STARTING)
    {
      tb_recording_discard (self->recording);
      return;
    }
  dialog = adw_alert_dialog_new (
      _ ("Discard the Recording?"),
      _ ("The data recorded so far is lost. A running command is not ended."));
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Continue Recording"),
                                  "discard", _ ("_Discard"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "discard",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (discard_answered), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, widget);
}

static void
again_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (TbRecording) again = tb_recording_new_copy (TB_RECORDING_PAGE (widget)->recording);

  if (again != NULL)
    g_signal_emit (widget, signals[AGAIN], 0, again);
}

static void
tb_recording_page_class_init (TbRecordingPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  g_type_ensure (TB_TYPE_LIVE_PANE);
  g_type_ensure (TB_TYPE_RATE_GRAPH);
  object_class->dispose = tb_recording_page_dispose;
  object_class->finalize = tb_recording_page_finalize;
  object_class->get_property = tb_recording_page_get_property;
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /* Emitted to repeat the recording in the place of this tab. */
  signals[AGAIN] = g_signal_new ("again", TB_TYPE_RECORDING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, TB_TYPE_RECORDING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-recording-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, stack);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, status);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, limit_label);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, lost_label);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, live_pane);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, clamp);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, rate_frame);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, rate_graph);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, rate_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, events_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, lost_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, size_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, stop_button);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, discard_button);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, command_button);
  gtk_widget_class_bind_template_child (widget_class, TbRecordingPage, failed_status);
  gtk_widget_class_install_action (widget_class, "recording.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "recording.discard", NULL, discard_action);
  gtk_widget_class_install_action (widget_class, "recording.again", NULL, again_action);
}

static void
tb_recording_page_init (TbRecordingPage *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Free space */

static void
free_space_known (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordingPage) self = data;
  g_autoptr (GFileInfo) info = g_file_query_filesystem_info_finish (G_FILE (object), result, NULL);

  if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
    self->free_space = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
}

static void
query_free_space (TbRecordingPage *self)
{
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GFile) folder = g_file_get_parent (tb_recording_get_file (self->recording));

  if (folder == NULL
      || (self->free_space_time != 0 && now - self->free_space_time < FREE_SPACE_INTERVAL))
    return;
  self->free_space_time = now;
  g_file_query_filesystem_info_async (folder, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, G_PRIORITY_DEFAULT,
                                      self->cancellable, free_space_known, g_object_ref (self));
}

/* Shows the size, and how long the free space lasts at the average rate so far. */
static void
show_size (TbRecordingPage *self, guint64 bytes)
{
  double seconds = tb_recording_get_elapsed (self->recording) / (double) G_USEC_PER_SEC;
  double left = bytes > 0 ? (double) self->free_space / (double) bytes * seconds : G_MAXDOUBLE;
  gboolean is_low = self->free_space > 0 && (self->free_space < LOW_FREE_SPACE || left < LOW_TIME);
  g_autofree char *written = tb_format_bytes (bytes);
  g_autofree char *free = tb_format_bytes (self->free_space);
  g_autofree char *text = NULL;

  if (self->free_space == 0)
    text = g_strdup (written);
  /* too early for a rate, or a rate so low that the space lasts for more than a week */
  else if (seconds < 2 || left > 1e6)
    text = g_strdup_printf (_ ("%s; %s are free"), written, free);
  else
    {
      g_autofree char *time = tb_format_duration ((gint64) (left * 1e9));

      text = g_strdup_printf (_ ("%s; %s are free, enough for %s at this rate"), written, free,
                              time);
    }
  adw_action_row_set_subtitle (self->size_row, text);
  if (is_low)
    gtk_widget_add_css_class (GTK_WIDGET (self->size_row), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->size_row), "error");
}

/* Shows the live report. */
static void
show_findings (TbRecordingPage *self)
{
  g_autoptr (TbReport) report = tb_recording_get_live_report (self->recording);

  if (report != NULL)
    tb_live_pane_show (self->live_pane, report);
}

static void
item_chosen (TbRecordingPage *self, const char *figure, const char *item)
{
  g_autoptr (GError) error = NULL;

  if (!tb_recording_choose (self->recording, figure, item, &error))
    tb_live_pane_set_problem (self->live_pane, error->message);
  show_findings (self);
}

static void
prepare_live_pane (TbRecordingPage *self)
{
  if (!tb_recording_has_live_report (self->recording))
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->live_pane), TRUE);
  gtk_widget_set_visible (self->rate_frame, FALSE);
  adw_clamp_set_maximum_size (self->clamp, 1000);
  g_signal_connect_object (self->live_pane, "chosen", G_CALLBACK (item_chosen), self,
                           G_CONNECT_SWAPPED);
}

static void
show_numbers (TbRecordingPage *self)
{
  const TbRecorderStatistics *statistics = tb_recording_get_statistics (self->recording);
  gint64 seconds = tb_recording_get_elapsed (self->recording) / G_USEC_PER_SEC;
  g_autofree char *elapsed
      = seconds < 3600 ? g_strdup_printf ("%" PRId64 ":%02d", seconds / 60, (int) (seconds % 60))
                       : g_strdup_printf ("%" PRId64 ":%02d:%02d", seconds / 3600,
                                          (int) (seconds / 60 % 60), (int) (seconds % 60));
  g_autofree char *rate
      = tb_format_count ((guint64) llround (tb_recording_get_rate (self->recording)));
  g_autofree char *events = tb_format_count (statistics->events);
  g_autofree char *lost = tb_format_count (statistics->lost);

  adw_status_page_set_title (self->status, elapsed);
  adw_action_row_set_subtitle (self->rate_row, rate);
  adw_action_row_set_subtitle (self->events_row, events);
  adw_action_row_set_subtitle (self->lost_row, lost);
  query_free_space (self);
  show_size (self, statistics->bytes);
  show_findings (self);
  tb_rate_graph_push (self->rate_graph, tb_recording_get_rate (self->recording),
                      statistics->lost > self->last_lost);
  if (statistics->lost > 0)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("%s event was lost. Record less, or with a larger buffer.",
                                       "%s events were lost. Record less, or with a larger buffer.",
                                       MIN (statistics->lost, G_MAXUINT32)),
                             lost);

      gtk_label_set_text (self->lost_label, text);
      gtk_widget_set_visible (GTK_WIDGET (self->lost_label), TRUE);
      gtk_widget_add_css_class (GTK_WIDGET (self->lost_row), "error");
      if (self->last_lost == 0)
        gtk_accessible_announce (GTK_ACCESSIBLE (self), text,
                                 GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    }
  self->last_lost = statistics->lost;
}

/* Shows that less is recorded than requested. */
static void
show_limit (TbRecordingPage *self)
{
  const char *limit = tb_recording_get_limit (self->recording);

  if (limit == NULL)
    return;
  g_free (self->title);
  self->title = tb_recording_dup_name (self->recording);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SUBTITLE]);
  gtk_label_set_text (self->limit_label, limit);
  gtk_widget_set_visible (GTK_WIDGET (self->limit_label), TRUE);
  gtk_accessible_announce (GTK_ACCESSIBLE (self), limit, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

/* Shows why the recording failed. If the system may not be recorded, a button offers to record one
 * command. */
static void
show_failure (TbRecordingPage *self)
{
  const GError *error = tb_recording_get_error (self->recording);
  g_autofree char *description = g_markup_escape_text (error->message, -1);

  adw_status_page_set_description (self->failed_status, description);
  gtk_widget_set_visible (self->command_button,
                          tb_recording_get_scope (self->recording) == TB_SCOPE_SYSTEM
                              && g_error_matches (error, TB_EXTEND_ERROR,
                                                  TB_EXTEND_ERROR_UNAVAILABLE));
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
show_state (TbRecordingPage *self)
{
  TbRecordingState state = tb_recording_get_state (self->recording);
  g_autofree char *escaped = NULL;
  g_autofree char *description = NULL;

  if (state == TB_RECORDING_RUNNING)
    show_limit (self);
  escaped = g_markup_escape_text (self->title, -1);
  switch (state)
    {
    case TB_RECORDING_STARTING:
      adw_status_page_set_title (self->status, _ ("Starting…"));
      adw_status_page_set_description (self->status, escaped);
      gtk_button_set_label (self->discard_button, _ ("_Cancel"));
      break;
    case TB_RECORDING_RUNNING:
      description = g_strdup_printf (_ ("Recording: %s"), escaped);
      adw_status_page_set_description (self->status, description);
      gtk_button_set_label (self->discard_button, _ ("_Discard…"));
      show_numbers (self);
      break;
    case TB_RECORDING_STOPPING:
      adw_status_page_set_description (self->status, _ ("Writing buffered events…"));
      break;
    case TB_RECORDING_FAILED:
      show_failure (self);
      break;
    case TB_RECORDING_DISCARDED:
    case TB_RECORDING_NEW:
    case TB_RECORDING_DONE:
    default:
      break;
    }
  gtk_widget_set_visible (self->stop_button, state != TB_RECORDING_STARTING);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "recording.stop",
                                 state == TB_RECORDING_RUNNING);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "recording.discard",
                                 state == TB_RECORDING_STARTING || state == TB_RECORDING_RUNNING);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

/**
 * tb_recording_page_new:
 * @recording: recording to show
 *
 * Returns: a page
 */
GtkWidget *
tb_recording_page_new (TbRecording *recording)
{
  TbRecordingPage *self = g_object_new (TB_TYPE_RECORDING_PAGE, NULL);

  self->recording = g_object_ref (recording);
  self->title = tb_recording_dup_name (recording);
  prepare_live_pane (self);
  g_signal_connect_object (recording, "notify::state", G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (recording, "tick", G_CALLBACK (show_numbers), self, G_CONNECT_SWAPPED);
  show_state (self);
  return GTK_WIDGET (self);
}

TbRecording *
tb_recording_page_get_recording (TbRecordingPage *self)
{
  g_return_val_if_fail (TB_IS_RECORDING_PAGE (self), NULL);
  return self->recording;
}
