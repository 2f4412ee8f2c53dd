/* tb-offer.h: report actions on items of figures, and their predicted effects
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/**
 * TbOfferKind:
 * @TB_OFFER_TRY: the analysis is run with the element in addition, to predict the effect
 * @TB_OFFER_ADD: the element is added to the option, a list, and the report is made again, with
 *   more detail
 * @TB_OFFER_REMOVE: the element is removed from the option, and the report is made again, with less
 *   detail
 * @TB_OFFER_SET: the option is set to the element, and the report is made again about something
 *   else
 * @TB_OFFER_SAY: the user asserts a fact about the item: like @TB_OFFER_ADD, but only an explicit
 *   choice of the user adds the element
 * @TB_OFFER_UNSAY: the user retracts the assertion of @TB_OFFER_SAY
 * @TB_OFFER_RECORD: a new recording is made: the option is the id of the collector, not an option
 *   of the analysis
 */
typedef enum
{
  TB_OFFER_TRY,
  TB_OFFER_ADD,
  TB_OFFER_REMOVE,
  TB_OFFER_SET,
  TB_OFFER_SAY,
  TB_OFFER_UNSAY,
  TB_OFFER_RECORD,
} TbOfferKind;

/**
 * TB_OFFER_ANY:
 *
 * As an item: any item of the figure that has no action of its own, such as a range of bins that
 * the user selects. As a text: placeholder of the item.
 */
#define TB_OFFER_ANY "*"

/**
 * TbOffer: (skip)
 * @kind: kind of the action
 * @figure: id of the figure whose item has the action; "": the report as a whole has it
 * @item: item of that figure
 * @option: option of the analysis, see tb_option_set_trial_separator()
 * @text: element of that option; "{}" is the place of the number
 * @label: user-visible label of the change; "{}" is the place of the number
 * @least: minimum of the number; the action has no number unless this is less than @most
 * @most: maximum of the number
 * @standard: default of the number
 * @digits: decimal digits of the number
 *
 * An action on an item of a figure that runs the analysis again with another option.
 */
typedef struct
{
  TbOfferKind kind;
  const char *figure;
  const char *item;
  const char *option;
  const char *text;
  const char *label;
  double least;
  double most;
  double standard;
  guint digits;
} TbOffer;

/**
 * TbOutcome: (skip)
 * @option: option of the analysis that was set
 * @text: element of the option that was tried
 * @sentence: user-visible sentence about the predicted effect
 * @detail: user-visible text about the basis of the prediction
 * @before: recorded value, in any unit
 * @after: predicted value
 * @low: lower end of the prediction interval of @after
 * @high: upper end of the prediction interval
 * @more_is_better: whether a larger value is an improvement
 */
typedef struct
{
  const char *option;
  const char *text;
  const char *sentence;
  const char *detail;
  double before;
  double after;
  double low;
  double high;
  gboolean more_is_better;
} TbOutcome;

/* The structs are copied. Actions and effects are for callers that can run the analysis again. They
 * are members "offers" and "outcomes" of the report's JSON if the report has any. */
TB_EXPORT void tb_report_add_offer (TbReport *self, const TbOffer *offer);
TB_EXPORT void tb_report_add_outcome (TbReport *self, const TbOutcome *outcome);

/* (element-type TbOffer) (transfer container): the actions on an item, in the order in which they
 * were added; "" and "": those of the report as a whole */
TB_EXPORT GPtrArray *tb_report_list_offers (TbReport *self, const char *figure, const char *item);
/* (nullable) */
TB_EXPORT const TbOutcome *tb_report_find_outcome (TbReport *self, const char *option, const char *text);
TB_EXPORT gboolean tb_offer_has_number (const TbOffer *offer);
/* (transfer full): the label with "…" in place of the number. */
TB_EXPORT char *tb_offer_describe (const TbOffer *offer);
/* (transfer full): the text or the label with a number inserted. */
TB_EXPORT char *tb_offer_fill (const TbOffer *offer, const char *text, double number);

G_END_DECLS
