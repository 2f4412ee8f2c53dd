/* tb-document-private.h: members of TbDocument and functions shared by the files that implement it:
 * comparison, queue of analyses, selection, symbols
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-document.h"
#include "shell/document/tb-recording-facts.h"
#include "shell/window/tb-load-recording.h"

G_BEGIN_DECLS

struct _TbDocument
{
  GObject parent;

  GFile *file;
  TbDocumentState state;
  GError *error;
  TbProgress *progress;
  GCancellable *cancellable; /* of all background work */
  gboolean is_interactive;   /* the user chooses the options of an importer */

  TbSession *session;
  TbTrace *trace;
  GFile *imported;
  GFile *base_file; /* of a comparison; NULL otherwise */
  TbLoadResult *base;
  TbFocus *base_focus;  /* of a comparison: focus in the base, by its own clock */
  gboolean is_aligning; /* the range of one side is being applied to the other */
  /* GFile: recordings of the base and the other side of a comparison, except the first of each */
  GPtrArray *further_files[2];
  GPtrArray *further[2];          /* TbLoadResult of further_files */
  char *normalization;            /* NULL: the default of each analysis */
  TbTimelineFigure *overviews[2]; /* of the base and the other side of a comparison */
  TbTimelineFigure *preview;      /* preliminary timeline, shown until there is a report */
  TbFocus *focus;
  TbFilter *filter; /* nullable */
  TbRecordingFacts *facts;

  GListStore *analyses;
  TbSelection *selection; /* part of the trace to analyse, made from the members below */
  gboolean has_range;
  gint64 range_from;
  gint64 range_to;
  guint32 thread;         /* TB_ID_NONE: all threads, or those in threads */
  GArray *threads;        /* guint32: the threads if there are several; else empty */
  gboolean whole_process; /* all threads of the process of thread */
  gboolean whole_system;  /* if no threads are chosen: not only the recorded command */
  GQueue queue;           /* TbAnalysisItem: queue of analyses to run */
  TbAnalysisItem *running;
  TbAnalysisItem *current; /* the visible analysis */

  TbProgress *symbolization_progress;
  gboolean is_symbolizing;
  gboolean is_symbolized;
  guint n_symbolized; /* recordings of a comparison that are symbolized */
  /* symbolize again after the current pass, because other files are available */
  gboolean symbolize_again;
  gboolean retry_unresolved;
  TbDebugFiles *debug_files;
  gboolean debug_files_sought; /* they are requested once after symbolization */
  guint symbols_refresh;
  guint symbols_generation; /* generation of the symbols in the newest reports */
  gint64 last_rerun;
};

/* Takes over a loaded session, or sets the error of loading it (error: (transfer full)). */
void tb_document_take_load_result (TbDocument *self, TbLoadResult *loaded, GError *error);

/* Loads the recording. importer: with its options; NULL: the one that recognizes the file. */
void tb_document_load_with (TbDocument *self, TbImporter *importer);
/* Goes on with a load that found an importer with options. */
void tb_document_take_importer (TbDocument *self, TbImporter *importer);
/* Sets the options of the last import. */
void tb_document_restore_options (TbImporter *importer);

/* Functions for comparisons. */
void tb_document_load_comparison (TbDocument *self);
char *tb_document_describe_comparison (TbDocument *self);
TbComparison *tb_document_make_comparison (TbDocument *self);
char **tb_document_list_comparison_warnings (TbDocument *self);

void tb_document_check_settled (TbDocument *self);

void tb_document_make_debug_files (TbDocument *self);

/* Runs the queued analyses one after the other, then symbolizes. */
void tb_document_run_next (TbDocument *self);
/* Cancels the run of the analysis and removes it from the queue. */
void tb_document_cancel_run (TbDocument *self, TbAnalysisItem *item);
/* Rebuilds the selection after one of its inputs changed. */
void tb_document_update_selection (TbDocument *self);
/* Repeats all analyses that have run, the visible one first. */
void tb_document_run_again (TbDocument *self);

guint tb_document_get_symbols_generation (TbDocument *self);
void tb_document_watch_symbols (TbDocument *self);
void tb_document_start_symbolization (TbDocument *self);
void tb_document_gather_facts (TbDocument *self);

G_END_DECLS
