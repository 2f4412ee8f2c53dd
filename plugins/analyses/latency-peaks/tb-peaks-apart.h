/* tb-peaks-apart.h: what sets the calls of a peak apart from the others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How much of one thing is known from another. */
typedef struct
{
  double
      information; /* share of the doubt whether a call is in the peak that knowing the value takes away, 0…1 */
  gboolean is_sure; /* no chance: of calls without any such bond one of ten thousand shows as much */
  gint64 value;     /* that tells most for the peak; of a grouped variable: the least of the group */
  gint64 value_to;  /* of a grouped variable: the greatest of the group */
  double share_in;  /* of the peak's calls that have it */
  double share_out; /* of the others */
} TbPeakBond;

/* inside, outside: values of calls in the peak and of others, both perhaps only some of so many (all_inside, all_outside).
 * is_number: values that are too many for each to be told apart are grouped by powers of two; else the rarer ones are one
 * group that is never named. The information is that of the values seen, less what so many values show by chance. */
TbPeakBond tb_peaks_measure_bond (const gint64 *inside,
                                  guint n_inside,
                                  guint64 all_inside,
                                  const gint64 *outside,
                                  guint n_outside,
                                  guint64 all_outside,
                                  gboolean is_number);

G_END_DECLS
