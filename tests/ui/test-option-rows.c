/* test-option-rows.c: rows made from options, and the values read back from them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <adwaita.h>

#include "extend/plugins/tb-analysis.h"
#include "shell/tb-option-rows.h"

#define SAMPLE_TYPE (sample_get_type ())
G_DECLARE_FINAL_TYPE (Sample, sample, SAMPLE, SAMPLE, GObject)

struct _Sample
{
  GObject parent;

  gboolean on;
  int count;
  double share;
  gint64 time;
  char *text;
  char *choice;
  char **list;
  char **items;
  GtkAlign align;
};

enum
{
  PROP_0,
  PROP_ON,
  PROP_COUNT,
  PROP_SHARE,
  PROP_TIME,
  PROP_TEXT,
  PROP_CHOICE,
  PROP_LIST,
  PROP_ITEMS,
  PROP_ALIGN,
  N_PROPS
};

static const char *const names[] = { "on",   "count", "share", "time",   "text", "choice",
                                     "list", "align", "items", "absent", NULL };

static char **
get_options (TbAnalysis *analysis)
{
  char **options = g_strdupv ((char **) names);

  g_clear_pointer (&options[9], g_free); /* without the absent option */
  return options;
}

static void
analysis_init (TbAnalysisInterface *iface)
{
  iface->get_options = get_options;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (Sample,
                               sample,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, analysis_init))

static void
sample_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  Sample *self = SAMPLE_SAMPLE (object);

  switch (id)
    {
    case PROP_ON:
      g_value_set_boolean (value, self->on);
      break;
    case PROP_COUNT:
      g_value_set_int (value, self->count);
      break;
    case PROP_SHARE:
      g_value_set_double (value, self->share);
      break;
    case PROP_TIME:
      g_value_set_int64 (value, self->time);
      break;
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    case PROP_CHOICE:
      g_value_set_string (value, self->choice);
      break;
    case PROP_LIST:
      g_value_set_boxed (value, self->list);
      break;
    case PROP_ITEMS:
      g_value_set_boxed (value, self->items);
      break;
    case PROP_ALIGN:
      g_value_set_enum (value, self->align);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
sample_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  Sample *self = SAMPLE_SAMPLE (object);

  switch (id)
    {
    case PROP_ON:
      self->on = g_value_get_boolean (value);
      break;
    case PROP_COUNT:
      self->count = g_value_get_int (value);
      break;
    case PROP_SHARE:
      self->share = g_value_get_double (value);
      break;
    case PROP_TIME:
      self->time = g_value_get_int64 (value);
      break;
    case PROP_TEXT:
      g_set_str (&self->text, g_value_get_string (value));
      break;
    case PROP_CHOICE:
      g_set_str (&self->choice, g_value_get_string (value));
      break;
    case PROP_LIST:
      g_strfreev (self->list);
      self->list = g_value_dup_boxed (value);
      break;
    case PROP_ITEMS:
      g_strfreev (self->items);
      self->items = g_value_dup_boxed (value);
      break;
    case PROP_ALIGN:
      self->align = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
sample_finalize (GObject *object)
{
  Sample *self = SAMPLE_SAMPLE (object);

  g_free (self->text);
  g_free (self->choice);
  g_strfreev (self->list);
  g_strfreev (self->items);
  G_OBJECT_CLASS (sample_parent_class)->finalize (object);
}

static void
sample_class_init (SampleClass *klass)
{
  static const char *const choices[] = { "red", "green", "blue", NULL };
  static const char *const labels[] = { "Like <b>fire</b>", "Like grass", "Like the sea", NULL };
  static const char *const items[] = { "disk", "lock", "all", NULL };
  static const char *const item_labels[] = { "Disks", "Locks", "", NULL };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamSpec *props[N_PROPS] = { NULL };

  object_class->get_property = sample_get_property;
  object_class->set_property = sample_set_property;
  object_class->finalize = sample_finalize;
  props[PROP_ON]
      = g_param_spec_boolean ("on", "On", "Whether <b> & so on", FALSE, G_PARAM_READWRITE);
  props[PROP_COUNT] = g_param_spec_int ("count", "Count", "How many", 1, 99, 5, G_PARAM_READWRITE);
  props[PROP_SHARE]
      = g_param_spec_double ("share", "Share", "How much", 0, 1, 0.2, G_PARAM_READWRITE);
  props[PROP_TIME]
      = g_param_spec_int64 ("time", "Time", "How long", 0, G_MAXINT64, 10, G_PARAM_READWRITE);
  props[PROP_TEXT] = g_param_spec_string ("text", "Text", "What", NULL, G_PARAM_READWRITE);
  props[PROP_CHOICE] = g_param_spec_string ("choice", "Choice", "Which", "red", G_PARAM_READWRITE);
  props[PROP_LIST]
      = g_param_spec_boxed ("list", "List", "Which ones", G_TYPE_STRV, G_PARAM_READWRITE);
  props[PROP_ITEMS]
      = g_param_spec_boxed ("items", "Items", "Of these", G_TYPE_STRV, G_PARAM_READWRITE);
  props[PROP_ALIGN] = g_param_spec_enum ("align", "Align", "Where", GTK_TYPE_ALIGN, GTK_ALIGN_START,
                                         G_PARAM_READWRITE);
  g_object_class_install_properties (object_class, N_PROPS, props);
  tb_option_set_unit (props[PROP_TIME], "ns");
  tb_option_set_choices (props[PROP_CHOICE], choices);
  tb_option_set_choice_labels (props[PROP_CHOICE], labels);
  tb_option_set_choices (props[PROP_ITEMS], items);
  tb_option_set_choice_labels (props[PROP_ITEMS], item_labels);
  tb_option_set_group (props[PROP_TIME], "Group <i>");
  tb_option_set_group (props[PROP_LIST], "Group <i>");
}

static void
sample_init (Sample *self)
{
  self->count = 5;
  self->share = 0.2;
  self->time = 2500000;
  self->choice = g_strdup ("green");
  self->list = g_strsplit ("a,b", ",", -1);
  self->align = GTK_ALIGN_END;
}

static GtkWidget *
find_row (GtkWidget *widget, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (widget)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, title);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
count_changes (guint *n)
{
  (*n)++;
}

static void
test_rows (void)
{
  g_autoptr (Sample) sample = g_object_new (SAMPLE_TYPE, NULL);
  GtkWidget *rows = g_object_ref_sink (tb_option_rows_new ());
  guint n_changes = 0;

  g_signal_connect_swapped (rows, "changed", G_CALLBACK (count_changes), &n_changes);
  g_assert_cmpuint (tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), G_OBJECT (sample), names), ==,
                    9);

  g_assert_true (ADW_IS_SWITCH_ROW (find_row (rows, "On")));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (find_row (rows, "On"))), ==,
                   "Whether <b> & so on");
  adw_switch_row_set_active (ADW_SWITCH_ROW (find_row (rows, "On")), TRUE);
  g_assert_true (sample->on);

  g_assert_cmpfloat (adw_spin_row_get_value (ADW_SPIN_ROW (find_row (rows, "Count"))), ==, 5);
  adw_spin_row_set_value (ADW_SPIN_ROW (find_row (rows, "Count")), 1000);
  /* A number is never cut, however little room there is: it would be misread. */
  {
    GtkWidget *share = find_row (rows, "Share");
    GtkWidget *text = GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (share)));
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (text, "0.88");
    int least, width;

    gtk_widget_measure (text, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    pango_layout_get_pixel_size (layout, &width, NULL);
    g_assert_cmpint (least, >=, width);
  }
  g_assert_cmpint (sample->count, ==, 99);
  adw_spin_row_set_value (ADW_SPIN_ROW (find_row (rows, "Share")), 0.75);
  g_assert_cmpfloat (sample->share, ==, 0.75);

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (rows, "Time"))), ==, "2500us");
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Time")), "3ms");
  g_assert_cmpint (sample->time, ==, 3000000);
  g_assert_true (tb_option_rows_is_valid (TB_OPTION_ROWS (rows)));
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Time")), "3 parsecs");
  g_assert_cmpint (sample->time, ==, 3000000);
  g_assert_false (tb_option_rows_is_valid (TB_OPTION_ROWS (rows)));
  g_assert_true (gtk_widget_has_css_class (find_row (rows, "Time"), "error"));
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Time")), "1s");
  g_assert_true (tb_option_rows_is_valid (TB_OPTION_ROWS (rows)));

  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Text")), "some text");
  g_assert_cmpstr (sample->text, ==, "some text");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (rows, "List"))), ==, "a,b");
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "List")), "c");
  g_assert_cmpuint (g_strv_length (sample->list), ==, 1);

  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (find_row (rows, "Choice"))), ==, 1);
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (rows, "Choice")), 2);
  g_assert_cmpstr (sample->choice, ==, "blue");
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (rows, "Align")), 0);
  g_assert_cmpint (sample->align, ==, GTK_ALIGN_FILL);
  g_assert_cmpuint (n_changes, >=, 9);

  g_assert_cmpuint (tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), NULL, NULL), ==, 0);
  g_assert_null (find_row (rows, "Count"));
  g_object_unref (rows);
}

/* Choices are shown by label and set by value. */
static void
test_labels (void)
{
  g_autoptr (Sample) sample = g_object_new (SAMPLE_TYPE, NULL);
  GtkWidget *rows = g_object_ref_sink (tb_option_rows_new ());
  GtkWidget *choice, *disks, *locks;
  GtkStringList *shown;

  sample->items = g_strsplit ("lock", ",", -1);
  tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), G_OBJECT (sample), names);
  choice = find_row (rows, "Choice");
  shown = GTK_STRING_LIST (adw_combo_row_get_model (ADW_COMBO_ROW (choice)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (shown)), ==, 3);
  g_assert_cmpstr (gtk_string_list_get_string (shown, 0), ==, "Like <b>fire</b>");
  g_assert_cmpstr (gtk_string_list_get_string (shown,
                                               adw_combo_row_get_selected (ADW_COMBO_ROW (choice))),
                   ==, "Like grass");
  adw_combo_row_set_selected (ADW_COMBO_ROW (choice), 2);
  g_assert_cmpstr (sample->choice, ==, "blue");

  g_assert_true (ADW_IS_EXPANDER_ROW (find_row (rows, "Items")));
  disks = find_row (rows, "Disks");
  locks = find_row (rows, "Locks");
  g_assert_null (find_row (rows, ""));
  g_assert_false (adw_switch_row_get_active (ADW_SWITCH_ROW (disks)));
  g_assert_true (adw_switch_row_get_active (ADW_SWITCH_ROW (locks)));
  adw_switch_row_set_active (ADW_SWITCH_ROW (disks), TRUE);
  g_assert_cmpuint (g_strv_length (sample->items), ==, 2);
  g_assert_cmpstr (sample->items[0], ==, "disk");
  adw_switch_row_set_active (ADW_SWITCH_ROW (locks), FALSE);
  g_assert_cmpuint (g_strv_length (sample->items), ==, 1);
  g_assert_cmpstr (sample->items[0], ==, "disk");

  /* A value that the switches cannot represent is typed. */
  g_strfreev (sample->items);
  sample->items = g_strsplit ("all", ",", -1);
  tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), G_OBJECT (sample), names);
  g_assert_true (ADW_IS_ENTRY_ROW (find_row (rows, "Items")));
  g_object_unref (rows);
}

/* Names with commas are shown in the row in the form in which they can be typed. */
static void
test_commas (void)
{
  static const char *const elements[] = { "f(int, long)", "a,b", "g(", NULL };
  g_autoptr (Sample) sample = g_object_new (SAMPLE_TYPE, NULL);
  GtkWidget *rows = g_object_ref_sink (tb_option_rows_new ());
  g_autofree char *text = NULL;

  g_strfreev (sample->list);
  sample->list = g_strdupv ((char **) elements);
  tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), G_OBJECT (sample), names);
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (find_row (rows, "List"))));
  g_assert_cmpstr (text, ==, "f(int, long),a\\,b,g\\(");
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "List")), "c");
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "List")), text);
  g_assert_cmpstrv (sample->list, (char **) elements);
  g_object_unref (rows);
}

/* Options of a group are under its heading, which shows its contents, changed options and
 * errors. */
static void
test_groups (void)
{
  g_autoptr (Sample) sample = g_object_new (SAMPLE_TYPE, NULL);
  GtkWidget *rows = g_object_ref_sink (tb_option_rows_new ());
  GtkWidget *heading;

  g_clear_pointer (&sample->list, g_strfreev);
  sample->time = 2500000;
  tb_option_rows_set_plugin (TB_OPTION_ROWS (rows), G_OBJECT (sample), names);
  heading = find_row (rows, "Group <i>");
  g_assert_true (ADW_IS_EXPANDER_ROW (heading));
  g_assert_true (gtk_widget_is_ancestor (find_row (rows, "Time"), heading));
  g_assert_true (gtk_widget_is_ancestor (find_row (rows, "List"), heading));
  g_assert_false (gtk_widget_is_ancestor (find_row (rows, "Text"), heading));
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "List")), "c");
  g_assert_nonnull (
      strstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (heading)), "Changed: "));
  g_assert_nonnull (strstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (heading)), "List"));
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Time")), "never");
  g_assert_true (gtk_widget_has_css_class (heading, "error"));
  gtk_editable_set_text (GTK_EDITABLE (find_row (rows, "Time")), "1ms");
  g_assert_false (gtk_widget_has_css_class (heading, "error"));
  g_object_unref (rows);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/option-rows/all-kinds", test_rows);
  g_test_add_func ("/option-rows/commas", test_commas);
  g_test_add_func ("/option-rows/groups", test_groups);
  g_test_add_func ("/option-rows/labels", test_labels);
  return g_test_run ();
}
