/* tb-document.h: open recording or comparison: loading and state, session and trace, sides and
 * normalization of a comparison, analyses and the part that they cover, selection, selected edge
 * of a graph and its occurrences, bookmarks, arrangements of figures, symbols, saving a copy
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-importer.h"
#include "report/tb-filter.h"
#include "report/graph/tb-graph-figure.h"
#include "report/timeline/tb-timeline-figure.h"
#include "shell/document/tb-analysis-item.h"
#include "shell/document/tb-debug-files.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/**
 * TbDocumentState:
 * @TB_DOCUMENT_CLOSED: not loaded yet, or cancelled
 * @TB_DOCUMENT_LOADING: being loaded or imported
 * @TB_DOCUMENT_SKETCHED: still being loaded, with a preliminary timeline
 * @TB_DOCUMENT_READY: there is a trace
 * @TB_DOCUMENT_FAILED: it could not be loaded; there is an error
 */
typedef enum
{
  TB_DOCUMENT_CLOSED,
  TB_DOCUMENT_LOADING,
  TB_DOCUMENT_SKETCHED,
  TB_DOCUMENT_READY,
  TB_DOCUMENT_FAILED,
} TbDocumentState;

/* An edge of a graph figure of a report. */
typedef struct
{
  TbReport *report;
  TbGraphFigure *figure;
  guint edge;
} TbSelectedEdge;

typedef enum
{
  TB_OCCURRENCE_PREVIOUS,
  TB_OCCURRENCE_NEXT,
} TbOccurrenceStep;

#define TB_TYPE_DOCUMENT (tb_document_get_type ())
G_DECLARE_FINAL_TYPE (TbDocument, tb_document, TB, DOCUMENT, GObject)

TbDocument *tb_document_new (GFile *file);
TbDocument *tb_document_new_comparison (GFile *base, GFile *other);
void tb_document_set_interactive (TbDocument *self, gboolean interactive);
void tb_document_load (TbDocument *self);
void tb_document_import (TbDocument *self, TbImporter *importer);
void tb_document_close (TbDocument *self);

GFile *tb_document_get_file (TbDocument *self);
gboolean tb_document_is_comparison (TbDocument *self);
gboolean tb_document_is_recording (TbDocument *self);
GFile *tb_document_get_base_file (TbDocument *self);
TbDocument *tb_document_new_comparison_of_several (GPtrArray *bases, GPtrArray *others);
GPtrArray *tb_document_list_side (TbDocument *self, gboolean base);
char *tb_document_describe_side (TbDocument *self, gboolean base);
char *tb_document_dup_side_name (TbDocument *self, gboolean base);
TbFocus *tb_document_get_side_focus (TbDocument *self, gboolean base);
const char *tb_document_get_normalization (TbDocument *self);
void tb_document_set_normalization (TbDocument *self, const char *by);
void tb_document_list_normalizations_async (TbDocument *self,
                                            GAsyncReadyCallback callback,
                                            gpointer data);
char **tb_document_list_normalizations_finish (GAsyncResult *result);
TbTimelineFigure *tb_document_get_overview (TbDocument *self, gboolean base);
char *tb_document_dup_name (TbDocument *self);
char *tb_document_dup_place (TbDocument *self);
TbDocumentState tb_document_get_state (TbDocument *self);
const GError *tb_document_get_error (TbDocument *self);
TbProgress *tb_document_get_progress (TbDocument *self);
gboolean tb_document_is_imported (TbDocument *self);
TbSession *tb_document_get_session (TbDocument *self);
TbTrace *tb_document_get_trace (TbDocument *self);
TbTimelineFigure *tb_document_get_preview (TbDocument *self);
TbFocus *tb_document_get_focus (TbDocument *self);
TbFilter *tb_document_get_filter (TbDocument *self);
void tb_document_set_filter (TbDocument *self, TbFilter *filter);
GListModel *tb_document_get_analyses (TbDocument *self);
TbAnalysisItem *tb_document_find_analysis (TbDocument *self, const char *id);
char *tb_document_describe (TbDocument *self);
char *tb_document_describe_recording (TbDocument *self);
char **tb_document_dup_warnings (TbDocument *self);

void tb_document_ensure_report (TbDocument *self, TbAnalysisItem *item);
void tb_document_run (TbDocument *self, TbAnalysisItem *item);
void tb_document_cancel (TbDocument *self, TbAnalysisItem *item);
gboolean tb_document_is_pending (TbDocument *self, TbAnalysisItem *item);
gboolean tb_document_is_symbolizing (TbDocument *self);
TbProgress *tb_document_get_symbolization_progress (TbDocument *self);
TbDebugFiles *tb_document_get_debug_files (TbDocument *self);
gboolean tb_document_is_settled (TbDocument *self);

gboolean tb_document_can_analyse_selection (TbDocument *self);
void tb_document_analyse_selection (TbDocument *self);
gboolean tb_document_can_analyse_process (TbDocument *self);
void tb_document_analyse_process (TbDocument *self);
void tb_document_analyse_thread (TbDocument *self);
gboolean tb_document_can_analyse_command (TbDocument *self);
void tb_document_analyse_command (TbDocument *self);
void tb_document_analyse_all_times (TbDocument *self);
void tb_document_analyse_all_threads (TbDocument *self);
void tb_document_analyse_all (TbDocument *self);
TbSelection *
tb_document_get_selection (TbDocument *self); /* (transfer none); a new object after each change */
gboolean tb_document_is_limited (TbDocument *self);
gboolean tb_document_get_analysed_range (TbDocument *self, gint64 *from, gint64 *to);
char *tb_document_describe_analysed_threads (TbDocument *self);

TbAnalysisItem *tb_document_get_explainer (TbDocument *self);
gboolean tb_document_can_explain (TbDocument *self);
TbAnalysisItem *tb_document_explain (TbDocument *self, GError **error);
void tb_document_select_process (TbDocument *self, guint32 process);
gboolean tb_document_lacks_process (TbDocument *self, TbAnalysisItem *item);

gboolean tb_document_get_edge (TbDocument *self, TbSelectedEdge *edge);
gboolean tb_document_has_occurrences (TbDocument *self);
gboolean tb_document_get_side_edge (TbDocument *self, gboolean base, TbSelectedEdge *edge);
gboolean tb_document_is_base_edge (const TbSelectedEdge *edge);
guint tb_document_get_edge_recording (TbDocument *self,
                                      const TbSelectedEdge *edge,
                                      gint64 *from,
                                      gint64 *to);
gsize
tb_document_get_occurrence (TbDocument *self, gboolean base, const TbGraphOccurrences *occurrences);
void tb_document_select_occurrence (TbDocument *self, gboolean base, gsize index);
void tb_document_step_occurrence (TbDocument *self, gboolean base, TbOccurrenceStep step);
void tb_document_next_occurrence (TbDocument *self);
void tb_document_previous_occurrence (TbDocument *self);

void tb_document_zoom (TbDocument *self, double factor);
void tb_document_zoom_all (TbDocument *self);
void tb_document_zoom_selection (TbDocument *self);
gboolean tb_document_has_selected_time (TbDocument *self);
gboolean tb_document_has_selection (TbDocument *self);
void tb_document_clear_selection (TbDocument *self);

void tb_document_pan_earlier (TbDocument *self);
void tb_document_pan_later (TbDocument *self);
gboolean tb_document_can_go_back (TbDocument *self);
gboolean tb_document_can_go_forward (TbDocument *self);
void tb_document_go_back (TbDocument *self);
void tb_document_go_forward (TbDocument *self);

gboolean tb_document_can_go_to_cause (TbDocument *self);
void tb_document_go_to_cause (TbDocument *self);

void tb_document_add_bookmark (TbDocument *self);
void tb_document_rename_bookmark (TbDocument *self, gint64 id, const char *name);
void tb_document_remove_bookmark (TbDocument *self, gint64 id);

GVariant *tb_document_get_arrangement (TbDocument *self, const char *analysis, TbFigure *figure);
void tb_document_set_arrangement (TbDocument *self,
                                  const char *analysis,
                                  TbFigure *figure,
                                  GVariant *state);

void tb_document_symbolize_again (TbDocument *self);

void tb_document_save_copy_async (TbDocument *self,
                                  GFile *file,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer data);
gboolean tb_document_save_copy_finish (TbDocument *self, GAsyncResult *result, GError **error);

G_END_DECLS
