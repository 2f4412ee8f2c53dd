/* tb-offer.c: what could be tried: what items of figures offer, and what would come of it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-offer.h"

#define KEY_TRIALS "tb-trials"
#define PLACE_OF_NUMBER "{}"

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

/* Most reports have none. NULL: none yet. */
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
 * @offer: what can be tried on an item
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
 * @outcome: what would come of something that was tried
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

/**
 * tb_report_list_offers: (skip)
 * @self: a report
 * @figure: id of a figure; "": what is offered for no item
 * @item: of it
 *
 * Returns: (transfer container) (element-type TbOffer): what can be tried on it
 */
GPtrArray *
tb_report_list_offers (TbReport *self, const char *figure, const char *item)
{
  GPtrArray *found = g_ptr_array_new ();
  const Trials *trials;

  g_return_val_if_fail (TB_IS_REPORT (self), found);
  g_return_val_if_fail (figure != NULL && item != NULL, found);

  trials = get_trials (self, FALSE);
  for (guint i = 0; trials != NULL && i < trials->offers->len; i++)
    {
      TbOffer *offer = g_ptr_array_index (trials->offers, i);

      if (g_str_equal (offer->item, item) && g_str_equal (offer->figure, figure))
        g_ptr_array_add (found, offer);
    }
  return found;
}

/**
 * tb_report_find_outcome: (skip)
 * @self: a report
 * @option: of its analysis
 * @text: what was tried
 *
 * Returns: (nullable): what would come of it
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
 * @offer: what can be tried
 *
 * Returns: whether it takes a number
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
 * @offer: what can be tried
 *
 * Returns: (transfer full): its label before there is a number
 */
char *
tb_offer_describe (const TbOffer *offer)
{
  g_return_val_if_fail (offer != NULL, NULL);

  return put_in (offer->label, "…");
}

/**
 * tb_offer_fill: (skip)
 * @offer: what can be tried
 * @text: its text or its label
 * @number: brought within its limits
 *
 * Returns: (transfer full): @text with @number where it belongs, if that is anywhere
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
