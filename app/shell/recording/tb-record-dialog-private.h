/* tb-record-dialog-private.h: members of TbRecordDialog, the recording assistant, and functions
 * shared by the files that implement it: collector, target, start
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/recording/tb-function-page.h"
#include "shell/recording/tb-preflight-group.h"
#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-record-purpose.h"
#include "shell/recording/tb-preflight-survey.h"
#include "shell/tb-option-rows.h"

G_BEGIN_DECLS

#define FUNCTION_OPTION "function"
/* Option of a collector that records the calls of functions. */
#define PROBES_OPTION "probe"
#define TB_RECORD_N_SCOPES (TB_SCOPE_PROCESS + 1)

/* Names of the scopes in the settings. */
extern const char *const tb_record_scope_names[TB_RECORD_N_SCOPES];

struct _TbRecordDialog
{
  AdwDialog parent;

  GSettings *settings;
  GPtrArray *choices; /* TbCollectorChoice, the preferred one first */
  GPtrArray
      *survey_results; /* TbPreflightResult: preflight of each for this scope; NULL while pending */
  char *chosen_collector; /* collector chosen by the user, "" for the best that works */
  gboolean is_selecting;  /* a row is changed by the dialog, not by the user */
  gboolean start_pending; /* start when the preflight is complete */
  gint32 pid;
  GFile *file;          /* chosen by the user; may be NULL */
  GCancellable *survey; /* preflight of all collectors */
  GCancellable
      *recheck_cancellable; /* preflight of the chosen collector after its options changed */
  guint recheck_source;
  char *estimate;           /* cost of probing the function; NULL: unknown */
  GCancellable *estimating; /* the last request for an estimate */
  GArray *purposes;         /* guint: the purposes listed */

  AdwNavigationView *navigation;
  AdwBanner *problem_banner;
  AdwComboRow *scope_row;
  AdwEntryRow *command_row;
  AdwActionRow *limit_row;
  GtkWidget *limit_button;
  AdwActionRow *process_row;
  AdwActionRow *file_row;
  AdwPreferencesGroup *collector_group;
  AdwComboRow *purpose_row;
  AdwComboRow *collector_row;
  AdwActionRow *function_row;
  TbFunctionPage *function_page;
  TbOptionRows *option_rows;
  TbPreflightGroup *preflight;
  GtkSearchEntry *process_search;
  GtkListView *process_view;
  GtkStack *process_stack;
  AdwStatusPage *process_none;
};

/* tb-record-dialog.c */
TbScope tb_record_dialog_get_scope (TbRecordDialog *self);
/* Returns NULL if there is none. */
const TbCollectorChoice *tb_record_dialog_get_choice (TbRecordDialog *self);
/* Returns the preflight of the chosen collector for the chosen scope; NULL while pending. */
const TbPreflightResult *tb_record_dialog_get_preflight (TbRecordDialog *self);
/* Returns whether the collector probes one function. */
gboolean tb_record_dialog_choice_has_function (const TbCollectorChoice *choice);
/* Returns a sentence about what is missing for a start; NULL if nothing is. */
char *tb_record_dialog_find_problem (TbRecordDialog *self, char ***argv);
void tb_record_dialog_update (TbRecordDialog *self);

/* tb-record-collector.c */
void tb_record_dialog_list_collectors (TbRecordDialog *self);
/* Stores the collector that the user chose. */
void tb_record_dialog_save_collector (TbRecordDialog *self);
void tb_record_dialog_start_survey (TbRecordDialog *self);
void tb_record_dialog_cancel_recheck (TbRecordDialog *self);
void tb_record_dialog_survey (GtkWidget *widget, const char *name, GVariant *parameter);
void tb_record_dialog_show_options (TbRecordDialog *self);
void tb_record_dialog_list_purposes (TbRecordDialog *self);
void tb_record_dialog_purpose_changed (TbRecordDialog *self);
void tb_record_dialog_options_changed (TbRecordDialog *self);
void tb_record_dialog_collector_changed (TbRecordDialog *self);

/* tb-record-target.c */
/* Parses the command. Returns a problem, or NULL; for the whole system the command may be empty.
 * argv: (out), nullable. */
char *tb_record_dialog_read_command (TbRecordDialog *self, char ***argv);
void tb_record_dialog_process_activated (TbRecordDialog *self, guint position);
void tb_record_dialog_process_search_activated (TbRecordDialog *self);
void tb_record_dialog_choose_process (GtkWidget *widget, const char *name, GVariant *parameter);
void tb_record_dialog_show_function (TbRecordDialog *self);
void tb_record_dialog_function_chosen (TbRecordDialog *self, const char *function);
void tb_record_dialog_choose_function (GtkWidget *widget, const char *name, GVariant *parameter);

/* tb-record-start.c */
void tb_record_dialog_choose_file (GtkWidget *widget, const char *name, GVariant *parameter);
void tb_record_dialog_start (GtkWidget *widget, const char *name, GVariant *parameter);

G_END_DECLS
