/* tb-paint.c: names of the thread states and other looks (paints) that intervals of a timeline
 * have: stable name of each for JSON, translated label for the legend
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-paint.h"

G_STATIC_ASSERT (TB_N_PAINTS == TB_PAINT_ESTIMATED + 1);

static const struct
{
  const char *name;
  const char *label;
} paints[TB_N_PAINTS] = {
  [TB_PAINT_NONE] = { "none", N_ ("Nothing") },
  [TB_PAINT_RUNNING] = { "running", N_ ("Running") },
  [TB_PAINT_RUNNABLE] = { "runnable", N_ ("Runnable, waiting for a CPU") },
  [TB_PAINT_WAITING] = { "waiting", N_ ("Waiting") },
  [TB_PAINT_DISK] = { "disk", N_ ("Waiting for a disk") },
  [TB_PAINT_UNINTERRUPTIBLE] = { "uninterruptible", N_ ("Waiting, uninterruptible") },
  [TB_PAINT_STOPPED] = { "stopped", N_ ("Stopped") },
  [TB_PAINT_NETWORK] = { "network", N_ ("Waiting for the network") },
  [TB_PAINT_INTERRUPT] = { "interrupt", N_ ("Interrupt") },
  [TB_PAINT_LOST] = { "lost", N_ ("Events were lost") },
  [TB_PAINT_UNKNOWN] = { "unknown", N_ ("Unknown") },
  [TB_PAINT_ESTIMATED] = { "estimated", N_ ("Running, estimated from samples") },
};

/**
 * tb_paint_get_name:
 * @paint: look of an interval
 *
 * Gets the name of a look in JSON.
 *
 * Returns: the stable name that is used in JSON
 */
const char *
tb_paint_get_name (TbPaint paint)
{
  g_return_val_if_fail (paint < TB_N_PAINTS, "unknown");

  return paints[paint].name;
}

/**
 * tb_paint_get_label:
 * @paint: look of an interval
 *
 * Gets the meaning of a look for the legend, in the language of the user.
 *
 * Returns: the translated meaning, for the legend
 */
const char *
tb_paint_get_label (TbPaint paint)
{
  g_return_val_if_fail (paint < TB_N_PAINTS, "");

  return _ (paints[paint].label);
}
