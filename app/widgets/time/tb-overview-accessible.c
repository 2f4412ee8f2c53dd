/* tb-overview-accessible.c: accessible items, for screen readers, of the overview strip: equal
 * parts of the recording with their activity
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/time/tb-overview-strip-private.h"

/* Number of parts that are read. */
#define N_PARTS 20

static TbFocus *
get_focus (TbOverviewStrip *self)
{
  return tb_focus_widget_get_focus (TB_FOCUS_WIDGET (self));
}

static void
get_part (TbOverviewStrip *self, guint part, gint64 *from, gint64 *to)
{
  gint64 start, end;

  tb_focus_get_extent (get_focus (self), &start, &end);
  *from = start + (gint64) ((double) (end - start) * part / N_PARTS);
  *to = start + (gint64) ((double) (end - start) * (part + 1) / N_PARTS);
}

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_LIST_ITEM;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  gint64 from, to;

  tb_focus_get_extent (get_focus (TB_OVERVIEW_STRIP (widget)), &from, &to);
  state[0] = (guint64) from;
  state[1] = (guint64) to;
}

static void
list (GtkWidget *widget, GArray *places)
{
  float width = (float) (gtk_widget_get_width (widget) - 2 * TB_OVERVIEW_MARGIN) / N_PARTS;

  if (width <= 0 || TB_OVERVIEW_STRIP (widget)->n_activity == 0)
    return;
  for (guint i = 0; i < N_PARTS; i++)
    {
      TbAccessiblePlace place = { .key = i, .parent = TB_ID_NONE };

      graphene_rect_init (&place.bounds, TB_OVERVIEW_MARGIN + (float) i * width, 0, width,
                          (float) gtk_widget_get_height (widget));
      g_array_append_val (places, place);
    }
}

/* The highest activity within a part. */
static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  gsize first = (gsize) key * self->n_activity / N_PARTS,
        last = (gsize) (key + 1) * self->n_activity / N_PARTS;
  g_autofree char *begin = NULL;
  g_autofree char *end = NULL;
  g_autofree char *share = NULL;
  gint64 start, from, to;
  float most = 0;

  for (gsize i = first; i < MIN (MAX (last, first + 1), self->n_activity); i++)
    most = MAX (most, self->activity[i]);
  get_part (self, (guint) key, &from, &to);
  tb_focus_get_extent (get_focus (self), &start, NULL);
  begin = tb_format_time (from - start, MAX (1, (to - from) / 100));
  end = tb_format_time (to - start, MAX (1, (to - from) / 100));
  share = tb_format_share (most);
  text->name = g_strdup_printf ("%s–%s", begin, end);
  /* Translators: the highest activity of threads in a part, as a share of the highest activity in
   * the recording */
  text->value = g_strdup_printf (_ ("%s of the highest activity"), share);
  text->kind = _ ("part of the recording");
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  gint64 from, to, range_from, range_to;

  get_part (self, (guint) key, &from, &to);
  return tb_focus_get_range (get_focus (self), &range_from, &range_to) && range_from < to
         && range_to > from;
}

/* The keyboard moves the range. */
static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  for (*key = 0; *key < N_PARTS; (*key)++)
    if (is_selected (widget, *key))
      return TRUE;
  return FALSE;
}

const TbAccessibleItemsClass tb_overview_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
