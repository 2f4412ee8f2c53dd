/* tb-record-dialog-private.h: the recording assistant, for the files that implement it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/recording/tb-function-page.h"
#include "shell/recording/tb-preflight-group.h"
#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-record-purpose.h"
#include "shell/recording/tb-survey.h"
#include "shell/tb-option-rows.h"

G_BEGIN_DECLS

#define FUNCTION_OPTION "function"
/* Likewise of functions whose calls are recorded. */
#define PROBES_OPTION "probe"
#define TB_RECORD_N_SCOPES (TB_SCOPE_PROCESS + 1)

/* As settings call them. */
extern const char *const tb_record_scope_names[TB_RECORD_N_SCOPES];

struct _TbRecordDialog
{
  AdwDialog parent;

  GSettings *settings;
  GPtrArray *choices;    /* of TbCollectorChoice, the one to be taken rather first */
  GPtrArray *surveyed;   /* of TbSurveyed: what they say of this scope, NULL while they are asked */
  char *wanted;          /* the collector that the user chose, "" the best that works */
  gboolean is_selecting; /* by itself, not by the user */
  gboolean start_wanted; /* as soon as they have answered */
  gint32 pid;
  GFile *file;          /* chosen by the user, else NULL */
  GCancellable *survey; /* of all */
  GCancellable *again;  /* of the chosen one, whose options changed */
  guint again_soon;
  char *estimate;           /* of what the function costs, NULL not known */
  GCancellable *estimating; /* the last one */
  GArray *purposes;         /* of guint: those that are offered */

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
};

/* tb-record-dialog.c */
TbScope tb_record_dialog_get_scope (TbRecordDialog *self);
/* NULL where there is none. */
const TbCollectorChoice *tb_record_dialog_get_choice (TbRecordDialog *self);
/* What the chosen collector says of the chosen scope; NULL while it is asked. */
const TbSurveyed *tb_record_dialog_get_answer (TbRecordDialog *self);
/* Whether it looks into one function. */
gboolean tb_record_dialog_choice_has_function (const TbCollectorChoice *choice);
/* A sentence on what is missing before it can start; NULL if nothing is. */
char *tb_record_dialog_find_problem (TbRecordDialog *self, char ***argv);
void tb_record_dialog_update (TbRecordDialog *self);

/* tb-record-collector.c */
void tb_record_dialog_list_collectors (TbRecordDialog *self);
/* Remembers which one the user chose. */
void tb_record_dialog_save_collector (TbRecordDialog *self);
void tb_record_dialog_start_survey (TbRecordDialog *self);
void tb_record_dialog_stop_asking_again (TbRecordDialog *self);
void tb_record_dialog_survey (GtkWidget *widget, const char *name, GVariant *parameter);
void tb_record_dialog_show_options (TbRecordDialog *self);
void tb_record_dialog_list_purposes (TbRecordDialog *self);
void tb_record_dialog_purpose_changed (TbRecordDialog *self);
void tb_record_dialog_options_changed (TbRecordDialog *self);
void tb_record_dialog_collector_changed (TbRecordDialog *self);

/* tb-record-target.c */
/* Whether a command is told, which for the whole system is not needed. (out) argv: nullable */
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
