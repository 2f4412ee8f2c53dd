/* test-colors.c: test that the colours of figures are readable and distinguishable, also with a
 * colour vision deficiency
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Three kinds of colour vision deficiency are simulated with the matrices of G. M. Machado, M. M.
 * Oliveira, L. A. F. Fernandes: A Physiologically-based Model for Simulation of Color Vision
 * Deficiency, IEEE TVCG 15(6), 2009, at their full severity, applied to linear sRGB. Differences
 * are those of CIEDE2000. Contrast is that of WCAG 2: 4.5 for text (1.4.3), 3 for graphics that
 * carry information alone (1.4.11).
 *
 * 2.3 is the least noticeable difference (Mahy, Van Eycken, Oosterlinck: Evaluation of Uniform
 * Color Spaces, 1994), for large adjacent areas. Intervals are small and not adjacent, so states of
 * the same height, which only their colour distinguishes, must differ by three times that. Lost
 * ranges are hatched.
 */

#include "config.h"

#include <math.h>

#include "report/tb-colors.h"

#define LEAST_NOTICED 2.3
#define TEXT_CONTRAST 4.5
#define GRAPHICS_CONTRAST 3.

typedef struct
{
  double x, y, z;
} Triple;

typedef struct
{
  const char *name;
  double m[3][3];
} Vision;

static const Vision visions[] = {
  { "normal", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  { "protan",
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } } },
  { "deutan",
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } } },
  { "tritan",
    { { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } } },
};

/* Vision of lightness only, as on a monochrome print. */
static const Vision without_color
    = { "colorless",
        { { 0.2126, 0.7152, 0.0722 }, { 0.2126, 0.7152, 0.0722 }, { 0.2126, 0.7152, 0.0722 } } };

/* All styles of all palettes, in order. */
#define N_SETS (TB_N_COLOR_PALETTES * TB_N_COLOR_STYLES)

static const char *const style_names[N_SETS] = {
  "light",         "dark",         "light, high contrast",         "dark, high contrast",
  "shades, light", "shades, dark", "shades, light, high contrast", "shades, dark, high contrast",
  "calm, light",   "calm, dark",   "calm, light, high contrast",   "calm, dark, high contrast",
};

static const TbColors *
get_set (guint set)
{
  return tb_colors_get_for_palette (set / TB_N_COLOR_STYLES, set % TB_N_COLOR_STYLES);
}

static double
to_linear (guint32 channel)
{
  double c = (channel & 255) / 255.;

  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static Triple
get_linear (guint32 rgb)
{
  return (Triple) { to_linear (rgb >> 16), to_linear (rgb >> 8), to_linear (rgb) };
}

static Triple
apply (const double m[3][3], Triple v)
{
  return (Triple) { m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
                    m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                    m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z };
}

/* A colour outside the gamut is shown as the nearest one in it. */
static Triple
clamp (Triple v)
{
  return (Triple) { CLAMP (v.x, 0, 1), CLAMP (v.y, 0, 1), CLAMP (v.z, 0, 1) };
}

static double
get_contrast (guint32 a, guint32 b)
{
  Triple first = get_linear (a), second = get_linear (b);
  double x = 0.2126 * first.x + 0.7152 * first.y + 0.0722 * first.z;
  double y = 0.2126 * second.x + 0.7152 * second.y + 0.0722 * second.z;

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static double
to_lab (double t)
{
  return t > 216. / 24389 ? cbrt (t) : (24389. / 27 * t + 16) / 116;
}

/* Perceived colour: CIE L*a*b* under D65. */
static Triple
see (const Vision *vision, guint32 rgb)
{
  static const double to_xyz[3][3] = { { 0.4124564, 0.3575761, 0.1804375 },
                                       { 0.2126729, 0.7151522, 0.0721750 },
                                       { 0.0193339, 0.1191920, 0.9503041 } };
  Triple v = apply (to_xyz, clamp (apply (vision->m, get_linear (rgb))));
  double x = to_lab (v.x / 0.95047), y = to_lab (v.y), z = to_lab (v.z / 1.08883);

  return (Triple) { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double
get_hue (double a, double b)
{
  double degrees = a == 0 && b == 0 ? 0 : atan2 (b, a) * 180 / G_PI;

  return degrees < 0 ? degrees + 360 : degrees;
}

static double
cosine (double degrees)
{
  return cos (degrees * G_PI / 180);
}

/* CIEDE2000 (CIE 142:2001), all weights 1. */
static double
get_difference (Triple p, Triple q)
{
  double chroma = (hypot (p.y, p.z) + hypot (q.y, q.z)) / 2;
  double stretch = 1.5 - 0.5 * sqrt (pow (chroma, 7) / (pow (chroma, 7) + pow (25, 7)));
  double c1 = hypot (p.y * stretch, p.z), c2 = hypot (q.y * stretch, q.z);
  double h1 = get_hue (p.y * stretch, p.z), h2 = get_hue (q.y * stretch, q.z);
  double hue_difference = c1 * c2 == 0 ? 0 : remainder (h2 - h1, 360);
  double hue = c1 * c2 == 0 ? h1 + h2 : h1 + hue_difference / 2;
  double l = (p.x + q.x) / 2, c = (c1 + c2) / 2;
  double t = 1 - 0.17 * cosine (hue - 30) + 0.24 * cosine (2 * hue) + 0.32 * cosine (3 * hue + 6)
             - 0.2 * cosine (4 * hue - 63);
  double bent = remainder (hue - 275, 360) / 25;
  double rotation = -2 * sqrt (pow (c, 7) / (pow (c, 7) + pow (25, 7)))
                    * sin (60 * exp (-bent * bent) * G_PI / 180);
  double dl = (q.x - p.x) / (1 + 0.015 * (l - 50) * (l - 50) / sqrt (20 + (l - 50) * (l - 50)));
  double dc = (c2 - c1) / (1 + 0.045 * c);
  double dh = 2 * sqrt (c1 * c2) * sin (hue_difference / 2 * G_PI / 180) / (1 + 0.015 * c * t);

  return sqrt (dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

/* Some of the pairs of G. Sharma, W. Wu, E. N. Dalal: The CIEDE2000 Color-Difference Formula, 2005,
 * table 1. */
static void
test_formula (void)
{
  static const struct
  {
    Triple a, b;
    double difference;
  } pairs[] = {
    { { 50, 2.6772, -79.7751 }, { 50, 0, -82.7485 }, 2.0425 },
    { { 50, -1.3802, -84.2814 }, { 50, 0, -82.7485 }, 1.0000 },
    { { 50, 2.49, -0.001 }, { 50, -2.49, 0.0009 }, 7.1792 },
    { { 50, 2.5, 0 }, { 73, 25, -18 }, 27.1492 },
    { { 60.2574, -34.0099, 36.2677 }, { 60.4626, -34.1751, 39.4387 }, 1.2644 },
    { { 22.7233, 20.0904, -46.694 }, { 23.0331, 14.973, -42.5619 }, 2.0373 },
    { { 2.0776, 0.0795, -1.135 }, { 0.9033, -0.0636, -0.5514 }, 0.9082 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_cmpfloat_with_epsilon (get_difference (pairs[i].a, pairs[i].b), pairs[i].difference,
                                    0.00006);
  g_assert_cmpfloat_with_epsilon (get_contrast (0xffffff, 0x000000), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_contrast (0x777777, 0xffffff), 4.478, 0.001);
}

static void
assert_contrast (guint style, const char *what, guint number, guint32 a, guint32 b, double least)
{
  double contrast = get_contrast (a, b);

  if (contrast < least)
    {
      g_test_message ("%s: %s %u: #%06x on #%06x has contrast %.2f, not %.1f", style_names[style],
                      what, number, a, b, contrast, least);
      g_test_fail ();
    }
}

static void
test_text (void)
{
  for (guint style = 0; style < N_SETS; style++)
    {
      const TbColors *colors = get_set (style);

      for (guint i = 1; i < TB_N_PAINTS; i++)
        assert_contrast (style, "text on the state", i, colors->text_on_paint[i], colors->paint[i],
                         TEXT_CONTRAST);
      for (guint i = 0; i < TB_N_FLAME_PAINTS; i++)
        assert_contrast (style, "text on the box", i, colors->text_on_flame[i], colors->flame[i],
                         TEXT_CONTRAST);
      assert_contrast (style, "text", 0, colors->text, colors->surface, TEXT_CONTRAST);
      assert_contrast (style, "secondary text", 0, colors->dim, colors->surface, TEXT_CONTRAST);
      assert_contrast (style, "text in the pointer's bubble", 0, colors->text_on_accent,
                       colors->accent, TEXT_CONTRAST);
    }
}

/* In the high-contrast styles every state has the contrast, too. In the other styles waiting is
 * intended to recede. */
static void
test_graphics (void)
{
  for (guint style = 0; style < N_SETS; style++)
    {
      const TbColors *colors = get_set (style);

      assert_contrast (style, "selection", 0, colors->select, colors->surface, GRAPHICS_CONTRAST);
      assert_contrast (style, "accent", 0, colors->accent, colors->surface, GRAPHICS_CONTRAST);
      assert_contrast (style, "match", 0, colors->match, colors->surface, GRAPHICS_CONTRAST);
      for (guint i = 0; i < G_N_ELEMENTS (colors->severity); i++)
        assert_contrast (style, "severity", i, colors->severity[i], colors->surface,
                         GRAPHICS_CONTRAST);
      for (guint i = 1; style % TB_N_COLOR_STYLES >= TB_COLORS_LIGHT_CONTRAST && i < TB_N_PAINTS;
           i++)
        assert_contrast (style, "state", i, colors->paint[i], colors->surface, GRAPHICS_CONTRAST);
    }
}

static void
assert_different_by (const Vision *vision,
                     guint style,
                     const guint32 *colors,
                     const guint *kinds,
                     guint n,
                     const char *what,
                     double least)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      {
        Triple first = see (vision, colors[kinds[i]]), second = see (vision, colors[kinds[j]]);
        double difference = get_difference (first, second);

        if (difference < least)
          {
            g_test_message ("%s, %s vision: %s %u and %u differ by %.1f, not %.1f",
                            style_names[style], vision->name, what, kinds[i], kinds[j], difference,
                            least);
            g_test_fail ();
          }
      }
}

static void
assert_different (guint style,
                  const guint32 *colors,
                  const guint *kinds,
                  guint n,
                  const char *what,
                  double least)
{
  for (guint v = 0; v < G_N_ELEMENTS (visions); v++)
    assert_different_by (&visions[v], style, colors, kinds, n, what, least);
  if (style / TB_N_COLOR_STYLES == TB_COLOR_PALETTE_SHADES)
    assert_different_by (&without_color, style, colors, kinds, n, what, least);
}

/* Scales: little, some and much, and less and more. A larger distance must have a larger
 * difference. */
static void
test_scales (void)
{
  for (guint style = 0; style < N_SETS; style++)
    {
      const TbColors *colors = get_set (style);

      for (guint v = 0; v < G_N_ELEMENTS (visions); v++)
        for (guint i = 0; i + 1 < G_N_ELEMENTS (colors->shade); i++)
          g_assert_cmpfloat (get_difference (see (&visions[v], colors->shade[i]),
                                             see (&visions[v], colors->shade[i + 1])),
                             >=, 3 * LEAST_NOTICED);
      assert_different (style, colors->difference, (const guint[]) { 0, 1, 2, 3, 4 }, 5,
                        "differences", 2 * LEAST_NOTICED);
    }
}

/* Everything is drawn in the chosen palette. */
static void
test_choice (void)
{
  g_assert_cmpuint (tb_colors_get_palette (), ==, TB_COLOR_PALETTE_OKABE_ITO);
  for (guint set = 0; set < N_SETS; set++)
    {
      tb_colors_set_palette (set / TB_N_COLOR_STYLES);
      g_assert_true (tb_colors_get (set % TB_N_COLOR_STYLES) == get_set (set));
    }
  tb_colors_set_palette (TB_COLOR_PALETTE_OKABE_ITO);
}

/* States of a thread that are drawn at the same height. */
static void
test_states (void)
{
  static const guint waiting[] = { TB_PAINT_WAITING, TB_PAINT_DISK,    TB_PAINT_UNINTERRUPTIBLE,
                                   TB_PAINT_STOPPED, TB_PAINT_NETWORK, TB_PAINT_UNKNOWN };
  static const guint running[] = { TB_PAINT_RUNNING, TB_PAINT_INTERRUPT };
  /* Tracks that are not threads: all their states fill the row. */
  static const guint device[]
      = { TB_PAINT_RUNNING, TB_PAINT_INTERRUPT, TB_PAINT_DISK, TB_PAINT_NETWORK, TB_PAINT_WAITING };

  for (guint style = 0; style < N_SETS; style++)
    {
      const guint32 *paint = get_set (style)->paint;

      assert_different (style, paint, waiting, G_N_ELEMENTS (waiting), "states", 3 * LEAST_NOTICED);
      assert_different (style, paint, running, G_N_ELEMENTS (running), "states", 3 * LEAST_NOTICED);
      assert_different (style, paint, device, G_N_ELEMENTS (device), "states", 3 * LEAST_NOTICED);
    }
}

/* Boxes are adjacent, and either large or too small to read, so a noticeable difference is enough;
 * they have text as well. An inferred call is hatched in the colour of a call. */
static void
test_boxes (void)
{
  guint kinds[TB_N_FLAME_PAINTS], n = 0;

  for (guint i = 0; i < TB_N_FLAME_PAINTS; i++)
    if (i != TB_FLAME_INFERRED && i != TB_FLAME_LOST)
      kinds[n++] = i;
  for (guint style = 0; style < N_SETS; style++)
    assert_different (style, get_set (style)->flame, kinds, n, "boxes", LEAST_NOTICED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colors/formula", test_formula);
  g_test_add_func ("/colors/text", test_text);
  g_test_add_func ("/colors/graphics", test_graphics);
  g_test_add_func ("/colors/states", test_states);
  g_test_add_func ("/colors/boxes", test_boxes);
  g_test_add_func ("/colors/scales", test_scales);
  g_test_add_func ("/colors/choice", test_choice);
  return g_test_run ();
}
