/* tb-focus.c: focus of a document, the selection that its figures share: object and properties;
 * selected range, selected item with its thread, time and stack, pointer (visible range:
 * tb-focus-view; also -threads, -history)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/focus/tb-focus-private.h"

#include <string.h>

#include "base/tb-base.h"

/**
 * TbFocus:
 *
 * The visible part and the selection of one document.
 *
 * A document has one focus, which all its views share, so that a selection in one view applies to
 * all:
 *
 * - the *extent*, from the start to the end of the recording;
 * - the *view*, the part of it that is visible now;
 * - the selected *range*, which analyses can be limited to, or none;
 * - the selected *threads*, likewise;
 * - the selected *item*: a thread, and a place in a figure with its time and its stack, or none;
 * - the *pointer*, the time under the mouse, or none.
 *
 * It keeps a history of selections with the parts that were visible: tb_focus_go_back().
 *
 * All times are nanoseconds of the session's clock and ranges are half-open. Main thread only.
 */
G_DEFINE_FINAL_TYPE (TbFocus, tb_focus, G_TYPE_OBJECT)

GParamSpec *tb_focus_properties[N_PROPS];
guint tb_focus_signals[N_SIGNALS];

static void
tb_focus_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbFocus *self = TB_FOCUS (object);

  switch (property_id)
    {
    case PROP_EXTENT_FROM:
      g_value_set_int64 (value, self->extent_from);
      break;
    case PROP_EXTENT_TO:
      g_value_set_int64 (value, self->extent_to);
      break;
    case PROP_VIEW_FROM:
      g_value_set_int64 (value, self->view_from);
      break;
    case PROP_VIEW_TO:
      g_value_set_int64 (value, self->view_to);
      break;
    case PROP_RANGE_FROM:
      g_value_set_int64 (value, self->range_from);
      break;
    case PROP_RANGE_TO:
      g_value_set_int64 (value, self->range_to);
      break;
    case PROP_THREAD:
      g_value_set_uint (value, self->thread);
      break;
    case PROP_FIGURE:
      g_value_set_string (value, self->figure);
      break;
    case PROP_ITEM:
      g_value_set_string (value, self->item);
      break;
    case PROP_TIME_FROM:
      g_value_set_int64 (value, self->time_from);
      break;
    case PROP_TIME_TO:
      g_value_set_int64 (value, self->time_to);
      break;
    case PROP_STACK:
      g_value_set_boxed (value, self->stack);
      break;
    case PROP_POINTER:
      g_value_set_int64 (value, self->pointer);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_focus_finalize (GObject *object)
{
  TbFocus *self = TB_FOCUS (object);

  g_free (self->figure);
  g_free (self->item);
  g_strfreev (self->stack);
  g_array_unref (self->threads);
  g_ptr_array_unref (self->places);

  G_OBJECT_CLASS (tb_focus_parent_class)->finalize (object);
}

static GParamSpec *
time_property (const char *name, const char *nick, const char *blurb)
{
  return g_param_spec_int64 (name, nick, blurb, G_MININT64, G_MAXINT64, TB_TIME_NONE,
                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

/**
 * TbFocus:extent-from:
 *
 * Start of the time that can be shown, ns.
 */

/**
 * TbFocus:extent-to:
 *
 * End of the time that can be shown, ns.
 */

/**
 * TbFocus:view-from:
 *
 * Start of the visible part, ns.
 */

/**
 * TbFocus:view-to:
 *
 * End of the visible part, ns.
 */

/**
 * TbFocus:range-from:
 *
 * Start of the selected time range, ns; %TB_TIME_NONE if none is selected.
 */

/**
 * TbFocus:range-to:
 *
 * End of the selected time range, ns; %TB_TIME_NONE if none is selected.
 */

/**
 * TbFocus:thread:
 *
 * The thread of the selected item; %TB_ID_NONE if it has none.
 */

/**
 * TbFocus:figure:
 *
 * Id of the figure of the selected item.
 */

/**
 * TbFocus:item:
 *
 * The selected row, track or node of the figure.
 */

/**
 * TbFocus:time-from:
 *
 * Start of the selected item, ns; %TB_TIME_NONE if it has no time.
 */

/**
 * TbFocus:time-to:
 *
 * End of the selected item, ns; %TB_TIME_NONE if it has no time.
 */

/**
 * TbFocus:stack:
 *
 * Functions of the selected item, outermost first.
 */

/**
 * TbFocus:pointer:
 *
 * The time under the pointer, ns; %TB_TIME_NONE if it is not over a figure.
 */

static void
tb_focus_class_init (TbFocusClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tb_focus_get_property;
  object_class->finalize = tb_focus_finalize;

  tb_focus_properties[PROP_EXTENT_FROM]
      = time_property ("extent-from", "Extent from", "Start of what there is to see, ns");
  tb_focus_properties[PROP_EXTENT_TO]
      = time_property ("extent-to", "Extent to", "End of what there is to see, ns");
  tb_focus_properties[PROP_VIEW_FROM]
      = time_property ("view-from", "View from", "Start of what is visible, ns");
  tb_focus_properties[PROP_VIEW_TO]
      = time_property ("view-to", "View to", "End of what is visible, ns");
  tb_focus_properties[PROP_RANGE_FROM]
      = time_property ("range-from", "Range from", "Start of the selected range, ns, or -1");
  tb_focus_properties[PROP_RANGE_TO]
      = time_property ("range-to", "Range to", "End of the selected range, ns, or -1");
  tb_focus_properties[PROP_THREAD]
      = g_param_spec_uint ("thread", "Thread", "The selected thread, or TB_ID_NONE", 0, G_MAXUINT32,
                           TB_ID_NONE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  tb_focus_properties[PROP_FIGURE]
      = g_param_spec_string ("figure", "Figure", "The id of the figure the selected item is in",
                             NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  tb_focus_properties[PROP_ITEM]
      = g_param_spec_string ("item", "Item", "The selected row, track or node of the figure", NULL,
                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  tb_focus_properties[PROP_TIME_FROM]
      = time_property ("time-from", "Time from", "Start of the selected item, ns, or -1");
  tb_focus_properties[PROP_TIME_TO]
      = time_property ("time-to", "Time to", "End of the selected item, ns, or -1");
  tb_focus_properties[PROP_STACK]
      = g_param_spec_boxed ("stack", "Stack", "Functions of the selected item, outermost first",
                            G_TYPE_STRV, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  tb_focus_properties[PROP_POINTER]
      = time_property ("pointer", "Pointer", "The time the mouse is at, ns, or -1");
  g_object_class_install_properties (object_class, N_PROPS, tb_focus_properties);

  /**
   * TbFocus::history-changed:
   * @self: the focus
   *
   * Whether it can go back or forward may have changed.
   */
  tb_focus_signals[HISTORY_CHANGED]
      = g_signal_new ("history-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);

  /**
   * TbFocus::selection-changed:
   * @self: the focus
   *
   * The selected range, threads or item have changed.
   */
  tb_focus_signals[SELECTION_CHANGED]
      = g_signal_new ("selection-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
  /**
   * TbFocus::view-changed:
   * @self: the focus
   *
   * The extent or the visible part of it has changed. Emitted with every frame of a pan, so
   * handlers must be fast.
   */
  tb_focus_signals[VIEW_CHANGED]
      = g_signal_new ("view-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 0);
  /**
   * TbFocus::pointer-changed:
   * @self: the focus
   *
   * The time under the mouse has changed.
   */
  tb_focus_signals[POINTER_CHANGED]
      = g_signal_new ("pointer-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
tb_focus_init (TbFocus *self)
{
  self->range_from = TB_TIME_NONE;
  self->range_to = TB_TIME_NONE;
  self->time_from = TB_TIME_NONE;
  self->time_to = TB_TIME_NONE;
  self->pointer = TB_TIME_NONE;
  self->thread = TB_ID_NONE;
  self->extent_to = 1;
  self->view_to = 1;
  self->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  tb_focus_init_history (self);
}

/**
 * tb_focus_new:
 * @from: start of the recording, ns
 * @to: end of it, ns
 *
 * Creates a focus in which the whole recording is visible and nothing is selected.
 *
 * Returns: (transfer full): a focus
 */
TbFocus *
tb_focus_new (gint64 from, gint64 to)
{
  TbFocus *self = g_object_new (TB_TYPE_FOCUS, NULL);

  tb_focus_set_extent (self, from, to);
  return self;
}

void
tb_focus_set_time (TbFocus *self, gint64 *where, gint64 value, guint property)
{
  if (*where == value)
    return;
  *where = value;
  g_object_notify_by_pspec (G_OBJECT (self), tb_focus_properties[property]);
}

/**
 * tb_focus_select_range:
 * @self: a focus
 * @from: one end of the range, ns
 * @to: its other end, ns
 *
 * Selects a range of time, clamped to the extent. An empty range clears the selection.
 */
void
tb_focus_select_range (TbFocus *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (from > to)
    {
      gint64 swap = from;

      from = to;
      to = swap;
    }
  from = CLAMP (from, self->extent_from, self->extent_to);
  to = CLAMP (to, self->extent_from, self->extent_to);
  if (from == to)
    {
      tb_focus_clear_range (self);
      return;
    }
  if (from == self->range_from && to == self->range_to)
    return;

  tb_focus_store_view (self);
  g_object_freeze_notify (G_OBJECT (self));
  tb_focus_set_time (self, &self->range_from, from, PROP_RANGE_FROM);
  tb_focus_set_time (self, &self->range_to, to, PROP_RANGE_TO);
  g_object_thaw_notify (G_OBJECT (self));
  tb_focus_selection_changed (self);
}

/**
 * tb_focus_clear_range:
 * @self: a focus
 *
 * Clears the selected range.
 */
void
tb_focus_clear_range (TbFocus *self)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (self->range_from == TB_TIME_NONE)
    return;

  tb_focus_store_view (self);
  g_object_freeze_notify (G_OBJECT (self));
  tb_focus_set_time (self, &self->range_from, TB_TIME_NONE, PROP_RANGE_FROM);
  tb_focus_set_time (self, &self->range_to, TB_TIME_NONE, PROP_RANGE_TO);
  g_object_thaw_notify (G_OBJECT (self));
  tb_focus_selection_changed (self);
}

/**
 * tb_focus_get_range:
 * @self: a focus
 * @from: (out) (optional): start of the selected range, ns, %TB_TIME_NONE if none
 * @to: (out) (optional): its end, ns
 *
 * Gets the selected time range.
 *
 * Returns: whether a range is selected
 */
gboolean
tb_focus_get_range (TbFocus *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), FALSE);

  if (from != NULL)
    *from = self->range_from;
  if (to != NULL)
    *to = self->range_to;
  return self->range_from != TB_TIME_NONE;
}

/**
 * tb_focus_select_thread:
 * @self: a focus
 * @thread: a thread of the session, or %TB_ID_NONE
 *
 * Selects a thread without an item.
 */
void
tb_focus_select_thread (TbFocus *self, guint32 thread)
{
  tb_focus_select_item (self, NULL, NULL, thread, TB_TIME_NONE, TB_TIME_NONE, NULL);
}

static gboolean
stacks_equal (char **a, const char *const *b)
{
  if (a == NULL || b == NULL)
    return (gconstpointer) a == (gconstpointer) b;
  return g_strv_equal ((const char *const *) a, b);
}

/* Returns whether the item has changed, and if so emits the signals. */
gboolean
tb_focus_change_item (TbFocus *self,
                      const char *figure,
                      const char *item,
                      guint32 thread,
                      gint64 from,
                      gint64 to,
                      const char *const *stack)
{
  if (g_strcmp0 (self->figure, figure) == 0 && g_strcmp0 (self->item, item) == 0
      && self->thread == thread && self->time_from == from && self->time_to == to
      && stacks_equal (self->stack, stack))
    return FALSE;

  tb_focus_store_view (self);
  g_object_freeze_notify (G_OBJECT (self));
  if (g_set_str (&self->figure, figure))
    g_object_notify_by_pspec (G_OBJECT (self), tb_focus_properties[PROP_FIGURE]);
  if (g_set_str (&self->item, item))
    g_object_notify_by_pspec (G_OBJECT (self), tb_focus_properties[PROP_ITEM]);
  if (self->thread != thread)
    {
      self->thread = thread;
      g_object_notify_by_pspec (G_OBJECT (self), tb_focus_properties[PROP_THREAD]);
    }
  tb_focus_set_time (self, &self->time_from, from, PROP_TIME_FROM);
  tb_focus_set_time (self, &self->time_to, to, PROP_TIME_TO);
  if (!stacks_equal (self->stack, stack))
    {
      char **copy = g_strdupv ((char **) stack);

      g_strfreev (self->stack);
      self->stack = copy;
      g_object_notify_by_pspec (G_OBJECT (self), tb_focus_properties[PROP_STACK]);
    }
  g_object_thaw_notify (G_OBJECT (self));
  tb_focus_selection_changed (self);
  return TRUE;
}

/**
 * tb_focus_select_item:
 * @self: a focus
 * @figure: (nullable): the id of a figure
 * @item: (nullable): its row, track or node
 * @thread: the item's thread, or %TB_ID_NONE
 * @from: its start, ns, or %TB_TIME_NONE
 * @to: its end, ns, or %TB_TIME_NONE
 * @stack: (nullable) (array zero-terminated=1): its functions, outermost first
 *
 * Selects an item of a figure. An interval of a timeline is identified by its track's id and its
 * times.
 */
void
tb_focus_select_item (TbFocus *self,
                      const char *figure,
                      const char *item,
                      guint32 thread,
                      gint64 from,
                      gint64 to,
                      const char *const *stack)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  tb_focus_change_item (self, figure, item, thread, from, to, stack);
}

/**
 * tb_focus_clear:
 * @self: a focus
 *
 * Clears the selected item and its thread. A selected range stays selected.
 */
void
tb_focus_clear (TbFocus *self)
{
  tb_focus_select_item (self, NULL, NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
}

/**
 * tb_focus_get_thread:
 * @self: a focus
 *
 * Gets the thread of the selected item.
 *
 * Returns: the selected thread, or %TB_ID_NONE
 */
guint32
tb_focus_get_thread (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), TB_ID_NONE);

  return self->thread;
}

/**
 * tb_focus_get_figure:
 * @self: a focus
 *
 * Gets in which figure an item is selected.
 *
 * Returns: (nullable): the id of the figure the selected item is in
 */
const char *
tb_focus_get_figure (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), NULL);

  return self->figure;
}

/**
 * tb_focus_get_item:
 * @self: a focus
 *
 * Gets the selected item.
 *
 * Returns: (nullable): the selected row, track or node of the figure
 */
const char *
tb_focus_get_item (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), NULL);

  return self->item;
}

/**
 * tb_focus_get_time:
 * @self: a focus
 * @from: (out) (optional): start of the selected item, ns, or %TB_TIME_NONE
 * @to: (out) (optional): its end, ns
 *
 * Gets the time of the selected item.
 *
 * Returns: whether an item that has a time is selected
 */
gboolean
tb_focus_get_time (TbFocus *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), FALSE);

  if (from != NULL)
    *from = self->time_from;
  if (to != NULL)
    *to = self->time_to;
  return self->time_from != TB_TIME_NONE;
}

/**
 * tb_focus_get_stack:
 * @self: a focus
 *
 * Gets the call stack of the selected item.
 *
 * Returns: (nullable) (transfer none) (array zero-terminated=1): functions of the selected item,
 *   outermost first
 */
const char *const *
tb_focus_get_stack (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), NULL);

  return (const char *const *) self->stack;
}

/**
 * tb_focus_set_pointer:
 * @self: a focus
 * @time: the time under the mouse, ns, or %TB_TIME_NONE
 *
 * Sets the time under the mouse in one view, which all views mark.
 */
void
tb_focus_set_pointer (TbFocus *self, gint64 time)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (self->pointer == time)
    return;
  tb_focus_set_time (self, &self->pointer, time, PROP_POINTER);
  g_signal_emit (self, tb_focus_signals[POINTER_CHANGED], 0);
}

/**
 * tb_focus_get_pointer:
 * @self: a focus
 *
 * Gets where the pointer is, so that all views can mark this time.
 *
 * Returns: the time under the mouse, ns, or %TB_TIME_NONE
 */
gint64
tb_focus_get_pointer (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), TB_TIME_NONE);

  return self->pointer;
}
