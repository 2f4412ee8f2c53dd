/* tb-offer.h: what could be tried: what items of figures offer, and what would come of it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/**
 * TbOfferKind:
 * @TB_OFFER_TRY: the analysis is run with it beside, to see what would come of it
 * @TB_OFFER_ADD: the option, a list, gets it, and the report is made anew: something is shown in more detail
 * @TB_OFFER_REMOVE: likewise the option loses it: something is shown in less detail
 * @TB_OFFER_SET: the option becomes it, and the report is made anew: something else is looked into
 * @TB_OFFER_SAY: like @TB_OFFER_ADD, but a person says what the item is, so that nothing else than saying so does it
 * @TB_OFFER_UNSAY: likewise it is taken back
 * @TB_OFFER_RECORD: something is recorded anew; the option is no option but names the collector that looks into it
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
 * An item that stands for any of a figure for which nothing else is offered, as for bins that somebody chooses; as a text it stands
 * for the item.
 */
#define TB_OFFER_ANY "*"

/**
 * TbOffer: (skip)
 * @kind: what is done with it
 * @figure: id of the figure whose item offers it, "" the report as a whole does
 * @item: of that figure
 * @option: option of the analysis that takes it: see tb_option_set_trial_separator()
 * @text: the element of that option; "{}" stands for the number
 * @label: what would be different, for people; "{}" stands for the number
 * @least: of the number; not less than @most: there is none
 * @most: of the number
 * @standard: the number that is proposed
 * @digits: behind the decimal point of the number
 *
 * Something that the analysis can be run with because of an item of a figure.
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
 * @option: option of the analysis that was given
 * @text: the element of it that was tried
 * @sentence: what would come of it, for people
 * @detail: what that rests on, for people
 * @before: the figure as it was recorded, in any unit
 * @after: as it would be
 * @low: and lies between, probably
 * @high: likewise
 * @more_is_better: else less is
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

/* Copied. Offers and outcomes are for who can run the analysis again: they are no part of the report's JSON, to which the
 * analysis adds what it says in figures and findings. */
TB_EXPORT void tb_report_add_offer (TbReport *self, const TbOffer *offer);
TB_EXPORT void tb_report_add_outcome (TbReport *self, const TbOutcome *outcome);

/* (element-type TbOffer) (transfer container): those of an item in the order in which they were added; "" and "": of none */
TB_EXPORT GPtrArray *tb_report_list_offers (TbReport *self, const char *figure, const char *item);
/* (nullable) */
TB_EXPORT const TbOutcome *tb_report_find_outcome (TbReport *self, const char *option, const char *text);
TB_EXPORT gboolean tb_offer_has_number (const TbOffer *offer);
/* (transfer full): its label before there is a number. */
TB_EXPORT char *tb_offer_describe (const TbOffer *offer);
/* (transfer full): its text or its label with a number put in. */
TB_EXPORT char *tb_offer_fill (const TbOffer *offer, const char *text, double number);

G_END_DECLS
