/* tb-option-rows.c: preferences rows for the options of a plug-in: one for each option by its type
 * (switch, number, choice, flags, list, text), under headings that name the changed options of a
 * group; check of typed values; button to choose one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option-candidates.h"
#include "report/tb-report.h"
#include "shell/tb-option-rows.h"
#include "shell/tb-described-combo.h"

struct _TbOptionRows
{
  AdwPreferencesGroup parent;

  GObject *plugin;
  /* GtkWidget: rows added to the group, including the headings of option groups */
  GPtrArray *rows;
  GHashTable *invalid; /* GtkWidget: entries with an invalid text */
  gboolean can_choose;
};

enum
{
  CHANGED,
  CHOOSE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbOptionRows, tb_option_rows, ADW_TYPE_PREFERENCES_GROUP)

/* Keys of object data: the flag of a switch, the option of a row. */
#define MAX_DIGITS 8
#define KEY_OPTION "tb-option"
#define KEY_FLAG "tb-flag"
/* Keys of object data: the options of a heading (a GPtrArray of GParamSpec), the heading of a
 * row. */
#define KEY_GROUP "tb-group"
#define KEY_HEADING "tb-heading"

static void
tb_option_rows_dispose (GObject *object)
{
  TbOptionRows *self = TB_OPTION_ROWS (object);

  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->invalid, g_hash_table_unref);
  g_clear_object (&self->plugin);
  G_OBJECT_CLASS (tb_option_rows_parent_class)->dispose (object);
}

static void
tb_option_rows_class_init (TbOptionRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_option_rows_dispose;

  /* Emitted when an option was changed, or became valid or invalid. */
  signals[CHANGED] = g_signal_new ("changed", TB_TYPE_OPTION_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  /* Emitted to choose a value from a recording, with the name of the option and the row that takes
   * the value as its text. */
  signals[CHOOSE] = g_signal_new ("choose", TB_TYPE_OPTION_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 2, G_TYPE_STRING, GTK_TYPE_EDITABLE);
}

static void
tb_option_rows_init (TbOptionRows *self)
{
  self->rows = g_ptr_array_new ();
  self->invalid = g_hash_table_new (NULL, NULL);
}

/**
 * tb_option_rows_new:
 *
 * Returns: a group without rows
 */
GtkWidget *
tb_option_rows_new (void)
{
  return g_object_new (TB_TYPE_OPTION_ROWS, NULL);
}

static gboolean
is_initial (GObject *plugin, GParamSpec *pspec)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, pspec->value_type);
  g_object_get_property (plugin, pspec->name, &value);
  if (pspec->value_type == G_TYPE_STRV)
    {
      char **strings = g_value_get_boxed (&value);

      return strings == NULL || strings[0] == NULL;
    }
  return g_param_value_defaults (pspec, &value);
}

static void
append_name (GString *text, GParamSpec *pspec)
{
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, g_param_spec_get_nick (pspec));
}

/* Shows the names of the options of a group, or of those that differ from their defaults. */
static void
describe_group (TbOptionRows *self, GtkWidget *heading)
{
  GPtrArray *options = g_object_get_data (G_OBJECT (heading), KEY_GROUP);
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GString) changed_names = g_string_new (NULL);
  gboolean invalid = FALSE;
  GHashTableIter iter;
  gpointer row;

  for (guint i = 0; i < options->len; i++)
    {
      GParamSpec *pspec = g_ptr_array_index (options, i);

      append_name (all, pspec);
      if (!is_initial (self->plugin, pspec))
        append_name (changed_names, pspec);
    }
  if (changed_names->len > 0)
    {
      g_autofree char *text = g_strdup_printf (_ ("Changed: %s"), changed_names->str);

      adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (heading), text);
    }
  else
    adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (heading), all->str);
  g_hash_table_iter_init (&iter, self->invalid);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    invalid |= g_object_get_data (row, KEY_HEADING) == heading;
  if (invalid)
    gtk_widget_add_css_class (heading, "error");
  else
    gtk_widget_remove_css_class (heading, "error");
}

static void
changed (TbOptionRows *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (g_object_get_data (g_ptr_array_index (self->rows, i), KEY_GROUP) != NULL)
      describe_group (self, g_ptr_array_index (self->rows, i));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
set_title (GtkWidget *row, GParamSpec *pspec)
{
  const char *nick = g_param_spec_get_nick (pspec);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), nick);
}

/* Shows the description, and the unit if the row has no text to show it in. */
static void
set_subtitle (GtkWidget *row, GParamSpec *pspec, const char *unit)
{
  const char *blurb = g_param_spec_get_blurb (pspec);
  g_autofree char *text = NULL;

  if (g_strcmp0 (unit, "hz") == 0)
    unit = "Hz";
  if (unit != NULL && unit[0] != '\0' && blurb != NULL && blurb[0] != '\0')
    text = g_strdup_printf ("%s (%s)", blurb, unit);
  else
    text = g_strdup (blurb != NULL && blurb[0] != '\0' ? blurb : unit);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text != NULL ? text : "");
}

static void
bind_changed (TbOptionRows *self, GtkWidget *row, const char *property)
{
  g_autofree char *signal = g_strdup_printf ("notify::%s", property);

  g_signal_connect_object (row, signal, G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
}

static GtkWidget *
make_switch (TbOptionRows *self, GParamSpec *pspec)
{
  GtkWidget *row = adw_switch_row_new ();

  set_subtitle (row, pspec, NULL);
  g_object_bind_property (self->plugin, pspec->name, row, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  bind_changed (self, row, "active");
  return row;
}

static gboolean
get_number_range (GParamSpec *pspec, double *minimum, double *maximum)
{
#define RANGE(TYPE, Type)                                                                          \
  if (G_IS_PARAM_SPEC_##TYPE (pspec))                                                              \
    {                                                                                              \
      *minimum = ((GParamSpec##Type *) pspec)->minimum;                                            \
      *maximum = ((GParamSpec##Type *) pspec)->maximum;                                            \
      return TRUE;                                                                                 \
    }
  RANGE (INT, Int)
  RANGE (UINT, UInt)
  RANGE (LONG, Long)
  RANGE (ULONG, ULong)
  RANGE (INT64, Int64)
  RANGE (UINT64, UInt64)
  RANGE (FLOAT, Float)
  RANGE (DOUBLE, Double)
#undef RANGE
  return FALSE;
}

/* Bindings do not convert between all number types and double; GValue transforms do. */
static void
spin_changed (AdwSpinRow *row, GParamSpec *ignored, TbOptionRows *self)
{
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);
  g_auto (GValue) number = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  g_value_set_double (&number, adw_spin_row_get_value (row));
  g_value_init (&value, pspec->value_type);
  if (g_value_transform (&number, &value))
    g_object_set_property (self->plugin, pspec->name, &value);
  changed (self);
}

static double
get_number (GObject *plugin, GParamSpec *pspec)
{
  g_auto (GValue) number = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, pspec->value_type);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_object_get_property (plugin, pspec->name, &value);
  g_value_transform (&value, &number);
  return g_value_get_double (&number);
}

static int
count_digits (double minimum, double maximum, int decimals)
{
  g_autofree char *smallest = g_strdup_printf ("%.*f", decimals, minimum);
  g_autofree char *largest = g_strdup_printf ("%.*f", decimals, maximum);

  return (int) MIN (MAX (strlen (smallest), strlen (largest)), MAX_DIGITS);
}

static GtkWidget *
make_spin (TbOptionRows *self, GParamSpec *pspec, double minimum, double maximum)
{
  gboolean whole = !G_IS_PARAM_SPEC_DOUBLE (pspec) && !G_IS_PARAM_SPEC_FLOAT (pspec);
  /* Step and digits depend on the range: 0…1 has steps of 0.01. */
  double step = whole ? 1 : (maximum - minimum <= 10 ? 0.01 : 0.1);
  /* Beyond 2⁵³ a double is not exact. */
  GtkAdjustment *adjustment
      = gtk_adjustment_new (get_number (self->plugin, pspec), MAX (minimum, -0x1p53),
                            MIN (maximum, 0x1p53), step, step * 10, 0);
  /* libadwaita gives the row a role with which GTK leaves it out of the tree of accessible widgets,
   * together with the number in it. */
  GtkWidget *row = g_object_new (ADW_TYPE_SPIN_ROW, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                                 "adjustment", adjustment, "digits", whole ? 0 : 2, NULL);

  /* A truncated number would look like another number. */
  gtk_editable_set_width_chars (GTK_EDITABLE (row), count_digits (minimum, maximum, whole ? 0 : 2));
  set_subtitle (row, pspec, tb_option_get_unit (pspec));
  g_object_set_data (G_OBJECT (row), KEY_OPTION, pspec);
  g_signal_connect_object (row, "notify::value", G_CALLBACK (spin_changed), self, 0);
  return row;
}

/* Text */

static void
text_changed (GtkEditable *row, TbOptionRows *self)
{
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);
  const char *text = gtk_editable_get_text (row);
  g_autoptr (GError) error = NULL;

  if (tb_option_set_from_text (self->plugin, pspec->name, text, &error))
    {
      g_hash_table_remove (self->invalid, row);
      gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
      gtk_widget_set_tooltip_text (GTK_WIDGET (row), g_param_spec_get_blurb (pspec));
      gtk_accessible_reset_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_INVALID);
    }
  else
    {
      g_hash_table_add (self->invalid, row);
      gtk_widget_add_css_class (GTK_WIDGET (row), "error");
      gtk_widget_set_tooltip_text (GTK_WIDGET (row), error->message);
      gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
    }
  changed (self);
}

static void
choose_clicked (GtkWidget *button, TbOptionRows *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);

  g_signal_emit (self, signals[CHOOSE], 0, pspec->name, row);
}

static void
add_choose_button (TbOptionRows *self, GtkWidget *row, GParamSpec *pspec)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("view-list-symbolic");
  g_autofree char *text = g_strdup_printf (
      /* Translators: title of an option’s row, such as “Operation” or “Process”, whose values are
       * found in the recording. It does not change by case. */
      _ ("Choose %s…"), g_param_spec_get_nick (pspec));

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (choose_clicked), self, 0);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
}

static GtkWidget *
make_entry (TbOptionRows *self, GParamSpec *pspec)
{
  GtkWidget *row = adw_entry_row_new ();
  g_autofree char *text = tb_option_get_as_text (self->plugin, pspec->name);
  const char *blurb = g_param_spec_get_blurb (pspec);

  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
  gtk_widget_set_tooltip_text (row, blurb);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, blurb,
                                  -1);
  /* The text in the row has the focus. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_editable_get_delegate (GTK_EDITABLE (row))),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, blurb, -1);
  g_object_set_data (G_OBJECT (row), KEY_OPTION, pspec);
  g_signal_connect_object (row, "changed", G_CALLBACK (text_changed), self, 0);
  if (self->can_choose && tb_option_has_candidates (pspec))
    add_choose_button (self, row, pspec);
  return row;
}

/* Choices */

static void
choice_changed (AdwComboRow *row, GParamSpec *ignored, TbOptionRows *self)
{
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);
  guint selected = adw_combo_row_get_selected (row);

  if (selected == GTK_INVALID_LIST_POSITION)
    return;
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    {
      GEnumClass *enum_class = G_PARAM_SPEC_ENUM (pspec)->enum_class;

      g_object_set (self->plugin, pspec->name, enum_class->values[selected].value, NULL);
    }
  else
    {
      const char *const *choices = tb_option_get_choices (pspec);

      g_object_set (self->plugin, pspec->name, choices[selected], NULL);
    }
  changed (self);
}

static GtkWidget *
make_choice (TbOptionRows *self, GParamSpec *pspec, const char *const *choices)
{
  GtkWidget *row = adw_combo_row_new ();
  const char *const *labels = tb_option_get_choice_labels (pspec);
  g_autoptr (GtkStringList) strings = gtk_string_list_new (labels != NULL ? labels : choices);
  guint selected = GTK_INVALID_LIST_POSITION;

  if (G_IS_PARAM_SPEC_ENUM (pspec))
    {
      GEnumClass *enum_class = G_PARAM_SPEC_ENUM (pspec)->enum_class;
      int value;

      g_object_get (self->plugin, pspec->name, &value, NULL);
      for (guint i = 0; i < enum_class->n_values; i++)
        {
          if (labels == NULL)
            gtk_string_list_append (strings, enum_class->values[i].value_nick);
          if (enum_class->values[i].value == value)
            selected = i;
        }
    }
  else
    {
      g_autofree char *value = tb_option_get_as_text (self->plugin, pspec->name);

      for (guint i = 0; choices[i] != NULL; i++)
        if (g_strcmp0 (choices[i], value) == 0)
          selected = i;
    }
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (strings));
  tb_described_combo_show_whole (ADW_COMBO_ROW (row));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  set_subtitle (row, pspec, tb_option_get_unit (pspec));
  g_object_set_data (G_OBJECT (row), KEY_OPTION, pspec);
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (choice_changed), self, 0);
  return row;
}

static void
flag_changed (AdwSwitchRow *row, GParamSpec *ignored, TbOptionRows *self)
{
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);
  guint flag = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), KEY_FLAG));
  guint flags;

  g_object_get (self->plugin, pspec->name, &flags, NULL);
  flags = adw_switch_row_get_active (row) ? flags | flag : flags & ~flag;
  g_object_set (self->plugin, pspec->name, flags, NULL);
  changed (self);
}

static GtkWidget *
make_flags (TbOptionRows *self, GParamSpec *pspec)
{
  const char *const *labels = tb_option_get_choice_labels (pspec);
  GFlagsClass *flags_class = G_PARAM_SPEC_FLAGS (pspec)->flags_class;
  GtkWidget *row = adw_expander_row_new ();
  const char *blurb = g_param_spec_get_blurb (pspec);
  guint flags;

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), blurb != NULL ? blurb : "");
  g_object_get (self->plugin, pspec->name, &flags, NULL);
  for (guint i = 0; i < flags_class->n_values; i++)
    {
      const GFlagsValue *value = &flags_class->values[i];
      GtkWidget *part;

      if (value->value == 0)
        continue;
      part = adw_switch_row_new ();
      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (part), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (part),
                                     labels != NULL ? labels[i] : value->value_nick);
      adw_switch_row_set_active (ADW_SWITCH_ROW (part), (flags & value->value) == value->value);
      g_object_set_data (G_OBJECT (part), KEY_OPTION, pspec);
      g_object_set_data (G_OBJECT (part), KEY_FLAG, GUINT_TO_POINTER (value->value));
      g_signal_connect_object (part, "notify::active", G_CALLBACK (flag_changed), self, 0);
      adw_expander_row_add_row (ADW_EXPANDER_ROW (row), part);
    }
  return row;
}

static char **
get_list (GObject *plugin, GParamSpec *pspec)
{
  char **list;

  g_object_get (plugin, pspec->name, &list, NULL);
  return list != NULL ? list : g_new0 (char *, 1);
}

/* The chosen values are kept in the order of the choices. */
static void
item_changed (AdwSwitchRow *row, GParamSpec *ignored, TbOptionRows *self)
{
  GParamSpec *pspec = g_object_get_data (G_OBJECT (row), KEY_OPTION);
  guint item = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), KEY_FLAG));
  const char *const *choices = tb_option_get_choices (pspec);
  g_auto (GStrv) before = get_list (self->plugin, pspec);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) after = NULL;

  for (guint i = 0; choices[i] != NULL; i++)
    if (i == item ? adw_switch_row_get_active (row)
                  : g_strv_contains ((const char *const *) before, choices[i]))
      g_strv_builder_add (builder, choices[i]);
  after = g_strv_builder_end (builder);
  g_object_set (self->plugin, pspec->name, after, NULL);
  changed (self);
}

/* Returns whether switches can represent the list: each item is a choice with a label. */
static gboolean
has_only_labels (GObject *plugin, GParamSpec *pspec)
{
  const char *const *choices = tb_option_get_choices (pspec);
  const char *const *labels = tb_option_get_choice_labels (pspec);
  g_auto (GStrv) list = NULL;

  if (pspec->value_type != G_TYPE_STRV || choices == NULL || labels == NULL)
    return FALSE;
  list = get_list (plugin, pspec);
  for (guint i = 0; list[i] != NULL; i++)
    {
      guint j = 0;

      while (choices[j] != NULL && !g_str_equal (choices[j], list[i]))
        j++;
      if (choices[j] == NULL || *labels[j] == '\0')
        return FALSE;
    }
  return TRUE;
}

/* A list of labelled choices is shown as switches instead of an entry. */
static GtkWidget *
make_items (TbOptionRows *self, GParamSpec *pspec)
{
  const char *const *choices = tb_option_get_choices (pspec);
  const char *const *labels = tb_option_get_choice_labels (pspec);
  g_auto (GStrv) list = get_list (self->plugin, pspec);
  GtkWidget *row = adw_expander_row_new ();
  const char *blurb = g_param_spec_get_blurb (pspec);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), blurb != NULL ? blurb : "");
  for (guint i = 0; choices[i] != NULL; i++)
    {
      GtkWidget *part;

      if (*labels[i] == '\0')
        continue;
      part = adw_switch_row_new ();
      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (part), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (part), labels[i]);
      adw_switch_row_set_active (ADW_SWITCH_ROW (part),
                                 g_strv_contains ((const char *const *) list, choices[i]));
      g_object_set_data (G_OBJECT (part), KEY_OPTION, pspec);
      g_object_set_data (G_OBJECT (part), KEY_FLAG, GUINT_TO_POINTER (i));
      g_signal_connect_object (part, "notify::active", G_CALLBACK (item_changed), self, 0);
      adw_expander_row_add_row (ADW_EXPANDER_ROW (row), part);
    }
  return row;
}

static gboolean
is_duration (GParamSpec *pspec)
{
  const char *unit = tb_option_get_unit (pspec);

  return g_strcmp0 (unit, "ns") == 0;
}

static GtkWidget *
make_row (TbOptionRows *self, GParamSpec *pspec)
{
  static const char *const none[] = { NULL };
  const char *const *choices = tb_option_get_choices (pspec);
  double minimum, maximum;

  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return make_switch (self, pspec);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return make_choice (self, pspec, none);
  if (G_IS_PARAM_SPEC_FLAGS (pspec))
    return make_flags (self, pspec);
  if (G_IS_PARAM_SPEC_STRING (pspec) && choices != NULL)
    return make_choice (self, pspec, choices);
  if (has_only_labels (self->plugin, pspec))
    return make_items (self, pspec);
  if (G_IS_PARAM_SPEC_STRING (pspec) || pspec->value_type == G_TYPE_STRV)
    return make_entry (self, pspec);
  if (get_number_range (pspec, &minimum, &maximum))
    return is_duration (pspec) ? make_entry (self, pspec)
                               : make_spin (self, pspec, minimum, maximum);
  return NULL; /* not a type of options */
}

/* Returns the heading of the option's group, which is created for its first option. */
static GtkWidget *
get_heading (TbOptionRows *self, GParamSpec *pspec)
{
  const char *group = tb_option_get_group (pspec);
  GtkWidget *heading;

  for (guint i = 0; i < self->rows->len; i++)
    {
      heading = g_ptr_array_index (self->rows, i);
      if (g_object_get_data (G_OBJECT (heading), KEY_GROUP) != NULL
          && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (heading)), group))
        return heading;
    }
  heading = adw_expander_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (heading), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (heading), group);
  g_object_set_data_full (G_OBJECT (heading), KEY_GROUP, g_ptr_array_new (),
                          (GDestroyNotify) g_ptr_array_unref);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), heading);
  g_ptr_array_add (self->rows, heading);
  return heading;
}

static void
add_row (TbOptionRows *self, GtkWidget *row, GParamSpec *pspec)
{
  GtkWidget *heading;

  if (tb_option_get_group (pspec) == NULL)
    {
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
      g_ptr_array_add (self->rows, row);
      return;
    }
  heading = get_heading (self, pspec);
  g_object_set_data (G_OBJECT (row), KEY_HEADING, heading);
  g_ptr_array_add (g_object_get_data (G_OBJECT (heading), KEY_GROUP), pspec);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (heading), row);
  describe_group (self, heading);
}

/**
 * tb_option_rows_set_can_choose:
 * @can_choose: whether there is a recording to choose values from
 *
 * If set, an option with values in the recording gets a button that emits `choose`. Call this
 * before the rows are created.
 */
void
tb_option_rows_set_can_choose (TbOptionRows *self, gboolean can_choose)
{
  g_return_if_fail (TB_IS_OPTION_ROWS (self));

  self->can_choose = can_choose;
}

/**
 * tb_option_rows_set_plugin:
 * @plugin: (nullable): plug-in with the options, which the rows change
 * @names: (nullable): names of the properties that are options
 *
 * Creates the rows again. Options of a group are below an expandable heading.
 *
 * Returns: number of options
 */
guint
tb_option_rows_set_plugin (TbOptionRows *self, GObject *plugin, const char *const *names)
{
  guint n = 0;

  g_return_val_if_fail (TB_IS_OPTION_ROWS (self), 0);

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  g_hash_table_remove_all (self->invalid);
  g_set_object (&self->plugin, plugin);

  for (guint i = 0; plugin != NULL && names != NULL && names[i] != NULL; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), names[i]);
      GtkWidget *row;

      if (pspec == NULL || (pspec->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE)
        continue;
      row = make_row (self, pspec);
      if (row == NULL)
        continue;
      set_title (row, pspec);
      add_row (self, row, pspec);
      n++;
    }
  return n;
}

/**
 * tb_option_rows_is_valid:
 *
 * Returns: whether the text of every row is a valid value of its option
 */
gboolean
tb_option_rows_is_valid (TbOptionRows *self)
{
  g_return_val_if_fail (TB_IS_OPTION_ROWS (self), FALSE);
  return g_hash_table_size (self->invalid) == 0;
}
