/* tb-comparison.c: recordings on the two sides of a comparison, each with its name and the part to
 * analyze, and the factor that normalizes its numbers to those of the first base recording
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/compare/tb-comparison.h"

G_STATIC_ASSERT (TB_COMPARISON_N_SIDES == TB_COMPARISON_OTHER + 1);

/**
 * TbComparison:
 *
 * One or more recordings on each side, the selected part of each, and the normalization of their
 * numbers. It is built first, and then only read, from any thread.
 */
struct _TbComparison
{
  GObject parent_instance;

  GPtrArray *traces[TB_COMPARISON_N_SIDES];
  GPtrArray *names[TB_COMPARISON_N_SIDES];
  GPtrArray *selections[TB_COMPARISON_N_SIDES]; /* created on first use */
  TbSelection *selection;
  char *normalization;
  GMutex lock;
};

G_DEFINE_FINAL_TYPE (TbComparison, tb_comparison, G_TYPE_OBJECT)

static void
tb_comparison_finalize (GObject *object)
{
  TbComparison *self = TB_COMPARISON (object);

  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    {
      g_ptr_array_unref (self->traces[side]);
      g_ptr_array_unref (self->names[side]);
      g_clear_pointer (&self->selections[side], g_ptr_array_unref);
    }
  g_clear_object (&self->selection);
  g_free (self->normalization);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (tb_comparison_parent_class)->finalize (object);
}

static void
tb_comparison_class_init (TbComparisonClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tb_comparison_finalize;
}

static void
tb_comparison_init (TbComparison *self)
{
  g_mutex_init (&self->lock);
  self->normalization = g_strdup ("");
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    {
      self->traces[side] = g_ptr_array_new_with_free_func (g_object_unref);
      self->names[side] = g_ptr_array_new_with_free_func (g_free);
    }
}

/**
 * tb_comparison_new:
 *
 * Creates a comparison without recordings.
 *
 * Returns: (transfer full): an empty comparison
 */
TbComparison *
tb_comparison_new (void)
{
  return g_object_new (TB_TYPE_COMPARISON, NULL);
}

/**
 * tb_comparison_add:
 * @self: a comparison that is being built
 * @side: the side to add it to
 * @trace: a recording
 * @name: (nullable): its name, for display
 *
 * Adds a recording. The figures of the first recording of each side are shown.
 */
void
tb_comparison_add (TbComparison *self, TbComparisonSide side, TbTrace *trace, const char *name)
{
  g_return_if_fail (TB_IS_COMPARISON (self) && side < TB_COMPARISON_N_SIDES && TB_IS_TRACE (trace));
  g_return_if_fail (self->selections[side] == NULL);

  g_ptr_array_add (self->traces[side], g_object_ref (trace));
  g_ptr_array_add (self->names[side], g_strdup (name != NULL ? name : ""));
}

/**
 * tb_comparison_set_selection:
 * @self: a comparison that is being built
 * @selection: (nullable): a part of the first other recording
 *
 * Sets the part to analyze. The corresponding part of every other recording is used: the same
 * distance from the start, and threads of the same names.
 */
void
tb_comparison_set_selection (TbComparison *self, TbSelection *selection)
{
  g_return_if_fail (TB_IS_COMPARISON (self));
  g_return_if_fail (self->selections[TB_COMPARISON_OTHER] == NULL);

  g_set_object (&self->selection, selection);
}

/**
 * tb_comparison_set_normalization:
 * @self: a comparison that is being built
 * @by: (nullable): the normalization, see tb_normalization_check()
 *
 * Sets by what numbers are normalized.
 */
void
tb_comparison_set_normalization (TbComparison *self, const char *by)
{
  g_return_if_fail (TB_IS_COMPARISON (self));

  g_set_str (&self->normalization, by != NULL ? by : "");
}

/**
 * tb_comparison_get_n:
 * @self: a comparison
 * @side: a side
 *
 * Gets the number of recordings on a side.
 *
 * Returns: the number
 */
guint
tb_comparison_get_n (TbComparison *self, TbComparisonSide side)
{
  g_return_val_if_fail (TB_IS_COMPARISON (self) && side < TB_COMPARISON_N_SIDES, 0);

  return self->traces[side]->len;
}

/**
 * tb_comparison_get_trace:
 * @self: a comparison
 * @side: a side
 * @index: index of a recording on that side
 *
 * Gets a recording.
 *
 * Returns: (transfer none): a recording
 */
TbTrace *
tb_comparison_get_trace (TbComparison *self, TbComparisonSide side, guint index)
{
  g_return_val_if_fail (TB_IS_COMPARISON (self) && index < tb_comparison_get_n (self, side), NULL);

  return g_ptr_array_index (self->traces[side], index);
}

/**
 * tb_comparison_get_name:
 * @self: a comparison
 * @side: a side
 * @index: index of a recording on that side
 *
 * Gets the name of a recording.
 *
 * Returns: (transfer none): a recording's name, for display
 */
const char *
tb_comparison_get_name (TbComparison *self, TbComparisonSide side, guint index)
{
  g_return_val_if_fail (TB_IS_COMPARISON (self) && index < tb_comparison_get_n (self, side), "");

  return g_ptr_array_index (self->names[side], index);
}

static void
make_selections (TbComparison *self)
{
  TbTrace *chosen_in = self->traces[TB_COMPARISON_OTHER]->len > 0
                           ? g_ptr_array_index (self->traces[TB_COMPARISON_OTHER], 0)
                           : NULL;

  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    {
      self->selections[side] = g_ptr_array_new_with_free_func (g_object_unref);
      for (guint i = 0; i < self->traces[side]->len; i++)
        {
          TbTrace *trace = g_ptr_array_index (self->traces[side], i);

          g_ptr_array_add (self->selections[side],
                           self->selection == NULL ? tb_selection_new (trace)
                           : trace == chosen_in    ? g_object_ref (self->selection)
                                                : tb_selection_carry_over (self->selection, trace));
        }
    }
}

/**
 * tb_comparison_get_selection:
 * @self: a comparison
 * @side: a side
 * @index: index of a recording on that side
 *
 * Gets the part of a recording that is compared. It corresponds to the part that was chosen in the
 * first other recording, see [method@Tailback.Selection.carry_over].
 *
 * Returns: (transfer none): the selected part of a recording
 */
TbSelection *
tb_comparison_get_selection (TbComparison *self, TbComparisonSide side, guint index)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (TB_IS_COMPARISON (self) && index < tb_comparison_get_n (self, side), NULL);

  locker = g_mutex_locker_new (&self->lock);
  if (self->selections[TB_COMPARISON_OTHER] == NULL)
    make_selections (self);
  return g_ptr_array_index (self->selections[side], index);
}

/**
 * tb_comparison_get_normalization:
 * @self: a comparison
 *
 * Gets by what numbers are normalized, see [func@Tailback.normalization_check].
 *
 * Returns: (transfer none): the normalization; "": each analysis normalizes by its own rule
 */
const char *
tb_comparison_get_normalization (TbComparison *self)
{
  g_return_val_if_fail (TB_IS_COMPARISON (self), "");

  return self->normalization;
}

/**
 * tb_comparison_get_scale:
 * @self: a comparison
 * @by: the normalization, see tb_normalization_check(); not ""
 * @side: the side of the recording
 * @index: index of the recording on that side
 * @scale: (out): the factor that normalizes its numbers to those of the first base
 * @error: return location
 *
 * Gets the factor that makes the numbers of a recording comparable.
 *
 * Returns: whether the factor could be computed
 */
gboolean
tb_comparison_get_scale (TbComparison *self,
                         const char *by,
                         TbComparisonSide side,
                         guint index,
                         double *scale,
                         GError **error)
{
  g_return_val_if_fail (TB_IS_COMPARISON (self) && by != NULL && *by != '\0', FALSE);

  *scale = 1;
  if (side == TB_COMPARISON_BASE && index == 0)
    return TRUE;
  return tb_normalization_get_scale (by, tb_comparison_get_trace (self, TB_COMPARISON_BASE, 0),
                                     tb_comparison_get_selection (self, TB_COMPARISON_BASE, 0),
                                     tb_comparison_get_trace (self, side, index),
                                     tb_comparison_get_selection (self, side, index), scale, error);
}
