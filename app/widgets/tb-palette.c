/* tb-palette.c: palettes, as GTK colours, of the figures by the style of the application (values
 * from tb-colors.c); choice of the kind of palette, with redrawing; colours of amounts and of
 * differences
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-palette.h"

#include <adwaita.h>

#include "report/tb-colors.h"
#include "report/tb-finding.h"
#include "widgets/tb-widgets-private.h"

G_STATIC_ASSERT ((guint) TB_N_PALETTES == (guint) TB_N_COLOR_STYLES);
G_STATIC_ASSERT ((guint) TB_PALETTE_DARK_CONTRAST == (guint) TB_COLORS_DARK_CONTRAST);

static GdkRGBA
to_rgba (guint32 color, double alpha)
{
  return (GdkRGBA) { (color >> 16 & 255) / 255.f, (color >> 8 & 255) / 255.f, (color & 255) / 255.f,
                     (float) alpha };
}

static void
convert (TbPalette *palette, const TbColors *colors)
{
  for (guint i = 1; i < TB_N_PAINTS; i++)
    {
      palette->paint[i] = to_rgba (colors->paint[i], 1);
      palette->text_on_paint[i] = to_rgba (colors->text_on_paint[i], 1);
    }
  for (guint i = 0; i < TB_N_FLAME_PAINTS; i++)
    {
      palette->flame[i] = to_rgba (colors->flame[i], 1);
      palette->text_on_flame[i] = to_rgba (colors->text_on_flame[i], 1);
    }
  palette->surface = to_rgba (colors->surface, 1);
  palette->text = to_rgba (colors->text, 1);
  palette->dim = to_rgba (colors->dim, 1);
  palette->grid = to_rgba (colors->grid, 1);
  palette->line = to_rgba (colors->line, 1);
  palette->select = to_rgba (colors->select, 1);
  palette->accent = to_rgba (colors->accent, 1);
  palette->text_on_accent = to_rgba (colors->text_on_accent, 1);
  palette->range = to_rgba (colors->range, colors->range_opacity);
  palette->match = to_rgba (colors->match, 1);
  for (guint i = 0; i < G_N_ELEMENTS (palette->severity); i++)
    palette->severity[i] = to_rgba (colors->severity[i], 1);
  for (guint i = 0; i < G_N_ELEMENTS (palette->series); i++)
    palette->series[i] = to_rgba (colors->series[i], 1);
  palette->chosen = to_rgba (colors->chosen, 1);
  for (guint i = 0; i < G_N_ELEMENTS (palette->shade); i++)
    palette->shade[i] = to_rgba (colors->shade[i], 1);
  for (guint i = 0; i < G_N_ELEMENTS (palette->difference); i++)
    palette->difference[i] = to_rgba (colors->difference[i], 1);
}

/* The palettes of the chosen kind, by style. */
static const TbPalette *
get_palettes (void)
{
  static TbPalette palettes[TB_N_COLOR_PALETTES][TB_N_PALETTES];
  static gsize once;

  if (g_once_init_enter (&once))
    {
      for (guint i = 0; i < TB_N_COLOR_PALETTES; i++)
        for (guint k = 0; k < TB_N_PALETTES; k++)
          convert (&palettes[i][k], tb_colors_get_for_palette (i, k));
      g_once_init_leave (&once, 1);
    }
  return palettes[tb_colors_get_palette ()];
}

static void
redraw_all (GtkWidget *widget)
{
  gtk_widget_queue_draw (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    redraw_all (child);
}

/**
 * tb_palette_choose:
 * @palette: a colour palette
 *
 * Sets the palette of everything that is drawn from now on, and redraws all visible figures.
 */
void
tb_palette_choose (TbColorPalette palette)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_return_if_fail (palette < TB_N_COLOR_PALETTES);

  if (tb_colors_get_palette () == palette)
    return;
  tb_colors_set_palette (palette);
  tb_widgets_style_changed ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      redraw_all (window);
    }
}

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, double part)
{
  float more = (float) part, less = 1 - more;

  return (GdkRGBA) { a->red * less + b->red * more, a->green * less + b->green * more,
                     a->blue * less + b->blue * more, a->alpha * less + b->alpha * more };
}

static GdkRGBA
pick (const GdkRGBA *colors, guint n, double place)
{
  double at = CLAMP (place, 0, 1) * (n - 1);
  guint below = MIN ((guint) at, n - 2);

  return mix (&colors[below], &colors[below + 1], at - below);
}

/**
 * tb_palette_get_shade:
 * @self: a palette
 * @share: 0…1
 * @color: (out caller-allocates): the colour
 *
 * Gets the colour of an amount. It differs more from the surface the larger the amount is.
 */
void
tb_palette_get_shade (const TbPalette *self, double share, GdkRGBA *color)
{
  g_return_if_fail (self != NULL && color != NULL);

  *color = pick (self->shade, G_N_ELEMENTS (self->shade), share);
}

/**
 * tb_palette_get_difference:
 * @self: a palette
 * @difference: −1…1: from less to more
 * @color: (out caller-allocates): the colour
 *
 * Gets the colour of a difference: blue for less, orange for more, grey for none. Blue and orange
 * can be distinguished with every kind of colour vision.
 */
void
tb_palette_get_difference (const TbPalette *self, double difference, GdkRGBA *color)
{
  g_return_if_fail (self != NULL && color != NULL);

  *color = pick (self->difference, G_N_ELEMENTS (self->difference), (difference + 1) / 2);
}

/**
 * tb_palette_get:
 * @style: a style
 *
 * Gets the colours of a style in the palette that the user has chosen.
 *
 * Returns: (transfer none): the palette of a style, which is never freed
 */
const TbPalette *
tb_palette_get (TbPaletteStyle style)
{
  g_return_val_if_fail (style < TB_N_PALETTES, &get_palettes ()[TB_PALETTE_LIGHT]);

  return &get_palettes ()[style];
}

/**
 * tb_palette_get_default:
 *
 * Gets the palette for the application's current style. The pointer differs after the style has
 * changed. The blue of selections does not follow the user's accent colour, because that may be the
 * colour of a state.
 *
 * Returns: (transfer none): a palette
 */
const TbPalette *
tb_palette_get_default (void)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  guint style = TB_PALETTE_LIGHT;

  if (adw_style_manager_get_dark (manager))
    style += TB_PALETTE_DARK - TB_PALETTE_LIGHT;
  if (adw_style_manager_get_high_contrast (manager))
    style += TB_PALETTE_LIGHT_CONTRAST - TB_PALETTE_LIGHT;
  return &get_palettes ()[style];
}
