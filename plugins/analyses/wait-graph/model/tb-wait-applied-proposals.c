/* tb-wait-applied-proposals.c: copy of a trace with the marks of proposed annotations (spin, false
 * wake-up) that an option requests; list of these proposals and of texts that match none; the
 * texts that name them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-applied-proposals.h"

#define EVERYTHING "all"

static void
applied_proposal_clear (gpointer data)
{
  TbWaitAppliedProposal *self = data;

  g_free (self->text);
  g_free (self->option);
  g_free (self->vertex);
  g_free (self->name);
  g_free (self->function);
}

void
tb_wait_applied_free (TbWaitApplied *self)
{
  g_array_unref (self->taken);
  g_ptr_array_unref (self->unknown);
  g_free (self);
}

const char *
tb_wait_proposal_kind_get_name (TbWaitProposalKind kind)
{
  return kind == TB_WAIT_PROPOSE_SPIN ? "spin" : "false-wakeup";
}

static char *
join (TbWaitProposalKind kind, const char *vertex, const char *function)
{
  return g_strconcat (tb_wait_proposal_kind_get_name (kind), ":", vertex,
                      function != NULL ? ":" : NULL, function, NULL);
}

char *
tb_wait_proposal_get_text (const TbWaitGraph *graph, const TbWaitProposal *proposal)
{
  g_autofree char *function = tb_trace_get_stack_label (graph->model->trace, proposal->stack);

  return join (proposal->kind, tb_wait_graph_get_vertex (graph, proposal->vertex)->id, function);
}

static gboolean
is_named (const char *text, const TbWaitAppliedProposal *proposal)
{
  const char *const names[] = { proposal->vertex, proposal->name };

  if (g_str_equal (text, EVERYTHING)
      || g_str_equal (text, tb_wait_proposal_kind_get_name (proposal->kind)))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *vertex = join (proposal->kind, names[i], NULL);
      g_autofree char *place = join (proposal->kind, names[i], proposal->function);

      if (g_str_equal (text, vertex) || g_str_equal (text, place))
        return TRUE;
    }
  return FALSE;
}

/* By number of a proposal, whether it is requested. used: by text, set to whether it matches any
 * proposal. */
static guint8 *
select_proposals (TbWaitApplied *self,
                  const TbWaitGraph *graph,
                  const GArray *proposals,
                  const char *const *texts,
                  guint8 *used)
{
  guint most = 0;
  guint8 *chosen;

  for (guint i = 0; i < proposals->len; i++)
    most = MAX (most, g_array_index (proposals, TbWaitProposal, i).number);
  chosen = g_new0 (guint8, (gsize) most + 1);
  for (guint i = 0; i < proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (proposals, TbWaitProposal, i);
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, proposal->vertex);
      TbWaitAppliedProposal taken
          = { .kind = proposal->kind, .count = proposal->count, .ns = proposal->ns };

      taken.text = tb_wait_proposal_get_text (graph, proposal);
      taken.vertex = g_strdup (vertex->id);
      taken.name = g_strdup (vertex->name);
      taken.function = tb_trace_get_stack_label (graph->model->trace, proposal->stack);
      for (guint j = 0; texts[j] != NULL; j++)
        if (is_named (texts[j], &taken))
          {
            used[j] = TRUE;
            if (taken.option == NULL)
              taken.option = g_strdup (texts[j]);
          }
      if (taken.option == NULL)
        {
          applied_proposal_clear (&taken);
          continue;
        }
      chosen[proposal->number] = TRUE;
      g_array_append_val (self->taken, taken);
    }
  return chosen;
}

static GArray *
list_marks (const GArray *proposed, const guint8 *chosen, const GArray *proposals)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (TbAddedMark));
  guint most = 0;

  for (guint i = 0; i < proposals->len; i++)
    most = MAX (most, g_array_index (proposals, TbWaitProposal, i).number);
  for (guint i = 0; i < proposed->len; i++)
    {
      const TbWaitProposedMark *mark = &g_array_index (proposed, TbWaitProposedMark, i);

      if (mark->proposal <= most && chosen[mark->proposal])
        g_array_append_val (marks, mark->mark);
    }
  return marks;
}

TbTrace *
tb_wait_apply (const TbWaitGraph *graph,
               const char *const *texts,
               TbWaitApplied **applied,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (TbWaitApplied) self = g_new0 (TbWaitApplied, 1);
  g_autoptr (GArray) proposed = g_array_new (FALSE, FALSE, sizeof (TbWaitProposedMark));
  g_autoptr (GArray) proposals = NULL;
  g_autoptr (GArray) marks = NULL;
  g_autofree guint8 *used = g_new0 (guint8, g_strv_length ((char **) texts) + 1);
  g_autofree guint8 *chosen = NULL;
  TbTrace *old = graph->model->trace, *trace;

  self->taken = g_array_new (FALSE, FALSE, sizeof (TbWaitAppliedProposal));
  g_array_set_clear_func (self->taken, applied_proposal_clear);
  self->unknown = g_ptr_array_new_with_free_func (g_free);
  proposals = tb_wait_propose (graph, proposed, cancellable, error);
  if (proposals == NULL)
    return NULL;
  chosen = select_proposals (self, graph, proposals, texts, used);
  for (guint i = 0; texts[i] != NULL; i++)
    if (!used[i])
      g_ptr_array_add (self->unknown, g_strdup (texts[i]));
  marks = list_marks (proposed, chosen, proposals);
  trace = marks->len > 0 ? tb_trace_new_with_marks (old, marks, NULL, NULL, cancellable, error)
                         : g_object_ref (old);
  if (trace == NULL)
    return NULL;
  self->n_unmatched = tb_trace_get_counts (trace)->unmatched_marks
                      - MIN (tb_trace_get_counts (old)->unmatched_marks,
                             tb_trace_get_counts (trace)->unmatched_marks);
  *applied = g_steal_pointer (&self);
  return trace;
}
