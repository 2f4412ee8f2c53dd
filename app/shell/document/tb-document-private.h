/* tb-document-private.h: the parts of a recording that is open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-document.h"
#include "shell/document/tb-facts.h"
#include "shell/window/tb-load.h"

G_BEGIN_DECLS

struct _TbDocument
{
  GObject parent;

  GFile *file;
  TbDocumentState state;
  GError *error;
  TbProgress *progress;
  GCancellable *cancellable; /* of everything that goes on in the background */

  TbSession *session;
  TbTrace *trace;
  GFile *imported;
  GFile *base_file; /* of a comparison, else NULL */
  TbLoaded *base;
  TbFocus *base_focus;            /* of a comparison: what is looked at in the base, by its clock */
  gboolean is_aligning;           /* one side's range is made the other's */
  GPtrArray *further_files[2];    /* GFile: of a comparison's base and other side, beside the first */
  GPtrArray *further[2];          /* TbLoaded of these */
  char *normalization;            /* NULL: by the rule of each analysis */
  TbTimelineFigure *overviews[2]; /* of a comparison's base and other */
  TbTimelineFigure *sketch;       /* what is shown until there is a report */
  TbFocus *focus;
  TbFilter *filter; /* nullable */
  TbFacts *facts;

  GListStore *analyses;
  TbSelection *selection; /* what analyses are asked about, made from: */
  gboolean has_range;
  gint64 range_from;
  gint64 range_to;
  guint32 thread;         /* TB_ID_NONE: all, or: */
  GArray *threads;        /* guint32 of them, where there are several, else empty */
  gboolean whole_process; /* of that thread */
  GQueue wanted;          /* of TbAnalysisItem: to run one after the other */
  TbAnalysisItem *running;
  TbAnalysisItem *current; /* that is looked at */

  TbProgress *naming_progress;
  gboolean naming;
  gboolean named;
  guint n_named;       /* of the recordings of a comparison */
  gboolean name_again; /* there are other files to look into; once they are: sought_again */
  gboolean sought_again;
  guint names_refresh;
  guint names_generation; /* that the newest reports were made against */
  gint64 last_rerun;
};

/* Takes over what was read, or tells why it was not (error: (transfer full)). */
void tb_document_take_loaded (TbDocument *self, TbLoaded *loaded, GError *error);

/* Of a comparison. */
void tb_document_load_both (TbDocument *self);
char *tb_document_describe_comparison (TbDocument *self);
TbComparison *tb_document_make_comparison (TbDocument *self);
char **tb_document_list_both_warnings (TbDocument *self);

void tb_document_check_settled (TbDocument *self);

/* Runs what is wanted, one after the other; at last the names are sought. */
void tb_document_run_next (TbDocument *self);
/* Takes it out of what runs and what waits. */
void tb_document_withdraw (TbDocument *self, TbAnalysisItem *item);
/* What it is made from has changed. */
void tb_document_renew_selection (TbDocument *self);
/* Everything that has run is run again, what is looked at first. */
void tb_document_run_again (TbDocument *self);

guint tb_document_get_names_generation (TbDocument *self);
void tb_document_watch_names (TbDocument *self);
void tb_document_start_naming (TbDocument *self);
void tb_document_gather_facts (TbDocument *self);

G_END_DECLS
