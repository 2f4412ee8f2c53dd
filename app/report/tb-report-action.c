/* tb-report-action.c: actions that items of figures offer (another run of the analysis, a new
 * recording), and predicted effects of scenarios, both kept in a report: adding, search, label with
 * its number, to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/tb-json-private.h"
#include "report/tb-report-action.h"
#include "report/tb-report-private.h"
#include "report/tb-valid-text-private.h"

#define ACTION_LIST_KEY "tb-trials"
#define NUMBER_PLACEHOLDER "{}"
#define ACTIONS_MAX 100000
#define DIGITS_MAX 9

static const char *const kinds[] = { "try", "add", "remove", "set", "say", "unsay", "record" };

typedef struct
{
  GStringChunk *strings;
  GPtrArray *actions;  /* TbReportAction */
  GPtrArray *outcomes; /* TbScenarioOutcome */
} ActionList;

static void
action_list_free (gpointer data)
{
  ActionList *self = data;

  g_string_chunk_free (self->strings);
  g_ptr_array_unref (self->actions);
  g_ptr_array_unref (self->outcomes);
  g_free (self);
}

/* The list is created on demand, because most reports have no actions. NULL: none yet. */
static ActionList *
get_action_list (TbReport *report, gboolean make)
{
  ActionList *self = g_object_get_data (G_OBJECT (report), ACTION_LIST_KEY);

  if (self != NULL || !make)
    return self;
  self = g_new (ActionList, 1);
  self->strings = g_string_chunk_new (1024);
  self->actions = g_ptr_array_new_with_free_func (g_free);
  self->outcomes = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (report), ACTION_LIST_KEY, self, action_list_free);
  return self;
}

static const char *
intern_string (ActionList *self, const char *text)
{
  g_autofree char *copy = NULL;

  return g_string_chunk_insert_const (self->strings,
                                      tb_valid_text (text != NULL ? text : "", &copy));
}

/**
 * tb_report_add_action: (skip)
 * @self: a report that is being built
 * @action: an action on an item; copied
 *
 * Adds an action, for callers that can run the analysis again.
 */
void
tb_report_add_action (TbReport *self, const TbReportAction *action)
{
  ActionList *list;
  TbReportAction *copy;

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (action != NULL && action->option != NULL && action->text != NULL);

  list = get_action_list (self, TRUE);
  copy = g_memdup2 (action, sizeof *action);
  copy->figure = intern_string (list, action->figure);
  copy->item = intern_string (list, action->item);
  copy->option = intern_string (list, action->option);
  copy->text = intern_string (list, action->text);
  copy->label = intern_string (list, action->label);
  g_ptr_array_add (list->actions, copy);
}

/**
 * tb_report_add_outcome: (skip)
 * @self: a report that is being built
 * @outcome: predicted effect of an action; copied
 *
 * Adds the predicted effect of an action.
 */
void
tb_report_add_outcome (TbReport *self, const TbScenarioOutcome *outcome)
{
  ActionList *list;
  TbScenarioOutcome *copy;

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (outcome != NULL && outcome->option != NULL && outcome->text != NULL);

  list = get_action_list (self, TRUE);
  copy = g_memdup2 (outcome, sizeof *outcome);
  copy->option = intern_string (list, outcome->option);
  copy->text = intern_string (list, outcome->text);
  copy->sentence = intern_string (list, outcome->sentence);
  copy->detail = intern_string (list, outcome->detail);
  g_ptr_array_add (list->outcomes, copy);
}

static void
append_actions (TbReport *self, const char *figure, const char *item, GPtrArray *found)
{
  const ActionList *list = get_action_list (self, FALSE);

  for (guint i = 0; list != NULL && i < list->actions->len; i++)
    {
      TbReportAction *action = g_ptr_array_index (list->actions, i);

      if (g_str_equal (action->item, item) && g_str_equal (action->figure, figure))
        g_ptr_array_add (found, action);
    }
}

/**
 * tb_report_list_actions: (skip)
 * @self: a report
 * @figure: id of a figure; "": actions of the report as a whole
 * @item: item of the figure
 *
 * Gets the actions on an item, in the order in which they were added.
 *
 * Returns: (transfer container) (element-type TbReportAction): the actions on the item; if it has
 *   none of its own, those on any item of the figure
 */
GPtrArray *
tb_report_list_actions (TbReport *self, const char *figure, const char *item)
{
  GPtrArray *found = g_ptr_array_new ();

  g_return_val_if_fail (TB_IS_REPORT (self), found);
  g_return_val_if_fail (figure != NULL && item != NULL, found);

  append_actions (self, figure, item, found);
  if (found->len == 0 && *item != '\0')
    append_actions (self, figure, TB_REPORT_ACTION_ANY, found);
  return found;
}

/**
 * tb_report_find_outcome: (skip)
 * @self: a report
 * @option: option of the analysis
 * @text: element of the option that was tried
 *
 * Finds the predicted effect of an action.
 *
 * Returns: (nullable): the predicted effect
 */
const TbScenarioOutcome *
tb_report_find_outcome (TbReport *self, const char *option, const char *text)
{
  const ActionList *list;

  g_return_val_if_fail (TB_IS_REPORT (self), NULL);
  g_return_val_if_fail (option != NULL && text != NULL, NULL);

  list = get_action_list (self, FALSE);
  for (guint i = 0; list != NULL && i < list->outcomes->len; i++)
    {
      const TbScenarioOutcome *outcome = g_ptr_array_index (list->outcomes, i);

      if (g_str_equal (outcome->option, option) && g_str_equal (outcome->text, text))
        return outcome;
    }
  return NULL;
}

/**
 * tb_report_action_has_number: (skip)
 * @action: an action
 *
 * Gets whether the user chooses a number for the action.
 *
 * Returns: whether the action needs a number
 */
gboolean
tb_report_action_has_number (const TbReportAction *action)
{
  g_return_val_if_fail (action != NULL, FALSE);

  return action->least < action->most;
}

static char *
insert_number (const char *text, const char *number)
{
  const char *place = strstr (text, NUMBER_PLACEHOLDER);

  if (place == NULL)
    return g_strdup (text);
  return g_strdup_printf ("%.*s%s%s", (int) (place - text), text, number,
                          place + strlen (NUMBER_PLACEHOLDER));
}

/**
 * tb_report_action_describe: (skip)
 * @action: an action
 *
 * Gets the label of an action.
 *
 * Returns: (transfer full): its label, with "…" in place of the number
 */
char *
tb_report_action_describe (const TbReportAction *action)
{
  g_return_val_if_fail (action != NULL, NULL);

  return insert_number (action->label, "…");
}

/**
 * tb_report_action_insert_number: (skip)
 * @action: an action
 * @text: text or label of the action
 * @number: number to insert, clamped to the limits of the action
 *
 * Inserts the number that the user chose.
 *
 * Returns: (transfer full): @text with @number inserted, if @text has a place for it
 */
char *
tb_report_action_insert_number (const TbReportAction *action, const char *text, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.0f";

  g_return_val_if_fail (action != NULL && text != NULL, NULL);

  if (!tb_report_action_has_number (action))
    return g_strdup (text);
  format[2] = (char) ('0' + MIN (action->digits, 9));
  g_ascii_formatd (buffer, sizeof buffer, format, CLAMP (number, action->least, action->most));
  return insert_number (text, buffer);
}

/* --- JSON --- */

static void
write_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
write_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  tb_json_add_double_or_null (builder, value);
}

static void
write_action (JsonBuilder *builder, const TbReportAction *action)
{
  json_builder_begin_object (builder);
  write_string (builder, "kind", kinds[action->kind]);
  write_string (builder, "figure", action->figure);
  write_string (builder, "item", action->item);
  write_string (builder, "option", action->option);
  write_string (builder, "text", action->text);
  write_string (builder, "label", action->label);
  if (tb_report_action_has_number (action))
    {
      write_double (builder, "least", action->least);
      write_double (builder, "most", action->most);
      write_double (builder, "standard", action->standard);
      json_builder_set_member_name (builder, "digits");
      json_builder_add_int_value (builder, action->digits);
    }
  json_builder_end_object (builder);
}

static void
write_outcome (JsonBuilder *builder, const TbScenarioOutcome *outcome)
{
  json_builder_begin_object (builder);
  write_string (builder, "option", outcome->option);
  write_string (builder, "text", outcome->text);
  write_string (builder, "sentence", outcome->sentence);
  write_string (builder, "detail", outcome->detail);
  write_double (builder, "before", outcome->before);
  write_double (builder, "after", outcome->after);
  write_double (builder, "low", outcome->low);
  write_double (builder, "high", outcome->high);
  json_builder_set_member_name (builder, "more_is_better");
  json_builder_add_boolean_value (builder, outcome->more_is_better);
  json_builder_end_object (builder);
}

void
tb_report_write_actions (TbReport *self, JsonBuilder *builder)
{
  const ActionList *list = get_action_list (self, FALSE);

  if (list == NULL)
    return;
  json_builder_set_member_name (builder, "offers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->actions->len; i++)
    write_action (builder, g_ptr_array_index (list->actions, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "outcomes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->outcomes->len; i++)
    write_outcome (builder, g_ptr_array_index (list->outcomes, i));
  json_builder_end_array (builder);
}

static gboolean
read_kind (const char *text, TbReportActionKind *kind, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i], text) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return tb_json_fail (error, _ ("unknown kind of report action “%s”"), text);
}

static gboolean
read_action (TbReport *self, JsonNode *node, GError **error)
{
  TbReportAction action = { 0 };
  JsonObject *object;
  const char *kind;
  gint64 digits;

  if (!tb_json_get_object (node, "offers", &object, error)
      || !tb_json_get_string (object, "kind", &kind, error)
      || !read_kind (kind, &action.kind, error)
      || !tb_json_get_string (object, "figure", &action.figure, error)
      || !tb_json_get_string (object, "item", &action.item, error)
      || !tb_json_get_string (object, "option", &action.option, error)
      || !tb_json_get_string (object, "text", &action.text, error)
      || !tb_json_get_string (object, "label", &action.label, error)
      || !tb_json_get_optional_integer (object, "digits", 0, DIGITS_MAX, 0, &digits, error))
    return FALSE;
  if (json_object_has_member (object, "least")
      && (!tb_json_get_optional_double (object, "least", &action.least, error)
          || !tb_json_get_optional_double (object, "most", &action.most, error)
          || !tb_json_get_optional_double (object, "standard", &action.standard, error)))
    return FALSE;
  action.digits = (guint) digits;
  tb_report_add_action (self, &action);
  return TRUE;
}

static gboolean
read_outcome (TbReport *self, JsonNode *node, GError **error)
{
  TbScenarioOutcome outcome = { 0 };
  JsonObject *object;

  if (!tb_json_get_object (node, "outcomes", &object, error)
      || !tb_json_get_string (object, "option", &outcome.option, error)
      || !tb_json_get_string (object, "text", &outcome.text, error)
      || !tb_json_get_string (object, "sentence", &outcome.sentence, error)
      || !tb_json_get_string (object, "detail", &outcome.detail, error)
      || !tb_json_get_optional_double (object, "before", &outcome.before, error)
      || !tb_json_get_optional_double (object, "after", &outcome.after, error)
      || !tb_json_get_optional_double (object, "low", &outcome.low, error)
      || !tb_json_get_optional_double (object, "high", &outcome.high, error)
      || !tb_json_get_boolean (object, "more_is_better", &outcome.more_is_better, error))
    return FALSE;
  tb_report_add_outcome (self, &outcome);
  return TRUE;
}

/* The JSON is untrusted. */
gboolean
tb_report_read_actions (TbReport *self, JsonObject *object, GError **error)
{
  JsonArray *array;

  if (json_object_has_member (object, "offers"))
    {
      if (!tb_json_get_array (object, "offers", ACTIONS_MAX, &array, error))
        return FALSE;
      for (guint i = 0; i < json_array_get_length (array); i++)
        if (!read_action (self, json_array_get_element (array, i), error))
          return FALSE;
    }
  if (!json_object_has_member (object, "outcomes"))
    return TRUE;
  if (!tb_json_get_array (object, "outcomes", ACTIONS_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_outcome (self, json_array_get_element (array, i), error))
      return FALSE;
  return TRUE;
}
