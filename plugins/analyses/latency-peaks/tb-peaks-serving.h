/* tb-peaks-serving.h: a new f0 on the side that serves the calls of a peak
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"
#include "tb-peaks-find.h"

G_BEGIN_DECLS

/* Of an operation's calls those that were done for other calls, as in section 3.7 of the paper: requests to devices that these
 * made, and of other threads what they did while one of these waited for them; whose process they are does not matter.
 * clients: the operation that was served, by its calls in the range of bins. rows: of the operation's table, of which those are
 * left that served. Returns the operation with these alone; NULL with error: there is none. (transfer none) */
const TbPeaksOperation *tb_peaks_find_served (TbPeaksCalls *calls,
                                              const TbPeaksOperation *operation,
                                              GArray *rows,
                                              const TbPeaksOperation *clients,
                                              const TbPeakRange *range,
                                              GError **error);

G_END_DECLS
