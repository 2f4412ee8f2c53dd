/* tb-peaks-composition.c: figures of the mean composition of a call of each peak, and of the
 * interrupts that took time from it; list and names of these interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "latency-state/tb-peaks-function-names.h"
#include "tb-peaks-composition.h"

/* --- interrupts --- */

TbPeakInterrupt
tb_peaks_read_interrupt (const TbPeaksResult *result, const TbPeaksNode *node)
{
  TbPeakInterrupt interrupt = { .calls = node->calls,
                                .maxcount = node->maxcount,
                                .total_ns = node->disturbed_ns,
                                .expected = node->expected,
                                .is_frequent_cause = node->is_frequent_cause };
  guint32 string;

  interrupt.kind = tb_peaks_get_interrupt (node, &interrupt.number, &string);
  interrupt.name = tb_session_get_string (tb_trace_get_session (result->calls->trace), string);
  if (*interrupt.name == '\0' && interrupt.kind == TB_INTERRUPT_SOFT)
    interrupt.name = tb_peaks_get_softirq_name (interrupt.number);
  return interrupt;
}

char *
tb_peaks_describe_interrupt (const TbPeakInterrupt *interrupt)
{
  g_autofree char *in_brackets
      = *interrupt->name != '\0' ? g_strdup_printf (" (%s)", interrupt->name) : g_strdup ("");

  switch (interrupt->kind)
    {
    case TB_INTERRUPT_SOFT:
      return g_strdup_printf (_ ("softirq %u%s"), interrupt->number, in_brackets);
    case TB_INTERRUPT_TIMER:
      return g_strdup_printf (_ ("timer interrupt%s"),
                              g_str_equal (interrupt->name, "timer") ? "" : in_brackets);
    case TB_INTERRUPT_NMI:
      return g_strdup_printf (_ ("non-maskable interrupt%s"), in_brackets);
    default:
      return g_strdup_printf (_ ("interrupt %u%s"), interrupt->number, in_brackets);
    }
}

const char *
tb_peaks_get_interrupt_kind (TbInterruptKind kind)
{
  switch (kind)
    {
    case TB_INTERRUPT_SOFT:
      return "soft";
    case TB_INTERRUPT_TIMER:
      return "timer";
    case TB_INTERRUPT_NMI:
      return "nmi";
    default:
      return "hard";
    }
}

static int
compare_interrupts (gconstpointer a, gconstpointer b)
{
  const TbPeakInterrupt *left = a, *right = b;

  if (left->total_ns != right->total_ns)
    return left->total_ns > right->total_ns ? -1 : 1;
  return left->number != right->number ? (left->number < right->number ? -1 : 1)
                                       : strcmp (left->name, right->name);
}

/* Interrupts have a node for every function that they fell into; the nodes of the operation itself
 * have the totals. */
GArray *
tb_peaks_list_interrupts (const TbPeaksResult *result, guint peak)
{
  guint32 root = g_array_index (result->drill->peaks, TbPeakDrill, peak).root;
  const GArray *nodes = result->drill->tree->nodes;
  GArray *interrupts = g_array_new (FALSE, FALSE, sizeof (TbPeakInterrupt));

  for (guint32 i = root; root != TB_ID_NONE && i < nodes->len; i++)
    {
      const TbPeaksNode *node = &g_array_index (nodes, TbPeaksNode, i);

      if (node->kind == TB_PEAKS_NODE_INTERRUPT && node->parent == root)
        {
          TbPeakInterrupt interrupt = tb_peaks_read_interrupt (result, node);

          g_array_append_val (interrupts, interrupt);
        }
    }
  g_array_sort (interrupts, compare_interrupts);
  return interrupts;
}

/* --- figures --- */

static const TbPeakDrill *
get_drill (const TbPeaksResult *self, guint peak)
{
  return &g_array_index (self->drill->peaks, TbPeakDrill, peak);
}

static TbFigure *
make_parts (const TbPeaksResult *self)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_PARTS, _ ("Mean Call"));
  guint name = tb_table_figure_add_column (table, "peak", _ ("Peak"), TB_CELL_TEXT);
  const char *const ids[]
      = { "running", "waiting", "preempted", "run_queue", "interrupts", "unknown" };
  const char *const titles[] = { _ ("Running"),           _ ("Waiting"),    _ ("Preempted"),
                                 _ ("Waiting for a CPU"), _ ("Interrupts"), _ ("Unknown") };
  guint first = 0;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      guint column = tb_table_figure_add_column (table, ids[i], titles[i], TB_CELL_DURATION);

      first = i == 0 ? column : first;
    }
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakDrill *drill = get_drill (self, i);
      const gint64 parts[] = { drill->running_ns,   drill->waiting_ns,   drill->preempted_ns,
                               drill->run_queue_ns, drill->interrupt_ns, drill->unseen_ns };
      g_autofree char *item = tb_peaks_result_get_item (i);
      g_autofree char *peak_name = tb_peaks_result_name_peak (self, i);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, peak_name);
      for (guint j = 0; j < G_N_ELEMENTS (parts) && drill->drilled > 0; j++)
        tb_table_figure_set_integer (table, row, first + j, parts[j] / (gint64) drill->drilled);
    }
  tb_figure_set_item_owner (TB_FIGURE (table), TB_PEAKS_FIGURE_HISTOGRAM);
  return TB_FIGURE (table);
}

/* NULL: no call was interrupted. */
static TbFigure *
make_interrupts (const TbPeaksResult *self)
{
  g_autoptr (TbTableFigure) table
      = tb_table_figure_new (TB_PEAKS_FIGURE_INTERRUPTS, _ ("Interrupts of Calls"));
  guint source = tb_table_figure_add_column (table, "interrupt", _ ("Interrupt"), TB_CELL_TEXT);
  guint name = tb_table_figure_add_column (table, "peak", _ ("Peak"), TB_CELL_TEXT);
  guint total = tb_table_figure_add_column (table, "total", _ ("Time"), TB_CELL_DURATION);
  guint calls = tb_table_figure_add_column (table, "calls", _ ("In Calls"), TB_CELL_COUNT);
  guint largest = tb_table_figure_add_column (table, "largest", _ ("Largest In"), TB_CELL_COUNT);
  guint n = 0;

  for (guint i = 0; i < self->ranges->len; i++)
    {
      g_autoptr (GArray) interrupts = tb_peaks_list_interrupts (self, i);
      g_autofree char *peak_name = tb_peaks_result_name_peak (self, i);

      for (guint j = 0; j < interrupts->len; j++, n++)
        {
          const TbPeakInterrupt *interrupt = &g_array_index (interrupts, TbPeakInterrupt, j);
          g_autofree char *item = g_strdup_printf ("peak-%u-interrupt-%u", i + 1, j + 1);
          g_autofree char *words = tb_peaks_describe_interrupt (interrupt);
          guint row = tb_table_figure_add_row (table, item);

          tb_table_figure_set_text (table, row, source, words);
          tb_table_figure_set_text (table, row, name, peak_name);
          tb_table_figure_set_integer (table, row, total, interrupt->total_ns);
          tb_table_figure_set_integer (table, row, calls, (gint64) interrupt->calls);
          tb_table_figure_set_integer (table, row, largest, (gint64) interrupt->maxcount);
        }
    }
  return n > 0 ? TB_FIGURE (g_steal_pointer (&table)) : NULL;
}

void
tb_peaks_add_parts (TbReport *report, const TbPeaksResult *result)
{
  TbFigure *interrupts = make_interrupts (result);

  tb_report_add_figure (report, make_parts (result));
  if (interrupts != NULL)
    tb_report_add_figure (report, interrupts);
}
