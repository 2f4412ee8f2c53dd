/* tb-offer.c: report actions on items of figures, and their predicted effects
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/tb-json-private.h"
#include "report/tb-offer.h"
#include "report/tb-report-private.h"

#define KEY_TRIALS "tb-trials"
#define PLACE_OF_NUMBER "{}"
#define TRIALS_MAX 100000
#define DIGITS_MAX 9

static const char *const kinds[] = { "try", "add", "remove", "set", "say", "unsay", "record" };

typedef struct
{
  GStringChunk *strings;
  GPtrArray *offers;   /* TbOffer */
  GPtrArray *outcomes; /* TbOutcome */
} Trials;

static void
trials_free (gpointer data)
{
  Trials *self = data;

  g_string_chunk_free (self->strings);
  g_ptr_array_unref (self->offers);
  g_ptr_array_unref (self->outcomes);
  g_free (self);
}

/* The list is created on demand, because most reports have no actions. NULL: none yet. */
static Trials *
get_trials (TbReport *report, gboolean make)
{
  Trials *self = g_object_get_data (G_OBJECT (report), KEY_TRIALS);

  if (self != NULL || !make)
    return self;
  self = g_new (Trials, 1);
  self->strings = g_string_chunk_new (1024);
  self->offers = g_ptr_array_new_with_free_func (g_free);
  self->outcomes = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (report), KEY_TRIALS, self, trials_free);
  return self;
}

static const char *
keep (Trials *self, const char *text)
{
  return g_string_chunk_insert_const (self->strings, text != NULL ? text : "");
}

/**
 * tb_report_add_offer: (skip)
 * @self: a report that is being built
 * @offer: an action on an item; copied
 */
void
tb_report_add_offer (TbReport *self, const TbOffer *offer)
{
  Trials *trials;
  TbOffer *copy;

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (offer != NULL && offer->option != NULL && offer->text != NULL);

  trials = get_trials (self, TRUE);
  copy = g_memdup2 (offer, sizeof *offer);
  copy->figure = keep (trials, offer->figure);
  copy->item = keep (trials, offer->item);
  copy->option = keep (trials, offer->option);
  copy->text = keep (trials, offer->text);
  copy->label = keep (trials, offer->label);
  g_ptr_array_add (trials->offers, copy);
}

/**
 * tb_report_add_outcome: (skip)
 * @self: a report that is being built
 * @outcome: predicted effect of an action; copied
 */
void
tb_report_add_outcome (TbReport *self, const TbOutcome *outcome)
{
  Trials *trials;
  TbOutcome *copy;

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (outcome != NULL && outcome->option != NULL && outcome->text != NULL);

  trials = get_trials (self, TRUE);
  copy = g_memdup2 (outcome, sizeof *outcome);
  copy->option = keep (trials, outcome->option);
  copy->text = keep (trials, outcome->text);
  copy->sentence = keep (trials, outcome->sentence);
  copy->detail = keep (trials, outcome->detail);
  g_ptr_array_add (trials->outcomes, copy);
}

static void
list_offers (TbReport *self, const char *figure, const char *item, GPtrArray *found)
{
  const Trials *trials = get_trials (self, FALSE);

  for (guint i = 0; trials != NULL && i < trials->offers->len; i++)
    {
      TbOffer *offer = g_ptr_array_index (trials->offers, i);

      if (g_str_equal (offer->item, item) && g_str_equal (offer->figure, figure))
        g_ptr_array_add (found, offer);
    }
}

/**
 * tb_report_list_offers: (skip)
 * @self: a report
 * @figure: id of a figure; "": actions of the report as a whole
 * @item: item of the figure
 *
 * Returns: (transfer container) (element-type TbOffer): the actions on the item; if it has none of
 *   its own, those on any item of the figure
 */
GPtrArray *
tb_report_list_offers (TbReport *self, const char *figure, const char *item)
{
  GPtrArray *found = g_ptr_array_new ();

  g_return_val_if_fail (TB_IS_REPORT (self), found);
  g_return_val_if_fail (figure != NULL && item != NULL, found);

  list_offers (self, figure, item, found);
  if (found->len == 0 && *item != '\0')
    list_offers (self, figure, TB_OFFER_ANY, found);
  return found;
}

/**
 * tb_report_find_outcome: (skip)
 * @self: a report
 * @option: option of the analysis
 * @text: element of the option that was tried
 *
 * Returns: (nullable): the predicted effect
 */
const TbOutcome *
tb_report_find_outcome (TbReport *self, const char *option, const char *text)
{
  const Trials *trials;

  g_return_val_if_fail (TB_IS_REPORT (self), NULL);
  g_return_val_if_fail (option != NULL && text != NULL, NULL);

  trials = get_trials (self, FALSE);
  for (guint i = 0; trials != NULL && i < trials->outcomes->len; i++)
    {
      const TbOutcome *outcome = g_ptr_array_index (trials->outcomes, i);

      if (g_str_equal (outcome->option, option) && g_str_equal (outcome->text, text))
        return outcome;
    }
  return NULL;
}

/**
 * tb_offer_has_number: (skip)
 * @offer: an action
 *
 * Returns: whether the action needs a number
 */
gboolean
tb_offer_has_number (const TbOffer *offer)
{
  g_return_val_if_fail (offer != NULL, FALSE);

  return offer->least < offer->most;
}

static char *
put_in (const char *text, const char *number)
{
  const char *place = strstr (text, PLACE_OF_NUMBER);

  if (place == NULL)
    return g_strdup (text);
  return g_strdup_printf ("%.*s%s%s", (int) (place - text), text, number, place + strlen (PLACE_OF_NUMBER));
}

/**
 * tb_offer_describe: (skip)
 * @offer: an action
 *
 * Returns: (transfer full): its label, with "…" in place of the number
 */
char *
tb_offer_describe (const TbOffer *offer)
{
  g_return_val_if_fail (offer != NULL, NULL);

  return put_in (offer->label, "…");
}

/**
 * tb_offer_fill: (skip)
 * @offer: an action
 * @text: text or label of the action
 * @number: number to insert, clamped to the limits of the action
 *
 * Returns: (transfer full): @text with @number inserted, if @text has a place for it
 */
char *
tb_offer_fill (const TbOffer *offer, const char *text, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.0f";

  g_return_val_if_fail (offer != NULL && text != NULL, NULL);

  if (!tb_offer_has_number (offer))
    return g_strdup (text);
  format[2] = (char) ('0' + MIN (offer->digits, 9));
  g_ascii_formatd (buffer, sizeof buffer, format, CLAMP (number, offer->least, offer->most));
  return put_in (text, buffer);
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
write_offer (JsonBuilder *builder, const TbOffer *offer)
{
  json_builder_begin_object (builder);
  write_string (builder, "kind", kinds[offer->kind]);
  write_string (builder, "figure", offer->figure);
  write_string (builder, "item", offer->item);
  write_string (builder, "option", offer->option);
  write_string (builder, "text", offer->text);
  write_string (builder, "label", offer->label);
  if (tb_offer_has_number (offer))
    {
      write_double (builder, "least", offer->least);
      write_double (builder, "most", offer->most);
      write_double (builder, "standard", offer->standard);
      json_builder_set_member_name (builder, "digits");
      json_builder_add_int_value (builder, offer->digits);
    }
  json_builder_end_object (builder);
}

static void
write_outcome (JsonBuilder *builder, const TbOutcome *outcome)
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
tb_report_write_trials (TbReport *self, JsonBuilder *builder)
{
  const Trials *trials = get_trials (self, FALSE);

  if (trials == NULL)
    return;
  json_builder_set_member_name (builder, "offers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < trials->offers->len; i++)
    write_offer (builder, g_ptr_array_index (trials->offers, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "outcomes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < trials->outcomes->len; i++)
    write_outcome (builder, g_ptr_array_index (trials->outcomes, i));
  json_builder_end_array (builder);
}

static gboolean
read_kind (const char *text, TbOfferKind *kind, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i], text) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return tb_json_fail (error, _ ("\"%s\" is no kind of offer"), text);
}

static gboolean
read_offer (TbReport *self, JsonNode *node, GError **error)
{
  TbOffer offer = { 0 };
  JsonObject *object;
  const char *kind;
  gint64 digits;

  if (!tb_json_get_object (node, "offers", &object, error)
      || !tb_json_get_string (object, "kind", &kind, error) || !read_kind (kind, &offer.kind, error)
      || !tb_json_get_string (object, "figure", &offer.figure, error)
      || !tb_json_get_string (object, "item", &offer.item, error)
      || !tb_json_get_string (object, "option", &offer.option, error)
      || !tb_json_get_string (object, "text", &offer.text, error)
      || !tb_json_get_string (object, "label", &offer.label, error)
      || !tb_json_get_optional_integer (object, "digits", 0, DIGITS_MAX, 0, &digits, error))
    return FALSE;
  if (json_object_has_member (object, "least")
      && (!tb_json_get_optional_double (object, "least", &offer.least, error)
          || !tb_json_get_optional_double (object, "most", &offer.most, error)
          || !tb_json_get_optional_double (object, "standard", &offer.standard, error)))
    return FALSE;
  offer.digits = (guint) digits;
  tb_report_add_offer (self, &offer);
  return TRUE;
}

static gboolean
read_outcome (TbReport *self, JsonNode *node, GError **error)
{
  TbOutcome outcome = { 0 };
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
tb_report_read_trials (TbReport *self, JsonObject *object, GError **error)
{
  JsonArray *array;

  if (json_object_has_member (object, "offers"))
    {
      if (!tb_json_get_array (object, "offers", TRIALS_MAX, &array, error))
        return FALSE;
      for (guint i = 0; i < json_array_get_length (array); i++)
        if (!read_offer (self, json_array_get_element (array, i), error))
          return FALSE;
    }
  if (!json_object_has_member (object, "outcomes"))
    return TRUE;
  if (!tb_json_get_array (object, "outcomes", TRIALS_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_outcome (self, json_array_get_element (array, i), error))
      return FALSE;
  return TRUE;
}
