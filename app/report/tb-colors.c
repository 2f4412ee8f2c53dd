/* tb-colors.c: colours of figures: those of the palette of Okabe and Ito in its light, dark and
 * high-contrast styles, the other palettes made from their table (tb-color-palettes) with a legible
 * text colour for each, and the palette in use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-colors-private.h"

static const TbColors colors[TB_N_COLOR_STYLES] = {
  [TB_COLORS_LIGHT] = {
    .paint = {
      [TB_PAINT_RUNNING] = 0x009e73,
      [TB_PAINT_ESTIMATED] = 0x009e73,
      [TB_PAINT_RUNNABLE] = 0xf0e442,
      [TB_PAINT_WAITING] = 0xdcdce1,
      [TB_PAINT_DISK] = 0xe69f00,
      [TB_PAINT_UNINTERRUPTIBLE] = 0xd55e00,
      [TB_PAINT_STOPPED] = 0x7e7e88,
      [TB_PAINT_NETWORK] = 0xcc79a7,
      [TB_PAINT_INTERRUPT] = 0x56b4e9,
      [TB_PAINT_LOST] = 0xb0b0b8,
      [TB_PAINT_UNKNOWN] = 0xbcbcc8,
    },
    .text_on_paint = {
      [TB_PAINT_RUNNING] = 0x04110c,
      [TB_PAINT_ESTIMATED] = 0x04110c,
      [TB_PAINT_RUNNABLE] = 0x1e1e22,
      [TB_PAINT_WAITING] = 0x3a3a40,
      [TB_PAINT_DISK] = 0x1e1e22,
      [TB_PAINT_UNINTERRUPTIBLE] = 0x000000,
      [TB_PAINT_STOPPED] = 0x000000,
      [TB_PAINT_NETWORK] = 0x1e1e22,
      [TB_PAINT_INTERRUPT] = 0x1e1e22,
      [TB_PAINT_LOST] = 0x3a3a40,
      [TB_PAINT_UNKNOWN] = 0x3a3a40,
    },
    .flame = {
      [TB_FLAME_USER] = 0x6cc7a6,
      [TB_FLAME_KERNEL] = 0x35a87f,
      [TB_FLAME_WAITING] = 0xdcdce1,
      [TB_FLAME_PROCESS] = 0x4c566a,
      [TB_FLAME_DISK] = 0xe69f00,
      [TB_FLAME_NETWORK] = 0xdb9bc0,
      [TB_FLAME_UNKNOWN] = 0xe9e3d3,
      [TB_FLAME_BOTH] = 0xb9dccf,
      [TB_FLAME_INFERRED] = 0x6cc7a6,
      [TB_FLAME_UNSAMPLED] = 0xd6e3a8,
      [TB_FLAME_QUEUED] = 0xf6d491,
      [TB_FLAME_RUNNABLE] = 0xf0e442,
      [TB_FLAME_PREEMPTED] = 0xf6efa0,
      [TB_FLAME_INTERRUPT] = 0x56b4e9,
      [TB_FLAME_KERNEL_BLOCK] = 0xe58a4e,
      [TB_FLAME_SLEEPING] = 0xccc8ee,
      [TB_FLAME_TIMED_OUT] = 0xb3d5fe,
      [TB_FLAME_OTHER_PATH] = 0xb09fd8,
      [TB_FLAME_LOST] = 0xb0b0b8,
    },
    .text_on_flame = {
      [TB_FLAME_USER] = 0x1e1e22,
      [TB_FLAME_KERNEL] = 0x1e1e22,
      [TB_FLAME_WAITING] = 0x1e1e22,
      [TB_FLAME_PROCESS] = 0xffffff,
      [TB_FLAME_DISK] = 0x1e1e22,
      [TB_FLAME_NETWORK] = 0x1e1e22,
      [TB_FLAME_UNKNOWN] = 0x1e1e22,
      [TB_FLAME_BOTH] = 0x1e1e22,
      [TB_FLAME_INFERRED] = 0x1e1e22,
      [TB_FLAME_UNSAMPLED] = 0x1e1e22,
      [TB_FLAME_QUEUED] = 0x1e1e22,
      [TB_FLAME_RUNNABLE] = 0x1e1e22,
      [TB_FLAME_PREEMPTED] = 0x1e1e22,
      [TB_FLAME_INTERRUPT] = 0x1e1e22,
      [TB_FLAME_KERNEL_BLOCK] = 0x1e1e22,
      [TB_FLAME_SLEEPING] = 0x1e1e22,
      [TB_FLAME_TIMED_OUT] = 0x1e1e22,
      [TB_FLAME_OTHER_PATH] = 0x1e1e22,
      [TB_FLAME_LOST] = 0x1e1e22,
    },
    .surface = 0xffffff,
    .text = 0x2e2e33,
    .dim = 0x6e6e76,
    .grid = 0xf0f0f3,
    .line = 0xe0e0e4,
    .select = 0x0b57b7,
    .accent = 0x1c71d8,
    .text_on_accent = 0xffffff,
    .range = 0x3584e4,
    .range_opacity = 0.16,
    .match = 0xa51d8f,
    .severity = { 0x77777f, 0x0072b2, 0x8a6d00, 0xc64600 },
    .series = { 0x0072b2, 0x8f3f78, 0x00795a, 0x5b5bbf },
    .chosen = 0xd55e00,
    .shade = { 0xd6e6f4, 0x4f9bd1, 0x08386b },
    .difference = { 0x0b5394, 0x7fb3dd, 0xececf0, 0xf0a36b, 0xb34700 },
  },
  [TB_COLORS_DARK] = {
    .paint = {
      [TB_PAINT_RUNNING] = 0x0fa77c,
      [TB_PAINT_ESTIMATED] = 0x0fa77c,
      [TB_PAINT_RUNNABLE] = 0xe6da3c,
      [TB_PAINT_WAITING] = 0x4b4b53,
      [TB_PAINT_DISK] = 0xe69f00,
      [TB_PAINT_UNINTERRUPTIBLE] = 0xe06a10,
      [TB_PAINT_STOPPED] = 0x85858f,
      [TB_PAINT_NETWORK] = 0xd184af,
      [TB_PAINT_INTERRUPT] = 0x56b4e9,
      [TB_PAINT_LOST] = 0x6d6d77,
      [TB_PAINT_UNKNOWN] = 0x6a6a75,
    },
    .text_on_paint = {
      [TB_PAINT_RUNNING] = 0x04110c,
      [TB_PAINT_ESTIMATED] = 0x04110c,
      [TB_PAINT_RUNNABLE] = 0x141417,
      [TB_PAINT_WAITING] = 0xd6d6dc,
      [TB_PAINT_DISK] = 0x141417,
      [TB_PAINT_UNINTERRUPTIBLE] = 0x141417,
      [TB_PAINT_STOPPED] = 0x141417,
      [TB_PAINT_NETWORK] = 0x141417,
      [TB_PAINT_INTERRUPT] = 0x141417,
      [TB_PAINT_LOST] = 0xffffff,
      [TB_PAINT_UNKNOWN] = 0xffffff,
    },
    .flame = {
      [TB_FLAME_USER] = 0x308168,
      [TB_FLAME_KERNEL] = 0x1b6650,
      [TB_FLAME_WAITING] = 0x4b4b53,
      [TB_FLAME_PROCESS] = 0xb4bfd4,
      [TB_FLAME_DISK] = 0xb27b00,
      [TB_FLAME_NETWORK] = 0x9c5c80,
      [TB_FLAME_UNKNOWN] = 0x57503f,
      [TB_FLAME_BOTH] = 0x46665c,
      [TB_FLAME_INFERRED] = 0x308168,
      [TB_FLAME_UNSAMPLED] = 0x697332,
      [TB_FLAME_QUEUED] = 0x765b21,
      [TB_FLAME_RUNNABLE] = 0xe6da3c,
      [TB_FLAME_PREEMPTED] = 0x8f8a35,
      [TB_FLAME_INTERRUPT] = 0x3d8dbd,
      [TB_FLAME_KERNEL_BLOCK] = 0xa6551b,
      [TB_FLAME_SLEEPING] = 0x5c5890,
      [TB_FLAME_TIMED_OUT] = 0x35617c,
      [TB_FLAME_OTHER_PATH] = 0x775fa8,
      [TB_FLAME_LOST] = 0x6d6d77,
    },
    .text_on_flame = {
      [TB_FLAME_USER] = 0xffffff,
      [TB_FLAME_KERNEL] = 0xffffff,
      [TB_FLAME_WAITING] = 0xf2f2f5,
      [TB_FLAME_PROCESS] = 0x0c0c0e,
      [TB_FLAME_DISK] = 0x0c0a02,
      [TB_FLAME_NETWORK] = 0xffffff,
      [TB_FLAME_UNKNOWN] = 0xf2f2f5,
      [TB_FLAME_BOTH] = 0xffffff,
      [TB_FLAME_INFERRED] = 0xffffff,
      [TB_FLAME_UNSAMPLED] = 0xffffff,
      [TB_FLAME_QUEUED] = 0xffffff,
      [TB_FLAME_RUNNABLE] = 0x0c0c0e,
      [TB_FLAME_PREEMPTED] = 0x0c0c0e,
      [TB_FLAME_INTERRUPT] = 0x0c0c0e,
      [TB_FLAME_KERNEL_BLOCK] = 0xffffff,
      [TB_FLAME_SLEEPING] = 0xffffff,
      [TB_FLAME_TIMED_OUT] = 0xffffff,
      [TB_FLAME_OTHER_PATH] = 0xffffff,
      [TB_FLAME_LOST] = 0xffffff,
    },
    .surface = 0x1d1d20,
    .text = 0xf2f2f5,
    .dim = 0xa5a5ae,
    .grid = 0x29292d,
    .line = 0x36363b,
    .select = 0x86b9ff,
    .accent = 0x1c71d8,
    .text_on_accent = 0xffffff,
    .range = 0x3584e4,
    .range_opacity = 0.25,
    .match = 0xf08cdd,
    .severity = { 0xa5a5ae, 0x56b4e9, 0xe6c34a, 0xff7b45 },
    .series = { 0x4aa3dc, 0xe08fc0, 0x3cc79d, 0xa3a3f2 },
    .chosen = 0xec7a2d,
    .shade = { 0x17324a, 0x2c7cb8, 0xcfe8ff },
    .difference = { 0x8cc8ff, 0x2f6ea8, 0x37373d, 0x9c5522, 0xffa766 },
  },
  [TB_COLORS_LIGHT_CONTRAST] = {
    .paint = {
      [TB_PAINT_RUNNING] = 0x00664a,
      [TB_PAINT_ESTIMATED] = 0x00664a,
      [TB_PAINT_RUNNABLE] = 0xa89300,
      [TB_PAINT_WAITING] = 0x92929c,
      [TB_PAINT_DISK] = 0xc58100,
      [TB_PAINT_UNINTERRUPTIBLE] = 0xa83f00,
      [TB_PAINT_STOPPED] = 0x56565f,
      [TB_PAINT_NETWORK] = 0xc0408c,
      [TB_PAINT_INTERRUPT] = 0x1c7fbd,
      [TB_PAINT_LOST] = 0x6a6a73,
      [TB_PAINT_UNKNOWN] = 0x707674,
    },
    .text_on_paint = {
      [TB_PAINT_RUNNING] = 0xffffff,
      [TB_PAINT_ESTIMATED] = 0xffffff,
      [TB_PAINT_RUNNABLE] = 0x000000,
      [TB_PAINT_WAITING] = 0x000000,
      [TB_PAINT_DISK] = 0x000000,
      [TB_PAINT_UNINTERRUPTIBLE] = 0xffffff,
      [TB_PAINT_STOPPED] = 0xffffff,
      [TB_PAINT_NETWORK] = 0xffffff,
      [TB_PAINT_INTERRUPT] = 0x000000,
      [TB_PAINT_LOST] = 0xffffff,
      [TB_PAINT_UNKNOWN] = 0x000000,
    },
    .flame = {
      [TB_FLAME_USER] = 0x4fb893,
      [TB_FLAME_KERNEL] = 0x2fa47c,
      [TB_FLAME_WAITING] = 0xcacad1,
      [TB_FLAME_PROCESS] = 0x2c3444,
      [TB_FLAME_DISK] = 0xe69f00,
      [TB_FLAME_NETWORK] = 0xdb8fba,
      [TB_FLAME_UNKNOWN] = 0xddd2b5,
      [TB_FLAME_BOTH] = 0xa4d3c1,
      [TB_FLAME_INFERRED] = 0x4fb893,
      [TB_FLAME_UNSAMPLED] = 0xc3d67f,
      [TB_FLAME_QUEUED] = 0xf2c566,
      [TB_FLAME_RUNNABLE] = 0xf0e442,
      [TB_FLAME_PREEMPTED] = 0xf2e880,
      [TB_FLAME_INTERRUPT] = 0x3fa5e0,
      [TB_FLAME_KERNEL_BLOCK] = 0xe07b38,
      [TB_FLAME_SLEEPING] = 0xaba5db,
      [TB_FLAME_TIMED_OUT] = 0x8ccaf0,
      [TB_FLAME_OTHER_PATH] = 0xa18cd4,
      [TB_FLAME_LOST] = 0x6a6a73,
    },
    .text_on_flame = {
      [TB_FLAME_USER] = 0x000000,
      [TB_FLAME_KERNEL] = 0x000000,
      [TB_FLAME_WAITING] = 0x000000,
      [TB_FLAME_PROCESS] = 0xffffff,
      [TB_FLAME_DISK] = 0x000000,
      [TB_FLAME_NETWORK] = 0x000000,
      [TB_FLAME_UNKNOWN] = 0x000000,
      [TB_FLAME_BOTH] = 0x000000,
      [TB_FLAME_INFERRED] = 0x000000,
      [TB_FLAME_UNSAMPLED] = 0x000000,
      [TB_FLAME_QUEUED] = 0x000000,
      [TB_FLAME_RUNNABLE] = 0x000000,
      [TB_FLAME_PREEMPTED] = 0x000000,
      [TB_FLAME_INTERRUPT] = 0x000000,
      [TB_FLAME_KERNEL_BLOCK] = 0x000000,
      [TB_FLAME_SLEEPING] = 0x000000,
      [TB_FLAME_TIMED_OUT] = 0x000000,
      [TB_FLAME_OTHER_PATH] = 0x000000,
      [TB_FLAME_LOST] = 0xffffff,
    },
    .surface = 0xffffff,
    .text = 0x000000,
    .dim = 0x3c3c43,
    .grid = 0xd9d9de,
    .line = 0x77777f,
    .select = 0x00398c,
    .accent = 0x1a5fb4,
    .text_on_accent = 0xffffff,
    .range = 0x1a5fb4,
    .range_opacity = 0.20,
    .match = 0x8a0f75,
    .severity = { 0x3c3c43, 0x00517e, 0x6b5400, 0xa23400 },
    .series = { 0x00517e, 0x7a1f5f, 0x005c42, 0x33339c },
    .chosen = 0xb04000,
    .shade = { 0xb9d6ee, 0x2b7fc0, 0x04244a },
    .difference = { 0x003a70, 0x5c9fd4, 0xe6e6ec, 0xe98a45, 0x8a3300 },
  },
  [TB_COLORS_DARK_CONTRAST] = {
    .paint = {
      [TB_PAINT_RUNNING] = 0x2fd3a3,
      [TB_PAINT_ESTIMATED] = 0x2fd3a3,
      [TB_PAINT_RUNNABLE] = 0xfff05a,
      [TB_PAINT_WAITING] = 0x74747f,
      [TB_PAINT_DISK] = 0xffb81f,
      [TB_PAINT_UNINTERRUPTIBLE] = 0xff8238,
      [TB_PAINT_STOPPED] = 0xa5a5b0,
      [TB_PAINT_NETWORK] = 0xf5a8d2,
      [TB_PAINT_INTERRUPT] = 0x87d6ff,
      [TB_PAINT_LOST] = 0xa3a3ae,
      [TB_PAINT_UNKNOWN] = 0x8a8a96,
    },
    .text_on_paint = {
      [TB_PAINT_RUNNING] = 0x000000,
      [TB_PAINT_ESTIMATED] = 0x000000,
      [TB_PAINT_RUNNABLE] = 0x000000,
      [TB_PAINT_WAITING] = 0xffffff,
      [TB_PAINT_DISK] = 0x000000,
      [TB_PAINT_UNINTERRUPTIBLE] = 0x000000,
      [TB_PAINT_STOPPED] = 0x000000,
      [TB_PAINT_NETWORK] = 0x000000,
      [TB_PAINT_INTERRUPT] = 0x000000,
      [TB_PAINT_LOST] = 0x000000,
      [TB_PAINT_UNKNOWN] = 0x000000,
    },
    .flame = {
      [TB_FLAME_USER] = 0x1f7257,
      [TB_FLAME_KERNEL] = 0x0d5240,
      [TB_FLAME_WAITING] = 0x4b4b53,
      [TB_FLAME_PROCESS] = 0xd5def0,
      [TB_FLAME_DISK] = 0xd99a10,
      [TB_FLAME_NETWORK] = 0x8d4a70,
      [TB_FLAME_UNKNOWN] = 0x4d4636,
      [TB_FLAME_BOTH] = 0x3d5d52,
      [TB_FLAME_INFERRED] = 0x1f7257,
      [TB_FLAME_UNSAMPLED] = 0x5d681f,
      [TB_FLAME_QUEUED] = 0x705516,
      [TB_FLAME_RUNNABLE] = 0xfff05a,
      [TB_FLAME_PREEMPTED] = 0x837e2a,
      [TB_FLAME_INTERRUPT] = 0x7ccbf8,
      [TB_FLAME_KERNEL_BLOCK] = 0x983f16,
      [TB_FLAME_SLEEPING] = 0x514d86,
      [TB_FLAME_TIMED_OUT] = 0x224d68,
      [TB_FLAME_OTHER_PATH] = 0x69509c,
      [TB_FLAME_LOST] = 0xa3a3ae,
    },
    .text_on_flame = {
      [TB_FLAME_USER] = 0xffffff,
      [TB_FLAME_KERNEL] = 0xffffff,
      [TB_FLAME_WAITING] = 0xffffff,
      [TB_FLAME_PROCESS] = 0x000000,
      [TB_FLAME_DISK] = 0x000000,
      [TB_FLAME_NETWORK] = 0xffffff,
      [TB_FLAME_UNKNOWN] = 0xffffff,
      [TB_FLAME_BOTH] = 0xffffff,
      [TB_FLAME_INFERRED] = 0xffffff,
      [TB_FLAME_UNSAMPLED] = 0xffffff,
      [TB_FLAME_QUEUED] = 0xffffff,
      [TB_FLAME_RUNNABLE] = 0x000000,
      [TB_FLAME_PREEMPTED] = 0x000000,
      [TB_FLAME_INTERRUPT] = 0x000000,
      [TB_FLAME_KERNEL_BLOCK] = 0xffffff,
      [TB_FLAME_SLEEPING] = 0xffffff,
      [TB_FLAME_TIMED_OUT] = 0xffffff,
      [TB_FLAME_OTHER_PATH] = 0xffffff,
      [TB_FLAME_LOST] = 0x000000,
    },
    .surface = 0x111113,
    .text = 0xffffff,
    .dim = 0xd4d4da,
    .grid = 0x3a3a40,
    .line = 0x9a9aa5,
    .select = 0xb0d2ff,
    .accent = 0x62a0ea,
    .text_on_accent = 0x000000,
    .range = 0x62a0ea,
    .range_opacity = 0.30,
    .match = 0xffb3f1,
    .severity = { 0xd4d4da, 0x7ccbf8, 0xffdf6b, 0xff9a6e },
    .series = { 0x7ccbf8, 0xffb3e0, 0x5fe0b8, 0xc4c4ff },
    .chosen = 0xff9a4d,
    .shade = { 0x1d3f5e, 0x3f97d8, 0xe6f3ff },
    .difference = { 0xb5dcff, 0x3a80bf, 0x33333a, 0xb3611f, 0xffc28f },
  },
};

static double
get_luminance (guint32 color)
{
  static const double weights[] = { .0722, .7152, .2126 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    {
      double c = (color >> (8 * i) & 255) / 255.;

      sum += weights[i] * (c <= .04045 ? c / 12.92 : pow ((c + .055) / 1.055, 2.4));
    }
  return sum;
}

/* Uses the contrast ratio of WCAG 2. */
static guint32
choose_text_color (guint32 ground)
{
  double luminance = get_luminance (ground) + .05;

  return luminance * luminance > 1.05 * .05 ? 0x000000 : 0xffffff;
}

static void
make_variant (TbColors *to, const TbColors *base, const TbColorVariant *variant)
{
  *to = *base;
  memcpy (to->paint, variant->paint, sizeof to->paint);
  memcpy (to->flame, variant->flame, sizeof to->flame);
  memcpy (to->shade, variant->shade, sizeof to->shade);
  memcpy (to->difference, variant->difference, sizeof to->difference);
  for (guint i = 0; i < TB_N_PAINTS; i++)
    to->text_on_paint[i] = choose_text_color (to->paint[i]);
  for (guint i = 0; i < TB_N_FLAME_PAINTS; i++)
    to->text_on_flame[i] = choose_text_color (to->flame[i]);
}

/**
 * tb_colors_get_for_palette:
 * @palette: a palette
 * @style: a style of the palette
 *
 * Gets the colours of a style of a palette.
 *
 * Returns: (transfer none): the colours of the style; valid until the process ends
 */
const TbColors *
tb_colors_get_for_palette (TbColorPalette palette, TbColorStyle style)
{
  static TbColors variants[TB_N_COLOR_PALETTES][TB_N_COLOR_STYLES];
  static gsize once;

  g_return_val_if_fail (palette < TB_N_COLOR_PALETTES, &colors[TB_COLORS_LIGHT]);
  g_return_val_if_fail (style < TB_N_COLOR_STYLES, &colors[TB_COLORS_LIGHT]);

  if (g_once_init_enter (&once))
    {
      for (guint i = TB_COLOR_PALETTE_OKABE_ITO + 1; i < TB_N_COLOR_PALETTES; i++)
        for (guint k = 0; k < TB_N_COLOR_STYLES; k++)
          make_variant (&variants[i][k], &colors[k], &tb_color_variants[i][k]);
      g_once_init_leave (&once, 1);
    }
  return palette == TB_COLOR_PALETTE_OKABE_ITO ? &colors[style] : &variants[palette][style];
}

static gint current_palette = TB_COLOR_PALETTE_OKABE_ITO;

/**
 * tb_colors_set_palette:
 * @palette: a palette
 *
 * Sets the palette of all figures of this process that are drawn from now on.
 */
void
tb_colors_set_palette (TbColorPalette palette)
{
  g_return_if_fail (palette < TB_N_COLOR_PALETTES);

  g_atomic_int_set (&current_palette, (gint) palette);
}

/**
 * tb_colors_get_palette:
 *
 * Gets the palette of all figures of this process. Can be called from any thread.
 *
 * Returns: the current palette; initially that of Okabe and Ito
 */
TbColorPalette
tb_colors_get_palette (void)
{
  return (TbColorPalette) g_atomic_int_get (&current_palette);
}

/**
 * tb_colors_get:
 * @style: a style of the palette
 *
 * Gets the colours of a style in the palette that the user has chosen.
 *
 * Returns: (transfer none): the colours of a style of the current palette; valid until the process
 *   ends
 */
const TbColors *
tb_colors_get (TbColorStyle style)
{
  return tb_colors_get_for_palette (tb_colors_get_palette (), style);
}
