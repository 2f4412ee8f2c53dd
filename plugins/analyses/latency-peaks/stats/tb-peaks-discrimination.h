/* tb-peaks-discrimination.h: mutual information between one attribute of a call and its membership
 * in the peak, its significance and the attribute's most informative value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The mutual information between one attribute of a call and its membership in the peak. */
typedef struct
{
  /* share of the entropy of membership in the peak that the attribute's value removes, 0…1 */
  double information;
  /* significant: of calls without any such dependency, one in ten thousand shows as much */
  gboolean is_significant;
  /* most informative value for the peak; for a grouped attribute, the lowest of the group */
  gint64 value;
  gint64 value_to;  /* for a grouped attribute, the highest of the group */
  double share_in;  /* share of the peak's calls that have the value */
  double share_out; /* share of the other calls that have the value */
} TbPeakAssociation;

/* inside, outside: values of calls in the peak and of other calls, possibly samples of larger
 * numbers (all_inside, all_outside). is_number: if there are too many distinct values, they are
 * grouped by powers of two; otherwise the rarer values form one group that is never named. The
 * information is computed from the sampled values and corrected for the bias of small samples. */
TbPeakAssociation tb_peaks_measure_association (const gint64 *inside,
                                                guint n_inside,
                                                guint64 all_inside,
                                                const gint64 *outside,
                                                guint n_outside,
                                                guint64 all_outside,
                                                gboolean is_number);

G_END_DECLS
